"""Rows and columns taken, dropped, copied, renamed."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from assay.leakage.code.dividing import disorder, sides, undersampling
from assay.leakage.code.effects import How
from assay.leakage.code.frames import column_expressions, column_names, masks, queries, table_columns, time_order
from assay.leakage.code.language.call import Call, in_place, kept, replace_call
from assay.leakage.code.learnt import picked_columns
from assay.leakage.code.state.places import chosen_by
from assay.leakage.code.state.rows import LEFT, POSITIONS, Cut, Interval, OneOf, meet, one_for_each_group
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Columns,
    Const,
    Data,
    Function,
    Kind,
    Library,
    Mapping,
    Mark,
    Marks,
    Seq,
    Shape,
    Value,
)
from assay.records import replace


def drop(c: Call) -> Value:
    """Columns by name, or rows by the index of a part."""
    labels = c.value(0, "labels", "columns", "index")
    if column_names.are_names(c.base):
        return column_names.without(c.base, c.m.names(labels))
    if labels is None or (c.base.shape is Shape.SUMMARY and not one_for_each_group(c.base.rows)):
        return c.base
    chosen = c.m.data(labels) if not isinstance(c.m.plain(labels), Const | Library) else UNKNOWN
    if chosen.shape is Shape.POSITIONS and chosen.rows:
        return in_place(c, _without_part(c, chosen))
    names = c.m.names(labels)
    if not _by_rows(c):
        return in_place(c, _without_columns(c, names, chosen.marks))
    if chosen.shape is Shape.POSITIONS and chosen.cuts:  # without positions that were drawn or counted out
        left = c.base.cut(*sides.negated(chosen.cuts))
        return in_place(c, left.marked(*undersampling.without_some(c.m, c.node, c.base, chosen, left.rows)))
    if not names:
        return in_place(c, c.base.marked(*(k for k in chosen.marks if k.kind is Kind.OUTLIER)))
    return in_place(c, c.base if c.base.shape is Shape.COLUMN else _without_columns(c, names, chosen.marks))


def _by_rows(c: Call) -> bool:
    """Whether labels of rows are dropped, and not of columns."""
    axis = c.word(1, "axis", default=0)
    return "index" in c.keywords or ("columns" not in c.keywords and axis in {0, "index", "rows"})


def _without_part(c: Call, rows: Data) -> Data:
    """A table without the rows of a part of it; where a bound that was learnt made the part, that is a trace."""
    left = masks.complement(c.base, rows) or c.base
    bounds = [replace(k, kind=Kind.OUTLIER) for k in rows.marks if k.kind in {Kind.OUTLIER, Kind.STATISTIC}]
    return left.marked(*bounds, *undersampling.without_some(c.m, c.node, c.base, rows, left.rows))


def _without_columns(c: Call, names: frozenset[str] | None, known: Marks) -> Data:
    """A table without some columns, with the traces of what they were chosen by."""
    for part in c.base.rows:
        for name in sorted(names or ()):
            c.m.trace.mentioned.setdefault((part.origin, name), c.site)
    spread = (k for k in known if k.kind is Kind.VARIANCE and k.rows)
    traces = (*picked_columns.telling(known), *picked_columns.by_gaps(known), *picked_columns.picked(c), *spread)
    return table_columns.without_columns(c.base, names).marked(*traces)


def delete(c: Call) -> Value:
    """`np.delete(X, chosen, axis=0)`: all rows but those at some positions, or at one."""
    chosen, at = c.data(1, "obj"), c.node.args[1] if len(c.node.args) > 1 else None
    if c.word(2, "axis", default=0) != 0 or at is None:
        return c.base
    left = c.base.marked(*(k for k in chosen.marks if k.kind is Kind.OUTLIER))
    if chosen.cuts:
        return left.cut(*sides.negated(chosen.cuts))
    return left.cut(sides.all_but(c.m, at))


def remainder(c: Call) -> Value:
    """`np.setdiff1d(positions, chosen)`; and in Spark `table.subtract(part)`, which in pandas is arithmetic."""
    if c.effect.how is How.TABLE:
        return masks.complement(c.base, c.data(0, "other")) or kept(c)
    if column_names.are_names(c.base):
        return column_names.without(c.base, c.m.names(c.value(0, "other")))
    return masks.others(c.base, c.data(0 if c.name == "difference" else 1, "ar2", "other")) or kept(c)


def pop(c: Call) -> Value:
    """A column is taken out of the table."""
    name = c.constant(0, "item")
    if name is None and c.base.rows and c.m.loops:
        return _taken_out(c)
    if not isinstance(name, str):
        return c.base
    taken = table_columns.column(c.m, c.base, name, c.node)
    c.m.store(c.receiver, table_columns.without_columns(c.base, frozenset({name})))
    return taken


def _taken_out(c: Call) -> Data:
    """`rows.pop(randrange(len(rows)))` in a loop: one row after the other is taken out of a list, the rest is left."""
    left, taken = (Cut(("popped", c.node, c.m.stack), side) for side in (LEFT, "taken"))
    whole = replace(c.base, rows=frozenset(part._replace(cuts=part.cuts - {left}) for part in c.base.rows))
    c.m.store(c.receiver, whole.cut(left))
    return whole.cut(taken)


def sample(c: Call) -> Value:
    """A shuffle, a part, or copies."""
    resample = c.effect.how is How.RESAMPLE
    replaced = _with_replacement(c, resample=resample)
    if not resample and not replaced and c.constant(1, "frac", "fraction") == 1:
        return c.base.marked(disorder.by_chance(c, c.base.rows)) if c.base.rows else c.base
    tables = [c.m.data(v) for v in c.args if not isinstance(c.m.plain(v), Const)] if resample else [c.base]
    drawn = _drawn_again(c, tables) if replaced else _drawn_once(c, tables)
    return drawn[0] if len(drawn) == 1 else Seq(tuple(drawn))


def _with_replacement(c: Call, *, resample: bool) -> bool:
    """Whether a row may be drawn twice; Spark takes this as its first argument."""
    first = None if resample else c.constant(0)
    named = c.constant(-1, "replace", "with_replacement", "withReplacement", default=resample)
    return bool(first if isinstance(first, bool) else named)


def _drawn_again(c: Call, tables: list[Data]) -> list[Data]:
    """Rows drawn with replacement: some are there twice, and others are not."""
    some = Cut(("drawn again", *_draw(c)), OneOf(frozenset({"drawn"})))
    mark = Mark(Kind.COPY, c.name or "resample", c.site, c.base.cut(some).rows)
    return [table.cut(some).marked(mark) for table in tables]


def _drawn_once(c: Call, tables: list[Data]) -> list[Data]:
    """Some of the rows; with a written seed and size they are the same from call to call."""
    seed = c.constant(-1, "random_state", "seed")
    size = f"{c.constant(0, 'n', 'frac', 'n_samples')}"
    cut = Cut(("sampled", *(c.m.draw(c.node) if seed is None else (f"seed {seed}", size))), "sampled")
    c.m.drawn_at.setdefault(cut.key, c.node)
    return [_thinned(table, cut) for table in tables]


def _thinned(rows: Data, cut: Cut) -> Data:
    """Some of the rows of a table, or of each group."""
    drawn = rows.cut(cut)
    return replace(drawn, shape=Shape.TABLE) if drawn.shape is Shape.GROUPED else drawn


def _draw(c: Call) -> tuple[Hashable, ...]:
    """The identity of a draw with replacement: with a written seed and size it is the same from call to call."""
    sizes = [k.value for k in c.node.keywords if k.arg in _SIZES]
    varied = {n.id for size in sizes for n in ast.walk(size) if isinstance(n, ast.Name)} & c.m.varied
    if isinstance(c.constant(-1, "random_state"), int) and not varied:
        return (c.node, "seeded")
    return c.node, c.m.stack, c.m.rounds


_SIZES = frozenset({"n_samples", "n", "frac", "fraction"})


def deduplicate(c: Call) -> Value:
    """Copies removed; and with them, if none is kept, the rows of which there were any."""
    kept_marks = frozenset(k for k in c.base.marks if k.kind not in {Kind.COPY, Kind.EXPLODE})
    single = replace(c.base, marks=kept_marks)
    if c.constant(-1, "keep") is False:
        whole = frozenset(p for p in c.base.rows if not any(q.cuts < p.cuts for q in c.base.rows))
        rest = masks.complement(replace(single, rows=whole), replace(single, rows=c.base.rows - whole))
        single = single if rest is None else rest
    return in_place(c, single)


def drop_gaps(c: Call) -> Value:
    """Rows with gaps, or columns; those with too many (`thresh`) are chosen by how full they are among all rows."""
    chosen = c.word(0, "axis") in {1, "columns"} and c.value(-1, "thresh") is not None and bool(c.base.rows)
    mark = [Mark(Kind.VARIANCE, c.name, c.site, c.base.rows)] if chosen else []
    return in_place(c, c.base.marked(*mark))


def take(c: Call) -> Value:
    """The first or last rows, those at given positions, or those that a text asks for."""
    special = _TAKEN_BY.get(c.effect.how)
    if special is not None:
        return special(c)
    given = c.data(0, "index")
    if given.shape is Shape.POSITIONS:
        return masks.at_positions(c.base, given)
    if c.effect.how is How.LABELS:
        return queries.labelled(c)
    bound = _number_of_rows(c)
    if bound is None or not c.base.rows:
        return kept(c)  # a look at the first rows, or the head of a network
    last = c.effect.how is How.LAST
    cut = Cut(POSITIONS, Interval(_from_the_end(bound), None) if last else Interval(None, bound))
    return _thinned(c.base, cut) if c.base.shape is Shape.GROUPED else c.base.cut(cut)


def _by_query(c: Call) -> Value:
    """`table.query("age > 40")`."""
    condition = c.constant(0, "expr")
    if not isinstance(condition, str):
        condition = chosen_by(c.m, c.node.args[0]) if c.node.args else ""
    return in_place(c, queries.queried(c.m, c.base, condition))


def _by_positions(c: Call) -> Value:
    """`np.take(rows, places)`, `Subset(rows, places)`; places that nobody knows go by what the code calls them."""
    places, named = c.data(1, "indices"), isinstance(next(iter(c.node.args[1:]), None), ast.Name | ast.Attribute)
    foreign = bool(places.rows) and not places.cuts and not meet(c.base.rows, places.rows)
    if foreign and named and places.shape is not Shape.POSITIONS:
        return c.base.cut(Cut("picked", OneOf(text_of(c.node.args[1]))))
    return masks.at_positions(c.base, places) if len(c.args) > 1 else c.data(0)


def _at_one_end(c: Call) -> Value:
    """`table.nlargest(9, "date")`; of a table of scores, its order."""
    return queries.extreme(c) if c.base.rows else time_order.sort(c)


_TAKEN_BY = {How.QUERY: _by_query, How.POSITIONS: _by_positions, How.EXTREME: _at_one_end}


def _number_of_rows(c: Call) -> int | str | None:
    """How many rows are asked for: a number, or the text of an expression."""
    bound = c.constant(0)
    if isinstance(bound, int):
        return bound
    return text_of(c.node.args[0]) if c.node.args else None


def _from_the_end(bound: int | str) -> int | str:
    """Where the last rows start, counted from the end; `tail(-3)` is all but the first three."""
    return -bound if isinstance(bound, int) else f"-{bound}"


def skip(c: Call) -> Value:
    """All but the first rows."""
    return c.base.cut(Cut(POSITIONS, Interval(_number_of_rows(c), None)))


def _kept_by(c: Call) -> frozenset[Cut]:
    """`data.filter(lambda row: row["fold"] != k)`: the side of the rows of which a comparison holds."""
    asked = c.m.plain(c.args[0])
    match asked.node if isinstance(asked, Function) else None:
        case ast.Lambda(body=ast.Compare(left=left, ops=[sign], comparators=[right])):
            return sides.cuts_of(c.m, left, UNKNOWN, sign, right)
    return frozenset()


def pick_types(c: Call) -> Value:
    """Columns of some type or name; rows that a mask keeps."""
    chosen = c.data(0, "indices")
    if c.name == "select" and chosen.shape is Shape.POSITIONS:
        return masks.at_positions(c.base, chosen)
    names = c.m.names(c.value(0, "items", "exprs"))
    if names and c.name == "select":
        return table_columns.with_columns(c.base, names)
    if c.name == "filter" and c.args:
        mask = column_expressions.asked_of(c.base, c.data(0))
        if mask.shape is Shape.MASK:
            return masks.filtered(c.m, c.base, mask, c.node)
        return c.base.cut(*_kept_by(c))
    expressions = _asked(c) if c.name == "select" else frozenset()
    if expressions and all(data.shape is Shape.SUMMARY for value in c.args for data in _items(c, value)):
        return c.base.summary.marked(*expressions)
    return replace(c.base, columns=SOME_COLUMNS).marked(*expressions)


def assign(c: Call) -> Value:
    """The table with further columns."""
    result = c.base
    for name, value in c.keywords.items():
        computed = isinstance(c.m.plain(value), Function)
        given = replace_call(c, [c.base]).apply(value) if computed else value
        plain = c.m.plain(given)
        asked = column_expressions.asked_of(c.base, plain) if isinstance(plain, Data) else given
        result = table_columns.assigned(c.m, result, frozenset({name}), asked, c.node)
    return result.marked(*_asked(c))


def _asked(c: Call) -> Marks:
    """What the expressions that a table is given have learnt from it."""
    listed = (item for value in c.args for item in _items(c, value))
    return frozenset().union(*(column_expressions.asked_of(c.base, data).marks for data in listed))


def _items(c: Call, value: Value) -> list[Data]:
    plain = c.m.plain(value)
    return [c.m.data(item) for item in plain.items] if isinstance(plain, Seq) else [c.m.data(value)]


def insert(c: Call) -> Value:
    """`table.insert(0, name, values)`: the table itself has one more column."""
    names, given = c.m.names(c.value(1, "column")), c.value(2, "value")
    if given is not None:
        c.m.store(c.receiver, table_columns.assigned(c.m, c.base, names, given, c.node))
    return Const(None)


def rename(c: Call) -> Value:
    """Columns under other names, traces included."""
    names = c.m.plain(c.value(0, "columns", "mapper", "index") or UNKNOWN)
    alone = c.m.constant(names)
    if isinstance(alone, str):
        return replace(c.base, columns=Columns(frozenset({alone})))  # the name of a column by itself
    if not isinstance(names, Mapping):
        return in_place(c, c.base)
    new = {k: c.m.constant(v) for k, v in names.items}
    only = c.base.columns.only
    renamed = None if only is None else frozenset(str(new.get(n, n)) for n in only)
    marks = frozenset(
        k if k.into is None else replace(k, into=frozenset(str(new.get(n, n)) for n in k.into)) for k in c.base.marks
    )
    columns = replace(
        c.base.columns, only=renamed, without=c.base.columns.without | {k for k in new if isinstance(k, str)}
    )
    noted = frozenset((str(new.get(name, name)), said) for name, said in c.base.noted)
    return in_place(c, replace(c.base, marks=marks, columns=columns, noted=noted))


def align(c: Call) -> Value:
    """Two tables with the same columns, each with its own rows."""
    return Seq((c.base, c.data(0, "other")))
