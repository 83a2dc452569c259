"""Functions and classes that are passed on and called elsewhere, by other code or by a framework."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import chain

from assay.bounded import load_toml
from assay.code import Source
from assay.code.names import last_name
from assay.code.scanning import Function

_ONLY_LOOK = frozenset({"isinstance", "issubclass", "type", "hasattr", "print", "str", "repr", "id", "len", "TypeVar"})
"""Functions that take a class or function and never call it."""
_DESCRIBING = frozenset({"Option", "Argument", "Field", "field"})
"""Calls that describe an option, with its default."""
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)


@cache
def _rows() -> dict[str, frozenset[str]]:
    table = load_toml(resources.files("assay.program").joinpath("hooks.toml").read_text("utf-8"))
    return {base: frozenset(row["methods"]) for row in table["row"] for base in row["bases"]}


def hooks_of(base: str) -> frozenset[str]:
    """The methods that a framework calls on subclasses of its class of this name."""
    return _rows().get(base, frozenset())


def names_taken_up(source: Source) -> Iterator[ast.expr]:
    """Expressions of functions and classes that may be called under another name.

    They are arguments of a call, base classes, decorators, returned, or given to a variable that this file calls or
    calls a method of.
    """
    called = {*source.calls.lasts, *source.calls.firsts}
    given = (value for call in source.calls.nodes for value in _arguments(call))
    assigned = (a.value for a in source.nodes(ast.Assign) if not called.isdisjoint(map(last_name, a.targets)))
    returned = (node.value for node in source.nodes(ast.Return))
    for value in chain(given, assigned, returned):
        yield from _choices(value)
    classes, functions = source.nodes(ast.ClassDef), source.nodes(ast.FunctionDef)
    yield from chain.from_iterable(cls.bases for cls in classes)
    yield from chain.from_iterable(cls.decorator_list for cls in classes)
    yield from chain.from_iterable(function.decorator_list for function in functions)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [] if last_name(call.func) in _ONLY_LOOK else [*call.args, *(k.value for k in call.keywords)]


def _choices(given: ast.expr | None) -> Iterator[ast.expr]:
    """The possible expressions: both branches of a conditional, the members of a list."""
    if isinstance(given, ast.IfExp):
        yield from _choices(given.body)
        yield from _choices(given.orelse)
    elif isinstance(given, _DISPLAYS):
        for member in given.elts:
            yield from _choices(member)
    elif isinstance(given, ast.Starred):
        yield from _choices(given.value)
    elif given is not None:
        yield given


def default_of(function: Function, name: str) -> ast.expr | None:
    """The default of a parameter; one that describes an option, as in `typer.Option(1)`, stands for what it holds."""
    a = function.args
    ordinary = [*a.posonlyargs, *a.args]
    pairs = [
        *zip(reversed(ordinary), reversed(a.defaults), strict=False),
        *zip(a.kwonlyargs, a.kw_defaults, strict=True),
    ]
    default = next((d for p, d in pairs if p.arg == name), None)
    return _described(default) if isinstance(default, ast.Call) and last_name(default.func) in _DESCRIBING else default


def _described(option: ast.Call) -> ast.expr:
    given = next((k.value for k in option.keywords if k.arg == "default"), None)
    return given or (option.args[0] if option.args else ast.Constant(None))
