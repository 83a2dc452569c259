"""Labels that the code writes down itself, by what a model said: they are what the model said, in other words.

`if chance > 0.5: said.append(1)`, `else: said.append(0)`; `said[chance > 0.5] = 1`; `said.append(names[number])`. The
literals are written in the code, but which of them it is knows what the condition, the mask or the number was about.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import SOME_COLUMNS, UNKNOWN, Const, Data, Kind, Mapping, Seq, Shape, Value
from assay.records import replace

_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SAME = (ast.Eq, ast.NotEq)
_BOUNDS = frozenset({Kind.SWEEP, Kind.THRESHOLD})


def decided(m: Machine, node: ast.If) -> None:
    """What either branch writes down is what was said of the rows that the condition is about.

    Of what no model said that is taken only from one plain condition: several of them sort by rules.
    """
    written = _written(node)
    about = _about(m, node.test) if written else None
    plain = isinstance(node.test, ast.Compare) and all(isinstance(first, ast.Assign) for first in node.orelse[:1])
    if about is None or not (about.predictions or plain):
        return
    for target, gathers in written:
        label = m.boxed(_as_column(about))
        if isinstance(target, ast.Name) and not gathers:
            m.scope.bind(target.id, label)
        elif about.predictions:
            _gathered(m, target, label, by_place=isinstance(target, ast.Subscript))


def chosen(m: Machine, owner: Data, where: Value | None, value: Value) -> Data:
    """An array that held nothing of rows, after `said[chance > 0.5] = 1`; else as it is."""
    mask = m.plain(where) if where is not None and not owner.rows and isinstance(m.plain(value), Const) else None
    said = isinstance(mask, Data) and mask.shape is Shape.MASK and bool(mask.predictions)
    return _as_column(mask) if isinstance(mask, Data) and said else owner


def looked_up(m: Machine, listed: Value, node: ast.Subscript, found: Value) -> Value:
    """`names[number]`, where a model said which number: the literal found there is what it said."""
    literal = isinstance(found, Const) or found == UNKNOWN
    if not literal or isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
        return found
    if not isinstance(m.plain(listed), Seq | Mapping):
        return found
    asked = m.data(m.evaluate(node.slice))
    return _as_column(asked) if asked.predictions and asked.rows else found


def _as_column(said: Data) -> Data:
    return replace(said, shape=Shape.COLUMN, columns=SOME_COLUMNS, cuts=frozenset())


def _gathered(m: Machine, target: ast.expr, label: Value, *, by_place: bool) -> None:
    """One label for each row that a loop goes through, in a list or in an array that began as zeros."""
    held = m.evaluate(target.value if isinstance(target, ast.Subscript) else target)
    now = m.plain(held)
    if isinstance(now, Seq):
        m.store(held, replace(now, items=(label,), open=True))
    elif by_place and isinstance(now, Data) and not now.rows:
        m.store(held, m.plain(label))


def _about(m: Machine, test: ast.expr) -> Data | None:
    """The rows that a condition compares with something, and the threshold that it takes; None for other conditions."""
    first = test.values[0] if isinstance(test, ast.BoolOp) else test
    if not isinstance(first, ast.Compare) or not isinstance(first.ops[0], _ORDERED + _SAME):
        return None
    left, right, whole = m.looked_at((first.left, first.comparators[0], first))
    held = [side for side in (left, right) if isinstance(side, Data) and side.rows]
    about = next((side for side in held if side.predictions or side is left), None)
    if about is None or not isinstance(first.ops[0], _ORDERED):
        return None
    return about.marked(*(k for k in m.data(whole).marks if k.kind in _BOUNDS))


@lru_cache(maxsize=256)
def _written(node: ast.If) -> tuple[tuple[ast.expr, bool], ...]:
    """What both branches write a literal into, and whether they add it to a list.

    A place in a list that has a label already (`said = [0] * n`) needs but one branch.
    """
    then, otherwise = _in_branch(node.body), _in_branch(node.orelse)
    if not node.orelse:
        return tuple(found for found in then.values() if isinstance(found[0], ast.Subscript))
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
