"""The statistics that the checks share: ranking power with its uncertainty, shares, and many tests at once.

An area under the ROC curve is computed from counts per level of a score, so that a column of a million
rows costs no more than its bins, and its variance after DeLong, DeLong & Clarke-Pearson (1988) comes
from the same counts.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.statistics import normal_quantile, wilson

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Keys = NDArray[np.uint64]
Flags = NDArray[np.bool_]

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Auc:
    """An area under the ROC curve: how often a positive outranks a negative, ties counting half."""

    value: float
    error: float
    """Standard error: DeLong's, but never below what Hanley & McNeil (1982) give, since DeLong's is 0 at 1."""
    p_value: float
    """Probability of an area at least this far from ½ if the score said nothing (two-sided, Mann-Whitney)."""
    positives: int
    negatives: int

    @property
    def strength(self) -> float:
        """The area, turned round when the score ranks the wrong way."""
        return max(self.value, 1 - self.value)

    def lower(self, level: float = 0.95) -> float:
        """Lower bound of the interval of `strength`."""
        return self.strength - normal_quantile(level) * self.error

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Interval of `value`, cut to what an area can be."""
        half = normal_quantile(level) * self.error
        return max(0.0, self.value - half), min(1.0, self.value + half)


def auc_of_counts(positives: Floats, negatives: Floats) -> Auc:
    """The area when `positives[i]` and `negatives[i]` rows have the i-th smallest score."""
    m, n = float(positives.sum()), float(negatives.sum())
    if m < 1 or n < 1:
        raise ValueError("an area needs at least one positive and one negative")
    below = np.cumsum(negatives) - negatives / 2  # negatives that a positive of this level outranks
    above = m - np.cumsum(positives) + positives / 2
    value = float((positives * below).sum() / (m * n))
    spread_positive = float((positives * (below / n - value) ** 2).sum()) / max(m - 1, 1)
    spread_negative = float((negatives * (above / m - value) ** 2).sum()) / max(n - 1, 1)
    delong = spread_positive / m + spread_negative / n
    error = math.sqrt(max(delong, _hanley_mcneil(value, m, n)))
    return Auc(value, error, _mann_whitney(value, positives + negatives, m, n), int(m), int(n))


def auc_of_scores(scores: Floats, outcome: Flags) -> Auc:
    """The area of a score for a yes/no outcome."""
    _, level = np.unique(scores, return_inverse=True)
    size = int(level.max()) + 1
    positive = np.bincount(level[outcome], minlength=size).astype(float)
    negative = np.bincount(level[~outcome], minlength=size).astype(float)
    return auc_of_counts(positive, negative)


def _hanley_mcneil(value: float, m: float, n: float) -> float:
    # An area of exactly 1 is not known to be 1: a half pair short of it keeps the variance above zero.
    a = min(max(value, 1 - value), 1 - 1 / (2 * m * n + 1))
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return max(0.0, (a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n))


def _mann_whitney(value: float, ties: Floats, m: float, n: float) -> float:
    total = m + n
    tied = float((ties**3 - ties).sum()) / (total * (total - 1)) if total > 1 else 0.0
    variance = (total + 1 - tied) / (12 * m * n)
    if variance <= 0:
        return 1.0
    normal = 2 * _NORMAL.cdf(-abs(value - 0.5) / math.sqrt(variance))
    # No arrangement of few rows is rarer than one in all arrangements: the normal tail would pretend so.
    arrangements = math.lgamma(total + 1) - math.lgamma(m + 1) - math.lgamma(n + 1)
    return min(1.0, max(normal, 2 * math.exp(-arrangements)))


def family_level(tests: int, level: float = 0.95) -> float:
    """The level of each of many intervals that makes all of them hold together (Bonferroni)."""
    return 1 - (1 - level) / max(tests, 1)


def share_difference(
    first: tuple[float, float], second: tuple[float, float], level: float = 0.95
) -> tuple[float, float, float]:
    """The difference of two shares, each (count, total), and its interval (Newcombe 1998, method 10)."""
    p, q = first[0] / first[1], second[0] / second[1]
    (low_p, high_p), (low_q, high_q) = wilson(*first, level), wilson(*second, level)
    low = (p - q) - math.hypot(p - low_p, high_q - q)
    high = (p - q) + math.hypot(high_p - p, q - low_q)
    return p - q, low, high


def kolmogorov(first: Floats, second: Floats) -> tuple[float, float]:
    """Largest gap between two empirical distributions, and its asymptotic two-sided p-value (Kolmogorov-Smirnov)."""
    a, b = np.sort(first), np.sort(second)
    points = np.concatenate([a, b])
    gap = float(
        np.abs(np.searchsorted(a, points, "right") / len(a) - np.searchsorted(b, points, "right") / len(b)).max()
    )
    scaled = gap * math.sqrt(len(a) * len(b) / (len(a) + len(b)))
    terms = ((-1) ** (k - 1) * math.exp(-2 * k * k * scaled * scaled) for k in range(1, 101))
    return gap, min(1.0, max(0.0, 2 * math.fsum(terms))) if scaled > 0.2 else 1.0
