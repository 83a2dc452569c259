"""What a row of the table of calls says."""

from __future__ import annotations

from enum import StrEnum

from assay.records import dataclass
from assay.repository.randomness.facts import Framework, State


class Role(StrEnum):
    """What a call does to randomness."""

    SEEDS = "seeds"
    DRAWS = "draws"
    CREATES = "creates"
    """It makes a generator with a seed of its own."""
    FITS = "fits"
    LOADS = "loads"
    RESTORES = "restores"
    """It takes weights that were learnt before."""
    SWITCHES = "switches"
    """It turns deterministic computation on."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A parameter by its keyword and, if it can be given so, its position."""

    keyword: str
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Condition:
    """The call draws only if an argument has one of these values; `absent` says what leaving it out means.

    No values: whatever is given will do.
    """

    argument: Argument
    values: tuple[object, ...]
    absent: bool


@dataclass(frozen=True, slots=True)
class Row:
    """Calls of one kind: `package.name`, and the same name in any module below the package.

    With `receivers`, a method: the object's name must match this pattern, in a file that imports the package
    (if one is named).
    """

    package: str
    names: str
    role: Role
    frameworks: tuple[Framework, ...] = ()
    seed: Argument | None = None
    absent: State = State.NONE
    """What a call that seeds or creates does when the seed is left out; MISSING: then it does not seed at all."""
    absent_value: str = ""
    fallback: Framework | None = None
    """The stream that a draw without a seed of its own takes its numbers from."""
    only: Condition | None = None
    weights: bool = False
    """It draws where it is made (a layer's weights), not where it is used later."""
    receivers: str | None = None
