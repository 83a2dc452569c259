"""Resolve dotted names through the imports of a file."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from assay.code.scanning import Function, Scan

_PLAIN = frozenset({int, str})
_STEPS: dict[type, str] = {ast.Attribute: ".", ast.Call: "()", ast.Subscript: "[]"}
"""Nodes that a dotted name may pass through, and how each is written."""


def absolute(module: str, level: int, package: tuple[str, ...]) -> str:
    """The full name of an imported module; leading dots remain if it is outside the package."""
    if not level:
        return module
    above = level - 1
    if above > len(package) or (not package and above):
        return "." * level + module
    return ".".join([*package[: len(package) - above], *([module] if module else [])])


def aliases(scan: Scan, package: tuple[str, ...]) -> dict[str, str]:
    """The full name behind each imported name. A top-level import wins over one inside a function.

    Shorthands such as `layers = tf.keras.layers` at the top of a file count as imports.
    """
    known: dict[str, str] = {}
    imports = [*scan.nodes.get(ast.Import, ()), *scan.nodes.get(ast.ImportFrom, ())]
    for node in sorted(imports, key=lambda n: scan.functions[n] is not None):
        for name, target in _bound(node, package):
            known.setdefault(name, target)
    for node in scan.nodes.get(ast.Module, ()):
        for name, value in _shorthands(node):
            target = dotted(value)
            root, _, rest = target.partition(".")
            if root in known and name not in known:
                known[name] = f"{known[root]}.{rest}"
    return known


def stars(scan: Scan, package: tuple[str, ...]) -> tuple[str, ...]:
    """Modules imported with `*`."""
    found = (n for n in scan.nodes.get(ast.ImportFrom, ()) if isinstance(n, ast.ImportFrom))
    return tuple(absolute(n.module or "", n.level, package) for n in found if n.names[0].name == "*")


def dotted(node: ast.expr) -> str:
    """`a.b.c` as written; `()` and `[]` stand for a call and a subscript on the way, `?` for anything else."""
    return full_name(node, {})


def full_name(node: ast.expr, known: Mapping[str, str], function: Function | None = None) -> str:
    """A dotted name with its first part resolved through the imports; a parameter of that name hides the import."""
    parts: list[str] = []
    part: Any = node
    while (kind := type(part)) in _STEPS:
        parts.append("." + part.attr if kind is ast.Attribute else _STEPS[kind])
        part = part.func if kind is ast.Call else part.value
    root = part.id if kind is ast.Name else "?"
    if root in known and not (function is not None and root in _parameters(function)):
        root = known[root]
    parts.append(root)
    parts.reverse()
    return "".join(parts)


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name, which may be a key; empty if there is none."""
    part: Any = node
    kind = type(part)
    name: str = ""
    if kind is ast.Attribute:
        name = part.attr
    elif kind is ast.Name:
        name = part.id
    elif kind is ast.Subscript and type(part.slice) is ast.Constant:
        name = str(part.slice.value)
    return name


def first_name(node: ast.expr) -> str:
    """The name at the start of an expression, through attributes, calls and subscripts; empty if there is none."""
    part: Any = node
    while (kind := type(part)) is not ast.Name:
        if kind is ast.Attribute or kind is ast.Subscript:
            part = part.value
        elif kind is ast.Call:
            part = part.func
        else:
            return ""
    name: str = part.id
    return name


def spelt(node: ast.AST) -> str:
    """The text of `ast.unparse`, with a fast path for names and plain constants."""
    part: Any = node
    kind = type(part)
    if kind is ast.Constant and type(part.value) in _PLAIN and part.kind is None:
        return repr(part.value)
    parts: list[str] = []
    while kind is ast.Attribute:
        parts.append(part.attr)
        part = part.value
        kind = type(part)
    return ".".join([part.id, *reversed(parts)]) if kind is ast.Name else ast.unparse(node)


def _parameters(function: Function) -> Iterable[str]:
    a = function.args
    return (p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))))


def _bound(node: ast.AST, package: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    """The names that an import binds, with the full name of each."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
    elif isinstance(node, ast.ImportFrom):
        origin = absolute(node.module or "", node.level, package)
        start = f"{origin}." if origin and not origin.endswith(".") else origin
        yield from ((a.asname or a.name, start + a.name) for a in node.names if a.name != "*")


def _shorthands(module: ast.AST) -> Iterable[tuple[str, ast.Attribute]]:
    for statement in getattr(module, "body", ()):
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and isinstance(statement.value, ast.Attribute):
                yield target.id, statement.value
