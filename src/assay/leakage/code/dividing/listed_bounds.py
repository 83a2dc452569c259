"""Slices whose bounds stand in lists, one for each part: `rows[starts[part] : ends[part]]`.

Where the bounds are computed nobody can tell how such slices lie to each other. But whoever lists bounds by part, and
looks up those of one, means the parts to be others: the entry that is looked up is the side of a division.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.state.rows import Cut, OneOf
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Const, Mapping, Seq

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_PARTS = 2
"""A list of fewer bounds divides nothing."""


def part_asked_for(m: Machine, index: ast.Slice) -> tuple[Cut, ...]:
    """The side that a slice chooses, where one of its bounds is looked up in a list of them."""
    around = m.stack[-1] if m.stack else m.source.tree
    bounds = (bound for bound in (index.lower, index.upper) if bound is not None)
    for entry in (entry for bound in bounds for entry in _looked_up(around, bound)):
        place = m.plain(m.evaluate(entry.slice))
        if isinstance(place, Const) and place.sure and _lists_bounds(m, entry.value, place.value):
            return (Cut(("listed", around, text_of(entry.value)), OneOf(frozenset({str(place.value)}))),)
    return ()


def _lists_bounds(m: Machine, node: ast.expr, place: object) -> bool:
    """Whether a list or dict has several entries, one of them under this key, and none of them holds rows."""
    held = m.plain(m.evaluate(node))
    if not isinstance(held, Seq | Mapping) or held.open or len(held.items) < _PARTS or m.data(held).rows:
        return False
    if isinstance(held, Mapping):
        return held.get(place) is not None
    return isinstance(place, int) and not isinstance(place, bool) and -len(held.items) <= place < len(held.items)


def _looked_up(around: ast.AST | None, bound: ast.expr) -> Iterator[ast.Subscript]:
    """The entry that a bound is: written in its place, or given to its name in the function around."""
    if isinstance(bound, ast.Name) and around is not None:
        yield from _entries_named(around).get(bound.id, ())
    elif isinstance(bound, ast.Subscript) and _is_entry(bound):
        yield bound


@lru_cache(maxsize=1024)
def _entries_named(around: ast.AST) -> dict[str, list[ast.Subscript]]:
    """The names that a function gives an entry of a list: `start = starts[part]`, `start, end = bounds[part]`."""
    found: dict[str, list[ast.Subscript]] = {}
    given = ((target, n.value) for n in ast.walk(around) if isinstance(n, ast.Assign) for target in n.targets)
    for target, value in (pair for both in given for pair in _one_by_one(*both)):
        if isinstance(value, ast.Subscript) and _is_entry(value):
            for name in (n for n in ast.walk(target) if isinstance(n, ast.Name)):
                found.setdefault(name.id, []).append(value)
    return found


def _one_by_one(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is given to what; of `start, end = starts[part], ends[part]` each for itself."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        yield from zip(target.elts, value.elts, strict=False)
    else:
        yield target, value


def _is_entry(node: ast.Subscript) -> bool:
    return isinstance(node.value, ast.Name | ast.Attribute) and isinstance(
        node.slice, ast.Name | ast.Attribute | ast.Constant
    )
