"""Marimo notebooks: each cell is a function that is given the names it uses, and returns those that it sets."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache


def cells_in_order(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements of the cells, as if written one below the other, each after those that set what it uses.

    Marimo runs them in that order, wherever they stand. What is no cell stays in front: imports, and functions.
    """
    cells = [s for s in body if isinstance(s, ast.FunctionDef) and _is_cell(s)]
    inside = (s for cell in _after_what_they_use(cells) for s in cell.body if not isinstance(s, ast.Return))
    return [*(s for s in body if s not in cells), *inside]


def _is_cell(function: ast.FunctionDef) -> bool:
    """`@app.cell`, `@app.cell(hide_code=True)`."""
    asked = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return any(isinstance(d, ast.Attribute) and d.attr == "cell" for d in asked)


def _after_what_they_use(cells: list[ast.FunctionDef]) -> Iterator[ast.FunctionDef]:
    """In the order of the text, but for those that use what only a later cell sets."""
    waiting = list(cells)
    while waiting:
        ready = (cell for cell in waiting if not any(_uses(cell, other) for other in waiting if other is not cell))
        yield (following := next(ready, waiting[0]))
        waiting.remove(following)


def _uses(cell: ast.FunctionDef, other: ast.FunctionDef) -> bool:
    return any(a.arg in _returned(other) for a in cell.args.args)


@lru_cache(maxsize=256)
def _returned(cell: ast.FunctionDef) -> frozenset[str]:
    last = cell.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    return frozenset(n.id for n in ast.walk(value) if isinstance(n, ast.Name)) if value is not None else frozenset()
