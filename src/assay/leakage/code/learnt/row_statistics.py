"""What is learnt from rows: statistics, fillings, bins, groups."""

from __future__ import annotations

import ast

from assay.leakage.code.frames import column_expressions, time_order
from assay.leakage.code.language.call import Call, in_place, kept, replace_call
from assay.leakage.code.learnt import items, tallies, vocabularies
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.rows import cut_rows, grouped_by, meet, within
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Const,
    Data,
    Function,
    Kind,
    Library,
    Mapping,
    Mark,
    Seq,
    Shape,
    Value,
)
from assay.leakage.code.syntax import names_in
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace


def statistic(c: Call) -> Value:
    """A mean, a quantile, a correlation: the rows are gone, what was learnt from them stays."""
    whole = united([c.base, *c.all_data()])
    words = vocabularies.counts(c.name)
    if not whole.rows:
        return _without_rows(c, whole, words=words)
    if whole.predictions:
        return replace(whole.summary, predictions=whole.predictions)
    if _row_by_row(c) or _column_beside_column(c):
        return whole
    if Shape.MASK in (c.base.shape, whole.shape):  # a share of the rows; what bounds it was learnt
        learnt = frozenset(k for k in whole.marks if k.kind is Kind.STATISTIC)
        return replace(whole.summary, marks=learnt | tallies.share_of(c.m, c.node, c.base, c.name))
    if c.base.shape is Shape.POSITIONS or time_order.is_end_of_time(c, whole):  # an end of an index, or of the dates
        return replace(whole.summary, marks=frozenset(k for k in whole.marks if k.kind is Kind.OUTLIER))
    whole = _without_windows_of_item(c, whole)
    if items.is_one(c.m, whole) or _of_words(whole):
        return tallies.of_one(c.m, c.node, replace(whole, shape=Shape.UNKNOWN), c.name)
    return _summed_up(c, whole, of_outcomes=words and vocabularies.of_outcomes(c))


def _without_windows_of_item(c: Call, whole: Data) -> Data:
    """`np.mean(spectra)` of windows of the recording that a loop is at: one number for the recording.

    Where the item itself is a window, its neighbours overlap it, whatever is made of it.
    """
    windows = frozenset(mark for mark in whole.marks if mark.kind is Kind.WINDOW)
    names = names_in(*(loop.target for loop in c.m.loops if isinstance(loop, ast.For))) if windows else ()
    items = [c.m.data(value) for name in names if (value := c.m.scope.find(name)) is not None]
    marks = [item.marks for item in items if meet(item.rows, whole.rows)]
    return replace(whole, marks=whole.marks - windows.difference(*marks)) if marks else whole


def _summed_up(c: Call, whole: Data, *, of_outcomes: bool) -> Data:
    """What is left of rows that were summed up, all of them or group by group, and the trace of it."""
    kind = Kind.GAPS if tallies.counts_gaps(c.node) else c.effect.kind or Kind.STATISTIC
    summed = frozenset[str]() if c.name == "size" else whole.columns.only or frozenset()  # rows are counted, no column
    among = whole.columns if kind is Kind.CORRELATION and _compares_one_table(c) else None
    mark = Mark(kind, c.name, c.site, whole.rows, summed, supervised=c.effect.supervised, among=among)
    if of_outcomes:
        mark = replace(mark, name=f"{c.name} of outcomes")
    if c.base.shape is Shape.GROUPED:
        mark = replace(mark, name=f"groupby.{c.name}", supervised=True)
    summary = replace(whole.summary, marks=whole.marks | {mark}, columns=SOME_COLUMNS)
    if c.base.shape is Shape.GROUPED:
        return replace(summary, rows=cut_rows(whole.rows, [grouped_by(c.site)]))
    return summary


def _compares_one_table(c: Call) -> bool:
    """`table.corr("spearman")`, `spearmanr(table)`: one table takes part, and nothing but settings beside it."""
    taking_part = map(c.m.plain, (c.receiver, *c.args, *c.keywords.values()))
    return sum(not isinstance(one, Const | Library) for one in taking_part if one != UNKNOWN) == 1


def _without_rows(c: Call, whole: Data, *, words: bool) -> Value:
    """What sums up no rows: an expression of a column, words that are yet to be counted, numbers."""
    if column_expressions.is_one(c.base):
        return column_expressions.learnt(c, c.effect.kind or Kind.STATISTIC)
    return Mapping(open=True) if words and not c.args else whole.summary


def _row_by_row(c: Call) -> bool:
    """Whether a sum goes along other axes than that of the rows: `axis=1`, `axis=(1, 2)`, `X.mean(-1)`."""
    place = -1 if c.name.rpartition(".")[2] not in names_of(Group.AXIS_FIRST) else 1 if "." in c.name else 0
    axis = c.constant(place, "axis", "dim")
    axes = axis if isinstance(axis, list) else [axis]
    return all(isinstance(one, int) and one != 0 and not isinstance(one, bool) for one in axes)


def _column_beside_column(c: Call) -> bool:
    """`np.max([high - low, high - close], axis=0)`: of several columns the largest, for each row."""
    first = c.m.plain(c.args[0]) if c.args and "." in c.name else None
    return isinstance(first, Seq) and not first.open and len(first.items) > 1 and c.constant(1, "axis") == 0


def _of_words(data: Data) -> bool:
    """Whether what an embedding knows of words is summed up: that of the words of one text, for each text."""
    return any(k.kind is Kind.VECTORISE and k.name.rpartition(".")[2] in names_of(Group.EMBEDDINGS) for k in data.marks)


def learn(c: Call) -> Value:
    """Learnt from all given rows and applied to them at once."""
    if not c.base.rows or items.is_whole(c.m, c.base):
        return kept(c)
    kind = c.effect.kind or Kind.STATISTIC
    mark = Mark(kind, c.name, c.site, c.base.rows, c.base.columns.only or frozenset(), into=c.base.columns.only)
    result = c.base.marked(mark)
    if c.name.endswith("get_dummies"):
        encoded = c.m.names(c.value(-1, "columns"))
        result = _by_category(c.base, encoded).marked(replace(mark, into=encoded))
    if c.name.endswith(("factorize", "boxcox", "yeojohnson")):
        return Seq((result, result.summary)) if "factorize" in c.name or "lmbda" not in c.keywords else result
    return in_place(c, result)


def _by_category(table: Data, encoded: frozenset[str] | None) -> Data:
    """The table after `get_dummies`: what stood in the column `ward` now stands in `ward_north` and its like."""
    if table.shape is Shape.COLUMN:
        return replace(table, marks=frozenset(replace(k, into=None) for k in table.marks))
    return replace(table, marks=frozenset(_spread(k, encoded) for k in table.marks))


def _spread(mark: Mark, encoded: frozenset[str] | None) -> Mark:
    if mark.into is None or not mark.rows:
        return mark
    return replace(mark, into=mark.into | {f"{n}_*" for n in mark.into if encoded is None or n in encoded})


def fill(c: Call) -> Value:
    """`fillna`: with a constant or from the next row nothing is learnt, with a mean what the mean knows."""
    given = united(c.all_data())
    traces = [
        replace(k, kind=Kind.IMPUTE if k.kind in {Kind.STATISTIC, Kind.ENCODE} else k.kind, into=c.base.columns.only)
        for k in given.marks - c.base.marks
    ]
    filled = replace(c.base, shape=Shape.TABLE) if c.base.shape is Shape.GROUPED else c.base
    return changed(c, filled.marked(*traces))


def changed(c: Call, result: Data) -> Value:
    """What a method gives; with `inplace=True` the column, and with it the table that it was taken from, becomes it."""
    if c.constant(-1, "inplace") is True and isinstance(c.node.func, ast.Attribute):
        _write_back(c, c.node.func.value, result)
        return Const(None)
    return result


def _write_back(c: Call, target: ast.expr, result: Data) -> None:
    """`df["age"].fillna(…, inplace=True)` changes the table that the column was taken from."""
    if isinstance(target, ast.Subscript) or (isinstance(target, ast.Attribute) and target.attr not in {"loc", "iloc"}):
        c.m.bind(target, result)
    else:
        c.m.store(c.receiver, result)


def group_by(c: Call) -> Value:
    """Rows by group; that the column repeats is written down."""
    names = c.m.names(c.value(0, "by"))
    for part in c.base.rows:
        for name in sorted(names or ()):
            c.m.trace.grouped.setdefault((part.origin, name), c.site)
    written = frozenset({text_of(c.node.args[0])}) if c.node.args else frozenset()
    c.m.grouped_by[c.base.rows] = names or c.data(0, "by").columns.only or written
    return replace(c.base, shape=Shape.GROUPED)


def transform_groups(c: Call) -> Value:
    """A statistic of the group, or its number, written to every row of it."""
    given = c.m.plain(c.value(0, "func") or Const(None))
    made = _by_function(c, given) if isinstance(given, Function) else None
    if made is not None or not c.base.rows:
        return made or c.base
    kind = c.effect.kind or Kind.STATISTIC
    mark = Mark(kind, f"groupby.{c.name}", c.site, c.base.rows, c.base.columns.only or frozenset(), supervised=True)
    return replace(c.base, shape=Shape.COLUMN).marked(mark)


def _by_function(c: Call, function: Function) -> Data | None:
    """What a function makes of each group, where it sums none up; None where it does."""
    column = replace(c.base, shape=Shape.COLUMN)
    result = c.m.data(replace_call(c, [column]).apply(function))
    found = frozenset(k for k in result.marks - c.base.marks if k.rows)
    if not found and _are_some(result, column):
        return replace(result, shape=Shape.TABLE)  # some rows of each group
    if not found:
        return column.marked(*result.marks)  # each row by itself, or by those before it
    kept = bool(result.rows) and all(k.kind in ROWS_CHANGED for k in found)
    return replace(c.base, shape=Shape.TABLE).marked(*found) if kept else None


def _are_some(rows: Data, whole: Data) -> bool:
    """Whether these are some of the rows of a column, and not all."""
    return rows.shape is Shape.COLUMN and rows.rows != whole.rows and within(rows.rows, whole.rows)


def cut(c: Call) -> Value:
    """`pd.cut` with edges learns nothing; with a number of bins it learns the range."""
    bins = c.value(1, "bins")
    if isinstance(c.m.constant(bins), int):
        mark = Mark(Kind.DISCRETISE, c.name, c.site, c.base.rows, into=c.base.columns.only)
        return c.base.marked(mark)
    return (
        c.base.marked(*c.m.data(bins).marks)
        if bins is not None and not isinstance(c.m.plain(bins), Library)
        else c.base
    )
