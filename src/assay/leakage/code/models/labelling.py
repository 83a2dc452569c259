"""Labels that a condition writes down: `if chance > 0.5: said.append(1)`, `else: said.append(0)`.

The numbers are written in the code, but which of them it is knows what the condition was about.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.language import expressions
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import SOME_COLUMNS, Data, Kind, Seq, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SAME = (ast.Eq, ast.NotEq)
_BOUNDS = frozenset({Kind.SWEEP, Kind.TYPED, Kind.THRESHOLD})


def decided(m: Machine, node: ast.If) -> None:
    """What either branch writes down is what was said of the rows that the condition is about.

    Of what no model said that is taken only from one plain condition: several of them sort by rules.
    """
    written = _written(node)
    about = _about(m, node.test) if written else None
    plain = isinstance(node.test, ast.Compare) and isinstance(node.orelse[0], ast.Assign) if written else False
    if about is None or not (about.predictions or plain):
        return
    for target, gathers in written:
        label = m.boxed(replace(about, shape=Shape.COLUMN, columns=SOME_COLUMNS, cuts=frozenset()))
        if isinstance(target, ast.Name) and not gathers:
            m.scope.bind(target.id, label)
        elif about.predictions:
            _gathered(m, target, label, by_place=isinstance(target, ast.Subscript))


def _gathered(m: Machine, target: ast.expr, label: Value, *, by_place: bool) -> None:
    """One label for each row that a loop goes through, in a list or in an array that began as zeros."""
    held = expressions.evaluate(m, target.value if isinstance(target, ast.Subscript) else target)
    now = m.plain(held)
    if isinstance(now, Seq):
        m.store(held, replace(now, items=(label,), open=True))
    elif by_place and isinstance(now, Data) and not now.rows:
        m.store(held, m.plain(label))


def _about(m: Machine, test: ast.expr) -> Data | None:
    """The rows that a condition compares with something, and the threshold that it takes; None for other conditions."""
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    first = parts[0]
    if not isinstance(first, ast.Compare) or not isinstance(first.ops[0], _ORDERED + _SAME):
        return None
    happened = len(m.trace.events)
    sides = [m.plain(expressions.evaluate(m, side)) for side in (first.left, first.comparators[0])]
    bounds = m.data(expressions.evaluate(m, first)).marks
    while len(m.trace.events) > happened:
        m.trace.events.popitem()
    held = [side for side in sides if isinstance(side, Data) and side.rows and not side.via]
    about = next((side for side in held if side.predictions or side is sides[0]), None)
    if about is None:
        return None
    mapped = isinstance(first.ops[0], _SAME)
    if mapped and not (about.predictions and isinstance(first.comparators[0], ast.Constant)):
        return None
    return about.marked(*(k for k in bounds if k.kind in _BOUNDS))


@lru_cache(maxsize=256)
def _written(node: ast.If) -> tuple[tuple[ast.expr, bool], ...]:
    """What both branches write a literal into, and whether they add it to a list."""
    then, otherwise = _in_branch(node.body), _in_branch(node.orelse)
    return tuple(target for name, target in then.items() if name in otherwise)


def _in_branch(body: list[ast.stmt]) -> dict[str, tuple[ast.expr, bool]]:
    match body:
        case [ast.If(orelse=[_, *_]) as inner]:
            return {text_of(target) + "+" * gathers: (target, gathers) for target, gathers in _written(inner)}
    found: dict[str, tuple[ast.expr, bool]] = {}
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name() | ast.Subscript() as target], value=ast.Constant(label)) if _is_number(
                label
            ):
                found[text_of(target)] = (target, False)
            case ast.Expr(ast.Call(func=ast.Attribute(value=target, attr="append"), args=[ast.Constant(label)])) if (
                _is_number(label) or isinstance(label, str)
            ):
                found[text_of(target) + "+"] = (target, True)
    return found


def _is_number(label: object) -> bool:
    return isinstance(label, int | float) and not isinstance(label, bool)
