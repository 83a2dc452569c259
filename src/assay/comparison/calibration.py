"""Do predicted probabilities come true: calibration in the large, the slope, and the curve.

Cox (1958): a logistic regression of the outcome on the logit of the prediction has intercept 0 and slope 1 where
probabilities are right. Van Calster et al., A calibration hierarchy, J Clin Epidemiol 74 (2016), name the levels.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np

from assay.comparison.arrays import Bools, Floats
from assay.comparison.results import Interval
from assay.records import dataclass
from assay.statistics import wilson

_STEPS = 50
_CLOSE = 1e-10
_BINS = 10
_FEWEST_IN_A_BIN = 20


@dataclass(frozen=True, slots=True)
class Calibration:
    """How well one model's probabilities fit: ideal are an intercept of 0 and a slope of 1."""

    model: str
    intercept: float
    intercept_interval: Interval | None
    slope: float
    slope_interval: Interval | None


@dataclass(frozen=True, eq=False)
class CalibrationCurve:
    """By bin of about equally many rows: the mean prediction, the share that came true, and its interval."""

    model: str
    predicted: Floats
    observed: Floats
    low: Floats
    high: Floats


def calibration_of(model: str, y: Bools, p: Floats, level: float, *, independent: bool) -> Calibration | None:
    """None where a prediction is 0 or 1 (its logit is infinite) or where the classes are separated.

    Intervals are Wald's and need rows that are independent.
    """
    if not _is_open(p):
        return None
    logit = np.log(p / (1 - p))
    large = _fitted(np.ones((p.size, 1)), y, logit)
    both = _fitted(np.column_stack([np.ones(p.size), logit]), y, np.zeros(p.size))
    if large is None or both is None:
        return None
    (intercept,), (intercept_error,) = large
    slope, slope_error = both[0][1], both[1][1]
    reach = NormalDist().inv_cdf((1 + level) / 2)

    def around(value: float, error: float) -> Interval | None:
        return Interval(value - reach * error, value + reach * error) if independent else None

    return Calibration(model, intercept, around(intercept, intercept_error), slope, around(slope, slope_error))


def calibration_curve(model: str, y: Bools, p: Floats, level: float) -> CalibrationCurve:
    """The curve over up to ten bins of about equally many rows."""
    order = np.argsort(p, kind="stable")
    number = min(_BINS, max(1, p.size // _FEWEST_IN_A_BIN))
    bins = np.array_split(order, number)
    hits = [int(np.count_nonzero(y[rows])) for rows in bins]
    ends = [wilson(hit, rows.size, level) for hit, rows in zip(hits, bins, strict=True)]
    return CalibrationCurve(
        model,
        np.array([p[rows].mean() for rows in bins]),
        np.array([hit / rows.size for hit, rows in zip(hits, bins, strict=True)]),
        np.array([low for low, _ in ends]),
        np.array([high for _, high in ends]),
    )


def _is_open(p: Floats) -> bool:
    return bool(p.min() > 0 and p.max() < 1 and np.ptp(p) > 0)


def _fitted(x: Floats, y: Bools, offset: Floats) -> tuple[list[float], list[float]] | None:
    """Coefficients of a logistic regression and their standard errors, by Newton's method; None if it runs away."""
    beta = np.zeros(x.shape[1])
    for _ in range(_STEPS):
        mean = 1 / (1 + np.exp(-np.clip(offset + x @ beta, -500, 500)))
        information = (x * (mean * (1 - mean))[:, None]).T @ x
        try:
            step = np.linalg.solve(information, x.T @ (y - mean))
        except np.linalg.LinAlgError:
            return None
        beta += step
        if np.abs(step).max() < _CLOSE:
            errors = [sqrt(variance) for variance in np.diag(np.linalg.inv(information))]
            return beta.tolist(), errors
    return None
