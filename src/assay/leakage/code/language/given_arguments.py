"""Parameters that a call surely gives: `scaled(rows, mean)`, where the function asks `if mean is None:`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assay.leakage.code.language.call import Call
from assay.leakage.code.state.values import Const, Data, Library, Value
from assay.leakage.code.syntax import names_in
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def surely_given(c: Call, names: list[str], given: list[Value]) -> set[str]:
    """The parameters among these that are given something, whatever way the caller took to have it.

    Of a value that may be None only what else it may be is known, so what the caller wrote has to tell.
    """
    bound = len(given) - len(c.args)
    plain = len(c.args) == len(c.node.args) and not any(isinstance(arg, ast.Starred) for arg in c.node.args)
    by_place = dict(zip(names[bound:], c.node.args, strict=False)) if plain else {}
    written = by_place | {k.arg: k.value for k in c.node.keywords if k.arg is not None and k.arg in c.keywords}
    values = dict(zip(names, given, strict=False)) | c.keywords
    return {name for name, node in written.items() if _is_something(c, values[name]) and not _may_lack(c, node)}


def _is_something(c: Call, value: Value) -> bool:
    """Whether a value is known to be more than a literal: rows, something learnt, an object."""
    plain = c.m.plain(value)
    return not plain.blank if isinstance(plain, Data) else not isinstance(plain, Const | Library)


def _may_lack(c: Call, node: ast.expr) -> bool:
    """Whether the caller may give None here, by what it writes, or by what it calls so."""
    if isinstance(node, ast.Attribute):
        return True  # who knows when the object was given it
    if not isinstance(node, ast.Name):
        return _may_be_none(node)
    callers = [c.m.stack[-1] if c.m.stack else c.m.source.tree]
    callers += [] if node.id in c.m.scope.names else [c.m.source.tree]
    lacking = any(tree is None or node.id in _names_without_value(tree) for tree in callers)
    return lacking and node.id not in c.m.scope.given


@lru_cache(maxsize=512)
def _names_without_value(scope: ast.AST) -> frozenset[str]:
    """The names that a function or module gives None at some place, or takes it for by default."""
    found = [target for node in _within(scope) for target in _given_nothing(node)]
    if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        places = (*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs)
        return names_in(*found).union(place.arg for place in places)  # what is surely given, the call itself knows
    return names_in(*found)


def _given_nothing(node: ast.AST) -> Sequence[ast.expr]:
    """What a statement may give None."""
    match node:
        case ast.Assign(targets=targets, value=value) if _may_be_none(value):
            return targets
        case ast.AnnAssign(target=target, value=ast.expr() as value) if _may_be_none(value):
            return [target]
        case ast.NamedExpr(target=target, value=value) if _may_be_none(value):
            return [target]
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            return [target] if any(map(_is_none, ast.walk(over))) else []
    return ()


def _within(scope: ast.AST) -> Iterator[ast.AST]:
    """What stands in a function or module, but for what is in functions and classes of its own."""
    left = list(ast.iter_child_nodes(scope))
    while left:
        node = left.pop()
        yield node
        if not isinstance(node, _SCOPES):
            left += ast.iter_child_nodes(node)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _may_be_none(node: ast.expr) -> bool:
    match node:
        case ast.IfExp():
            return _may_be_none(node.body) or _may_be_none(node.orelse)
        case ast.BoolOp(values=several) | ast.Tuple(elts=several) | ast.List(elts=several):
            return any(map(_may_be_none, several))
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in names_of(Group.MAY_FAIL)
    return _is_none(node)
