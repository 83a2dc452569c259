"""Rounds of a loop that put what they meet into one of several lists: each thing is in one of them alone."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.leakage.code.places import place_text
from assay.leakage.code.rows import Cut, OneOf
from assay.leakage.code.texts import text_of
from assay.leakage.code.values import Data, Seq, Value

if TYPE_CHECKING:
    from assay.leakage.code.call import Call
    from assay.leakage.code.machine import Machine


def sorts(m: Machine, node: ast.If) -> bool:
    """Whether both ways of a condition in a loop append, and to different lists."""
    if not m.loops or not node.orelse:
        return False
    one, other = _filled(node.body), _filled(node.orelse)
    return bool(one and other) and not one & other


def _filled(body: Sequence[ast.stmt]) -> set[str]:
    """The lists that statements append to."""
    return {
        text_of(call.func.value)
        for statement in body
        for call in ast.walk(statement)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "append"
        and not isinstance(call.func.value, ast.Call)
    }


def sorted_in(c: Call, value: Value) -> Value:
    """What is appended, on its side of the conditions around, if the loop made it in this round."""
    m = c.m
    if not m.sides or not m.loops or not c.node.args:
        return value
    made = {n.id for n in ast.walk(m.loops[-1]) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    used = {n.id for n in ast.walk(c.node.args[0]) if isinstance(n, ast.Name)}
    return m.boxed(_cut(m, value, m.sides)) if made & used else value


def kept_as_told(m: Machine, value: Value) -> Value:
    """What a loop keeps where a condition holds that the caller has a say in: `if row["site"] in sites:`.

    Another call, or another object, that says otherwise is taken to keep other rows.
    """
    told = [f"{side} {place_text(m, test)}" for test, side in m.conditions if _asks_caller(m, test)]
    return m.boxed(_cut(m, value, (Cut("kept", OneOf(" ".join(told))),))) if told else value


def _asks_caller(m: Machine, test: ast.expr) -> bool:
    """Whether a condition hangs on a parameter that is no table, or on what an object was told."""
    function = m.stack[-1] if m.stack else None
    if not isinstance(function, ast.FunctionDef):
        return False
    given = {argument.arg for argument in (*function.args.args, *function.args.kwonlyargs)}
    names = {n.id for n in ast.walk(test) if isinstance(n, ast.Name) and n.id in given}
    return any(name == "self" or not m.data(m.scope.names.get(name)).rows for name in names)


def _cut(m: Machine, value: Value, sides: tuple[Cut, ...], depth: int = 0) -> Value:
    plain = m.plain(value)
    if isinstance(plain, Data) and plain.rows:
        return plain.cut(*sides)
    if isinstance(plain, Seq) and depth < 3:
        return Seq(tuple(_cut(m, item, sides, depth + 1) for item in plain.items), plain.open)
    return value
