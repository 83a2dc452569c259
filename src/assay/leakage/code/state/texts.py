"""Expressions as short texts, to tell whether two of them mean the same."""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase


def text_of(node: ast.AST) -> str:
    """A short canonical text of an expression; the same text is taken to mean the same value."""
    match node:
        case ast.Name():
            return node.id
        case ast.Constant():
            return repr(node.value)[:60]
        case ast.Attribute():
            return f"{text_of(node.value)}.{node.attr}"
        case ast.Subscript():
            return f"{text_of(node.value)}[{text_of(node.slice)}]"
        case ast.Call():
            return f"{text_of(node.func)}({','.join(text_of(a) for a in node.args[:4])})"
        case ast.BinOp():
            return f"({text_of(node.left)}{type(node.op).__name__}{text_of(node.right)})"
        case ast.JoinedStr():
            return "".join(str(p.value) if isinstance(p, ast.Constant) else text_of(p) for p in node.values)[:200]
        case ast.FormattedValue():
            return f"{{{text_of(node.value)}}}"
        case ast.UnaryOp():
            return f"{type(node.op).__name__}{text_of(node.operand)}"
        case _:
            return _of_several(node)


def _of_several(node: ast.AST) -> str:
    """The text of what consists of any number of expressions."""
    match node:
        case ast.Compare():
            signs = (type(op).__name__ for op in node.ops)
            return f"({text_of(node.left)}{''.join(map(str.__add__, signs, map(text_of, node.comparators)))})"
        case ast.BoolOp():
            return f"({type(node.op).__name__.join(map(text_of, node.values))})"
        case ast.Slice():
            ends = node.lower, node.upper, *([node.step] if node.step is not None else [])
            return ":".join("" if end is None else text_of(end) for end in ends)
        case ast.Tuple() | ast.List():
            return f"[{','.join(text_of(e) for e in node.elts[:8])}]"
        case _:
            return type(node).__name__


def name_pattern(node: ast.expr) -> str | None:
    """The names that f"{column}_log" may stand for: `*_log`; None where nothing of a name is written."""
    if not isinstance(node, ast.JoinedStr):
        return None
    parts = [str(p.value) if isinstance(p, ast.Constant) else "*" for p in node.values]
    return "".join(parts) if any(p != "*" for p in parts) else None


def fits_pattern(patterns: frozenset[str], names: frozenset[str]) -> bool:
    """Whether one of the names may be meant by one of the patterns."""
    return any("*" in pattern and fnmatchcase(name, pattern) for pattern in patterns for name in names)
