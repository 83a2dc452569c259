"""Notebooks exported as scripts, in which a cell magic is a call and its cell a string.

`get_ipython().run_cell_magic("time", "", "model.fit(X, y)")` runs its string: those statements replace the
call, all on its line.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import accumulate

from assay.code.magics import PYTHON_BODY, neutralised
from assay.code.parsing import parse

_CALLS = ("run_cell_magic", "run_line_magic")
_PLACED = ast.stmt | ast.expr | ast.excepthandler | ast.arg | ast.keyword | ast.alias


def opened(tree: ast.Module, text: str) -> ast.Module:
    """The tree with the statements of such strings in place of the calls."""
    if any(call in text for call in _CALLS):
        tree.body = [statement for one in tree.body for statement in _inside(one)]
    return tree


def _inside(statement: ast.stmt) -> Iterator[ast.stmt]:
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="get_ipython")), attr=how),
                args=[ast.Constant(value=str(name)), *_, ast.Constant(value=str(text))],
            )
        ) if how in _CALLS and name in PYTHON_BODY and (how == _CALLS[0] or name == "time"):
            tree = parse(neutralised(text, "")[0]).tree
            if tree is not None:
                _put(tree, statement, text)
                yield from tree.body
                return
    yield statement


def _put(tree: ast.Module, place: ast.stmt, text: str) -> None:
    """Move a tree to the line of a statement, keeping the order of its nodes."""
    starts = list(accumulate((len(line) + 1 for line in text.split("\n")), initial=place.col_offset))
    for node in ast.walk(tree):
        if isinstance(node, _PLACED):
            node.col_offset += starts[node.lineno - 1]
            node.end_col_offset = node.col_offset + 1
            node.lineno = node.end_lineno = place.lineno
