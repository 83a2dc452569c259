"""Evaluate expressions as far as the text decides them: literals, names, arithmetic, string and path joins."""

from __future__ import annotations

import ast
import operator
import posixpath
from collections.abc import Callable, Iterable

Constant = str | int | float | bool | None
Names = Callable[[str], Iterable[ast.expr]]
"""The expressions assigned to a name."""
Resolve = Callable[[ast.expr], str]
"""The full dotted name of a called function."""

_DEEPEST = 20
_LONGEST = 10_000
_LARGEST = 1 << 64
_SAME = frozenset({"str", "os.path.abspath", "os.path.realpath", "os.path.normpath", "os.path.expanduser", "os.fspath"})
_JOINS = frozenset({"os.path.join", "posixpath.join", "pathlib.Path", "pathlib.PurePath"})
_HERE = frozenset({"os.getcwd", "pathlib.Path.cwd"})
_UNCHANGED = frozenset({"resolve", "absolute", "as_posix", "expanduser"})
_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


class Unknown(Exception):  # noqa: N818 - an answer, not an error
    """The value is known only at run time."""


def constant_of(node: ast.expr | None, names: Names, resolve: Resolve, depth: int = 0) -> Constant:
    """The value of an expression; raises `Unknown` if the text does not decide it."""
    if node is None or depth > _DEEPEST:
        raise Unknown
    match node:
        case ast.Constant(value=str() | int() | float() | None as value):
            return value
        case ast.Name(id=name):
            values = list(names(name))
            return constant_of(values[0] if len(values) == 1 else None, names, resolve, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_as_number(constant_of(inner, names, resolve, depth + 1))
        case ast.JoinedStr(values=parts):
            pieces = (part.value if isinstance(part, ast.FormattedValue) else part for part in parts)
            return "".join(str(constant_of(part, names, resolve, depth + 1)) for part in pieces)[:_LONGEST]
        case ast.BinOp():
            return _operation(node, names, resolve, depth)
        case ast.Attribute(value=inner, attr="parent"):
            return _above(constant_of(inner, names, resolve, depth + 1), 1)
        case ast.Subscript(value=ast.Attribute(value=inner, attr="parents"), slice=ast.Constant(value=int() as count)):
            return _above(constant_of(inner, names, resolve, depth + 1), count + 1)
        case ast.Call():
            return _called(node, names, resolve, depth)
    raise Unknown


def _operation(node: ast.BinOp, names: Names, resolve: Resolve, depth: int) -> Constant:
    left = constant_of(node.left, names, resolve, depth + 1)
    right = constant_of(node.right, names, resolve, depth + 1)
    if isinstance(left, str) and isinstance(right, str):
        if isinstance(node.op, ast.Div):
            return posixpath.join(left, right)
        if isinstance(node.op, ast.Add):
            return (left + right)[:_LONGEST]
    operation = _ARITHMETIC.get(type(node.op))
    if operation is None:
        raise Unknown
    return operation(_as_number(left), _as_number(right))


def _as_number(value: Constant) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) > _LARGEST:
        raise Unknown
    return value


def _called(node: ast.Call, names: Names, resolve: Resolve, depth: int) -> Constant:
    name = resolve(node.func)
    if name in _HERE:
        return "."
    if isinstance(node.func, ast.Attribute) and node.func.attr in _UNCHANGED:
        return constant_of(node.func.value, names, resolve, depth + 1)
    if not node.args or name not in _JOINS | _SAME | {"os.path.dirname"}:
        raise Unknown
    values = [constant_of(arg, names, resolve, depth + 1) for arg in node.args]
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) < len(values):
        raise Unknown
    if name == "os.path.dirname":
        return _above(texts[0], 1)
    return posixpath.join(*texts) if name in _JOINS else texts[0]


def _above(path: Constant, count: int) -> str:
    """The folder this many levels up."""
    if not isinstance(path, str):
        raise Unknown
    return posixpath.normpath(posixpath.join(path, *[".."] * min(count, 64)))
