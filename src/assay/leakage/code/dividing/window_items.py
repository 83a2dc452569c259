"""Data sets whose items are windows of one series or picture, cut as they are asked for, and may overlap."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from assay.leakage.code.dividing import windows
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Class, Data, Function, Instance, Kind, Mark

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_STEPPED = 3
"""`range` with this many arguments says how far it steps."""
_RANGES = frozenset({"range", "arange"})


class Written(NamedTuple):
    """An expression and the function that it stands in."""

    node: ast.expr
    function: ast.AST


class Window(NamedTuple):
    """A slice of which an item is made; `step` is None where each item starts one row after the one before it."""

    slice: ast.Slice
    size: Written
    step: Written | None


def marked(m: Machine, owner: Instance, shown: Function, item: Data) -> Data:
    """What an item of a data set is like, marked where items are windows that overlap."""
    asked = shown.node.args.args[1:2]
    if not asked or not item.rows:
        return item
    for window in _windows(owner.cls, shown.node, asked[0].arg):
        if _overlap(m, owner, window):
            place = Site(shown.scope.source, window.slice.lower or shown.node)
            return item.marked(Mark(Kind.WINDOW, "sliding windows", place, item.rows))
    return item


def _windows(cls: Class, function: ast.AST, asked: str) -> Iterator[Window]:
    """The slices in `__getitem__` that start where the number asked for says, or at a place listed under it."""
    for n in ast.walk(function):
        if isinstance(n, ast.Subscript) and asked not in windows.names_in(n.value):
            axes = n.slice.elts if isinstance(n.slice, ast.Tuple) else [n.slice]
            for cut in axes:
                low = windows.written_out(function, cut.lower) if isinstance(cut, ast.Slice) else None
                if isinstance(cut, ast.Slice) and low is not None and cut.upper is not None:
                    yield from _window(cls, function, asked, cut, low)


def _window(cls: Class, function: ast.AST, asked: str, cut: ast.Slice, low: ast.expr) -> Iterator[Window]:
    high = windows.written_out(function, cut.upper)
    size = windows.length_of(cut.lower, high) or windows.length_of(low, high)
    if size is None:
        return
    if _counts(low, asked):
        step = windows.moved_by(low, {asked})
        yield Window(cut, Written(size, function), None if step is None else Written(step, function))
    elif isinstance(cut.lower, ast.Name):
        for attribute, entry in _looked_up(function, cut.lower.id, asked):
            for apart in _listed(cls, attribute, entry):
                yield Window(cut, Written(size, function), apart)


def _counts(place: ast.expr, asked: str) -> bool:
    """Whether a place is the number asked for, or sums and products of it; `starts[i]` is any place."""
    match place:
        case ast.Name(id=name):
            return name == asked
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return _counts(left, asked) or _counts(right, asked)
    return False


def _looked_up(function: ast.AST, place: str, asked: str) -> Iterator[tuple[str, int | None]]:
    """The attributes that list a place, and which entry of each it is: `row, column = self.places[i]`."""
    for n in ast.walk(function):
        match n:
            case ast.Assign(
                targets=[target],
                value=ast.Subscript(value=ast.Attribute(value=ast.Name(), attr=attribute), slice=ast.Name(id=name)),
            ) if name == asked:
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                for at, one in enumerate(names):
                    if isinstance(one, ast.Name) and one.id == place:
                        yield attribute, at if isinstance(target, ast.Tuple) else None


def _listed(cls: Class, attribute: str, entry: int | None) -> Iterator[Written | None]:
    """How far apart the places are that a class lists under an attribute, where a `range` gives them."""
    for member in cls.members.values():
        function = member.node if isinstance(member, Function) else None
        for n in ast.walk(function) if function is not None else ():
            match n:
                case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.ListComp(elt=given)) if name == attribute:
                    yield from _ranges(function, given, entry)
                case ast.Assign(targets=[ast.Attribute(attr=name)], value=listed) if name == attribute:
                    yield from _stepped(function, listed)
                case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=name), attr="append"), args=[given]) if (
                    name == attribute
                ):
                    yield from _ranges(function, given, entry)


def _ranges(function: ast.AST | None, given: ast.expr, entry: int | None) -> Iterator[Written | None]:
    """The steps of the `range` that gives a place which is listed, alone or beside others."""
    place = given.elts[entry] if isinstance(given, ast.Tuple) and entry is not None else given
    for n in ast.walk(function) if function is not None and isinstance(place, ast.Name) else ():
        if isinstance(n, ast.For | ast.comprehension) and text_of(n.target) == text_of(place):
            yield from _stepped(function, n.iter)


def _stepped(function: ast.AST | None, listed: ast.expr) -> Iterator[Written | None]:
    """How far a `range` steps; nothing where there is none."""
    while isinstance(listed, ast.Call) and listed.args and text_of(listed.func).rpartition(".")[2] not in _RANGES:
        listed = listed.args[0]  # `list(range(0, n, step))`
    if isinstance(listed, ast.Call) and listed.args and function is not None:
        yield Written(listed.args[2], function) if len(listed.args) == _STEPPED else None


def _overlap(m: Machine, owner: Instance, window: Window) -> bool:
    """Whether each item starts before the one before it ends."""
    long = _number(m, owner, window.size)
    if window.step is None:
        return long != 1
    far = _number(m, owner, window.step)
    if far is not None and long is not None:
        return far < long
    return far == 1 or _share_of(window.step, _name(window.size))


def _share_of(step: Written, size: str) -> bool:
    """Whether a step is less than a window, however long that is: `size // 2`."""
    node = windows.written_out(step.function, step.node)
    while isinstance(node, ast.Call) and text_of(node.func) in {"int", "round", "max"} and node.args:
        node = node.args[-1]
    match node:
        case ast.BinOp(left=whole, op=ast.FloorDiv() | ast.Div(), right=ast.Constant(value=int() | float() as share)):
            return share > 1 and _name(Written(whole, step.function)) == size
        case ast.BinOp(left=whole, op=ast.Mult(), right=ast.Constant(value=float() as share)):
            return 0 < share < 1 and _name(Written(whole, step.function)) == size
    return False


def _name(written: Written) -> str:
    """What a number is called, whatever short name a function gives it: `p = self.size`."""
    node = windows.written_out(written.function, written.node) or written.node
    return text_of(node if isinstance(node, ast.Name | ast.Attribute) else written.node).removeprefix("self.")


def _number(m: Machine, owner: Instance, written: Written) -> float | None:
    """A number that is written out, or that the object was given under this name."""
    if isinstance(written.node, ast.Constant):
        known = written.node.value
    else:
        known = m.constant(dict(owner.attributes).get(_name(written)))
    return known if isinstance(known, int | float) else None
