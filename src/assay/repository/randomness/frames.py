"""Code as it was called: which call led to a function, and what its parameters get from it."""

from __future__ import annotations

import ast

from assay.records import dataclass
from assay.repository.randomness.units import Kind, Unit


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A unit of code as it was called: parameters get their values from the call, in the caller's frame."""

    unit: Unit
    call: ast.Call | None = None
    caller: Frame | None = None

    @property
    def around(self) -> Frame | None:
        """The frame of the scope that free names are looked up in: a function around it, or the module."""
        around = self.unit.around
        while around is not None and around.kind is Kind.CLASS:
            around = around.around
        if around is None:
            return None
        caller = self.caller
        while caller is not None:
            if caller.unit is around:
                return caller
            caller = caller.caller
        return Frame(around)

    def argument(self, name: str) -> ast.expr | None:
        """What the call gives for a parameter, if it does."""
        if self.call is None:
            return None
        by_name = next((k.value for k in self.call.keywords if k.arg == name), None)
        if by_name is not None:
            return by_name
        position = self.unit.parameters.index(name) - (1 if self.unit.is_method else 0)
        before = self.call.args[: position + 1]
        if any(isinstance(a, ast.Starred) for a in before) or not 0 <= position < len(before):
            return None
        return before[position]

    @property
    def is_certain(self) -> bool:
        """Whether what the call does not give is really left out."""
        if self.call is None:
            return False
        return all(k.arg for k in self.call.keywords) and not any(isinstance(a, ast.Starred) for a in self.call.args)
