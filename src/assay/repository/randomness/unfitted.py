"""Estimators that a file makes and never fits: what they would draw needs no seed."""

from __future__ import annotations

import ast

from assay.code import Source

_HARMLESS = frozenset({"get_params", "set_params", "__class__", "__doc__"})
"""What an estimator is asked for without being fitted."""


def is_never_fitted(made: ast.Call, source: Source) -> bool:
    """Whether every use of what a call makes is seen, and none can fit it."""
    match source.parent(made):
        case ast.Assign(targets=[ast.Name(id=name)]):
            return all(_only_asks(use, source) for use in _uses(name, source))
        case ast.Dict() as table if isinstance(kept := source.parent(table), ast.Assign):
            return _is_never_taken(made, table, kept, source)
    return False


def _uses(name: str, source: Source) -> list[ast.Name]:
    return [node for node in source.nodes(ast.Name) if node.id == name and isinstance(node.ctx, ast.Load)]


def _only_asks(use: ast.Name, source: Source) -> bool:
    """Whether a use asks for settings, and hands the estimator to nobody."""
    around = source.parent(use)
    if not isinstance(around, ast.Attribute) or around.attr not in _HARMLESS:
        return False
    call = source.parent(around)
    return isinstance(source.parent(call), ast.Expr | ast.Call | ast.Assign) if call is not None else True


def _is_never_taken(made: ast.Call, table: ast.Dict, kept: ast.Assign, source: Source) -> bool:
    """Whether every use of a dictionary takes another entry of it by a constant key."""
    keys = [k.value for k, v in zip(table.keys, table.values, strict=True) if v is made and isinstance(k, ast.Constant)]
    names = [target.id for target in kept.targets if isinstance(target, ast.Name)]
    if not (keys and len(names) == len(kept.targets)):
        return False
    around = [source.parent(use) for name in names for use in _uses(name, source)]
    return all(
        isinstance(a, ast.Subscript) and isinstance(a.slice, ast.Constant) and a.slice.value not in keys for a in around
    )
