"""One item of several: what a round of a loop, a function called for each row, or a data set asked for one item is at.

What sums up one item is a feature of it. That a value is one item is known when it is made: a loop gives it to its
target, or it is taken from a table at a place that moves with the loop. The value keeps that fact (`Data.round`) for as
long as the round lasts. A column of a table is no item, for what sums that up was learnt from all rows.
"""

from __future__ import annotations

import ast

from assay.leakage.code.scored.search_loops import names_set_in, words_of
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.rows import Cut, Interval, OneOf, Part
from assay.leakage.code.state.values import Data, Ref, Seq, Shape, Value
from assay.leakage.code.syntax import names_in
from assay.records import replace

_COLUMN_BY_COLUMN = frozenset({"items", "iteritems"})
_ROWS = frozenset({Shape.UNKNOWN, Shape.TABLE, Shape.COLUMN})
_DEEPEST = 3


def is_one(m: Machine, data: Data) -> bool:
    """True if the rows are those of the item that a round is at; a fold is no item."""
    going_on = data.round in (*m.loops, *m.gone_through, *m.stack)
    return going_on and data.shape is not Shape.GROUPED and data.round not in m.trace.fold_loops


def is_whole(m: Machine, data: Data) -> bool:
    """True if the rows are one item as the loop came to it, and not those that a round takes out of a table."""
    moving = _moving(m)
    return bool(data.rows) and is_one(m, data) and not any(_is_cut_by(part, moving) for part in data.rows)


def in_round(m: Machine, value: Value, round_: ast.AST, over: ast.expr | None = None) -> Value:
    """What a round is at, with that fact; `over` is what the loop goes through."""
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and over.func.attr in _COLUMN_BY_COLUMN:
        return value
    return _marked(m, value, round_, 0)


def taken(m: Machine, base: Value, node: ast.Subscript, found: Value) -> Value:
    """What a subscript takes out of a table or list, with the fact that it is one item where its place moves."""
    around = next(reversed((*m.stack[-1:], *m.gone_through[-1:], *m.loops[-1:])), None)
    place = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
    moving = _moving(m) if around is not None else frozenset()
    if around is None or names_in(place).isdisjoint(moving):
        return found
    rows = m.plain(found)
    if not isinstance(m.plain(base), Data):
        return _marked(m, found, around, 0) if _names_a_place(m, place) else found
    cut = isinstance(rows, Data) and bool(rows.rows) and all(_is_cut_by(part, moving) for part in rows.rows)
    return _marked(m, found, around, 0) if cut or _names_a_place(m, place) else found


def _moving(m: Machine) -> frozenset[str]:
    """The names that the loops around give another value in each round."""
    return m.varied.union(*map(names_set_in, m.loops))


def _names_a_place(m: Machine, place: ast.expr) -> bool:
    """True for the number of an item, as `range` and `enumerate` give it, or one that nothing is known of."""
    value = m.scope.find(place.id) if isinstance(place, ast.Name) and place.id in m.varied else None
    plain = None if value is None else m.plain(value)
    if not isinstance(plain, Data) or plain.rows:
        return False
    return plain.shape is Shape.POSITIONS or (plain.shape is Shape.UNKNOWN and plain.blank)


def _is_cut_by(part: Part, moving: frozenset[str]) -> bool:
    return any(not moving.isdisjoint(_words(cut)) for cut in part.cuts)


def _words(cut: Cut) -> set[str]:
    """The names in the bounds or the label of a side."""
    match cut.side:
        case Interval() as bounds:
            return words_of(bounds)
        case str() as label:
            return {label}
        case OneOf(str() as listed):
            return {listed}
    return set()


def _marked(m: Machine, value: Value, round_: ast.AST, depth: int) -> Value:
    plain = m.plain(value)
    if isinstance(plain, Seq) and not plain.open and depth < _DEEPEST:
        return m.boxed(replace(plain, items=tuple(_marked(m, item, round_, depth + 1) for item in plain.items)))
    if not isinstance(plain, Data) or not plain.rows or plain.shape not in _ROWS:
        return value
    one = replace(plain, round=round_)
    if isinstance(value, Ref) and plain.shape is Shape.TABLE:  # what changes the table changes it in its list
        m.store(value, one)
        return value
    return m.boxed(one)
