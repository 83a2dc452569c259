"""How sure a share, a correlation or a difference of two results is: intervals, and p-values for many at once.

Every interval names its method, for it is only worth what its assumptions are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assay.records import dataclass
from assay.statistics import normal_quantile, wilson

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Interval:
    """A range that covers the true value in `LEVEL` of all such cases, if the method's assumptions hold."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """Reproduced minus original, with its interval and the p-value of there being none."""

    value: float
    interval: Interval
    p: float
    method: str


def of_share(share: float, of: int, level: float = LEVEL) -> Interval:
    """Wilson's score interval for a share of `of` independent answers."""
    return Interval(*wilson(share * of, of, level))


def of_correlation(r: float, n: int, *, ranks: bool, level: float = LEVEL) -> Interval | None:
    """Fisher's z interval; for ranks with the wider variance of Bonett & Wright (2000). None for fewer than 4 pairs."""
    if n < 4 or abs(r) >= 1:
        return None
    spread = math.sqrt((1 + r * r / 2 if ranks else 1) / (n - 3)) * normal_quantile(level)
    return Interval(math.tanh(math.atanh(r) - spread), math.tanh(math.atanh(r) + spread))


def of_mean(values: Sequence[float], level: float = LEVEL) -> Interval | None:
    """Student's t interval of a mean; None for fewer than 2 values."""
    if len(values) < 2:
        return None
    mean = math.fsum(values) / len(values)
    error = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1) / len(values))
    half = _student_quantile(level, len(values) - 1) * error
    return Interval(mean - half, mean + half)


def of_shares(one: float, of_one: int, other: float, of_other: int, level: float = LEVEL) -> Difference:
    """Other minus one, two independent shares: Newcombe's interval (1998, method 10), and the pooled z test."""
    first, second = of_share(one, of_one, level), of_share(other, of_other, level)
    gap = other - one
    low = gap - math.hypot(other - second.low, first.high - one)
    high = gap + math.hypot(second.high - other, one - first.low)
    pooled = (one * of_one + other * of_other) / (of_one + of_other)
    error = math.sqrt(pooled * (1 - pooled) * (1 / of_one + 1 / of_other))
    return Difference(gap, Interval(low, high), _two_sided(gap, error), "Newcombe; z test of two shares")


def of_means(one: tuple[float, float, int], other: tuple[float, float, int], level: float = LEVEL) -> Difference:
    """Other minus one, each a mean, a standard deviation and a number of runs: Welch's test and interval."""
    (m1, s1, n1), (m2, s2, n2) = one, other
    error, freedom = welch_error(s1, n1, s2, n2)
    gap = m2 - m1
    if error == 0:
        return Difference(gap, Interval(gap, gap), 1.0 if gap == 0 else 0.0, "Welch, without spread")
    half = _student_quantile(level, freedom) * error
    p = 2 * student_tail(abs(gap) / error, freedom)
    return Difference(gap, Interval(gap - half, gap + half), p, "Welch")


def of_areas(one: float, other: float, positives: int, negatives: int, level: float = LEVEL) -> Difference:
    """Other minus one, two areas under ROC curves on sets of these sizes: Hanley & McNeil (1982), as if independent."""
    error = math.sqrt(_area_variance(one, positives, negatives) + _area_variance(other, positives, negatives))
    gap = other - one
    half = normal_quantile(level) * error
    return Difference(gap, Interval(gap - half, gap + half), _two_sided(gap, error), "Hanley & McNeil")


def welch_error(s1: float, n1: int, s2: float, n2: int) -> tuple[float, float]:
    """The standard error of a difference of means and its degrees of freedom (Welch & Satterthwaite)."""
    v1, v2 = s1 * s1 / n1, s2 * s2 / n2
    if v1 + v2 == 0:
        return 0.0, math.inf
    return math.sqrt(v1 + v2), (v1 + v2) ** 2 / (v1 * v1 / (n1 - 1) + v2 * v2 / (n2 - 1))


def student_tail(t: float, freedom: float) -> float:
    """The chance that Student's t exceeds `t`; the function below `scipy.stats`, a hundred times as fast."""
    if math.isinf(freedom):
        return math.erfc(t / math.sqrt(2)) / 2
    from scipy import special

    return float(special.stdtr(freedom, -t))


def _area_variance(area: float, positives: int, negatives: int) -> float:
    q1, q2 = area / (2 - area), 2 * area * area / (1 + area)
    spread = (positives - 1) * (q1 - area * area) + (negatives - 1) * (q2 - area * area)
    return (area * (1 - area) + spread) / (positives * negatives)


def _student_quantile(level: float, freedom: float) -> float:
    from scipy import special

    return float(special.stdtrit(freedom, (1 + level) / 2))


def _two_sided(gap: float, error: float) -> float:
    if error == 0:
        return 1.0 if gap == 0 else 0.0
    return math.erfc(abs(gap) / error / math.sqrt(2))
