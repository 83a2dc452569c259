"""Notebooks that were exported as scripts: there `%%time` is a call, and the cell under it a text.

`get_ipython().run_cell_magic("time", "", "model.fit(X, y)")` runs what the text says: the statements in it are put
where the call stands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code.magics import PYTHON_BODY, neutralised
from assay.code.parsing import parse

_CALLS = ("run_cell_magic", "run_line_magic")


def opened(tree: ast.Module, text: str) -> ast.Module:
    """The tree with the statements of such texts, each at the place of its call."""
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
            yield from (statement,) if tree is None else map(_moved(statement), tree.body)
        case _:
            yield statement


class _moved:  # noqa: N801 - used as a function
    """Puts statements where another one stands, in their order."""

    def __init__(self, place: ast.stmt) -> None:
        self.place, self.count = place, 0

    def __call__(self, statement: ast.stmt) -> ast.stmt:
        for node in ast.walk(statement):
            if isinstance(node, ast.stmt | ast.expr | ast.excepthandler | ast.arg | ast.keyword | ast.alias):
                node.lineno, node.end_lineno = self.place.lineno, self.place.end_lineno
                node.col_offset = node.end_col_offset = self.place.col_offset + self.count
                self.count += 1
        return statement
