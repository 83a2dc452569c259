"""Printed 95 % confidence intervals of shares, compared with those of the usual methods.

A share of a fixed number of items (sensitivity, specificity, accuracy) has one interval per method; the interval of an
area under the ROC curve depends on the ranking, and ties make it narrow. An interval that
none of them gives may come from a bootstrap or from clustered data, so it is worth a question and never a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor, sqrt

from assay.records import dataclass
from assay.scores.exact import Interval
from assay.scores.experiment import Experiment, Reported, TestSet
from assay.scores.proportion_intervals import METHODS, Ends, Z
from assay.scores.tasks import RankingExperiment, Said, is_gini

_ITEMS = {"sens": (1, 0), "spec": (0, 1), "acc": (1, 1)}
"""How often positives and negatives count in the denominator."""
_MOST_COUNTS = 200
"""Counts that fit the printed share, of which so many are looked at."""
_FAR_TOO_NARROW = 0.6
"""Intervals below this share of the narrowest usual one: 90 % instead of 95 % is only 0.84, a bootstrap about 0.9."""

_FEWEST = 10
"""Items of a class below which a bootstrap may give almost any interval of an area."""

_STEPS = 200
"""Shares that are tried in search of the least variance."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A printed interval beside those that the usual methods give."""

    reported: Reported | Said
    items: int
    printed: Ends
    matching: tuple[str, ...]
    narrowest: tuple[str, Ends]
    """The narrowest usual interval."""

    @property
    def far_too_narrow(self) -> bool:
        """Whether no usual method comes near so narrow an interval."""
        low, high = self.narrowest[1]
        return self.printed[1] - self.printed[0] < _FAR_TOO_NARROW * (high - low)

    @property
    def misses_the_estimate(self) -> bool:
        """Whether the share itself lies outside of its interval."""
        value = self.reported.interval
        if value is None or value.lo is None or value.hi is None:
            return False
        turned = isinstance(self.reported, Reported) and self.reported.complement
        low, high = (1 - self.printed[1], 1 - self.printed[0]) if turned else self.printed
        return float(value.hi) < low or float(value.lo) > high


def comparisons(experiment: Experiment | RankingExperiment) -> Iterator[Comparison]:
    """Every printed interval of a share, or of an area under the curve, on one test set of known size."""
    if isinstance(experiment, RankingExperiment):
        yield from _areas(experiment)
        experiment = experiment.binary
    if not experiment.one_test_set:
        return
    whole = experiment.datasets[0].whole
    for one in experiment.reported:
        of_p, of_n = _ITEMS.get(one.score.name, (0, 0))
        items = of_p * whole.p + of_n * whole.n
        if one.ci is not None and items:
            found = _compared(one, one.ci, items)
            if found:
                yield found


def _compared(one: Reported, ci: tuple[Interval, Interval], items: int) -> Comparison | None:
    counts = _counts(one, items)
    ends = [(end.lo, end.hi) for end in ci]
    if not counts or any(lo is None or hi is None for lo, hi in ends):
        return None
    (low_from, low_to), (high_from, high_to) = [(float(lo or 0), float(hi or 0)) for lo, hi in ends]
    usual = {(name, k): _cut(method(k, items)) for name, method in METHODS.items() for k in counts}
    unit = low_to - low_from, high_to - high_from
    matching = [
        name
        for (name, _), (low, high) in usual.items()
        if low_from - unit[0] <= low <= low_to + unit[0] and high_from - unit[1] <= high <= high_to + unit[1]
    ]
    (name, _), narrowest = min(usual.items(), key=lambda item: item[1][1] - item[1][0])
    return Comparison(one, items, (low_from, high_to), tuple(dict.fromkeys(matching)), (name, narrowest))


def _areas(experiment: RankingExperiment) -> Iterator[Comparison]:
    if experiment.binary.one_test_set:
        whole = experiment.binary.datasets[0].whole
        found = (_compared_area(area, whole) for area in experiment.areas if not is_gini(area.name))
        yield from filter(None, found)


def _compared_area(area: Said, whole: TestSet) -> Comparison | None:
    """An interval of an area beside a narrow one, that of a ranking with many ties."""
    value, ci = area.interval, area.ci
    if ci is None or value.lo is None or value.hi is None or min(whole.p, whole.n) < _FEWEST:
        return None
    printed = float(ci[0].lo or 0), float(1 if ci[1].hi is None else ci[1].hi)
    middle = float(value.lo + value.hi) / 2
    variance = min(least_variance(float(end), whole.p, whole.n) for end in (value.lo, value.hi))
    half = Z * sqrt(max(0.0, variance))
    narrowest = "DeLong with many ties", _cut((middle - half, middle + half))
    return Comparison(area, whole.p + whole.n, printed, ("DeLong",), narrowest)


def least_variance(area: float, p: int, n: int) -> float:
    """The least DeLong variance of a ranking with this area whose uncertain items are one group of ties.

    Without ties the variance is larger. With a share x of the positives and y of the negatives in the group, the area
    lacks x·y/2 to 1, and items outside of the group are placed at 1, those inside at 1 - y/2 and 1 - x/2.
    """
    lacking = 2 * min(area, 1 - area)
    shares = [lacking + (1 - lacking) * i / _STEPS for i in range(_STEPS + 1)]
    pairs = [(x, lacking / x) for x in shares if x]
    return min(((1 - x) * x * y * y / p + (1 - y) * y * x * x / n for x, y in pairs), default=0.0) / 4


def _cut(ends: Ends) -> Ends:
    """Ends beyond 0 and 1 are cut off in print."""
    return max(0.0, ends[0]), min(1.0, ends[1])


def _counts(one: Reported, items: int) -> list[int]:
    """Numbers of items that give the printed share, under the printed name."""
    interval = one.interval or Interval(None, None)
    if one.complement:
        interval = interval.one_minus()
    first = 0 if interval.lo is None else max(0, ceil(interval.lo * items))
    last = items if interval.hi is None else min(items, floor(interval.hi * items))
    every = range(first, last + 1)
    return list(every[:: max(1, len(every) // _MOST_COUNTS)]) + list(every[-1:])
