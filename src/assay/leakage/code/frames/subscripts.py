"""Choosing rows and columns: subscripts, masks, slices, positions."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import Any, NamedTuple

from assay.leakage.code.dividing import sides, undersampling
from assay.leakage.code.frames import column_names, entries, masks, stacked_tables, table_columns
from assay.leakage.code.learnt import items, picked_columns, vocabularies
from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.parts import (
    NAMED,
    NAMED_PART,
    UNSEEN_MASK,
    holds_numbers,
    holds_objects,
    holds_several,
    index_named,
    is_part,
    part_of,
)
from assay.leakage.code.state.places import chosen_by, gives_items
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import (
    ENTRY,
    NO_ROWS,
    POSITIONS,
    Cut,
    Interval,
    OneOf,
    cut_rows,
    grouped_by,
    is_grouped,
    joined,
    meet,
    one_for_each_group,
)
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import (
    SOME_COLUMNS,
    UNKNOWN,
    Class,
    Const,
    Data,
    Estimator,
    Kind,
    Library,
    Mapping,
    Mark,
    Module,
    Seq,
    Shape,
    Value,
)
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_CHOSEN_BY = frozenset({Kind.CORRELATION, Kind.WEIGHTS})


class _Choice(NamedTuple):
    """Rows or columns of a table, chosen by what an expression stands for."""

    value: Data
    data: Data
    place: ast.expr
    node: ast.AST


def subscript(m: Machine, base: Value, node: ast.Subscript) -> Value:
    """`base[…]`, also with loc and iloc."""
    return items.taken(m, base, node, entries.as_known_by_then(m, node, _found(m, base, node)))


def _found(m: Machine, base: Value, node: ast.Subscript) -> Value:
    match m.plain(base):
        case Seq() as listed:
            return entries.of_list(m, listed, node)
        case Mapping() as held:
            return entries.of_dict(m, held, node)
        case Estimator() as model:
            return _looked_up(m, model, m.evaluate(node.slice))
        case Class() as made:
            return made
        case Module(scope=scope):
            return scope.find(str(m.constant(m.evaluate(node.slice)))) or UNKNOWN
        case Library(name=name) if name.endswith((".c_", ".r_")):
            return _put_together(m, node, one_below_the_other=name.endswith(".r_"))
        case Library(name=name):
            return _of_data(m, m.free(name), node)
        case Data() as data:
            return _of_data(m, data, node)
    return UNKNOWN


def _put_together(m: Machine, node: ast.Subscript, *, one_below_the_other: bool) -> Data:
    """`np.r_[first, second]`, `np.c_[first, second]`."""
    given = m.evaluate(node.slice)
    several = m.plain(given)
    items = [m.data(v) for v in several.items] if isinstance(several, Seq) else [m.data(given)]
    if not one_below_the_other or any(item.shape is not Shape.POSITIONS for item in items):
        return m.data(given)
    return replace(united(items), cuts=sides.any_of(items)).marked(*undersampling.evened_out(m, node, items, NO_ROWS))


def _of_data(m: Machine, value: Data, node: ast.Subscript) -> Data:
    """Rows, or rows and columns: `table[rows]`, `array[rows, columns]`."""
    axes = (node.slice.elts if isinstance(node.slice, ast.Tuple) else []) or [node.slice]
    chosen = _rows(m, value, axes[0], node)
    return _columns(m, chosen, axes[1], node) if len(axes) > 1 else chosen


def _rows(m: Machine, value: Data, index: ast.expr, node: ast.AST) -> Data:
    """Rows by slice, mask or positions; or, as pandas has it, columns by name."""
    if isinstance(index, ast.Slice):
        return sliced(m, value, index)
    if isinstance(index, ast.Name) and index.id in m.left_out & m.varied and value.rows:
        return value.cut(sides.row_at(index))
    chooser = m.plain(m.evaluate(index))
    known = _by_labels(m, value, chooser, node)
    if known is not None:
        return known
    data = m.data(chooser) if not isinstance(chooser, Library) else UNKNOWN
    return _chosen(m, _Choice(value, data, index, node))


def _by_labels(m: Machine, value: Data, chooser: Value, node: ast.AST) -> Data | None:
    """Rows or columns by labels that are written down; None where they are not."""
    listed = m.constant(chooser)
    if isinstance(listed, str | list) and _by_label(value, listed, node):
        return stacked_tables.part_by_key(m, value, listed) or value.cut(Cut(POSITIONS, sides.one_of(listed)))
    if isinstance(chooser, Const):
        return _by_literal(m, value, chooser.value, node)
    names = m.names(chooser)
    if names is None:
        return None
    chosen = table_columns.with_columns(value, names)
    return chosen if value.shape is Shape.GROUPED else replace(chosen, shape=Shape.TABLE)


def _chosen(m: Machine, choice: _Choice) -> Data:
    """Rows by a mask or by places; where it is neither, columns or rows by something computed."""
    value, data, index, node = choice
    if data.shape is Shape.MASK:
        return stacked_tables.flagged_part(m, value, data.cuts - value.cuts) or masks.filtered(m, value, data, node)
    computed = _in_computed_order(m, choice) or masks.computed_mask(m, value, index, data)
    if computed is None and _are_places(value, data):
        return _at(m, value, data, index)
    side = _side_of(m, choice, computed)
    if side is not None:
        return value.cut(side)
    by_names = value.shape is Shape.TABLE and data.shape is Shape.SUMMARY
    return by_unknown(value, _of_columns(value, data) if by_names else data)


def _are_places(value: Data, data: Data) -> bool:
    """Whether these are positions of rows, or the labels of groups."""
    if data.shape is Shape.POSITIONS:
        return True
    labels = data.shape is not Shape.SUMMARY or value.shape is Shape.SUMMARY
    return bool(data.cuts) and labels and all(map(is_grouped, data.rows))


def _side_of(m: Machine, choice: _Choice, computed: Cut | None) -> Cut | None:
    """The side of the rows at computed places: by what the code calls them, by the draw, or by where they are from."""
    value, data, index, _ = choice
    if (named := _named_part(value, data)) is not None:
        return named
    meant = index_named(_called(index))
    if computed is not None:
        return computed if meant is None or not isinstance(index, ast.Name) else _named_places(m, index, meant)
    if meant is not None and value.rows and all(k.kind in _OF_PLACES for k in data.marks):
        return _named_places(m, index, meant)
    if value.rows and drawn_at_random(data.rows):
        return sides.drawn(data)
    if value.predictions and data.shape is Shape.UNKNOWN and not data.marks - value.marks and not data.predictions:
        return Cut((UNSEEN_MASK, text_of(index), m.stack, m.rounds), "chosen")
    return _by_foreign(m, choice)


def _named_part(value: Data, data: Data) -> Cut | None:
    """The side of the rows where a mask holds that is kept with them under a name: `graph.test_mask`."""
    if data.shape not in {Shape.UNKNOWN, Shape.COLUMN} or data.marks - value.marks or not meet(value.rows, data.rows):
        return None
    named = {cut.side for part in data.rows for cut in part.cuts if cut.key == NAMED_PART}
    return Cut(NAMED, *named) if len(named) == 1 else None


def _by_foreign(m: Machine, choice: _Choice) -> Cut | None:
    """The side of the rows at places that come from elsewhere: a list of labels, or an array that was read for it."""
    value, data, index, node = choice
    if value.shape is Shape.POSITIONS and not value.rows and isinstance(index, ast.Compare):
        return Cut("picked", OneOf(text_of(index)))  # `places[fold == k]`, of folds that nobody knows
    if not value.rows or data.marks or data.predictions or meet(value.rows, data.rows):
        return None
    named = (data.rows or not data.cuts) and isinstance(index, ast.Name) and _by_indexer(node)
    places = value.shape is Shape.UNKNOWN and holds_numbers(data)
    item = value.shape is not Shape.TABLE and bool(data.rows) and gives_items(m)
    return Cut("picked", OneOf(chosen_by(m, index, data))) if named or places or item else None


def _in_computed_order(m: Machine, choice: _Choice) -> Cut | None:
    """The side of some places that were put into an order: `early = np.argsort(…)[:800]`, `table.iloc[early]`."""
    value, data, index, node = choice
    plain = not data.predictions and all(k.kind is Kind.TIME for k in data.marks)
    some = data.cuts - value.cuts and data.shape in {Shape.COLUMN, Shape.TABLE} and _by_indexer(node, "iloc")
    named = plain and some and value.rows and isinstance(index, ast.Name)
    return Cut("picked", OneOf(chosen_by(m, index))) if named else None


def _columns(m: Machine, value: Data, index: ast.expr, node: ast.AST) -> Data:
    """The second place of `loc[rows, columns]` and of arrays."""
    if isinstance(index, ast.Slice):
        everything = index.lower is None and index.upper is None
        return value if everything else _of_some_columns(_along_signals(m, value, index))
    chooser = m.plain(m.evaluate(index))
    names = m.names(chooser)
    if names is not None:
        single = len(names) == 1 and isinstance(chooser, Const)
        return table_columns.column(m, value, min(names), node) if single else table_columns.with_columns(value, names)
    if isinstance(chooser, Data) and (chooser.marks or column_names.are_names(chooser)):
        return by_unknown(value, _of_columns(value, chooser))
    return _of_some_columns(value)


def _of_some_columns(value: Data) -> Data:
    """Some columns, of which it is not known which they are."""
    only = value.columns.only
    return value if only is not None and len(only) == 1 else replace(value, columns=SOME_COLUMNS)


def sliced(m: Machine, value: Data, index: ast.Slice) -> Data:
    """Rows from here to there."""
    low, high = (sides.bound_of(m, m.evaluate(b), b) if b is not None else None for b in (index.lower, index.upper))
    if index.step is not None:
        every = sides.bound_of(m, m.evaluate(index.step), index.step)
        if every not in {1, -1} and _has_places(value):
            value, low = value.cut(Cut(("every", every), str(low or 0))), None
        return _between(value, Interval(low, high))
    return stacked_tables.slice_of(m, value, low, high) or _between(value, Interval(low, high))


def _between(value: Data, places: Interval) -> Data:
    """Rows from one place up to another."""
    if _rows_are_gone(value):
        return _of_summary(value, everything=places == (None, None))
    return value if places == (None, None) else value.cut(Cut(_order_of(value), places))


def _order_of(value: Data) -> Hashable:
    """The order that places count in: that of the rows, or that of a list of positions."""
    listed = value.shape is Shape.POSITIONS and not value.rows
    return (POSITIONS, value.cuts or "shuffled") if listed else POSITIONS


def _has_places(value: Data) -> bool:
    return value.shape is Shape.POSITIONS or (bool(value.rows) and value.shape is not Shape.SUMMARY)


def _rows_are_gone(value: Data) -> bool:
    """Whether a value sums up rows, or is a ranking of columns."""
    if value.shape is Shape.SUMMARY and not one_for_each_group(value.rows):
        return True
    return not value.rows and bool(picked_columns.telling(value.marks))


def _of_summary(value: Data, *, everything: bool) -> Data:
    """Some of what sums up rows; of names of columns, it is not known which stand there."""
    if _are_column_names(value):
        return replace(value, columns=SOME_COLUMNS)
    return value if everything else vocabularies.by_count(value)


def _looked_up(m: Machine, model: Estimator, asked: Value) -> Value:
    """`model.wv[word]`: what an embedding learnt of a word, for the text that the word is of."""
    if model.effect.kind is not Kind.VECTORISE or isinstance(m.plain(asked), Library):
        return model
    learnt = [Mark(Kind.VECTORISE, model.name, fit.site, fit.rows) for fit in model.fits if fit.rows]
    if learnt and isinstance(places := m.plain(asked), Data) and places.shape is Shape.POSITIONS and not places.rows:
        return Data(joined(mark.rows for mark in learnt)).cut(*places.cuts).marked(*learnt)  # of texts, by number
    return replace(m.data(asked), shape=Shape.UNKNOWN, columns=SOME_COLUMNS).marked(*learnt) if learnt else model


def _named_places(m: Machine, index: ast.expr, meant: str) -> Cut:
    """The side of the rows at places that the code calls those of a part; in a loop over folds, of this fold."""
    root = next((n.id for n in ast.walk(index) if isinstance(n, ast.Name)), "")
    return Cut(("folds", NAMED) if root in m.varied else NAMED, meant)


_OF_PLACES = frozenset({Kind.SHUFFLED, Kind.ENCODE, Kind.TIME, Kind.GROUP})
"""What may be known of a list of places without anything being learnt from the rows at them."""


def _of_columns(value: Data, chooser: Data) -> Data:
    """What columns are chosen by. How wide one spreads and how full it is are learnt; how large it is tells what it is.

    What the table knew before, it was not chosen by.
    """
    fresh = chooser.marks - value.marks
    plain = {k for k in fresh if k.kind is Kind.GAPS or (k.kind is Kind.STATISTIC and not k.supervised)}
    spread = {replace(k, kind=Kind.VARIANCE) for k in plain if k.name.rpartition(".")[2] in names_of(Group.SPREADS)}
    spread |= picked_columns.by_gaps(plain)
    return replace(chooser, marks=chooser.marks - plain | spread) if plain else chooser


def _by_literal(m: Machine, value: Data, asked: object, node: ast.AST) -> Data:
    """A column by its name, a row by its label; a row by its place is one of all."""
    if isinstance(asked, str):
        return _column_or_part(m, value, asked, node)
    if isinstance(asked, int) and value.rows and _by_indexer(node, "loc"):
        return value.cut(Cut(POSITIONS, sides.one_of(asked)))
    if value.shape is Shape.GROUPED and value.rows and asked in _ENDS and _by_place(node):
        return replace(value, shape=Shape.SUMMARY, rows=cut_rows(value.rows, [grouped_by(m.site(node))]))
    return value


_ENDS = (0, -1)


def _by_place(node: ast.AST) -> bool:
    """`group["ill"].iloc[0]`, `group["ill"].unique()[0]`: a row by its place, where `groupby("day")[0]` is a column."""
    match node:
        case ast.Subscript(value=ast.Attribute() | ast.Call(func=ast.Attribute(), args=[])):
            return True
    return False


def _at(m: Machine, value: Data, positions: Data, index: ast.expr) -> Data:
    """The rows at positions; of those that nothing is known of, by what the code calls them."""
    chosen = masks.at_positions(value, positions)
    alone = index.elts[0] if isinstance(index, ast.List) and len(index.elts) == 1 else index
    if not value.rows or not isinstance(alone, ast.Name):
        return chosen
    if alone.id in m.varied and _some_places(positions):
        return chosen.cut(sides.row_at(alone))  # which of them is at hand, only the loop knows
    if positions.rows or positions.cuts or _all_by_chance(positions):
        return chosen
    if alone.id in m.varied:
        return value.cut(sides.row_at(alone)) if alone is not index else chosen
    return chosen.cut(Cut("picked", OneOf(chosen_by(m, alone))))


def _all_by_chance(positions: Data) -> bool:
    """Whether these are all places in an order of chance: `np.random.permutation(len(rows))`."""
    return not positions.cuts and any(mark.kind is Kind.SHUFFLED for mark in positions.marks)


def _by_label(value: Data, listed: str | list[Any], node: ast.AST) -> bool:
    """Whether literals choose rows: the labels that `loc` is given, or numbers."""
    if not value.rows or value.shape not in {Shape.TABLE, Shape.UNKNOWN, Shape.COLUMN} or not listed:
        return False
    if isinstance(listed, str):
        return _by_indexer(node)
    numbers = all(isinstance(label, int) and not isinstance(label, bool) for label in listed)
    return numbers or (_by_indexer(node) and all(isinstance(label, str) for label in listed))


def _by_indexer(node: ast.AST, *names: str) -> bool:
    """`table.loc[…]` and its kin: rows, not columns."""
    asked = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(asked, ast.Attribute) and asked.attr in (names or names_of(Group.INDEXERS))


def _called(index: ast.expr) -> str:
    """What the code calls an index."""
    match index:
        case ast.Name():
            return index.id
        case ast.Attribute():
            return index.attr
        case ast.Subscript(slice=ast.Constant(value=str() as key)):
            return f"{key}_index"
        case ast.ListComp(generators=[one]):
            return _called(one.iter)
        case _:
            return ""


def by_unknown(value: Data, data: Data) -> Data:
    """Columns, or rows, chosen by something computed: its traces stick; correlations become a selection."""
    if data.shape is Shape.SUMMARY and data.columns.only is not None and not data.marks:
        return table_columns.with_columns(value, data.columns.only)
    if column_names.are_names(data) and data.columns.without and not data.marks:
        return table_columns.without_columns(value, data.columns.without)
    marks = frozenset(replace(k, kind=Kind.SELECT) if k.kind in _CHOSEN_BY else k for k in data.marks)
    columns = SOME_COLUMNS if value.columns.only is None else replace(value.columns, sure=False)
    return replace(value, columns=columns).marked(*marks)


def _column_or_part(m: Machine, value: Data, name: str, node: ast.AST) -> Data:
    if is_part(value, name):
        return part_of(value, name)
    if holds_several(value):
        return entry(table_columns.column(m, value, name, node) if holds_objects(value) else value, name)
    return table_columns.column(m, value, name, node)


def _some_places(positions: Data) -> bool:
    """Whether these are numbers in their order of which some were taken: `list(range(…))[-48:]`."""
    return not positions.rows and not positions.marks and {c.key for c in positions.cuts} == {(POSITIONS, "shuffled")}


def entry(value: Data, name: str | int) -> Data:
    """One of the tables or arrays that a file holds."""
    return value.cut(Cut(ENTRY, sides.one_of(name)))


def _along_signals(m: Machine, value: Data, index: ast.Slice) -> Data:
    """`recording[:, start : start + size]` in a loop that moves the start: a window in time of all channels."""
    names = {n.id for bound in (index.lower, index.upper) for n in ast.walk(bound or index) if isinstance(n, ast.Name)}
    if index.lower is None or index.upper is None or not any(names & names_set_in(loop) for loop in m.loops):
        return value
    low, high = (sides.bound_of(m, m.evaluate(b), b) for b in (index.lower, index.upper))
    return value.cut(Cut((POSITIONS, "in time"), Interval(low, high)))


def _are_column_names(value: Data) -> bool:
    """Whether these are the names of columns, of which nothing else is known: `table.columns`."""
    return value.shape is Shape.SUMMARY and value.columns.sure and not (value.marks or value.rows)
