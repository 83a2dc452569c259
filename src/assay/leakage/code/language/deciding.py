"""Conditions that the program itself decides: `if mode == "train":` where the call says which."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.values import Const, Value

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_TESTS: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}


class _Unknown(Exception):  # noqa: N818 - not an error, only the way out of a nested condition
    """The condition hangs on something that nobody knows."""


def decided(m: Machine, test: ast.expr) -> bool | None:
    """Whether a condition holds; None when the code alone does not tell."""
    try:
        return bool(_value(m, test))
    except _Unknown:
        return None


def ask(m: Machine, test: ast.expr) -> dict[ast.expr, Value]:
    """Follow the calls that a condition consists of: `if stopper(loss, model):` may do more than answer."""
    match test:
        case ast.Call():
            return {test: m.evaluate(test)}
        case ast.UnaryOp(operand=inner):
            return ask(m, inner)
        case ast.BoolOp(values=several):
            return {call: value for inner in several for call, value in ask(m, inner).items()}
    return {}


def _value(m: Machine, node: ast.expr) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name() | ast.Attribute():
            return _constant(m, node)
        case ast.UnaryOp(op=ast.Not()):
            return not _value(m, node.operand)
        case ast.BoolOp():
            return _joined(m, node)
        case ast.Compare(ops=[comparison], comparators=[right]):
            return _compared(m, node.left, comparison, right)
        case ast.Call(func=ast.Attribute(value=inner, attr="lower" | "upper" | "strip" as how), args=[], keywords=[]):
            return _written(_value(m, inner), how)
        case _:
            raise _Unknown


def _written(text: Any, how: str) -> str:
    """`part.lower()`: a text that is known, as it is then compared."""
    if not isinstance(text, str):
        raise _Unknown
    return str(getattr(text, how)())


def _joined(m: Machine, node: ast.BoolOp) -> bool:
    """`a and b`: one that fails is enough, even if nothing is known of the other."""
    enough = isinstance(node.op, ast.Or)
    known = [decided(m, value) for value in node.values]
    if enough in known:
        return enough
    if None in known:
        raise _Unknown
    return not enough


def _compared(m: Machine, left: ast.expr, comparison: ast.cmpop, right: ast.expr) -> bool:
    test = _TESTS.get(type(comparison))
    if test is not None and isinstance(left, ast.Name) and left.id in m.scope.given and _is_none(right):
        return test(left, None)  # whatever is given, it is something
    if test is not None:
        return test(_value(m, left), _value(m, right))
    if isinstance(comparison, ast.In | ast.NotIn) and isinstance(right, ast.Tuple | ast.List | ast.Set):
        inside = _value(m, left) in [_value(m, item) for item in right.elts]
        return inside is isinstance(comparison, ast.In)
    raise _Unknown


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _constant(m: Machine, node: ast.Name | ast.Attribute) -> Any:
    """A name that stands for a literal, and does so in every round of the loops around."""
    root = node
    while isinstance(root, ast.Attribute):
        root = root.value  # type: ignore[assignment]
    if not isinstance(root, ast.Name) or any(root.id in names_set_in(loop) for loop in m.loops):
        raise _Unknown
    if m.guessing and len(m.stack) <= _OF_ITSELF:
        raise _Unknown  # the defaults of a function that others will call
    value = m.plain(m.evaluate(node))
    if not isinstance(value, Const) or not value.sure:
        raise _Unknown
    if not m.stack or root.id not in m.scope.names:
        m.switches.add(root.id)
        if m.either_way:
            raise _Unknown
    return value.value


_OF_ITSELF = 2
"""A call and the function it leads to are on the stack while a function is followed for its own sake."""
