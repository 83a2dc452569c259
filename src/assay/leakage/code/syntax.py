"""Small questions about syntax that every part of the room asks."""

from __future__ import annotations

import ast
from functools import lru_cache


def names_in(*nodes: ast.AST | None) -> frozenset[str]:
    """The names in some code."""
    return frozenset(n.id for node in nodes if node is not None for n in ast.walk(node) if isinstance(n, ast.Name))


def ancestors(tree: ast.Module, node: ast.AST) -> list[ast.AST]:
    """A node and what it stands in, up to its statement."""
    parents, found = _parents(tree), [node]
    while not isinstance(found[-1], ast.stmt) and found[-1] in parents:
        found.append(parents[found[-1]])
    return found


@lru_cache(maxsize=4)
def _parents(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    return {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
