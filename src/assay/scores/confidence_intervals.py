"""Printed 95 % confidence intervals of shares, compared with those of the usual methods.

A share of a fixed number of items (sensitivity, specificity, accuracy) has one interval per method. An interval that
none of them gives may come from a bootstrap or from clustered data, so it is worth a question and never a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor

from assay.records import dataclass
from assay.scores.exact import Interval
from assay.scores.experiment import Experiment, Reported
from assay.scores.proportion_intervals import METHODS, Ends

_ITEMS = {"sens": (1, 0), "spec": (0, 1), "acc": (1, 1)}
"""How often positives and negatives count in the denominator."""
_MOST_COUNTS = 200
"""Counts that fit the printed share, of which so many are looked at."""
_FAR_TOO_NARROW = 0.6
"""Intervals below this share of the narrowest usual one: 90 % instead of 95 % is only 0.84, a bootstrap about 0.9."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A printed interval beside those that the usual methods give."""

    reported: Reported
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
        low, high = (1 - self.printed[1], 1 - self.printed[0]) if self.reported.complement else self.printed
        return float(value.hi) < low or float(value.lo) > high


def comparisons(experiment: Experiment) -> Iterator[Comparison]:
    """Every printed interval of a share on one test set of known size."""
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
