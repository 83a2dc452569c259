"""Reproducibility factors: what a profile says about a repository beyond single findings.

A factor (Loos 2022, chapter 4) is scored from 0 to 1 by its parts, each a measurement with a weight. What the
repository gives no occasion to judge has no score: "not judged" is neither 0 nor 1.
"""

from __future__ import annotations

from enum import StrEnum

from assay.records import dataclass


class Band(StrEnum):
    """Where a score lies among a factor's thresholds."""

    GOOD = "good"
    FAIR = "fair"
    WEAK = "weak"
    POOR = "poor"
    NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The limits between bands (section 6.2.3): from `top` on it is good, down to `lower` it is poor.

    Between them `average` parts fair from weak; without one, all that lies between is fair.
    """

    top: float
    lower: float
    average: float | None = None

    def band(self, score: float | None) -> Band:
        """The band of a score."""
        if score is None:
            return Band.NOT_JUDGED
        if score >= self.top:
            return Band.GOOD
        if score <= self.lower:
            return Band.POOR
        return Band.FAIR if self.average is None or score > self.average else Band.WEAK


@dataclass(frozen=True, slots=True)
class PartScore:
    """One part of a factor: its share of the whole, its score (None when there is nothing to judge), and why."""

    name: str
    weight: float
    score: float | None
    said: str
    """What was found, as a sentence."""


@dataclass(frozen=True, slots=True)
class FactorScore:
    """One factor of one repository."""

    key: str
    """A short name for columns of tables: `software`, `seeds`."""
    name: str
    score: float | None
    thresholds: Thresholds
    parts: tuple[PartScore, ...]
    advice: str = ""
    """The one thing to do next; empty when there is nothing to better."""
    section: str = ""
    """Where the thesis describes the factor."""
    rules: tuple[str, ...] = ()
    """The rules whose findings say where to do it."""

    @property
    def band(self) -> Band:
        """Where the score lies."""
        return self.thresholds.band(self.score)


def weighted(parts: tuple[PartScore, ...]) -> float | None:
    """The mean of the parts that could be judged, by weight; None when they are less than half of the factor."""
    judged = [(part.weight, part.score) for part in parts if part.score is not None]
    weight = sum(weight for weight, _ in judged)
    if not judged or weight * 2 < sum(part.weight for part in parts):
        return None
    return sum(weight * score for weight, score in judged) / weight


def rounded(score: float | None) -> float | None:
    """Two digits are all that a score is worth."""
    return None if score is None else round(score, 2)
