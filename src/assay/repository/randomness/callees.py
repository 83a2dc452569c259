"""What a call comes to: the clock, another stream, a lookup with a default, or what a function gives back."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.code.names import last_name
from assay.repository.randomness.facts import State
from assay.repository.randomness.frames import Frame
from assay.repository.randomness.lookup import rows_for
from assay.repository.randomness.roles import Role, Row
from assay.repository.randomness.table import DERIVED, TRANSPARENT, VARYING
from assay.repository.randomness.units import Kind, Unit
from assay.repository.randomness.values import NOTHING, Value, combined, weighed, written

if TYPE_CHECKING:
    from assay.repository.randomness.resolver import Resolver

_LOOKUPS = frozenset({"get", "pop", "getattr", "getenv", "setdefault", "getint"})
_SAME = frozenset({"int", "str", "float"})
_MAX_RETURNS = 8


def value_of_call(node: ast.Call, frame: Frame, resolver: Resolver) -> Value:
    """How fixed the result of a call is."""
    source = resolver.code.source(frame.unit.path)
    name = source.resolve(node.func) if source is not None else ""
    if name in VARYING or name.startswith("secrets."):
        return Value(State.VARYING, written(node))
    if name in DERIVED:
        return Value(State.VARYING, written(node), drawn=DERIVED[name])
    if last_name(node.func) in _LOOKUPS:
        return _looked_up(node, frame, resolver)
    rows = rows_for(name)
    drawn = next((row.fallback for row in rows if row.role is Role.DRAWS and row.fallback is not None), None)
    if drawn is not None:
        return Value(State.VARYING, written(node), drawn=drawn)
    if name in TRANSPARENT or any(row.role in {Role.CREATES, Role.SEEDS} for row in rows):
        return _made_from_arguments(node, name, rows, frame, resolver)
    function = next((u for u in resolver.called(node, frame.unit)[:2] if u.kind is Kind.FUNCTION), None)
    if function is not None:
        return _returned(function, node, frame, resolver)
    if isinstance(node.func, ast.Attribute):
        return replace(resolver.value(node.func.value, frame).made_into_something, text=written(node))
    return NOTHING


def _made_from_arguments(node: ast.Call, name: str, rows: tuple[Row, ...], frame: Frame, resolver: Resolver) -> Value:
    arguments = [*node.args, *(k.value for k in node.keywords)]
    if not arguments:
        return Value(next((r.absent for r in rows), State.NONE), written(node))
    inner = combined([resolver.value(a, frame) for a in arguments])
    return inner if name in _SAME else inner.made_into_something


def _looked_up(node: ast.Call, frame: Frame, resolver: Resolver) -> Value:
    """`config.get("seed", 1)`, `getattr(args, "seed", 1)`, `os.environ.get("SEED", "1")`."""
    arguments = node.args[1:] if last_name(node.func) == "getattr" else node.args
    key = arguments[0].value if arguments and isinstance(arguments[0], ast.Constant) else None
    owner = node.func.value if isinstance(node.func, ast.Attribute) else next(iter(node.args), None)
    if not isinstance(key, str) or owner is None:
        return NOTHING
    fallback = arguments[1] if len(arguments) > 1 else None
    from_environment = "environ" in written(node.func) or last_name(node.func) == "getenv"
    if not from_environment:
        found = resolver.value(ast.copy_location(ast.Attribute(owner, key, ast.Load()), node), frame)
        if found.state is not State.UNKNOWN:
            return found
    if fallback is None and from_environment:
        return Value(State.NONE, written(node), None)  # a variable that nobody has set
    if fallback is None:
        return Value(State.UNKNOWN, written(node))
    return resolver.value(fallback, frame).as_default


def _returned(unit: Unit, call: ast.Call, frame: Frame, resolver: Resolver) -> Value:
    inner = Frame(unit, call, frame)
    bindings = resolver.bindings(unit.path)
    possible = [
        resolver.value(value, inner)
        for value in bindings.returns(unit)[:_MAX_RETURNS]
        if False not in [resolver.holds(c, inner) for c in bindings.conditions(value)]
    ]
    return weighed(possible) if possible else NOTHING
