"""Scores of cross-validation: what the differences between folds do and do not prove.

Folds share training rows, so their scores are no independent witnesses and a plain paired t-test finds
differences that are not there. Nadeau & Bengio (2003) add the share of the test rows to the variance;
Dietterich (1998) and Alpaydin (1999) have tests for five times two folds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign, inf, sqrt

import numpy as np
from scipy.stats import f as f_distribution
from scipy.stats import t as t_distribution

from assay.comparison.arrays import Floats
from assay.comparison.measures import Measure
from assay.comparison.pairs import corrected, pairs_of
from assay.comparison.results import Comparison, Difference, Estimate, Interval, Method, Settings
from assay.errors import InputError
from assay.records import dataclass


@dataclass(frozen=True, eq=False)
class FoldScores:
    """A score of each model in each fold: by repeat, fold and model.

    `test_share` is the share of the rows that a fold tests on: 1/k in k-fold cross-validation.
    """

    models: tuple[str, ...]
    scores: Floats
    measure: Measure
    test_share: float
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        repeats, folds, _ = self.scores.shape
        if repeats * folds < 2:
            raise InputError("there is one fold only", fix="A comparison over folds needs two or more.")
        if not 0 < self.test_share < 1:
            raise InputError(f"a test share of {self.test_share}", fix="Give a share between 0 and 1, as 0.2.")
        if not np.isfinite(self.scores).all():
            raise InputError("a fold has no score for some model", fix="Fill the gap, or leave the fold out.")

    @property
    def is_five_by_two(self) -> bool:
        """Whether these are five repeats of two folds."""
        return self.scores.shape[:2] == (5, 2)

    @property
    def subject(self) -> str:
        """How a sentence about the folds begins."""
        repeats, folds, _ = self.scores.shape
        return f"Over {repeats} x {folds} folds" if repeats > 1 else f"Over {folds} folds"

    @property
    def unit(self) -> str:
        """What the scores belong to."""
        return "folds"


def compare_folds(scores: FoldScores, settings: Settings | None = None) -> Comparison:
    """The mean score of each model, and tests for each pair that know that folds overlap."""
    wanted = settings or Settings()
    place = {model: i for i, model in enumerate(scores.models)}
    apart = {
        (first, second): scores.scores[:, :, place[first]] - scores.scores[:, :, place[second]]
        for first, second in pairs_of(scores.models, wanted.claim)
    }
    tested = [one for pair, gaps in apart.items() for one in _tests(pair, gaps, scores, wanted)]
    estimates = tuple(
        Estimate(
            model,
            scores.measure,
            float(scores.scores[:, :, i].mean()),
            _corrected_t(scores.scores[:, :, i].ravel(), scores.test_share, wanted.level)[1],
            Method.CORRECTED_T,
        )
        for model, i in place.items()
    )
    left_out = list(scores.left_out)
    if not scores.is_five_by_two:
        left_out.append("the 5x2cv tests: they need five repeats of two folds")
    return Comparison(scores, wanted, estimates, tuple(corrected(tested, wanted.correction)), (), tuple(left_out))


def _tests(pair: tuple[str, str], gaps: Floats, scores: FoldScores, settings: Settings) -> Iterator[Difference]:
    first, second = pair
    mean, number = float(gaps.mean()), gaps.size

    def judged(method: Method, statistic: float, p: float, interval: Interval | None = None) -> Difference:
        return Difference(first, second, scores.measure, method, mean, interval, statistic, p, p)

    def of_t(t: float, freedom: int) -> float:
        if settings.one_sided:
            return float(t_distribution.sf(scores.measure.sign * t, freedom))
        return float(2 * t_distribution.sf(abs(t), freedom))

    t, interval = _corrected_t(gaps.ravel(), scores.test_share, settings.level)
    yield judged(Method.CORRECTED_T, t, of_t(t, number - 1), interval)
    if scores.is_five_by_two:
        spread = float(((gaps - gaps.mean(axis=1, keepdims=True)) ** 2).sum())
        t = _ratio(float(gaps[0, 0]), sqrt(spread / 5))
        yield judged(Method.FIVE_BY_TWO_T, t, of_t(t, 5))
        f = _ratio(float((gaps**2).sum()), 2 * spread)
        yield judged(Method.FIVE_BY_TWO_F, f, float(f_distribution.sf(f, 10, 5)))
    t = _ratio(mean, sqrt(float(gaps.var(ddof=1)) / number))
    yield judged(Method.PLAIN_T, t, of_t(t, number - 1))


def _corrected_t(values: Floats, test_share: float, level: float) -> tuple[float, Interval]:
    """Nadeau & Bengio's statistic, and the interval that goes with it."""
    mean, number = float(values.mean()), values.size
    error = sqrt((1 / number + test_share / (1 - test_share)) * float(values.var(ddof=1)))
    reach = float(t_distribution.ppf((1 + level) / 2, number - 1)) * error
    return _ratio(mean, error), Interval(mean - reach, mean + reach)


def _ratio(value: float, error: float) -> float:
    """The statistic; folds that all agree leave no error to divide by."""
    if error > 0:
        return value / error
    return copysign(inf, value) if value else 0.0
