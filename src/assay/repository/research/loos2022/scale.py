"""The numbers of the thesis: representative values, weights and thresholds, each with the table it stands in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from assay.records import dataclass
from assay.repository.factors import Thresholds


class Factor(StrEnum):
    """The seven factors that the thesis measures, by its own abbreviations and in its own order."""

    SCAD = "SCAD"
    SE = "SE"
    DSA = "DSA"
    RSC = "RSC"
    MS = "MS"
    HPL = "HPL"
    OOTB = "OOTB"

    @property
    def label(self) -> str:
        """The name in full."""
        return _LABELS[self]


_LABELS = {
    Factor.SCAD: "Source code availability and documentation",
    Factor.SE: "Software environment",
    Factor.DSA: "Dataset availability and preprocessing",
    Factor.RSC: "Random seed control",
    Factor.MS: "Model serialization",
    Factor.HPL: "Hyperparameter logging",
    Factor.OOTB: "Out-of-the-box buildability",
}


@dataclass(frozen=True, slots=True)
class Span:
    """min(d) and max(d) of an indicator (section 6.2.1): what counts as 0 and what as 1."""

    low: float
    high: float

    def normal(self, value: float) -> float:
        """The value between 0 and 1; a span without extent knows only below and not below."""
        if self.high <= self.low:
            return float(value >= self.high)
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each indicator counts within its factor; README length and links are parts of `readme`."""

    readme_lines: float = 0.8
    readme_links: float = 0.2
    readme: float = 0.5
    licence: float = 0.3
    comment_ratio: float = 0.1
    pylint: float = 0.1
    declared: float = 0.6
    strict: float = 0.2
    public: float = 0.2


_YES_OR_NO = Thresholds(top=1.0, lower=0.0)


@dataclass(frozen=True, slots=True)
class Scale:
    """All that turns indicators into judged scores. The defaults are Tables 6.1 to 6.4."""

    readme_lines: Span = Span(18, 82)
    readme_links: Span = Span(1, 4)
    comment_ratio: Span = Span(8.73, 16.18)
    """Read the other way round: more code for each line of comment is worse."""
    pylint: Span = Span(0, 5.71)
    weights: Weights = Weights()
    thresholds: Mapping[Factor, Thresholds] = field(
        default_factory=lambda: {
            Factor.SCAD: Thresholds(top=0.80, lower=0.28, average=0.54),
            Factor.SE: Thresholds(top=0.61, lower=0.31, average=0.46),
            Factor.RSC: Thresholds(top=0.94, lower=0.51, average=0.73),
        }
    )

    def thresholds_of(self, factor: Factor) -> Thresholds:
        """The thresholds of a factor; 1 and 0 where a score can be nothing else."""
        return self.thresholds.get(factor, _YES_OR_NO)


LOOS2022 = Scale()
"""The scale as printed."""
