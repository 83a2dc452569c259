"""What is learnt from rows: statistics, fillings, bins, groups."""

from __future__ import annotations

import ast
from dataclasses import replace

from assay.leakage.code import binding, calling
from assay.leakage.code.call import Call, in_place, kept, replace_call
from assay.leakage.code.machine import united
from assay.leakage.code.rows import Interval, cut_rows, grouped_by
from assay.leakage.code.search_loops import inside, names_set_in, words_of
from assay.leakage.code.values import (
    SOME_COLUMNS,
    Const,
    Data,
    Function,
    Kind,
    Library,
    Mark,
    Seq,
    Shape,
    Value,
)


def statistic(c: Call) -> Value:
    """A mean, a quantile, a correlation: the rows are gone, what was learnt from them stays."""
    others = c.all_data()
    whole = united([c.base, *others])
    if not whole.rows:
        return whole.summary
    if whole.predictions:
        return replace(whole.summary, predictions=whole.predictions)
    if c.constant(-1, "axis") == 1 and not _turned(c):
        return whole
    if c.base.shape is Shape.MASK or whole.shape is Shape.MASK:
        return replace(whole.summary, marks=frozenset())
    if c.base.shape is Shape.POSITIONS:
        return replace(whole.summary, marks=frozenset())  # the first and last label of an index
    if _of_a_window(c, whole) or _of_one_item(c, whole):
        return replace(whole, shape=Shape.UNKNOWN)
    kind = c.effect.kind or Kind.STATISTIC
    mark = Mark(kind, c.name, c.site, whole.rows, whole.columns.only or frozenset(), supervised=c.effect.supervised)
    grouped = any(k.kind is Kind.GROUP for k in whole.marks)
    if c.base.shape is Shape.GROUPED or grouped:
        mark = replace(mark, name=f"groupby.{c.name}", supervised=True)
    summary = replace(whole.summary, marks=whole.marks | {mark}, columns=SOME_COLUMNS)
    if c.base.shape is Shape.GROUPED:
        return replace(summary, rows=cut_rows(whole.rows, [grouped_by(c.site)]))
    return summary


def _turned(c: Call) -> bool:
    """`np.mean(X.T, axis=1)`: across the rows after all."""
    return any(isinstance(given, ast.Attribute) and given.attr == "T" for given in c.node.args[:1])


def _of_a_window(c: Call, data: Data) -> bool:
    """Whether a loop goes from window to window: what sums one up is a feature of it, not learnt from all rows."""
    moving = c.m.varied.union(*(names_set_in(loop) for loop in c.m.loops))
    return bool(moving) and all(
        any(isinstance(cut.side, Interval) and words_of(cut.side) & moving for cut in part.cuts) for part in data.rows
    )


def _of_one_item(c: Call, data: Data) -> bool:
    """Whether a loop goes from item to item of the rows, and all that is summed up here was made of the one at hand."""
    loop = c.m.loops[-1] if c.m.loops else None
    if not isinstance(loop, ast.For) or data.shape is Shape.GROUPED:
        return False
    owner = [c.node.func.value] if isinstance(c.node.func, ast.Attribute) else []
    summed: list[ast.expr] = [*c.node.args[:1], *owner]
    used = {n.id for value in summed for n in ast.walk(value) if isinstance(n, ast.Name)}
    known = {name: c.m.scope.find(name) for name in used}
    used = {name for name, value in known.items() if value is not None and not isinstance(c.m.plain(value), Library)}
    read_before = not any(inside(part.origin.site.node, loop) for part in data.rows)
    return bool(used) and read_before and used <= names_set_in(loop)


def learn(c: Call) -> Value:
    """Learnt from all given rows and applied to them at once."""
    if not c.base.rows:
        return kept(c)
    kind = c.effect.kind or Kind.STATISTIC
    mark = Mark(kind, c.name, c.site, c.base.rows, c.base.columns.only or frozenset(), into=c.base.columns.only)
    result = c.base.marked(mark)
    if c.name.endswith("get_dummies"):
        encoded = c.m.names(c.value(-1, "columns"))
        result = c.base.marked(replace(mark, into=encoded))
    if c.name.endswith(("factorize", "boxcox", "yeojohnson")):
        return Seq((result, result.summary)) if "factorize" in c.name or "lmbda" not in c.keywords else result
    return in_place(c, result)


def fill(c: Call) -> Value:
    """`fillna`: with a constant nothing is learnt, with a mean what the mean knows, with neighbours a little."""
    method = c.constant(-1, "method")
    if method or (c.base.shape is Shape.GROUPED and c.name != "fillna"):
        mark = Mark(Kind.FILL, f"{c.name}({method or ''})", c.site, c.base.rows, into=c.base.columns.only)
        return in_place(c, c.base.marked(mark) if c.base.rows else c.base)
    given = united(c.all_data())
    traces = [
        replace(k, kind=Kind.IMPUTE if k.kind in {Kind.STATISTIC, Kind.ENCODE} else k.kind, into=c.base.columns.only)
        for k in given.marks - c.base.marks
    ]
    result = c.base.marked(*traces)
    if c.constant(-1, "inplace") is True and isinstance(c.node.func, ast.Attribute):
        _write_back(c, c.node.func.value, result)
        return Const(None)
    return result


def _write_back(c: Call, target: ast.expr, result: Data) -> None:
    """`df["age"].fillna(…, inplace=True)` changes the table that the column was taken from."""
    if isinstance(target, ast.Subscript) or (isinstance(target, ast.Attribute) and target.attr not in {"loc", "iloc"}):
        binding.bind(c.m, target, result)
    else:
        c.m.store(c.receiver, result)


def group_by(c: Call) -> Value:
    """Rows by group; that the column repeats is written down."""
    names = c.m.names(c.value(0, "by"))
    for part in c.base.rows:
        for name in names or ():
            c.m.trace.grouped.setdefault((part.origin, name), c.site)
    return replace(c.base, shape=Shape.GROUPED)


def transform_groups(c: Call) -> Value:
    """A statistic of the group written to every row of it."""
    given = c.m.plain(c.value(0, "func") or Const(None))
    if isinstance(given, Function):
        column = replace(c.base, shape=Shape.COLUMN)
        result = c.m.data(calling.apply(replace_call(c, [column]), given))
        if not any(k.rows for k in result.marks - c.base.marks):
            return column.marked(*result.marks)  # each row by itself, or by those before it
    mark = Mark(
        Kind.STATISTIC, f"groupby.{c.name}", c.site, c.base.rows, c.base.columns.only or frozenset(), supervised=True
    )
    return replace(c.base, shape=Shape.COLUMN).marked(mark) if c.base.rows else c.base


def cut(c: Call) -> Value:
    """`pd.cut` with edges learns nothing; with a number of bins it learns the range."""
    bins = c.value(1, "bins")
    if isinstance(c.m.constant(bins), int) and c.base.rows:
        mark = Mark(Kind.DISCRETISE, c.name, c.site, c.base.rows, into=c.base.columns.only)
        return c.base.marked(mark)
    return (
        c.base.marked(*c.m.data(bins).marks)
        if bins is not None and not isinstance(c.m.plain(bins), Library)
        else c.base
    )
