"""Small questions about syntax that every part of the room asks."""

from __future__ import annotations

import ast


def names_in(*nodes: ast.AST | None) -> frozenset[str]:
    """The names in some code."""
    return frozenset(n.id for node in nodes if node is not None for n in ast.walk(node) if isinstance(n, ast.Name))
