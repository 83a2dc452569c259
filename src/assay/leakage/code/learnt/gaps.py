"""How full columns are: `table.isna().sum()`. It is learnt once columns are chosen by it, and else a mere number."""

from __future__ import annotations

import ast

_GAPS = frozenset({"isna", "isnull", "isnan"})
_COUNTED = frozenset({"sum", "mean"})


def counted(node: ast.Call) -> bool:
    """Whether a call counts what is missing, or the share of it: `table.isna().mean()`, `np.isnan(X).sum(axis=0)`."""
    match node.func:
        case ast.Attribute(attr=name, value=ast.Call(func=ast.Attribute(attr=asked))):
            return name in _COUNTED and asked in _GAPS
    return False
