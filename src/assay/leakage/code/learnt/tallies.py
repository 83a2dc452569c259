"""What the code finds out about one group of rows after the other: `len(games[games["winner"] == team])`, in a loop.

By itself that is a row for each group. Looked up by the rows that it came from, it is a statistic in their features, as
`groupby` would give it: how often each team won, or how frequent each is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.leakage.code.scored.search_loops import words_of
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import Among, Cut, Interval, Rows, cut_rows, grouped_by
from assay.leakage.code.state.values import Data, Kind, Mark, Marks, Shape
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_COUNTS = "counts by group"
_COUNTED = frozenset({_COUNTS, "value_counts", "Counter", "counts"})


def number_of(m: Machine, node: ast.AST, rows: Data) -> Data:
    """The number of some rows; with the trace of what was counted, where a loop goes from label to label."""
    return Data(marks=_of_group(m, node, rows, _COUNTS), shape=Shape.SUMMARY)


def share_of(m: Machine, node: ast.AST, rows: Data, name: str) -> Marks:
    """What a sum or a mean of a column knows, where a loop goes from label to label; of a mask it is a count."""
    return _of_group(m, node, rows, _COUNTS if rows.shape is Shape.MASK else f"{name} by group")


def of_one(m: Machine, node: ast.AST, data: Data, name: str) -> Data:
    """What sums up the one item that a loop is at; of a group of rows, it is of a table that has a row for each."""
    learnt = share_of(m, node, data, name)
    if not any(mark.kind is Kind.GROUP for mark in learnt):
        return data.marked(*learnt)
    rows = cut_rows(frozenset(part for mark in learnt for part in mark.rows), [grouped_by(m.site(node))])
    return replace(data, rows=rows, cuts=frozenset()).marked(*learnt)


def _of_group(m: Machine, node: ast.AST, rows: Data, name: str) -> Marks:
    labels = _labels(m)
    if not labels or not rows.rows or rows.predictions:
        return frozenset()
    cuts = frozenset[Cut]().union(rows.cuts, *(part.cuts for part in rows.rows))
    bounds = [cut for cut in cuts if isinstance(cut.side, Interval) and words_of(cut.side) & labels]
    summed = rows.columns.only or frozenset()
    if bounds:  # what comes before the row at hand is the past of it, and known by then
        past = any(map(_is_past, bounds))
        return frozenset({Mark(Kind.LAG, name, m.site(node), columns=summed)}) if past else frozenset()
    named = frozenset(cut for cut in cuts if any(_columns(cut, labels)))
    whole: Rows = frozenset(part._replace(cuts=part.cuts - named) for part in rows.rows)
    mark = Mark(Kind.GROUP, name, m.site(node), whole, summed, supervised=True)
    return _known_by_label(m, mark, named, labels)


def _known_by_label(m: Machine, mark: Mark, cuts: frozenset[Cut], labels: frozenset[str]) -> Marks:
    """What is known of groups that divisions name; a statistic, where the label at hand is looked up by a column."""
    if not cuts:
        return frozenset()
    if mark.name == _COUNTS:
        mark = replace(mark, columns=frozenset(column for cut in cuts for column in _columns(cut, labels)))
    asked = frozenset[str]().union(*(_asked(m, cut, labels) for cut in cuts))
    return looked_up_by(asked, frozenset({mark})) if asked else frozenset({mark})


def _is_past(cut: Cut) -> bool:
    """Whether rows are those before a value of a column."""
    return _is_column(cut) and isinstance(cut.side, Interval) and cut.side.low is None


def _labels(m: Machine) -> frozenset[str]:
    """The names that stand for one label after the other: those of loops, and what a function is given of each row."""
    if not (m.each_row or m.gone_through):
        return m.varied
    functions = (node for node in m.stack if isinstance(node, ast.FunctionDef | ast.Lambda))
    return m.varied.union(parameter.arg for function in functions for parameter in function.args.args)


def _columns(cut: Cut, labels: frozenset[str]) -> Iterator[str]:
    """The columns that a division holds against the label at hand."""
    if isinstance(cut.side, Among):
        for one in (c for part in cut.side.parts for c in part):
            yield from _columns(one, labels)
    elif isinstance(cut.key, tuple) and _is_column(cut) and cut.side in labels:
        yield str(cut.key[1])


def _is_column(cut: Cut) -> bool:
    return isinstance(cut.key, tuple) and cut.key[0] == "column"


def _asked(m: Machine, cut: Cut, labels: frozenset[str]) -> frozenset[str]:
    """The columns that the label at hand is taken from, where a function is called with one row after the other."""
    parts = [c for part in cut.side.parts for c in part] if isinstance(cut.side, Among) else [cut]
    found = [m.scope.find(str(c.side)) for c in parts if c.side in labels]
    given = [m.data(value) for value in found if value is not None]
    return frozenset[str]().union(*(data.columns.only or () for data in given if data.rows))


def looked_up_by(asked: frozenset[str], known: Marks) -> Marks:
    """What is known of groups, once it is looked up by columns: a statistic, also of how frequent they are."""
    return frozenset(_looked_up(mark, asked) if _of_groups(mark) else mark for mark in known)


def _of_groups(mark: Mark) -> bool:
    return mark.kind is Kind.GROUP or (mark.kind is Kind.ENCODE and _counts(mark) and bool(mark.columns))


def _looked_up(mark: Mark, asked: frozenset[str]) -> Mark:
    of_itself = _counts(mark) and mark.columns <= asked
    name = _COUNTS if _counts(mark) else mark.name
    return replace(mark, kind=Kind.STATISTIC, name=name, supervised=not of_itself)


def is_frequency(mark: Mark) -> bool:
    """Whether rows get a count of their own value."""
    return mark.name == _COUNTS and mark.kind is Kind.STATISTIC and not mark.supervised


def labels_counted(data: Data) -> Data:
    """`table["ward"].value_counts().index`: which values there are, in the order of how often; not how often."""
    listed = (replace(k, name=f"{k.name}.index") if k.kind is Kind.ENCODE and _counts(k) else k for k in data.marks)
    return replace(data, marks=frozenset(listed))


def _counts(mark: Mark) -> bool:
    return mark.name.rpartition(".")[2] in _COUNTED


def counts_gaps(node: ast.Call) -> bool:
    """Whether a call counts what is missing, or the share of it: `table.isna().mean()`, `np.isnan(X).sum(axis=0)`."""
    match node.func:
        case ast.Attribute(attr=name, value=ast.Call(func=ast.Attribute(attr=asked))):
            return name in names_of(Group.SUMMED) and asked in names_of(Group.GAPS)
    return False
