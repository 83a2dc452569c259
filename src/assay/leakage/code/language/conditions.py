"""Conditions: which the program itself decides, which only ask for stored results, and which ask for a kind of task."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Const, Value

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


_ASKS = frozenset({"exists", "isfile", "is_file"})
_LONGEST = 6
"""Who only reads something back needs no more statements than this."""


def computed(node: ast.If) -> list[ast.stmt] | None:
    """The branch that computes what the other only reads back; None where it is not such a condition."""
    absent = isinstance(node.test, ast.UnaryOp) and isinstance(node.test.op, ast.Not)
    asked = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    if not isinstance(asked, ast.Call) or text_of(asked.func).rpartition(".")[2] not in _ASKS:
        return None
    making, reading = (node.body, node.orelse) if absent else (node.orelse, node.body)
    known, made = (frozenset[str]().union(*map(names_set_in, body)) for body in (reading, making))
    short = 0 < len(reading) <= _LONGEST and len(reading) <= len(making)
    return making if short and known and known <= made else None


_LOOPS = (ast.For, ast.AsyncFor, ast.While)


def set_on_each_way(m: Machine, node: ast.If) -> list[str]:
    """Names that have no value of an earlier round after this condition, the last of several that ask for a kind.

    Each kind gives them a new value, nothing else in the round does, and a kind that none of them names does not occur.
    """
    return [name for name in _dispatched(m.source.tree).get(node, ()) if name in m.scope.names] if m.loops else []


@lru_cache(maxsize=4)
def _dispatched(tree: ast.Module | None) -> dict[ast.If, frozenset[str]]:
    """The last condition of each chain in a loop, and the names that all of its ways set."""
    loops = (node for node in ast.walk(tree or ast.Module([], [])) if isinstance(node, _LOOPS))
    found = (pair for loop in loops for place in range(len(loop.body)) for pair in _set_by_chain(loop.body, place))
    return dict(found)


def _set_by_chain(body: list[ast.stmt], place: int) -> Iterator[tuple[ast.If, frozenset[str]]]:
    chain = _chain(body[place])
    if chain:
        names = frozenset.intersection(*(_set_anew(way.body) for way in chain))
        others = frozenset().union(*map(names_set_in, (*body[:place], *body[place + 1 :])))
        if names - others:
            yield chain[-1], names - others


def _chain(statement: ast.stmt) -> list[ast.If]:
    """Conditions one after the other that hold the same thing against a text or number, without an `else`."""
    ways: list[ast.If] = []
    rest: Sequence[ast.stmt] = [statement]
    while len(rest) == 1 and isinstance(way := rest[0], ast.If):
        ways.append(way)
        rest = way.orelse
    subjects = {_asked(way.test) for way in ways}
    return ways if not rest and len(ways) > 1 and len(subjects) == 1 and None not in subjects else []


def _asked(test: ast.expr) -> str | None:
    """What `task == "binary"` asks about."""
    literal = isinstance(test, ast.Compare) and isinstance(test.comparators[0], ast.Constant)
    return text_of(test.left) if isinstance(test, ast.Compare) and literal and isinstance(test.ops[0], ast.Eq) else None


def _set_anew(body: Sequence[ast.stmt]) -> frozenset[str]:
    """Names that statements give a value that does not hang on the one they had."""
    return frozenset(name for statement in body for name in _assigned(statement))


def _assigned(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Assign):
        used = {n.id for n in ast.walk(statement.value) if isinstance(n, ast.Name)}
        yield from (t.id for t in statement.targets if isinstance(t, ast.Name) and t.id not in used)
