"""How fixed a value is, and what becomes of several values."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace

from assay.code.names import spelt
from assay.findings import Location
from assay.records import dataclass
from assay.repository.randomness.facts import Framework, State

_LONGEST = 80
_LONGEST_INTEGER = 1024
"""In bits: Python refuses to print very large integers."""


class Unknown:
    """Stands for a constant that is not known."""


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Value:
    """What is known about an expression: how fixed it is, and the constant if it is one."""

    state: State
    text: str = ""
    constant: object = UNKNOWN
    declared: Location | None = None
    drawn: Framework | None = None
    """The stream that a varying value is drawn from: it is fixed if that is seeded."""

    @property
    def as_default(self) -> Value:
        """The same value as one that may be replaced."""
        return replace(self, state=State.DEFAULT) if self.state is State.FIXED else self

    @property
    def made_into_something(self) -> Value:
        """Something that depends on this value alone, and is not the same."""
        return replace(self, constant=UNKNOWN, text="")


NOTHING = Value(State.UNKNOWN)


def constant(value: object) -> Value:
    """A literal."""
    state = State.NONE if value is None else State.FIXED
    big = isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER
    return Value(state, "…" if big else repr(value)[:_LONGEST], value)


def combined(values: Iterable[Value]) -> Value:
    """Something made of several values is as fixed as the least fixed of those that are known."""
    parts = list(values)
    known = [v for v in parts if v.state is not State.UNKNOWN]
    if not known:
        return NOTHING
    worst = max(known, key=lambda v: v.state.rank)
    declared = next((v.declared for v in known if v.declared), None)
    if len(parts) == 1:
        return worst
    return replace(worst, text="", constant=UNKNOWN, declared=declared)


def weighed(values: list[Value]) -> Value:
    """One of several values, by an unknown choice: the least fixed, with an unknown one as a mere option."""
    known = [v for v in values if v.state is not State.UNKNOWN]
    if not known:
        return values[0] if values else NOTHING
    worst = max(known, key=lambda v: v.state.rank)
    if any(v.constant != values[0].constant for v in values):
        worst = replace(worst, constant=UNKNOWN)
    return worst if len(known) == len(values) else worst.as_default


def written(node: ast.AST, most: int = _LONGEST) -> str:
    """An expression as text, cut if it is long."""
    if isinstance(node, ast.Name):  # by far the commonest
        return node.id[:most]
    try:
        return spelt(node)[:most]
    except ValueError:  # an integer beyond what Python prints
        return "…"
