"""Confusion matrices that the code fills itself: what is true and what was said of it tell the cell that is counted."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.scored import scoring
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.places import given_once
from assay.leakage.code.state.values import Const, Data, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_MEASURE = "confusion_matrix"
_PAIR = 2


def counts_cells(m: Machine, node: ast.AugAssign) -> bool:
    """`matrix[truth, said] += 1`, `matrix[truth][said] += 1`: the matrix is a score from here on; whether it is so."""
    target = node.target
    if not isinstance(target, ast.Subscript) or not isinstance(m.plain(m.evaluate(node.value)), Const):
        return False
    match target:
        case ast.Subscript(value=matrix, slice=ast.Tuple(elts=[row, column])):
            pass
        case ast.Subscript(value=ast.Subscript(value=matrix, slice=row), slice=column):
            pass
        case _:
            return False
    told = None if _fixed(row) or _fixed(column) else _held_against(m, target, row, column)
    if told is None:
        return False
    base = m.evaluate(matrix)
    sofar = m.plain(base)
    m.store(base, united([sofar.summary, told]) if isinstance(sofar, Data) else told)
    return True


def cells_numbered(c: Call) -> Value | None:
    """`np.bincount(kinds * truth + said)`: each pair has the number of its cell; None where it counts other things.

    The numbers may have a name: `cells = kinds * truth + said`, then `np.bincount(cells)`.
    """
    if c.name.rpartition(".")[2] != "bincount":
        return None
    counted = c.node.args[:1]
    match counted:
        case [ast.Name(id=name)] if c.m.stack:
            counted = [given_once(c.m.stack[-1]).get(name) or counted[0]]
    match counted:
        case [ast.BinOp(op=ast.Add(), left=ast.BinOp(op=ast.Mult()) as row, right=column)]:
            return _held_against(c.m, c.node, row, column)
        case [ast.BinOp(op=ast.Add(), left=row, right=ast.BinOp(op=ast.Mult()) as column)]:
            return _held_against(c.m, c.node, row, column)
    return None


def _fixed(index: ast.expr) -> bool:
    return isinstance(index, ast.Slice | ast.Constant)


def _held_against(m: Machine, node: ast.AST, row: ast.expr, column: ast.expr) -> Data | None:
    """The score that comes of counting both together; None if they are not what is true and what was said of it."""
    sides = [m.plain(m.evaluate(side)) for side in (row, column)]
    held = [side for side in sides if isinstance(side, Data) and side.rows]
    said = [side for side in held if side.predictions]
    if len(held) != _PAIR or len(said) != 1:
        return None
    whole = united(held)
    scoring.evaluate_predictions(m, node, whole, _MEASURE)
    return whole.summary.marked(scoring.score_mark(m, node))
