"""How far what was said and what is true cover each other: `(said * truth).sum()`, of which Dice and IoU are made."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.scored import scoring
from assay.leakage.code.state.events import COVER
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.places import given_once
from assay.leakage.code.state.values import Data

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine


def covered(m: Machine, node: ast.Call) -> Data | None:
    """The score that such a sum is; None for other calls."""
    pair = _pair(_summed(m, node))
    sides = [m.plain(m.evaluate(side)) for side in pair]
    held = [side for side in sides if isinstance(side, Data) and side.rows]
    if not held or len(held) != len(sides) or bool(held[0].predictions) == bool(held[1].predictions):
        return None
    whole = united(held)
    scoring.evaluate_predictions(m, node, whole, COVER)
    return whole.summary.marked(scoring.score_mark(m, node))


def _summed(m: Machine, node: ast.Call) -> ast.expr | None:
    """What a call sums up: `found.sum()`, `torch.sum(found)`; of a name in a function, what it stands for."""
    match node:
        case ast.Call(func=ast.Attribute(attr="sum"), args=[ast.BinOp() | ast.Subscript() | ast.Name() as summed, *_]):
            pass
        case ast.Call(func=ast.Attribute(attr="sum", value=ast.BinOp() | ast.Subscript() | ast.Name() as summed)):
            pass
        case _:
            return None
    return (given_once(m.stack[-1]).get(summed.id) if m.stack else None) if isinstance(summed, ast.Name) else summed


def _pair(summed: ast.expr | None) -> tuple[ast.expr, ...]:
    """What is held against each other in `said * truth` and in `said[truth == 1]`."""
    match summed:
        case ast.BinOp(left=one, op=ast.Mult(), right=other):
            return one, other
        case ast.Subscript(value=one, slice=ast.Compare(left=other, ops=[ast.Eq()], comparators=[ast.Constant()])):
            return one, other
    return ()
