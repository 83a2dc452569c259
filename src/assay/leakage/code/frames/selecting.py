"""Choosing rows and columns: subscripts, masks, slices, positions."""

from __future__ import annotations

import ast
from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from assay.leakage.code.dividing import sides, thinning
from assay.leakage.code.frames import column_names, masks, stacking, table_columns
from assay.leakage.code.language import turns
from assay.leakage.code.learnt import counting, picking
from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.parts import (
    NAMED,
    holds_numbers,
    holds_objects,
    holds_several,
    index_named,
    is_part,
    part_of,
)
from assay.leakage.code.state.provenance import drawn_at_random
from assay.leakage.code.state.rows import (
    ENTRY,
    NO_ROWS,
    POSITIONS,
    Cut,
    Interval,
    OneOf,
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
    Columns,
    Const,
    Data,
    Estimator,
    Instance,
    Kind,
    Library,
    Mapping,
    Mark,
    Module,
    Seq,
    Shape,
    Value,
)
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine


_INDEXERS = frozenset({"loc", "iloc", "ix"})
_CHOSEN_BY = frozenset({Kind.CORRELATION, Kind.WEIGHTS})
_SPREAD = frozenset({"std", "var", "nanstd", "nanvar"})


def subscript(m: Machine, base: Value, node: ast.Subscript) -> Value:
    """`base[…]`, also with loc and iloc."""
    value = m.plain(base)
    if isinstance(value, Seq):
        return _item(m, value, node)
    if isinstance(value, Mapping):
        return _of_mapping(m, value, node)
    if isinstance(value, Estimator | Class):
        asked = m.evaluate(node.slice)
        return _looked_up(m, value, asked) if isinstance(value, Estimator) else value
    if isinstance(value, Module):
        return value.scope.find(str(m.constant(m.evaluate(node.slice)))) or UNKNOWN
    if isinstance(value, Library):
        given = m.evaluate(node.slice)
        if value.name.endswith((".c_", ".r_")):
            several = m.plain(given)
            items = [m.data(v) for v in several.items] if isinstance(several, Seq) else [m.data(given)]
            counted = all(item.shape is Shape.POSITIONS for item in items) and value.name.endswith(".r_")
            thinned = thinning.evened_out(m, node, items, NO_ROWS) if counted else ()
            return replace(united(items), cuts=sides.any_of(items)).marked(*thinned) if counted else m.data(given)
        value = m.free(value.name)
    if not isinstance(value, Data):
        return UNKNOWN
    if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) >= 2:
        chosen = _rows(m, value, node.slice.elts[0], node)
        return _columns(m, chosen, node.slice.elts[1], node)
    alone = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and len(node.slice.elts) == 1 else node.slice
    return _rows(m, value, alone, node)


def _of_mapping(m: Machine, value: Mapping, node: ast.Subscript) -> Value:
    """What a dict has under a key; where it is not known which, what it may have."""
    key = m.constant(m.evaluate(node.slice))
    found = value.get(key) if isinstance(key, str | int | float) else None
    if found is not None:
        return found
    word = counting.looked_up(m, value, m.evaluate(node.slice)) if key is None else None
    if word is not None:
        return word
    one = _entry_of_any(m, value)
    return of_each(m, one, Cut(("key", text_of(node.value)), sides.entry_of(m, node))) if value.open else one


def _entry_of_any(m: Machine, value: Mapping) -> Value:
    """What a dict holds under a key that is not known: the last entry that has rows, or else the last."""
    entries = [entry for _, entry in reversed(value.items)]
    return next((v for v in entries if isinstance(d := m.plain(v), Data) and d.rows), next(iter(entries), UNKNOWN))


def _looked_up(m: Machine, model: Estimator, asked: Value) -> Value:
    """`model.wv[word]`: what an embedding learnt of a word, for the text that the word is of."""
    if model.effect.kind is not Kind.VECTORISE or isinstance(m.plain(asked), Library):
        return model
    learnt = [Mark(Kind.VECTORISE, model.name, fit.site, fit.rows) for fit in model.fits if fit.rows]
    if learnt and isinstance(places := m.plain(asked), Data) and places.shape is Shape.POSITIONS and not places.rows:
        return Data(joined(mark.rows for mark in learnt)).cut(*places.cuts).marked(*learnt)  # of texts, by number
    return replace(m.data(asked), shape=Shape.UNKNOWN, columns=SOME_COLUMNS).marked(*learnt) if learnt else model


def _item(m: Machine, value: Seq, node: ast.Subscript) -> Value:
    index = node.slice
    if isinstance(index, ast.Slice):
        bounds = index.lower, index.upper
        low, high = (m.constant(m.evaluate(b)) if b is not None else None for b in bounds)
        if not value.open and all(b is None or isinstance(at, int) for b, at in zip(bounds, (low, high), strict=True)):
            return Seq(value.items[low:high])
        turn = turns.turn(m, value, bounds) if turns.before_or_after(index) else None
        if turn is not None:
            return Seq(tuple(m.boxed(m.data(v).cut(Cut(turn, "the others"))) for v in value.items), open=True)
        if not value.open:
            return Seq(value.items, open=True)
        words = m.data(value)
        if counting.by_count(words) is not words:
            return counting.by_count(words)  # `sorted(counts.items())[:5000]`
        low, high = (None if b is None else sides.bound_of(m, m.evaluate(b), b) for b in bounds)
        sorted_in = frozenset(cut for cut in words.cuts if isinstance(cut.key, tuple) and cut.key[0] == "sorted")
        slicing = Cut((POSITIONS, sorted_in) if sorted_in else POSITIONS, Interval(low, high))
        return Seq(tuple(_sliced_item(m, v, slicing) for v in value.items), open=True)
    asked = m.evaluate(index)
    position, places = m.constant(asked), m.plain(asked)
    if isinstance(places, Data) and places.shape is Shape.POSITIONS and value.open and _one_for_all(m, value):
        return of_each(m, value.items[0], *places.cuts)  # `for i in range(end): items[i]`
    alike = _all_alike(m, value) and isinstance(node.value, ast.Name)
    entry_of = ("key", text_of(node.value))
    if alike and isinstance(position, int):
        return of_each(m, value.items[0], Cut(entry_of, OneOf(str(position))))
    if isinstance(position, int) and -len(value.items) <= position < len(value.items):
        return value.items[position]
    turn = turns.turn(m, value, (index,)) if isinstance(index, ast.Name) else None
    named = alike and isinstance(index, ast.Name) and index.id in m.varied
    by_name = Cut(entry_of, OneOf(text_of(index)))
    if turn is not None:
        return m.data(value).cut(Cut(turn, "this one"), *([by_name] if named else []))
    if named and len(value.items) == 1:
        return of_each(m, value.items[0], by_name)
    if value.items:
        return value.items[0] if len(value.items) == 1 else m.data(value) if _all_data(m, value) else value.items[-1]
    return UNKNOWN


def _all_alike(m: Machine, value: Seq) -> bool:
    """Whether a loop gathered the items of a list, so that one stands for all: each is of the same rows."""
    items = [m.plain(item) for item in value.items] if value.open else []
    rows = {item.rows if isinstance(item, Data) else None for item in items}
    return bool(items) and UNKNOWN not in items and (len(items) == 1 or (len(rows) == 1 and None not in rows))


def _one_for_all(m: Machine, gathered: Seq) -> bool:
    """Whether a loop gathered one item, or a tuple again and again, that stands for all of them."""
    first, *others = gathered.items or (UNKNOWN,)
    alone = bool(gathered.items) and not others
    return alone or (isinstance(m.plain(first), Seq) and all(_same(m, first, other) for other in others))


def _same(m: Machine, one: Value, other: Value) -> bool:
    """Whether two rounds of a loop put the same into a list, as far as can be seen."""
    a, b = m.plain(one), m.plain(other)
    if isinstance(a, Seq) and isinstance(b, Seq) and len(a.items) == len(b.items):
        return all(_same(m, x, y) for x, y in zip(a.items, b.items, strict=True))
    return a == b


def _sliced_item(m: Machine, value: Value, slicing: Cut) -> Value:
    """One of the items that a slice of a list leaves; of an object of the code's own, what it holds of rows."""
    item = m.plain(value)
    if not isinstance(item, Instance) or item.network:
        return of_each(m, value, slicing)
    own = ((n, of_each(m, v, slicing) if isinstance(m.plain(v), Data) else v) for n, v in item.attributes)
    learns = any(isinstance(m.plain(v), Estimator) for _, v in item.attributes)
    return value if learns else m.boxed(replace(item, attributes=tuple(own)))


def of_each(m: Machine, value: Value, *cuts: Cut) -> Value:
    """Items of which one stands for all, on one side of a division of the list."""
    plain = m.plain(value)
    if not cuts:
        return value
    if isinstance(plain, Mapping):
        return Mapping(tuple((key, of_each(m, v, *cuts)) for key, v in plain.items), plain.open)
    if isinstance(plain, Data) and (plain.rows or plain.shape is Shape.POSITIONS):
        return m.boxed(plain.cut(*cuts))
    return Seq(tuple(of_each(m, v, *cuts) for v in plain.items), plain.open) if isinstance(plain, Seq) else value


def _all_data(m: Machine, value: Seq) -> bool:
    return all(isinstance(m.plain(v), Data | Const) for v in value.items)


def _rows(m: Machine, value: Data, index: ast.expr, node: ast.AST) -> Data:
    """Rows by slice, mask or positions; or, as pandas has it, columns by name."""
    if isinstance(index, ast.Slice):
        return sliced(m, value, index)
    if isinstance(index, ast.Name) and index.id in m.left_out and index.id in m.varied and value.rows:
        return value.cut(sides.row_at(index))
    chooser = m.plain(m.evaluate(index))
    listed = m.constant(chooser)
    if isinstance(listed, str | list) and _by_label(value, listed, node):
        return value.cut(Cut(POSITIONS, sides.one_of(listed)))
    if isinstance(chooser, Const):
        return _by_literal(m, value, chooser.value, node)
    names = m.names(chooser)
    if names is not None:
        chosen = table_columns.with_columns(value, names)
        return chosen if value.shape is Shape.GROUPED else replace(chosen, shape=Shape.TABLE)
    data = m.data(chooser) if not isinstance(chooser, Library) else UNKNOWN
    if data.shape is Shape.MASK:
        return stacking.flagged_part(m, value, data.cuts - value.cuts) or masks.filtered(m, value, data, node)
    meant = index_named(_called(index))
    computed = _in_computed_order(value, data, index, node) or masks._computed_mask(value, index, data)
    if computed is not None:
        known = meant is None or not isinstance(index, ast.Name)
        return value.cut(computed if known else _named_places(m, index, meant or ""))
    labels = data.shape is not Shape.SUMMARY or value.shape is Shape.SUMMARY
    if data.shape is Shape.POSITIONS or (data.cuts and labels and all(map(is_grouped, data.rows))):
        return _at(m, value, data, index)
    if meant is not None and value.rows and all(k.kind in _OF_PLACES for k in data.marks):
        return value.cut(_named_places(m, index, meant))
    if drawn_at_random(data.rows) and value.rows:
        return value.cut(sides.drawn(data))
    elsewhere = _by_foreign(value, data, index, node)
    if elsewhere is not None:
        return value.cut(elsewhere)
    by_names = value.shape is Shape.TABLE and data.shape is Shape.SUMMARY and not data.rows
    return by_unknown(value, _of_columns(value, data) if by_names else data)


def _named_places(m: Machine, index: ast.expr, meant: str) -> Cut:
    """The side of the rows at places that the code calls those of a part; in a loop over folds, of this fold."""
    root = next((n.id for n in ast.walk(index) if isinstance(n, ast.Name)), "")
    return Cut(("folds", NAMED) if root in m.varied else NAMED, meant)


_OF_PLACES = frozenset({Kind.SHUFFLED, Kind.ENCODE, Kind.TIME, Kind.GROUP})
"""What may be known of a list of places without anything being learnt from the rows at them."""


def _by_foreign(value: Data, data: Data, index: ast.expr, node: ast.AST) -> Cut | None:
    """The side of the rows at places that come from elsewhere: a list of labels, or an array that was read for it."""
    if value.shape is Shape.POSITIONS and not value.rows and isinstance(index, ast.Compare):
        return Cut("picked", OneOf(text_of(index)))  # `places[fold == k]`, of folds that nobody knows
    if not value.rows or data.marks or data.predictions or meet(value.rows, data.rows):
        return None
    if not data.cuts and isinstance(index, ast.Name) and _by_indexer(node):
        return Cut("picked", OneOf(index.id))
    places = value.shape is Shape.UNKNOWN and holds_numbers(data)
    return Cut("picked", OneOf(text_of(index))) if places else None


def _in_computed_order(value: Data, data: Data, index: ast.expr, node: ast.AST) -> Cut | None:
    """The side of some places that were put into an order: `early = np.argsort(…)[:800]`, `table.iloc[early]`."""
    plain = not data.predictions and all(k.kind is Kind.TIME for k in data.marks)
    some = data.cuts - value.cuts and data.shape in {Shape.COLUMN, Shape.TABLE} and _by_indexer(node, "iloc")
    return Cut("picked", OneOf(index.id)) if plain and some and value.rows and isinstance(index, ast.Name) else None


def _of_columns(value: Data, chooser: Data) -> Data:
    """What columns are chosen by. How wide one spreads and how full it is are learnt; how large it is tells what it is.

    What the table knew before, it was not chosen by.
    """
    fresh = chooser.marks - value.marks
    plain = {k for k in fresh if k.kind is Kind.GAPS or (k.kind is Kind.STATISTIC and not k.supervised)}
    spread = {replace(k, kind=Kind.VARIANCE) for k in plain if k.name.rpartition(".")[2] in _SPREAD}
    spread |= picking.by_gaps(plain)
    return replace(chooser, marks=chooser.marks - plain | spread) if plain else chooser


def _by_literal(m: Machine, value: Data, asked: object, node: ast.AST) -> Data:
    """A column by its name, a row by its label; a row by its place is one of all."""
    if isinstance(asked, str):
        return _named(m, value, asked, node)
    if isinstance(asked, int) and value.rows and _by_indexer(node, "loc"):
        return value.cut(Cut(POSITIONS, sides.one_of(asked)))
    return value


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
    return chosen.cut(Cut("picked", OneOf(alone.id)))


def _all_by_chance(positions: Data) -> bool:
    """Whether these are all places in an order of chance: `np.random.permutation(len(rows))`."""
    return not positions.cuts and any(mark.kind is Kind.SHUFFLED for mark in positions.marks)


def _by_label(value: Data, listed: str | list[Any], node: ast.AST) -> bool:
    """Whether literals choose rows: the labels that `loc` is given, or numbers."""
    if not value.rows or value.shape not in {Shape.TABLE, Shape.UNKNOWN, Shape.COLUMN} or not listed:
        return False
    if isinstance(listed, str):
        return _by_indexer(node) and not is_part(value, listed)
    numbers = all(isinstance(label, int) and not isinstance(label, bool) for label in listed)
    return numbers or (_by_indexer(node) and all(isinstance(label, str) for label in listed))


def _by_indexer(node: ast.AST, *names: str) -> bool:
    """`table.loc[…]` and its kin: rows, not columns."""
    asked = node.value if isinstance(node, ast.Subscript) else None
    return isinstance(asked, ast.Attribute) and asked.attr in (names or _INDEXERS)


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


def _named(m: Machine, value: Data, name: str, node: ast.AST) -> Data:
    if is_part(value, name):
        return part_of(value, name)
    if holds_several(value):
        return entry(table_columns.column(m, value, name, node) if holds_objects(value) else value, name)
    if name in {"data", "target", "labels", "images"} and value.shape is Shape.UNKNOWN:
        names = frozenset({"target"}) if name in {"target", "labels"} else None
        return replace(value, columns=Columns(names, sure=False), shape=Shape.COLUMN if names else Shape.UNKNOWN)
    return table_columns.column(m, value, name, node)


def _some_places(positions: Data) -> bool:
    """Whether these are numbers in their order of which some were taken: `list(range(…))[-48:]`."""
    return not positions.rows and not positions.marks and {c.key for c in positions.cuts} == {(POSITIONS, "shuffled")}


def entry(value: Data, name: str | int) -> Data:
    """One of the tables or arrays that a file holds."""
    return value.cut(Cut(ENTRY, sides.one_of(name)))


def _columns(m: Machine, value: Data, index: ast.expr, node: ast.AST) -> Data:
    """The second place of `loc[rows, columns]` and of arrays."""
    if isinstance(index, ast.Slice):
        if index.lower is None and index.upper is None:
            return value
        value = _along_signals(m, value, index)
    chooser = UNKNOWN if isinstance(index, ast.Slice) else m.plain(m.evaluate(index))
    names = m.names(chooser)
    if names is not None:
        if len(names) == 1 and isinstance(chooser, Const):
            return table_columns.column(m, value, next(iter(names)), node)
        return table_columns.with_columns(value, names)
    if isinstance(chooser, Data) and (chooser.marks or column_names.are_names(chooser)):
        return by_unknown(value, _of_columns(value, chooser))
    only = value.columns.only
    return value if only is not None and len(only) == 1 else replace(value, columns=SOME_COLUMNS)


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


def sliced(m: Machine, value: Data, index: ast.Slice) -> Data:
    """Rows from here to there."""
    low, high = (sides.bound_of(m, m.evaluate(b), b) if b is not None else None for b in (index.lower, index.upper))
    apart = stacking.slice_of(m, value, low, high) if index.step is None else None
    if apart is not None:
        return apart
    counted = value.rows or value.shape is Shape.POSITIONS
    if index.step is not None and counted and value.shape is not Shape.SUMMARY:
        every = sides.bound_of(m, m.evaluate(index.step), index.step)
        value = value if every in {1, -1} else value.cut(Cut(("every", every), str(low or 0)))
        low = None if every not in {1, -1} else low
    gone = value.shape is Shape.SUMMARY and not one_for_each_group(value.rows)
    gone = gone or (not value.rows and bool(picking.telling(value.marks)))  # the first of a ranking of columns
    if gone and _are_column_names(value):
        return replace(value, columns=SOME_COLUMNS)  # which columns stand at these places is not known
    if (low is None and high is None) or gone:
        return value if low is None and high is None else counting.by_count(value)
    key: Hashable = POSITIONS
    if value.shape is Shape.POSITIONS and not value.rows:
        key = (POSITIONS, value.cuts or "shuffled")
    some = value.cut(Cut(key, Interval(low, high)))
    return some.marked(*thinning.first_of_each_class(m, index, some, value)) if m.varied else some
