"""Labels that the code writes down itself, by what a model said: they are what the model said, in other words.

`if chance > 0.5: said.append(1)`, `said[chance > 0.5] = 1`, `said.append(names[number])`: a literal by itself knows
nothing of rows, but here it stands for a prediction.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.leakage.code.language import expressions
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.values import SOME_COLUMNS, UNKNOWN, Const, Data, Kind, Mapping, Seq, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_LONGEST = 60


def written(m: Machine, node: ast.If) -> None:
    """What the two ways of a condition on predictions put into lists or arrays, where it is a literal."""
    places = {ast.unparse(place): place for way in (node.body, node.orelse) for place in _filled(way)}
    said = _said(m, node.test) if places else None
    if said is None:
        return
    for place in places.values():
        held = expressions.evaluate(m, place)
        whole = m.plain(held)
        if isinstance(whole, Seq):
            m.store(held, replace(whole, items=(m.boxed(said), *whole.items)[:_LONGEST], open=True))
        elif isinstance(whole, Data) and not whole.rows:
            m.store(held, replace(united([whole, said]), shape=Shape.COLUMN))


def chosen(m: Machine, owner: Data, where: Value | None, value: Value) -> Data:
    """An array that held nothing of rows, after `said[chance > 0.5] = 1`; else as it is."""
    mask = m.plain(where) if where is not None else None
    literal = isinstance(m.plain(value), Const)
    if owner.rows or not literal or not isinstance(mask, Data) or mask.shape is not Shape.MASK or not mask.predictions:
        return owner
    return owner if _is_score(mask) else _as_column(mask)


def looked_up(m: Machine, listed: Value, node: ast.Subscript, found: Value) -> Value:
    """`names[number]`, where a model said which number: the literal found there is what it said."""
    literal = isinstance(found, Const) or found == UNKNOWN
    if not literal or isinstance(node.slice, ast.Constant | ast.Slice | ast.Tuple):
        return found
    if not isinstance(m.plain(listed), Seq | Mapping):
        return found
    asked = m.data(expressions.evaluate(m, node.slice))
    return _as_column(asked) if asked.predictions and asked.rows and not _is_score(asked) else found


def _said(m: Machine, test: ast.expr) -> Data | None:
    """The predictions that a condition goes by, with the threshold that it holds them against.

    Where it holds them against the truth, what is written down is whether they were right.
    """
    happened = len(m.trace.events)
    about = m.data(expressions.evaluate(m, test))
    while len(m.trace.events) > happened:
        m.trace.events.popitem()
    return _as_column(about) if about.predictions and about.rows and not _is_score(about) else None


def _as_column(said: Data) -> Data:
    return replace(said, shape=Shape.COLUMN, columns=SOME_COLUMNS, cuts=frozenset())


def _is_score(data: Data) -> bool:
    return any(mark.kind is Kind.SCORE for mark in data.marks)


def _filled(body: list[ast.stmt]) -> Iterator[ast.Name | ast.Attribute]:
    """The lists and arrays that a branch writes a literal into: `said.append(1)`, `said[i] = "ill"`."""
    for statement in body:
        match statement:
            case ast.Expr(ast.Call(ast.Attribute(ast.Name() | ast.Attribute() as place, "append"), [value])) if (
                _is_literal(value)
            ):
                yield place
            case ast.Assign([ast.Subscript(ast.Name() | ast.Attribute() as place)], value) if _is_literal(value):
                yield place


def _is_literal(node: ast.expr) -> bool:
    number = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(number, ast.Constant) and isinstance(number.value, str | int | float)
