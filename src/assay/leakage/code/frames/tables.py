"""Effects on tables and columns, one small function for each role of the table of libraries."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from assay.leakage.code.dividing import disorder, repetition, splits
from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.frames import (
    column_expressions,
    concatenation,
    membership,
    merges,
    sources,
    table_methods,
    time_order,
)
from assay.leakage.code.language.call import Call, fresh, in_place, kept, replace_call
from assay.leakage.code.learnt import items, row_statistics, tallies
from assay.leakage.code.lookup import effect_of
from assay.leakage.code.models import making
from assay.leakage.code.scored import score_tables, scoring
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.rows import OriginKind
from assay.leakage.code.state.values import (
    ALL_COLUMNS,
    SOME_COLUMNS,
    UNKNOWN,
    Columns,
    Const,
    Data,
    Estimator,
    Function,
    Instance,
    Kind,
    Library,
    Mapping,
    Seq,
    Shape,
    Value,
)
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace


def perform(c: Call, effect: Effect, *, function: bool) -> Value:
    """Carry out an effect. Of a method, the receiver comes first among the data."""
    rule = _rules().get(effect.role)
    if rule is None:
        return kept(c)
    c.effect, c.base = effect, _first(c) if function else c.m.data(c.receiver)
    return rule(c)


def _first(c: Call) -> Data:
    value = c.value(0, "data", "X", "x", "a", "df", "left", "objs", "arrays", "tensors", "dataset", "sentences")
    return c.m.data(value) if value is not None and not isinstance(c.m.plain(value), Const) else UNKNOWN


def same(c: Call) -> Value:
    """Nothing is learnt: rows and traces of everything that went in."""
    functions = [v for v in (*c.args, *c.keywords.values()) if isinstance(c.m.plain(v), _CALLED)]
    if functions and c.name in names_of(Group.OF_ROWS):
        return _by_function(c, functions)
    if c.name in {"map", "replace"} and c.base.rows:
        known = tallies.looked_up_by(c.base.columns.only or frozenset(), united(c.all_data()).marks)
        return row_statistics.changed(c, c.base.marked(*known))
    return _of_all_rows(c) or _summed(c) or _kept(c)


_CALLED = (Function, Estimator, Instance)


def _summed(c: Call) -> Data | None:
    """What is left of rows that are summed up or counted; None for other calls."""
    if c.name.rpartition(".")[2] in names_of(Group.ROWS_GONE) and not _by_row(c):
        return _counted(c)
    by_group = c.name == "over" and column_expressions.is_one(c.base)
    return column_expressions.by_group(c.base) if by_group else None


def _kept(c: Call) -> Value:
    """The rows of everything that went in, perhaps as a table."""
    whole = kept(c)
    made = _made_table(c, whole)
    if made is not None:
        return made
    if c.base.shape is not Shape.UNKNOWN and c.base.rows:
        whole = replace(whole, shape=c.base.shape, columns=c.base.columns, cuts=c.base.cuts)
    return row_statistics.changed(c, whole)


def _by_function(c: Call, functions: list[Value]) -> Value:
    """`table.apply(function)`: what a function learns from the rows it is called with."""
    outer, c.m.each_row = c.m.each_row, c.m.each_row or c.name != "pipe"
    results = [
        c.m.data(replace_call(c, [_given_to(c, function)]).apply(value))
        for value in functions
        if isinstance(function := c.m.plain(value), Function)
    ]
    c.m.each_row = outer
    if results and all(result.shape is Shape.SUMMARY for result in results):
        return united(results)  # one figure for each column: no row is left
    whole = united([c.base, *results])
    return in_place(c, replace(whole, shape=c.base.shape, columns=c.base.columns, rows=c.base.rows))


def _given_to(c: Call, function: Function) -> Value:
    """What a function is called with: one value or row after the other, or a column, a group, a batch."""
    by_row = c.constant(1, "axis") in (1, "columns") or c.base.shape is Shape.COLUMN
    one_by_one = c.name in names_of(Group.BY_VALUE) or (c.name == "apply" and by_row)
    return items.in_round(c.m, c.base, function.node) if one_by_one and "batched" not in c.keywords else c.base


def _counted(c: Call) -> Data:
    """A sum or a count: the rows are gone."""
    return replace(
        c.base.marked(*tallies.share_of(c.m, c.node, c.base, "sum")),
        shape=c.base.shape if c.base.predictions else Shape.SUMMARY,
        rows=frozenset(),
        columns=SOME_COLUMNS,
    )


def _made_table(c: Call, whole: Data) -> Value | None:
    """What the constructor of a table or a column makes; None for another call."""
    first = c.m.plain(c.args[0]) if c.args else None
    if c.name.endswith(".Index") and isinstance(first, Seq) and c.m.names(first):
        return first  # the names of columns, as a list
    if c.name.endswith("from_dict"):
        return score_tables.of_records(c.m, first)
    if c.name.endswith("DataFrame"):
        return _of_entries(c, first, whole) or _of_rows(c, whole, Shape.TABLE)
    return _of_rows(c, whole, Shape.COLUMN) if c.name.endswith("Series") else None


def _of_entries(c: Call, first: Value | None, whole: Data) -> Value | None:
    """A table of records or of columns that are written down; None where it is made of something else."""
    scores = score_tables.of_records(c.m, first)
    if scores is not None:
        return scores
    columns = _columns_of(c, first)
    if columns is not None:
        return _table_of(c, columns)
    if whole.blank and _gathered(c):
        return replace(fresh(c, OriginKind.MADE), shape=Shape.TABLE, columns=ALL_COLUMNS)
    return None


def _of_rows(c: Call, whole: Data, shape: Shape) -> Data | None:
    """The same rows as a table or a column; None where there are none."""
    if not whole.rows:
        return None
    names = c.m.names(c.value(2, "columns"))
    return replace(whole, shape=shape, columns=Columns(names) if names else whole.columns)


def _of_all_rows(c: Call) -> Value | None:
    """What is learnt of columns by calls that mostly learn nothing; None where they do not."""
    first = c.m.plain(c.args[0]) if c.name in names_of(Group.BY_COLUMN) and c.args else None
    if isinstance(first, Library) and c.base.shape is Shape.TABLE and c.word(1, "axis", default=0) in {0, "index"}:
        effect = effect_of(first.name)
        if effect is not None and effect.role is Role.LEARN:
            c.name, c.effect = first.name, effect  # `table.apply(zscore)`: each column by all of its rows
            return row_statistics.learn(c)
    if c.name.endswith("preprocessing.normalize") and c.constant(2, "axis") == 0:
        c.effect = Effect(Role.LEARN, Kind.SCALE)
        return row_statistics.learn(c)
    summed = c.name.rpartition(".")[2] == "sum" and tallies.counts_gaps(c.node)
    return row_statistics.statistic(c) if summed and not _by_row(c) else None


def _by_row(c: Call) -> bool:
    """Whether something is summed up across the columns: one value for each row."""
    axis = c.constant(0 if c.base == c.m.data(c.receiver) else 1, "axis", "dim")
    return 0 not in axis if isinstance(axis, list) else axis in (1, -1)


def _gathered(c: Call) -> bool:
    """Whether a table is made of records that the code got from somewhere, rather than of numbers written in it."""
    first = c.m.plain(c.value(0, "data") or Const(None))
    return isinstance(first, Data) or (isinstance(first, Seq) and first.open)


def _columns_of(c: Call, given: Value | None) -> Mapping | None:
    """What a table is made of, column by column: a dict of columns, or a list of records that bear their names."""
    records = [c.m.plain(item) for item in given.items] if isinstance(given, Seq) else []
    if not records:
        return given if isinstance(given, Mapping) else None
    if not all(map(_bears_names, records)):
        return None
    held: dict[object, list[Data]] = {}
    for key, value in (item for record in records if isinstance(record, Mapping) for item in record.items):
        held.setdefault(key, []).append(c.m.data(value))
    return Mapping(tuple((name, united(values)) for name, values in held.items()))


def _bears_names(record: Value) -> bool:
    """Whether a record is known as a whole, and each of its entries has a name."""
    if not isinstance(record, Mapping) or record.open or not record.items:
        return False
    return all(isinstance(key, str) for key, _ in record.items)


def _table_of(c: Call, columns: Mapping) -> Data:
    names = frozenset(str(k) for k, _ in columns.items if isinstance(k, str))
    pieces = [(k, c.m.data(v)) for k, v in columns.items]
    marks = [replace(mark, into=frozenset({k}) if isinstance(k, str) else None) for k, d in pieces for mark in d.marks]
    whole = united([d for _, d in pieces])
    said = frozenset((k, p) for k, d in pieces if isinstance(k, str) and (d.rows or d.is_score) for p in d.predictions)
    noted = whole.noted | said
    return replace(whole, shape=Shape.TABLE, columns=Columns(names), marks=frozenset(marks), noted=noted)


def _length(c: Call) -> Value:
    return tallies.number_of(c.m, c.node, c.base) if c.name == "count" else Data(shape=Shape.SUMMARY)


@cache
def _rules() -> dict[Role, Callable[[Call], Value]]:
    """Which function carries out which role; made on first use, for the modules know each other."""
    return {
        Role.SAME: same,
        Role.READ: sources.read,
        Role.STORE: sources.store,
        Role.READ_PAIR: sources.read_pair,
        Role.READ_PARTS: sources.read_parts,
        Role.STATISTIC: row_statistics.statistic,
        Role.LEARN: row_statistics.learn,
        Role.FILL: row_statistics.fill,
        Role.DROP: table_methods.drop,
        Role.POP: table_methods.pop,
        Role.CONCAT: concatenation.concat,
        Role.STACK: concatenation.stack,
        Role.MERGE: merges.merge,
        Role.SHUFFLE: disorder.shuffle,
        Role.SAMPLE: table_methods.sample,
        Role.POSITIONS: sources.positions,
        Role.DELETE: table_methods.delete,
        Role.REMAINDER: table_methods.remainder,
        Role.SHIFT: time_order.shift,
        Role.ROLLING: time_order.rolling,
        Role.LENGTH: _length,
        Role.BLANK: lambda c: replace(kept(c), marks=frozenset(), predictions=frozenset()),
        Role.GROUP_BY: row_statistics.group_by,
        Role.TRANSFORM_GROUPS: row_statistics.transform_groups,
        Role.TO_TIME: time_order.to_time,
        Role.INDEX_BY: time_order.index_by,
        Role.SORT: time_order.sort,
        Role.EXPLODE: repetition.explode,
        Role.DEDUPLICATE: table_methods.deduplicate,
        Role.DROP_GAPS: table_methods.drop_gaps,
        Role.CUT: row_statistics.cut,
        Role.TAKE: table_methods.take,
        Role.SKIP: table_methods.skip,
        Role.IS_IN: membership.is_in,
        Role.PICK_TYPES: table_methods.pick_types,
        Role.ASSIGN: table_methods.assign,
        Role.INSERT: table_methods.insert,
        Role.RENAME: table_methods.rename,
        Role.ALIGN: table_methods.align,
        Role.PLAIN: lambda _: Const(None),
        Role.SPLIT: splits.split,
        Role.SPLIT_AT: splits.split_at,
        Role.SPLIT_NAMED: splits.split_named,
        Role.CROSS_VALIDATE: scoring.cross_validate,
        Role.METRIC: scoring.metric,
        Role.COMPARE: scoring.compare,
        Role.CURVE: scoring.curve,
        Role.TRAIN: making.train,
        Role.CLONE: making.cloned,
    }
