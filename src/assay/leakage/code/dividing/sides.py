"""Which side of which division an expression chooses: a condition, a bound, a place, several of them."""

from __future__ import annotations

import ast
import math
from collections.abc import Hashable, Iterable
from typing import Any

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.places import place_text
from assay.leakage.code.state.rows import (
    POSITIONS,
    Among,
    Cut,
    Except,
    Interval,
    LabelsOf,
    OneOf,
    Without,
    among,
    is_fold,
    label_of,
    rest_of,
)
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Data, Shape, Value

MOST_TAKEN = 12
"""More parts than this are not taken away one by one."""
_OTHER_FOLD: dict[Hashable, str] = {"train": "test", "test": "train"}
"""What a fold leaves when one side of it is taken away."""


def all_but(m: Machine, place: ast.expr) -> Cut:
    """The side of all rows but the one at a place; where a loop names that place, it is the row left out."""
    if isinstance(place, ast.Name):
        m.left_out.add(place.id)
    return rest_of(frozenset({row_at(place)}))


def row_at(place: ast.expr) -> Cut:
    """The side of the one row at a place."""
    return Cut(POSITIONS, Interval(text_of(place), text_of(ast.BinOp(place, ast.Add(), ast.Constant(1)))))


def drawn(positions: Data) -> Cut:
    """The side of the rows at positions that the program drew: each may be there several times, and some are not."""
    return Cut(("drawn", frozenset(part.origin for part in positions.rows)), "drawn")


def one_of(listed: str | int | list[Any]) -> OneOf:
    """The side of the rows that bear literal labels."""
    return OneOf(frozenset(map(label_of, listed if isinstance(listed, list) else [listed])))


def bound_of(m: Machine, value: Value, node: ast.expr) -> float | str | None:
    """Where a slice or an interval ends: a number, a label, or the text of an expression."""
    known = m.constant(value)
    if isinstance(known, bool):
        return None
    if isinstance(known, int | float):
        return known
    return f"@{known}" if isinstance(known, str) else place_text(m, node)


def entry_of(m: Machine, asked: ast.Subscript) -> str:
    """The side of what a dict has under a key; where loops name the key, one through other keys means other entries.

    A loop through the dict itself names one entry in turn.
    """
    key, held = asked.slice, text_of(asked.value)
    label = str(bound_of(m, m.evaluate(key), key))
    over = m.gone_over.get(key.id) if isinstance(key, ast.Name) and key.id in m.varied else None
    if over is None or any(text_of(n) == held for n in ast.walk(over) if isinstance(n, ast.Name | ast.Attribute)):
        return label
    return f"{label} of {place_text(m, over)}"


def key_of(data: Data, node: ast.expr) -> tuple[str, Hashable]:
    """The division of rows by the values of one column."""
    names = data.columns.only
    return ("column", next(iter(names))) if names is not None and len(names) == 1 else ("text", text_of(node))


def cuts_of(m: Machine, left: ast.expr, data: Data, operator: ast.cmpop, right: ast.expr) -> frozenset[Cut]:
    """Which side of which division a comparison chooses."""
    key: tuple[str, Hashable] = key_of(data, left)
    if key[0] == "text" and "rand" in str(key):
        key = ("node", left)
    bound = bound_of(m, m.evaluate(right), right)
    match operator:
        case ast.Eq() | ast.Is():
            return frozenset({Cut(key, str(bound))})
        case ast.NotEq() | ast.IsNot():
            return frozenset({Cut(key, Except(str(bound)))})
        case ast.Lt():
            return frozenset({Cut(key, Interval(None, bound))})
        case ast.GtE():
            return frozenset({Cut(key, Interval(bound, None))})
        case ast.LtE():
            return frozenset({Cut(key, Interval(None, just_above(bound)))})
        case ast.Gt():
            return frozenset({Cut(key, Interval(just_above(bound), None))})
        case ast.In() | ast.NotIn():
            chosen = m.data(m.evaluate(right))
            cuts = chosen.cuts if chosen.shape is Shape.POSITIONS else frozenset()
            return cuts if isinstance(operator, ast.In) else negated(cuts)
        case _:
            return frozenset()


def just_above(bound: float | str | None) -> float | str | None:
    """Where rows up to and with a number end; a bound that is an expression is not told apart from the next value."""
    return math.nextafter(bound, math.inf) if isinstance(bound, int | float) else bound


def negated(cuts: frozenset[Cut]) -> frozenset[Cut]:
    """The other side: of one division, or of several that hold together."""
    match tuple(cuts):
        case ():
            return frozenset()
        case (Cut(side=Among(parts)),):
            return frozenset(cut for part in parts for cut in negated(part))
        case (Cut(key=LabelsOf(parts=parts) as key, side=str() as side),):
            return frozenset({Cut(key, Except(side)), *map(rest_of, parts)})
        case (Cut(side=Without()),):
            return frozenset()
        case (cut,):
            return frozenset({_opposite(cut)})
    return frozenset({rest_of(cuts)})


def _opposite(cut: Cut) -> Cut:
    """The other side of one division."""
    match cut.side:
        case str() as side if is_fold(cut) and side in _OTHER_FOLD:
            return Cut(cut.key, _OTHER_FOLD[side])
        case Except(label):
            return Cut(cut.key, label if isinstance(label, OneOf) else str(label))
        case Interval(low, high) if None in (low, high):
            return Cut(cut.key, Interval(high, low))
        case Interval():
            return rest_of(frozenset({cut}))
    return Cut(cut.key, Except(cut.side))


def both(left: frozenset[Cut], right: frozenset[Cut]) -> frozenset[Cut]:
    """The side of the rows where two conditions hold; labels of one column that are left out are one list."""
    cuts = left | right
    for key in {cut.key for cut in cuts}:
        several = {cut for cut in cuts if cut.key == key and isinstance(cut.side, Except)}
        listed = [_labels(cut.side.label) for cut in several if isinstance(cut.side, Except)]
        if len(several) > 1 and all(listed):
            cuts = cuts - several | {Cut(key, Except(OneOf(frozenset().union(*listed))))}
    return cuts


def either(left: frozenset[Cut], right: frozenset[Cut]) -> frozenset[Cut]:
    """The side of the rows where one of two conditions holds; none when one of them may hold for all rows."""
    if not left or not right:
        return frozenset()
    if len(left) == len(right) == 1:
        (one,), (other,) = left, right
        labels = [_labels(cut.side) for cut in (one, other)]
        if one.key == other.key and all(labels):
            return frozenset({Cut(one.key, OneOf(labels[0] | labels[1]))})
    parts = _alternatives(left) | _alternatives(right)
    return frozenset({among(parts)}) if len(parts) <= MOST_TAKEN else frozenset()


def _labels(side: Hashable) -> frozenset[str]:
    """The labels that a side lists; none when they are not known, or it is no list."""
    match side:
        case OneOf(frozenset() as labels):
            return labels
        case str() as label:
            return frozenset({label})
        case _:
            return frozenset()


def _alternatives(cuts: frozenset[Cut]) -> frozenset[frozenset[Cut]]:
    """The parts that a condition joins."""
    match tuple(cuts):
        case (Cut(side=Among(parts)),):
            return parts
        case _:
            return frozenset({cuts})


def any_of(positions: Iterable[Data]) -> frozenset[Cut]:
    """The side of the rows at any of several lists of positions; none when one of them may be all."""
    sides = frozenset(p.cuts for p in positions)
    if len(sides) == 1:
        return next(iter(sides))
    return frozenset({among(sides)}) if all(sides) and 1 < len(sides) <= MOST_TAKEN else frozenset()
