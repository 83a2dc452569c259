"""Drawn numbers that only become part of a text, such as a port in an address: no result depends on them."""

from __future__ import annotations

import ast

from assay.code import Source

_NUMBERS = frozenset({"int", "abs", "round"})
"""Functions whose result is still the number that was drawn."""


def becomes_text(node: ast.expr, source: Source) -> bool:
    """Whether a value goes into a text, at once or wherever the name that it is given is used."""
    around = source.parent(node)
    while isinstance(around, ast.expr):
        if _is_text(around, node):
            return True
        if isinstance(around, ast.Call) and not _keeps_the_number(around):
            return False
        node, around = around, source.parent(around)
    if not isinstance(around, ast.Assign) or len(around.targets) != 1:
        return False
    uses = _uses(around.targets[0], source)
    return bool(uses) and all(_stands_in_text(use, source) for use in uses)


def _is_text(around: ast.expr, inside: ast.expr) -> bool:
    """Whether an expression makes a text of what stands inside it."""
    match around:
        case ast.JoinedStr():
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            return right is inside
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
        case ast.Call(func=ast.Name(id="str")):
            return True
    return False


def _keeps_the_number(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in _NUMBERS


def _uses(target: ast.expr, source: Source) -> list[ast.expr]:
    """Where the file reads the variable or the attribute."""
    match target:
        case ast.Name(id=name):
            return [n for n in source.nodes(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
        case ast.Attribute(attr=name):
            return [n for n in source.nodes(ast.Attribute) if n.attr == name and isinstance(n.ctx, ast.Load)]
    return []


def _stands_in_text(use: ast.expr, source: Source) -> bool:
    around = source.parent(use)
    while isinstance(around, ast.FormattedValue | ast.Tuple):
        use, around = around, source.parent(around)
    return isinstance(around, ast.expr) and _is_text(around, use)
