"""What else moves a measure: how far another test set of the same size would have moved it.

A run may print the interval of a measure over test cases, such as `auc_low` and `auc_high` beside `auc` (95 %, for
example from resampled patients). For a share, the plan may give the number of cases instead. Effects are differences on
one test set, so their own noise is smaller where both settings err on the same cases: this is a yardstick, not a test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import sqrt
from statistics import fmean

from assay.ablation.store import Outcome
from assay.statistics import normal_quantile

ENDS = ("_low", "_high")
LEVEL = 0.95


def without_ends(names: Iterable[str]) -> list[str]:
    """The names of measures, without those that are ends of an interval of another one."""
    listed = list(dict.fromkeys(names))
    ends = {f"{name}{end}" for name in listed for end in ENDS}
    return [name for name in listed if name not in ends]


def deviation_over_test_sets(outcomes: Iterable[Outcome], measure: str, cases: int | None) -> float | None:
    """The standard deviation of a measure over test sets of this size; None if nothing is known of it."""
    found = list(_deviations(outcomes, measure, cases))
    return fmean(found) if found else None


def _deviations(outcomes: Iterable[Outcome], measure: str, cases: int | None) -> Iterator[float]:
    for metrics in (outcome.metrics for outcome in outcomes):
        value, low, high = (metrics.get(f"{measure}{end}") for end in ("", *ENDS))
        if value is not None and low is not None and high is not None and low <= high:
            yield (high - low) / 2 / normal_quantile(LEVEL)
        elif cases is not None and value is not None and 0 <= value <= 1:
            yield sqrt(value * (1 - value) / cases)
