"""A call with its arguments evaluated: what every description of an effect works on."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.rows import Origin, OriginKind, Part, Site
from assay.leakage.code.state.values import UNKNOWN, WITHOUT_ROWS, Const, Data, Function, Library, Value
from assay.libraries.row import Place, Port

_NONE = Effect(Role.PLAIN)


@dataclass(slots=True)
class Call:
    """One call with its arguments evaluated. `receiver` is the object of a method."""

    m: Machine
    node: ast.Call
    name: str
    args: list[Value]
    keywords: dict[str, Value]
    receiver: Value = UNKNOWN
    spread: list[Value] = field(default_factory=list)
    """What was given with `**`."""
    effect: Effect = _NONE
    base: Data = UNKNOWN
    """What a described call acts on: the receiver of a method, the first argument of a function."""

    def apply(self, target: Value) -> Value:
        """Call this value, with these arguments."""
        return self.m.interpreter.apply(self, target)

    def follow(self, function: Function) -> Value:
        """Call this function of the audited code, with these arguments."""
        return self.m.interpreter.follow(self, function)

    def pass_through(self) -> Value:
        """What comes of the call when nothing is known about it."""
        return self.m.interpreter.pass_through(self, UNKNOWN)

    @property
    def site(self) -> Site:
        """The place of the call."""
        return self.m.site(self.node)

    def value(self, position: int, *names: str) -> Value | None:
        """An argument by position or name."""
        for name in names:
            if name in self.keywords:
                return self.keywords[name]
        return self.args[position] if 0 <= position < len(self.args) else None

    def constant(self, position: int, *names: str, default: Any = None) -> Any:
        """An argument that is a literal."""
        return self.m.constant(self.value(position, *names), default)

    def word(self, position: int, *names: str, default: str | int | None = None) -> str | int | None:
        """An argument that is one literal, no list of them."""
        found = self.constant(position, *names, default=default)
        return found if isinstance(found, str | int) else default

    def data(self, position: int, *names: str) -> Data:
        """An argument as rows."""
        value = self.value(position, *names)
        return UNKNOWN if value is None else self.m.data(value)

    def at(self, port: Port | None) -> Value | None:
        """What stands at a port of the call."""
        if port is None or port.place is Place.RETURN:
            return None
        return self.receiver if port.place is Place.RECEIVER else self.value(port.position, *port.names)

    def rows_at(self, port: Port | None) -> Data:
        """What stands at a port, as rows."""
        value = self.at(port)
        return UNKNOWN if value is None else self.m.data(value)

    def all_data(self) -> list[Data]:
        """All arguments that hold rows or traces."""
        given = [*self.args, *self.keywords.values(), *self.spread]
        return [self.m.data(v) for v in given if not isinstance(self.m.plain(v), WITHOUT_ROWS)]


def replace_call(c: Call, args: list[Value]) -> Call:
    """The same call with other arguments."""
    return Call(c.m, c.node, c.name, args, {})


def fresh(c: Call, kind: OriginKind, name: str = "", key: object = None) -> Data:
    """A table that enters here, by this call or by what it is called with."""
    identity = ("at", c.node, c.m.stack) if key is None else key
    origin = Origin(identity, c.site, kind, name or c.name)
    return Data(frozenset({Part(origin, frozenset())}))


def in_place(c: Call, result: Data) -> Value:
    """With `inplace=True` the object itself becomes the result."""
    if c.constant(-1, "inplace") is True:
        c.m.store(c.receiver, result)
        return Const(None)
    return result


def kept(c: Call, base: Data = UNKNOWN) -> Data:
    """Rows and traces of everything that went in."""
    m = c.m
    receiver = m.data(c.receiver) if not isinstance(m.plain(c.receiver), Library | Const) else UNKNOWN
    return united([base, receiver, *c.all_data()])
