"""What a comparison answers: plain numbers with names, ready for a report, a table or a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Protocol

from assay.comparison.measures import Measure
from assay.comparison.multiplicity import Correction
from assay.records import dataclass

LAST_OUTCOME = "last outcome"
"""What the baseline that predicts it is called among the models."""


class Method(StrEnum):
    """How an interval or a p-value was made."""

    DELONG = "DeLong"
    BOOTSTRAP = "bootstrap"
    WILSON = "Wilson"
    SEPARATED = "bound for perfect separation"
    PERMUTATION = "permutation"
    MCNEMAR_EXACT = "McNemar, exact"
    MCNEMAR_MID_P = "McNemar, mid-p"
    CORRECTED_T = "corrected resampled t"
    FIVE_BY_TWO_T = "5x2cv paired t"
    FIVE_BY_TWO_F = "5x2cv combined F"
    PLAIN_T = "plain paired t"
    WILCOXON = "Wilcoxon signed rank"


@dataclass(frozen=True, slots=True)
class Interval:
    """From where to where the truth may lie."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A score of one model, with its interval where there is one."""

    model: str
    measure: Measure
    value: float
    interval: Interval | None
    method: Method


@dataclass(frozen=True, slots=True)
class Difference:
    """How much more of a score the first model has than the second, and whether chance alone could do that."""

    first: str
    second: str
    measure: Measure
    method: Method
    value: float
    interval: Interval | None
    statistic: float | None
    p: float
    adjusted: float

    @property
    def gain(self) -> float:
        """The difference such that more is better for the first."""
        return self.measure.sign * self.value


@dataclass(frozen=True, slots=True)
class Needed:
    """How many positives would show a difference in AUC between two models."""

    first: str
    second: str
    difference: float
    positives: int | None


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user may choose."""

    measures: tuple[str, ...] = ()
    """Short names; none for the usual ones."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    threshold: float | None = None
    resamples: int | None = None
    """Of the bootstrap; None for the usual number, which `usual_resamples` gives."""
    seed: int = 1
    level: float = 0.95
    one_sided: bool = False
    correction: Correction = Correction.HOLM
    claim: str | None = None
    """The model that is said to be better than all others."""
    detect: tuple[float, ...] = (0.02, 0.05, 0.1)
    """Differences in AUC for which the report gives the positives needed."""

    @property
    def alpha(self) -> float:
        """The p-value below which a difference counts as seen."""
        return 1 - self.level


class Source(Protocol):
    """What a comparison starts from: predictions, scores of folds, scores on several data sets."""

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in their order."""

    @property
    def subject(self) -> str:
        """How a sentence about the source begins: "On 500 rows"."""

    @property
    def unit(self) -> str:
        """What is resampled: rows, groups or folds."""


@dataclass(frozen=True)
class Comparison:
    """Everything measured about some models."""

    source: Source
    settings: Settings
    estimates: tuple[Estimate, ...]
    differences: tuple[Difference, ...]
    needed: tuple[Needed, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in the order of the source."""
        return self.source.models

    @property
    def primary(self) -> Measure:
        """The measure that claims are judged by: the first one asked for."""
        return self.estimates[0].measure

    def estimate(self, model: str, measure: str, method: Method | None = None) -> Estimate:
        """The score of a model, made by this method or by the first there is."""
        for one in self.estimates:
            if (one.model, one.measure.name) == (model, measure) and method in (None, one.method):
                return one
        raise KeyError((model, measure, method))

    def between(self, measure: str, method: Method) -> tuple[Difference, ...]:
        """All differences in a score that one test judged together."""
        return tuple(d for d in self.differences if d.measure.name == measure and d.method is method)

    def decisive(self) -> tuple[Difference, ...]:
        """The differences that claims are judged by: DeLong's for the AUC, else the bootstrap's, else what there is."""
        order = (Method.DELONG, Method.BOOTSTRAP, Method.MCNEMAR_EXACT, Method.CORRECTED_T, Method.WILCOXON)
        found = next((found for m in order if (found := self.between(self.primary.name, m))), ())
        return found + self.between(self.primary.name, Method.PERMUTATION)
