"""Cells of a notebook that was written out as a script: `get_ipython().run_cell_magic("time", "", "fit(X)")`.

Such a cell stands in the script as a text. Its statements are put in its place, all of them on its line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from assay.code.magics import PYTHON_BODY, neutralised

CALL = "run_cell_magic("


def with_cells(tree: ast.Module, read: Callable[[str], ast.Module | None]) -> ast.Module:
    """The tree with the statements of such cells; `read` gives the tree of a text, or None where it has none."""
    tree.body = [statement for given in tree.body for statement in _statements(given, read)]
    return tree


def _statements(given: ast.stmt, read: Callable[[str], ast.Module | None]) -> list[ast.stmt]:
    match given:
        case ast.Expr(
            ast.Call(
                func=ast.Attribute(attr="run_cell_magic"),
                args=[ast.Constant(str(name)), ast.Constant(), ast.Constant(str(body))],
            )
        ) if name in PYTHON_BODY:
            tree = read(neutralised(body, "")[0])
            if tree is not None:
                _place(tree, given, body)
                return tree.body
    return [given]


def _place(tree: ast.Module, cell: ast.stmt, body: str) -> None:
    """Put all of it on the line of the cell, in its order there."""
    starts = [0]
    for line in body.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.expr | ast.keyword | ast.arg | ast.alias | ast.excepthandler):
            node.col_offset += cell.col_offset + starts[node.lineno - 1]
            node.end_col_offset = node.col_offset + 1
            node.lineno = node.end_lineno = cell.lineno
