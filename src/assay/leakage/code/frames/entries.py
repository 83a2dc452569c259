"""Entries of lists and dicts: by place, by slice, by key; of those that a loop gathered, one stands for all."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from functools import lru_cache

from assay.leakage.code.dividing import sides
from assay.leakage.code.learnt import vocabularies
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import POSITIONS, Cut, Interval, OneOf
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Estimator, Instance, Mapping, Seq, Shape, Value
from assay.records import replace


def of_dict(m: Machine, value: Mapping, node: ast.Subscript) -> Value:
    """What a dict has under a key; where it is not known which, what it may have."""
    key = m.constant(m.evaluate(node.slice))
    found = value.get(key) if isinstance(key, str | int | float) else None
    if found is not None:
        return found
    word = vocabularies.looked_up(m, value, m.evaluate(node.slice)) if key is None else None
    if word is not None:
        return word
    one = _entry_of_any(m, value)
    return of_each(m, one, Cut(("key", text_of(node.value)), sides.entry_of(m, node))) if value.open else one


def as_known_by_then(m: Machine, node: ast.Subscript, found: Value) -> Value:
    """What is kept of a group from row to row, where a round asks for it before it adds its own row: `wins[team]`.

    That is made of the rows before, and holds no column of the row at hand.
    """
    data = m.plain(found)
    if not m.loops or not isinstance(data, Data) or not data.rows or data.predictions:
        return found
    group = _asked_before_kept(m.loops[-1]).get(node)
    label = UNKNOWN if group is None else m.data(m.evaluate(group))
    return data.summary if label.rows and label.shape is not Shape.POSITIONS else found


@lru_cache(maxsize=256)
def _asked_before_kept(loop: ast.AST) -> dict[ast.Subscript, ast.expr]:
    """The entries that a loop looks up, each with its key, before it puts anything under the same name."""
    asked = [(n, *_owner_and_key(n)) for n in ast.walk(loop) if isinstance(n, ast.Subscript)]
    kept: dict[str, tuple[int, int]] = {}
    for node, owner, _ in asked:
        if isinstance(node.ctx, ast.Store):
            place = node.lineno, node.col_offset
            kept[owner] = min(place, kept.get(owner, place))
    return {n: key for n, owner, key in asked if owner in kept and (n.lineno, n.col_offset) < kept[owner]}


def _owner_and_key(node: ast.Subscript) -> tuple[str, ast.expr]:
    """Of `record[team]["wins"]` it is `record` and `team`."""
    while isinstance(node.value, ast.Subscript):
        node = node.value
    return text_of(node.value), node.slice


def _entry_of_any(m: Machine, value: Mapping) -> Value:
    """What a dict holds under a key that is not known: the last entry that has rows, or else the last."""
    entries = [entry for _, entry in reversed(value.items)]
    return next((v for v in entries if isinstance(d := m.plain(v), Data) and d.rows), next(iter(entries), UNKNOWN))


def of_list(m: Machine, value: Seq, node: ast.Subscript) -> Value:
    """An item of a list, or a slice of it."""
    return _some(m, value, node.slice) if isinstance(node.slice, ast.Slice) else _one(m, value, node)


def _some(m: Machine, value: Seq, index: ast.Slice) -> Value:
    """`items[low:high]`."""
    bounds = index.lower, index.upper
    places = [None if b is None else m.constant(m.evaluate(b)) for b in bounds]
    known = all(b is None or isinstance(at, int) for b, at in zip(bounds, places, strict=True))
    if known and not value.open:
        return Seq(value.items[slice(*places)])
    turn = division_in_turn(m, value, bounds) if before_or_after(index) else None
    if turn is not None:
        return Seq(tuple(m.boxed(m.data(v).cut(Cut(turn, "the others"))) for v in value.items), open=True)
    return _some_of_gathered(m, value, bounds) if value.open else Seq(value.items, open=True)


def _some_of_gathered(m: Machine, value: Seq, bounds: tuple[ast.expr | None, ast.expr | None]) -> Value:
    """A slice of a list that a loop gathered: each item is on one side of a division."""
    words = m.data(value)
    if vocabularies.by_count(words) is not words:
        return vocabularies.by_count(words)  # `sorted(counts.items())[:5000]`
    low, high = (None if b is None else sides.bound_of(m, m.evaluate(b), b) for b in bounds)
    sorted_in = frozenset(cut for cut in words.cuts if isinstance(cut.key, tuple) and cut.key[0] == "sorted")
    slicing = Cut((POSITIONS, sorted_in) if sorted_in else POSITIONS, Interval(low, high))
    return Seq(tuple(_sliced_item(m, v, slicing) for v in value.items), open=True)


def _one(m: Machine, value: Seq, node: ast.Subscript) -> Value:
    """`items[place]`."""
    asked = m.evaluate(node.slice)
    position, places = m.constant(asked), m.plain(asked)
    if isinstance(places, Data) and places.shape is Shape.POSITIONS and value.open and _one_for_all(m, value):
        return of_each(m, value.items[0], *places.cuts)  # `for i in range(end): items[i]`
    alike = isinstance(node.value, ast.Name) and _all_alike(m, value)
    if not isinstance(position, int):
        return _at_unknown_place(m, value, node, alike=alike)
    if alike:
        return of_each(m, value.items[0], Cut(("key", text_of(node.value)), OneOf(str(position))))
    inside = -len(value.items) <= position < len(value.items)
    return value.items[position] if inside else _at_unknown_place(m, value, node, alike=alike)


def _at_unknown_place(m: Machine, value: Seq, node: ast.Subscript, *, alike: bool) -> Value:
    """An item of a list at a place that only the name of a loop tells, or nothing at all."""
    index = node.slice
    if isinstance(index, ast.Name):
        named = [Cut(("key", text_of(node.value)), OneOf(index.id))] if alike and index.id in m.varied else []
        turn = division_in_turn(m, value, (index,))
        if turn is not None:
            return m.data(value).cut(Cut(turn, "this one"), *named)
    return _any_of(m, value)


def _any_of(m: Machine, value: Seq) -> Value:
    """Any item of a list: all rows that it may be."""
    if not value.items:
        return UNKNOWN
    several = len(value.items) > 1 and all(isinstance(m.plain(v), Data | Const) for v in value.items)
    return m.data(value) if several else value.items[-1]


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


def division_in_turn(m: Machine, value: Seq, bounds: Iterable[ast.expr | None]) -> Hashable | None:
    """The division of a list of parts that a loop makes: `parts[j]` is one, `parts[:j] + parts[j + 1 :]` the others."""
    names = {n.id for bound in bounds if bound is not None for n in ast.walk(bound) if isinstance(n, ast.Name)}
    varied = sorted(names & m.varied)
    parts = [m.plain(v) for v in value.items]
    if len(varied) != 1 or len(parts) < 2 or not all(isinstance(p, Data) and p.rows for p in parts):
        return None
    return "folds", "in turn", m.number_of(m.data(value).rows), varied[0]


def before_or_after(index: ast.Slice) -> bool:
    """`parts[:j]`, `parts[j + 1 :]`: all before or after one of them; `items[j - 5 : j + 1]` is a window."""
    match index:
        case ast.Slice(lower=None, upper=ast.Name()) | ast.Slice(lower=ast.BinOp(op=ast.Add()), upper=None):
            return True
    return False
