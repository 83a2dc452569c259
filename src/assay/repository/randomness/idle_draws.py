"""Drawn numbers that no result depends on: part of a text, such as a port in an address, or a time to wait."""

from __future__ import annotations

import ast

from assay.code import Source
from assay.code.names import last_name

_NUMBERS = frozenset({"int", "float", "abs", "round", "max", "min"})
"""Functions whose result is still the number that was drawn."""


def changes_no_result(node: ast.expr, source: Source) -> bool:
    """Whether a value goes into a text, at once or wherever the name that it is given is used."""
    around = source.parent(node)
    while isinstance(around, ast.expr):
        if _ends_in_text(around, node):
            return True
        if isinstance(around, ast.Call) and not _keeps_the_number(around):
            return False
        node, around = around, source.parent(around)
    if not isinstance(around, ast.Assign) or len(around.targets) != 1:
        return False
    uses = _uses(around.targets[0], source)
    return bool(uses) and all(_is_spelled_out(use, source) for use in uses)


def _ends_in_text(around: ast.expr, inside: ast.expr) -> bool:
    """Whether an expression makes a text of what stands inside it, or only waits."""
    match around:
        case ast.JoinedStr():
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod(), right=right):
            return right is inside
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="format")):
            return True
        case ast.Call(func=ast.Name(id="str" | "sleep") | ast.Attribute(attr="sleep")):
            return True
    return False


def _keeps_the_number(call: ast.Call) -> bool:
    return last_name(call.func) in _NUMBERS


def _uses(target: ast.expr, source: Source) -> list[ast.expr]:
    """Where the file reads the variable or the attribute."""
    match target:
        case ast.Name(id=name):
            return [n for n in source.nodes(ast.Name) if n.id == name and isinstance(n.ctx, ast.Load)]
        case ast.Attribute(attr=name):
            return [n for n in source.nodes(ast.Attribute) if n.attr == name and isinstance(n.ctx, ast.Load)]
    return []


def _is_spelled_out(use: ast.expr, source: Source) -> bool:
    around = source.parent(use)
    while isinstance(around, ast.FormattedValue | ast.Tuple):
        use, around = around, source.parent(around)
    return isinstance(around, ast.expr) and _ends_in_text(around, use)
