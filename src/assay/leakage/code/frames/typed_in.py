"""Rows that are typed into the program: `X = np.array([[0, 1], [1, 0], …])`, and then a model is fitted on `X`.

Numbers in a program are mostly settings, weights or a single row to be asked about. Only what a model is fitted on, as
it was typed in, is taken for rows.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.language.call import fresh
from assay.leakage.code.state.rows import OriginKind
from assay.leakage.code.state.values import UNKNOWN, Data

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

_FEWEST = 3
_MAKERS = frozenset({"array", "asarray", "tensor", "Tensor", "FloatTensor", "constant", "DataFrame", "matrix"})
_SHAPED = frozenset({"reshape", "astype", "T", "float", "view", "unsqueeze"})


def rows_of(c: Call) -> Data:
    """The rows that a model is fitted on, if the name that it is given stands for what was typed in; else nothing."""
    given = c.node.args[0] if c.node.args else None
    tree = c.m.source.tree
    if c.m.stack or not isinstance(given, ast.Name) or tree is None or given.id not in _typed(tree):
        return UNKNOWN
    rows = fresh(c, OriginKind.MADE, "hand", ("typed in", given.id))
    c.m.scope.bind(given.id, c.m.boxed(rows))
    return rows


@lru_cache(maxsize=4)
def _typed(tree: ast.Module) -> frozenset[str]:
    """The names that a program gives once, outside functions, to rows that are written down."""
    bound = Counter(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    found = (s for s in tree.body if isinstance(s, ast.Assign) and _written_down(s.value))
    return frozenset(t.id for s in found for t in s.targets if isinstance(t, ast.Name) and bound[t.id] == 1)


def _written_down(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(attr=name), args=[first, *_]) if name in _MAKERS:
            return _written_down(first)
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _SHAPED:
            return _written_down(inner)
        case ast.Attribute(value=inner, attr=name) if name in _SHAPED:
            return _written_down(inner)
        case ast.Dict(values=columns):
            return any(map(_written_down, columns))
        case ast.List(elts=rows):
            literal = not any(isinstance(n, ast.Name | ast.Call | ast.ListComp) for n in ast.walk(value))
            return len(rows) >= _FEWEST and literal
    return False
