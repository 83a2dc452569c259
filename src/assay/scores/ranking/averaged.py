"""The mean of the areas under the ROC curves of several folds.

The area of a fold with p positives and n negatives is a whole number of half pairs, divided by 2·p·n. A mean of such
fractions is a question about means of shares, which `means` answers exactly, spread and extremes included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice

from assay.findings import Verdict
from assay.scores import means
from assay.scores.answers import Answer, undecided
from assay.scores.constraints import Constraint
from assay.scores.definitions import SCORES
from assay.scores.exact import Interval
from assay.scores.folds import Configuration, FoldModel
from assay.scores.tasks import Said, is_gini

_MOST_FOLDINGS = 60
"""Ways to cut the folds that are looked at one by one."""
_AREA = replace(SCORES["sens"], label="area under the curve")
"""The half pairs that are ranked right, of all of them."""


def area_over_folds(models: Sequence[FoldModel], areas: Sequence[Said]) -> Answer:
    """Whether some rankings of the folds give these means; thresholds are not looked at."""
    reported = [_reported(area) for area in areas]
    found: list[Answer] = []
    foldings = list(islice(models[0].configurations(), _MOST_FOLDINGS + 1))
    for folding in foldings[:_MOST_FOLDINGS]:
        answer = _area_of_folding(folding, reported)
        if answer.verdict is Verdict.CONSISTENT:
            return _possible(answer, [(fold.p, fold.n) for fold in folding])
        found.append(answer)
    complete = len(foldings) <= _MOST_FOLDINGS and not models[0].beyond_listing
    if complete and all(answer.verdict is Verdict.INCONSISTENT for answer in found):
        return _impossible(found)
    return undecided(f"No areas that fit were found in {len(found)} ways to cut the folds, and not all were ruled out.")


def _area_of_folding(folding: Configuration, reported: Sequence[means.Reported]) -> Answer:
    if any(not (fold.p and fold.n) for fold in folding):
        return undecided("A fold without one of the classes has no area.")
    return means.solve_known([means.Part(2 * fold.p * fold.n, 0) for fold in folding], reported)


def under_a_mean_curve() -> Answer:
    """Some authors average the curves and take the area under the result, which is no mean of areas."""
    return undecided("The area under a curve averaged over folds can be any number near the mean of the areas.")


def _reported(area: Said) -> means.Reported:
    ends = [_as_area(interval, area) for interval in (area.interval, area.minimum, area.maximum, area.median)]
    sd = area.sd.times(Fraction(1, 2)) if area.sd and is_gini(area.name) else area.sd
    mean = Constraint(_AREA, ends[0] or Interval(None, None), (), area.name, area.printed)
    return means.Reported(mean, sd, minimum=ends[1], maximum=ends[2], median=ends[3])


def _as_area(interval: Interval | None, area: Said) -> Interval | None:
    """A Gini coefficient is 2·AUC - 1."""
    if interval is None or not is_gini(area.name):
        return interval
    lo, hi = (None if end is None else (1 + end) / 2 for end in (interval.lo, interval.hi))
    return Interval(lo, hi, interval.lo_open, interval.hi_open)


def _possible(answer: Answer, sizes: Sequence[tuple[int, int]]) -> Answer:
    pairs = [
        (f"fold {i}, {p} + {n} items", f"{matrix.tp / 2:g} of {p * n} pairs ranked right")
        for i, ((p, n), matrix) in enumerate(zip(sizes, answer.witness, strict=True), 1)
    ]
    return Answer(Verdict.CONSISTENT, reason="These areas of the folds give every reported area.", figures=tuple(pairs))


def _impossible(found: Sequence[Answer]) -> Answer:
    also = "" if len(found) == 1 else f" The same holds for the other {len(found) - 1} ways to cut the folds."
    reason = f"Items are here the half pairs of a positive and a negative. {found[0].reason}{also}"
    return replace(found[0], reason=reason)
