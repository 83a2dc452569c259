"""Names that no statement in sight binds, and names that are computed: what they stand for all the same."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import lru_cache

from assay.leakage.code.language import attributes
from assay.leakage.code.language.call import Call
from assay.leakage.code.lookup import effect_of
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Library, Module, Value
from assay.libraries.catalogue import catalogue

_LONGEST = 500


def unbound(m: Machine, name: str) -> Value:
    """A name that has no value yet: out of a package that was imported whole, or another one in other letters."""
    if name == "__file__":
        return Const(m.source.path)
    package = next((p for p in m.scope.top.starred if effect_of(f"{p}.{name}") is not None), None)
    if package is not None and not hasattr(builtins, name):
        return Library(f"{package}.{name}")
    other = _in_other_letters(m, name) if part_named(name) is not None else None
    return Library(catalogue().aliases.get(name, name)) if other is None else other


def _in_other_letters(m: Machine, name: str) -> Value | None:
    """`x_train`, where the code knows `X_train` alone: rows that somebody renamed, and here forgot to."""
    scope, wanted = m.scope, name.lower()
    alike = {n: v for n, v in (scope.top.names | scope.names).items() if n.lower() == wanted}
    if len(alike) != 1 or name in _names_given(m.source.tree):
        return None
    (value,) = alike.values()
    data = m.plain(value)
    return value if isinstance(data, Data) and data.rows else None


@lru_cache(maxsize=4)
def _names_given(tree: ast.AST | None) -> frozenset[str]:
    """All names that a program gives a value to, here or there."""
    nodes = ast.walk(tree) if tree is not None else ()
    return frozenset(n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def names_of_module(c: Call) -> Value:
    """`globals()`: the names of the module, to be asked for by a text."""
    return Module(c.m.scope.top)


def names_at_hand(c: Call) -> Value:
    """`locals()`, `vars()`: the names at hand."""
    return UNKNOWN if c.args else Module(c.m.scope)


def attribute_named(c: Call) -> Value:
    """`getattr(module, "Ridge")`: the same as `module.Ridge`, where the text is known."""
    name = c.constant(1)
    if not isinstance(name, str) or not c.args:
        return UNKNOWN
    found = attributes.attribute(c.m, c.args[0], _asking(c.node, name))
    return c.args[2] if found == UNKNOWN and len(c.args) > 2 else found


@lru_cache(maxsize=1024)
def _asking(node: ast.Call, name: str) -> ast.Attribute:
    """The attribute that a call asks for; one place in the code is one node."""
    return ast.copy_location(ast.Attribute(value=node.args[0], attr=name, ctx=ast.Load()), node)


def filled_in(c: Call, text: object) -> Value | None:
    """`"{}Fitter".format(kind)`: the text, if all that is put into it is known and nothing is said of how."""
    given = [c.m.constant(value) for value in c.args]
    if not isinstance(text, str) or c.keywords or not all(isinstance(v, str | int) for v in given):
        return None
    pieces = text.split("{}")
    if len(pieces) != len(given) + 1 or any("{" in piece for piece in pieces):
        return None
    made = "".join(piece + str(value) for piece, value in zip(pieces, [*given, ""], strict=True))
    return Const(made) if len(made) <= _LONGEST else None


ASKED: dict[str, Callable[[Call], Value]] = {
    "getattr": attribute_named,
    "globals": names_of_module,
    "locals": names_at_hand,
    "vars": names_at_hand,
}
"""Built-in functions that are given, or give, names as texts."""
