"""Lists of parts that a loop goes through: one of them in turn, and the others."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from assay.leakage.code.state.values import Data, Seq

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_PARTS = 2


def turn(m: Machine, value: Seq, bounds: Iterable[ast.expr | None]) -> Hashable | None:
    """The division of a list of parts that a loop makes: `parts[j]` is one, `parts[:j] + parts[j + 1 :]` the others."""
    names = {n.id for bound in bounds if bound is not None for n in ast.walk(bound) if isinstance(n, ast.Name)}
    varied = sorted(names & m.varied)
    parts = [m.plain(v) for v in value.items]
    if len(varied) != 1 or len(parts) < _PARTS or not all(isinstance(p, Data) and p.rows for p in parts):
        return None
    return "folds", "in turn", m.number_of(m.data(value).rows), varied[0]


def before_or_after(index: ast.Slice) -> bool:
    """`parts[:j]`, `parts[j + 1 :]`: all before or after one of them; `items[j - 5 : j + 1]` is a window."""
    match index:
        case ast.Slice(lower=None, upper=ast.Name()) | ast.Slice(lower=ast.BinOp(op=ast.Add()), upper=None):
            return True
    return False
