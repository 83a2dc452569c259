"""Slices that a loop moves along a table: windows, and whether neighbours among them have rows in common."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import NamedTuple

from assay.leakage.code.dividing import sides
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.places import place_text
from assay.leakage.code.state.rows import POSITIONS, Cut, Interval, Site
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Data, Kind, Mark, Seq, Value
from assay.leakage.code.syntax import names_in
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_STEPPED = 3
"""`range` with this many arguments says how far it steps."""


class _Window(NamedTuple):
    """A slice in a loop that moves it, and what it is of."""

    loop: ast.AST
    table: ast.expr
    bounds: ast.Slice


def gathered(m: Machine, node: ast.AST, data: Data, loops: tuple[ast.AST, ...]) -> Data:
    """What a loop gathers: without the window's own cut, which moves, and marked where the windows overlap."""
    if not any(isinstance(c.side, Interval) for part in data.rows for c in part.cuts):
        return data
    found = (_without(m, node, data, window) for loop in reversed(loops) for window in _windows(loop))
    return next((bare for bare in found if bare is not None), data)


def _without(m: Machine, node: ast.AST, data: Data, window: _Window) -> Data | None:
    """What was cut by a window that a loop moves, without that cut; None where it was not cut by this one."""
    loop, table, bounds = window
    own = _own_cuts(m, data, bounds)
    low, high = written_out(loop, bounds.lower), written_out(loop, bounds.upper)
    if not own or _names_moved(loop).isdisjoint(names_in(low, high)):
        return None
    bare = replace(data, rows=frozenset(p._replace(cuts=p.cuts - own) for p in data.rows))
    size = length_of(bounds.lower, high)
    reach = _reach(m, loop, text_of(table), "" if size is None else text_of(size), bare)
    bare = bare if reach is None else bare.cut(reach)
    if m.stack and m.data(m.evaluate(table)).round in m.stack:
        return bare  # all windows of one item become one row
    mark = Mark(Kind.WINDOW, "sliding windows", m.site(node), bare.rows)
    from_start = low is None or high is None  # all rows so far
    return bare.marked(mark) if from_start or _overlap(m, mark.site, loop, low, size) else bare


def _own_cuts(m: Machine, data: Data, bounds: ast.Slice) -> frozenset[Cut]:
    """The cuts of some rows that this very slice made."""
    texts = Interval(*(None if b is None else place_text(m, b) for b in (bounds.lower, bounds.upper)))
    return frozenset(c for p in data.rows for c in p.cuts if isinstance(c.side, Interval) and _is(c, texts))


def handed_out(m: Machine, node: ast.AST, value: Value) -> Value:
    """What a generator yields in a loop: a window, perhaps with its label beside it, or a batch, or something else."""
    plain = m.plain(value)
    if isinstance(plain, Seq):
        return replace(plain, items=tuple(m.boxed(handed_out(m, node, item)) for item in plain.items))
    if not isinstance(plain, Data) or not plain.rows:
        return value
    window = gathered(m, node, plain, m.loops)
    return window if any(mark.kind is Kind.WINDOW for mark in window.marks - plain.marks) else value


def _is(cut: Cut, texts: Interval) -> bool:
    """Whether a cut is that of a slice, by the text of its bounds; a bound that is known is a number."""
    low, high = cut.side if isinstance(cut.side, Interval) else (None, None)
    named = [(bound, text) for bound, text in zip((low, high), texts, strict=True) if isinstance(bound, str)]
    return bool(named) and all(bound == text for bound, text in named)


@lru_cache(maxsize=512)
def _windows(loop: ast.AST) -> tuple[_Window, ...]:
    """The slices in a loop, but for those of what the loop gives: each round has its own.

    So it is where the loop gives the row, and the slice lies within it: `texts[i, :length]`.
    """
    moving = _names_moved(loop)
    return tuple(
        _Window(loop, n.value, at)
        for n in ast.walk(loop)
        if isinstance(n, ast.Subscript) and names_in(n.value, *_places_in(n)).isdisjoint(moving)
        for at in _slices_in(n)
    )


def _axes(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _slices_in(node: ast.Subscript) -> list[ast.Slice]:
    return [at for at in _axes(node) if isinstance(at, ast.Slice) and (at.lower or at.upper)]


def _places_in(node: ast.Subscript) -> list[ast.expr]:
    return [at for at in _axes(node) if not isinstance(at, ast.Slice)]


def _names_moved(loop: ast.AST) -> frozenset[str]:
    """The names that take another value in each round."""
    match loop:
        case ast.For(target=target):
            return names_in(target)
        case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators):
            return names_in(*(g.target for g in generators))
        case ast.While():
            steps = (n.target for n in ast.walk(loop) if isinstance(n, ast.AugAssign))
            return frozenset(target.id for target in steps if isinstance(target, ast.Name))
    return frozenset()


def written_out(loop: ast.AST, bound: ast.expr | None) -> ast.expr | None:
    """`end` as `start + size`, where the loop says so."""
    return _written(loop).get(bound.id, bound) if isinstance(bound, ast.Name) else bound


@lru_cache(maxsize=256)
def _written(loop: ast.AST) -> dict[str, ast.expr]:
    """What a loop first gives each name."""
    found: dict[str, ast.expr] = {}
    for assigned in (n for n in ast.walk(loop) if isinstance(n, ast.Assign)):
        for target in assigned.targets:
            if isinstance(target, ast.Name):
                found.setdefault(target.id, assigned.value)
    return found


def _overlap(m: Machine, site: Site, loop: ast.AST, low: ast.expr | None, size: ast.expr | None) -> bool:
    """Whether each window starts before the one before it ends."""
    step = None if low is None else _step(loop, low)
    if step is None and not _counts(site, loop):
        return False
    if step is None or _number(m, step) == 1:
        return size is None or _number(m, size) != 1
    if size is None or text_of(step) == text_of(size):
        return False
    far, long = _number(m, step), _number(m, size)
    if far is None or long is None:
        return False
    return far < long


def _counts(site: Site, loop: ast.AST) -> bool:
    """Whether a loop goes from row to row: `for i in range(n)`; places in a list may be as far apart as they like."""
    over = _gone_through(loop)
    if isinstance(over, ast.Name):
        given = given_to(site.source.tree).get(over.id, ())
        over = given[-1] if given else over
        while isinstance(over, ast.Call) and over.args and text_of(over.func) in names_of(Group.LIST_WRAPPERS):
            over = over.args[0]
    if over is None or not isinstance(over, ast.Call):
        return over is None or (isinstance(over, ast.Attribute) and over.attr == "index")
    return _goes_row_by_row(over)


def _goes_row_by_row(over: ast.Call) -> bool:
    return text_of(over.func).rpartition(".")[2] in names_of(Group.ROW_BY_ROW)


@lru_cache(maxsize=4)
def given_to(tree: ast.Module | None) -> dict[str, list[ast.expr]]:
    """The expressions that names and attributes are given, by their text."""
    found: dict[str, list[ast.expr]] = {}
    for n in ast.walk(tree or ast.Module([], [])):
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name | ast.Attribute):
            found.setdefault(text_of(n.targets[0]), []).append(n.value)
    return found


def _step(loop: ast.AST, low: ast.expr) -> ast.expr | None:
    """How far a window moves; None when it moves row by row."""
    if isinstance(loop, ast.While):
        moves = (n for n in ast.walk(loop) if isinstance(n, ast.AugAssign) and isinstance(n.op, ast.Add))
        return next((n.value for n in moves if isinstance(n.target, ast.Name) and n.target.id in names_in(low)), None)
    places = _places(loop)
    if len(places) == _STEPPED:
        return places[2]
    return moved_by(low, _names_moved(loop))


def moved_by(place: ast.expr, moving: frozenset[str]) -> ast.expr | None:
    """What the number of a window is multiplied by to tell where it starts: `first + i * size`."""
    match place:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return right if names_in(left) & moving else left
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            return moved_by(left if names_in(left) & moving else right, moving)
    return None


def _places(loop: ast.AST) -> list[ast.expr]:
    """What the `range` of a loop is given: where it ends; where it starts and ends; and how far it steps."""
    over = _gone_through(loop)
    return over.args if isinstance(over, ast.Call) else []


def _gone_through(loop: ast.AST) -> ast.expr | None:
    """What a loop goes through, without a bar of progress around it; None for `while`."""
    over = loop.iter if isinstance(loop, ast.For) else None
    if isinstance(loop, ast.ListComp | ast.GeneratorExp):
        over = loop.generators[-1].iter
    while isinstance(over, ast.Call) and over.args and not _goes_row_by_row(over):
        over = over.args[0]  # `tqdm(range(0, n, size))`
    return over


def _reach(m: Machine, loop: ast.AST, table: str, size: str, data: Data) -> Cut | None:
    """The rows that a loop moves its window over, where they are not all: `for i in range(60, split)`.

    The first window starts with the table where the loop starts one window later.
    """
    places = _places(loop)
    if not places:
        return None
    start, end = (None, places[0]) if len(places) == 1 else (places[0], places[1])
    low = None if start is None or text_of(start) == size else _place(m, start, table, data)
    high = _place(m, end, table, data)
    low = None if low == 0 else low
    return None if low is None and high is None else Cut(POSITIONS, Interval(low, high))


def _place(m: Machine, node: ast.expr, table: str, data: Data) -> float | str | None:
    """A place in a table that a loop starts or ends at, give or take a window; None for the start or end of the table.

    The length of the first part of a table is the place where that part ends.
    """
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        node = node.left
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[counted]):
            pass
        case ast.Subscript(value=ast.Attribute(value=counted, attr="shape"), slice=ast.Constant(value=0)):
            pass
        case ast.Name():
            return sides.bound_of(m, m.evaluate(node), node)
        case _:
            return None
    if text_of(counted) == table:
        return None
    first = {
        cut.side.high
        for part in m.data(m.evaluate(counted)).rows
        if any(part.origin == other.origin for other in data.rows)
        for cut in part.cuts
        if cut.key == POSITIONS and isinstance(cut.side, Interval) and cut.side.low in (None, 0)
    }
    return first.pop() if len(first) == 1 else None


def length_of(low: ast.expr | None, high: ast.expr | None) -> ast.expr | None:
    """How long a window is: `i : i + size`, `i - size : i`, `i * size : (i + 1) * size`."""
    if low is None or high is None:
        return None
    start, end = text_of(low), text_of(high)
    if isinstance(high, ast.BinOp) and isinstance(high.op, ast.Add):
        return high.right if text_of(high.left) == start else high.left if text_of(high.right) == start else None
    if isinstance(low, ast.BinOp) and isinstance(low.op, ast.Sub) and text_of(low.left) == end:
        return low.right
    return None


def _number(m: Machine, node: ast.expr) -> float | None:
    known = m.constant(m.evaluate(node))
    return known if isinstance(known, int | float) else None
