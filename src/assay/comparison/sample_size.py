"""How many positives a test set needs so that a difference in AUC would show."""

from __future__ import annotations

from bisect import bisect_left
from math import ceil, isfinite
from statistics import NormalDist

from assay.errors import InputError

LEVEL, POWER = 0.05, 0.8
"""A two-sided test at 5 % that finds the difference four times out of five."""
_MOST = 10**12
"""Beyond this no test set goes."""


def hanley_mcneil_variance(auc: float, positives: float, negatives: float) -> float:
    """The variance of an AUC that Hanley & McNeil (1982) expect where scores have exponential distributions."""
    q1, q2 = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    return (auc * (1 - auc) + (positives - 1) * (q1 - auc**2) + (negatives - 1) * (q2 - auc**2)) / (
        positives * negatives
    )


def positives_needed(
    auc: float,
    difference: float,
    *,
    negatives_per_positive: float = 1.0,
    correlation: float = 0.5,
    level: float = LEVEL,
    power: float = POWER,
) -> int:
    """How many positives show that a second model has an AUC higher by `difference`, before there are data.

    `correlation` is that of the two areas, for they are measured on the same rows (0 for different rows).
    """
    if not 0 < auc < 1 or not 0 < auc + difference < 1 or difference == 0:
        raise InputError("both areas must lie between 0 and 1 and differ", fix="Give an AUC and what it would gain.")
    if negatives_per_positive <= 0 or not -1 < correlation < 1:
        raise InputError("the ratio must be above 0 and the correlation between -1 and 1")
    allowed = difference**2 / _factor(level, power)

    def enough(positives: int) -> bool:
        first, second = (
            hanley_mcneil_variance(a, positives, positives * negatives_per_positive) for a in (auc, auc + difference)
        )
        together: float = first + second - 2 * correlation * (first * second) ** 0.5
        return together <= allowed

    return bisect_left(range(_MOST), True, lo=1, key=enough)  # the variance falls as the test set grows


def positives_for(
    difference: float, *, positives: int, error: float, level: float = LEVEL, power: float = POWER
) -> int | None:
    """How many positives would show a difference, judged by the standard error that `positives` of them gave.

    The share of positives and the models' agreement are taken to stay as they are. None when there is no error
    to go by.
    """
    if not isfinite(error) or error <= 0 or not difference:
        return None
    return ceil(positives * error**2 * _factor(level, power) / difference**2)


def _factor(level: float, power: float) -> float:
    if not 0 < level < 1 or not 0 < power < 1:
        raise InputError("level and power must lie between 0 and 1", fix="Usual are 0.05 and 0.8.")
    normal = NormalDist()
    return (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)) ** 2
