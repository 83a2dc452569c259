"""Paths that are only known by how the code writes them: what was stored there is found again by the same words."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.texts import text_of


def path_written(site: Site, position: int, *names: str) -> str:
    """`best_path` of `load_model(best_path)`, as a key to what was stored; none where its names may mean another."""
    node = _argument(site.node, position, names)
    if node is None or isinstance(node, ast.Constant | ast.Starred):
        return ""
    used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return f"<{text_of(node)}>" if used and used.isdisjoint(_set_anew(site.source.tree)) else ""


def _argument(call: ast.AST, position: int, names: tuple[str, ...]) -> ast.expr | None:
    if not isinstance(call, ast.Call):
        return None
    named = next((k.value for k in call.keywords if k.arg in names), None)
    return named or (call.args[position] if len(call.args) > position else None)


@lru_cache(maxsize=8)
def _set_anew(tree: ast.Module | None) -> frozenset[str]:
    """The names that are given a value at more than one place of a file."""
    once, again = set[str](), set[str]()
    for n in ast.walk(tree or ast.Module([], [])):
        match n:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                (again if name in once else once).add(name)
    return frozenset(again)
