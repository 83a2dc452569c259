"""What a call does, in a handful of words. The tables of libraries (`assay.libraries`) say which call does what."""

from __future__ import annotations

from dataclasses import field

from assay.leakage.code.state.values import Kind
from assay.libraries.row import How, Port, Role, Row, Trait, Use
from assay.records import dataclass

__all__ = ["Effect", "How", "Role"]


@dataclass(frozen=True, slots=True)
class Effect:
    """A role with its particulars."""

    role: Role
    kind: Kind | None = None
    supervised: bool = False
    how: How = How.NONE
    """A particular of the role, such as what a splitter keeps together."""
    type: str = field(default="", compare=False)
    """For objects: the type in the tables of libraries whose methods it has."""
    row: Row | None = field(default=None, compare=False)
    """The row that says so."""

    def port(self, use: Use) -> Port | None:
        """The port that the row names for this use."""
        return None if self.row is None else self.row.port(use)

    def has(self, trait: Trait) -> bool:
        """Whether the row says this of the call or object."""
        return self.row is not None and trait in self.row.traits
