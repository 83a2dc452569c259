"""What a measurement gives: a score from 0 to 1, or none, and the sentence that explains it."""

from __future__ import annotations

from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Measured:
    """A score, None when the repository gives no occasion to judge, and what it rests on."""

    score: float | None
    said: str


def share(part: int, whole: int, things: str, how: str) -> Measured:
    """How many of all things are so; not judged when there is none."""
    return Measured(part / whole, f"{part} of {whole} {things} {how}") if whole else Measured(None, f"no {things}")


def yes(said: str) -> Measured:
    """There it is."""
    return Measured(1.0, said)


def no(said: str) -> Measured:
    """It is not there."""
    return Measured(0.0, said)


def not_judged(said: str) -> Measured:
    """There was nothing to judge."""
    return Measured(None, said)
