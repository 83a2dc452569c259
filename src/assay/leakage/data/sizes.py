"""The smallest difference between two models that a test set of this size can show."""

from __future__ import annotations

import math

from assay.leakage.data.split import Split
from assay.records import dataclass
from assay.statistics import normal_quantile
from assay.tables import counted

POWER = 0.8
ASSUMED_AUC = 0.8
ASSUMED_ACCURACY = 0.85
CORRELATION = 0.5
"""How alike the errors of two models on the same rows are taken to be."""


@dataclass(frozen=True)
class Resolution:
    """What differences the test rows resolve with 80 % power at the 5 % level, under stated assumptions."""

    positives: int
    negatives: int
    auc: float
    accuracy: float

    @property
    def rarer(self) -> int:
        """Rows of the rarer class."""
        return min(self.positives, self.negatives)


def resolution_of(split: Split) -> Resolution | None:
    """The resolution of the test part for a target of two classes; None for other targets."""
    target = split.roles.target
    if target is None or split.test is None:
        return None
    labels = split.test.get_column(target).drop_nulls()
    values = [value for value, _ in counted(split.whole.get_column(target).drop_nulls())]
    if len(values) != 2:
        return None
    positives = int((labels == values[1]).sum())
    return resolution(positives, len(labels) - positives)


def resolution(positives: int, negatives: int) -> Resolution:
    """Hanley & McNeil's (1982) error of an area, a binomial error of an accuracy, and paired comparison."""
    steps = normal_quantile(0.95) + normal_quantile(2 * POWER - 1)
    paired = math.sqrt(2 * (1 - CORRELATION))
    total = positives + negatives
    accuracy = math.sqrt(ASSUMED_ACCURACY * (1 - ASSUMED_ACCURACY) / total) if total else 1.0
    area = _area_error(positives, negatives) if positives and negatives else 1.0
    return Resolution(positives, negatives, min(1.0, steps * paired * area), min(1.0, steps * paired * accuracy))


def _area_error(m: int, n: int) -> float:
    a = ASSUMED_AUC
    q1, q2 = a / (2 - a), 2 * a * a / (1 + a)
    return math.sqrt((a * (1 - a) + (m - 1) * (q1 - a * a) + (n - 1) * (q2 - a * a)) / (m * n))
