"""How far one model is ahead of another, with a leak and without it, and whether chance explains that."""

from __future__ import annotations

import math
from enum import Enum
from itertools import combinations

import numpy as np

from assay.leakage.data.measures import Floats
from assay.leakage.impact.experiment import Impact, Paired
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Gap:
    """A mean difference between two models over splits or worlds, with its interval and two-sided p-value."""

    value: float
    low: float
    high: float
    p: float

    @property
    def is_ahead(self) -> bool:
        """Whether the first model is ahead by more than chance explains."""
        return self.low > 0


class Lead(Enum):
    """What becomes of a lead once the leak is closed."""

    NONE = "none"
    REMAINS = "remains"
    GONE = "gone"
    REVERSED = "reversed"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Advantage:
    """The first model against the second: leaky, corrected, and how much of the gap the leak made."""

    first: str
    second: str
    leaky: Gap
    clean: Gap
    change: Gap

    @property
    def verdict(self) -> Lead:
        """What becomes of the lead that the first model has with the leak."""
        if not self.leaky.is_ahead:
            return Lead.NONE
        if self.clean.is_ahead:
            return Lead.REMAINS
        if self.clean.high < 0:
            return Lead.REVERSED
        return Lead.GONE if self.change.is_ahead else Lead.UNCLEAR


def advantage(impact: Impact, first: str, second: str) -> Advantage:
    """Both gaps of a pair of models, and the difference between them."""
    one, other = (_result(impact, name) for name in (first, second))
    leaky = np.subtract(one.leaky, other.leaky)
    clean = np.subtract(one.clean, other.clean)
    gaps = (gap_of(values, one.test_share) for values in (leaky, clean, leaky - clean))
    return Advantage(first, second, *gaps)


def pairs_of_interest(impact: Impact) -> list[Advantage]:
    """The pairs that the experiment asks about; else all, the one that leads with the leak first."""
    pairs = impact.pairs or tuple(combinations(impact.ranking(leaky=True), 2))
    return [advantage(impact, *pair) for pair in pairs]


def gap_of(differences: Floats, test_share: float, level: float = 0.95) -> Gap:
    """The corrected resampled t of Nadeau & Bengio (2003); Student's t where splits share no rows (share 0)."""
    from scipy.stats import t

    number, mean = len(differences), float(np.mean(differences))
    if number < 2:
        return Gap(mean, -math.inf, math.inf, 1.0)
    error = math.sqrt(float(np.var(differences, ddof=1)) * (1 / number + test_share))
    if not error:
        return Gap(mean, mean, mean, 0.0 if mean else 1.0)
    half = float(t.ppf(0.5 + level / 2, number - 1)) * error
    return Gap(mean, mean - half, mean + half, float(2 * t.sf(abs(mean) / error, number - 1)))


def _result(impact: Impact, name: str) -> Paired:
    return next(result for result in impact.results if result.model == name)
