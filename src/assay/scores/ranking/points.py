"""Operating points: the confusion matrices that a threshold can have produced.

An operating point is known through scores of its confusion matrix: sensitivity and specificity, or only
an accuracy. All the scores are monotone in the true negatives for a fixed number of true positives, so
the possible matrices form a few runs of true-negative counts for each number of true positives.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from assay.scores.constraints import Constraint
from assay.scores.definitions import SCORES, Matrix
from assay.scores.exact import INFINITY, Interval, compare

OperatingPoint = Sequence[Constraint]
"""What is reported of the confusion matrix at one threshold."""


class Run(NamedTuple):
    """Matrices with `tp` true positives and from `low` to `high` true negatives."""

    tp: int
    low: int
    high: int


def roc_point(fpr: Interval, tpr: Interval) -> OperatingPoint:
    """The operating point at a false and a true positive rate."""
    return (
        Constraint(SCORES["spec"], fpr.one_minus(), name="fpr", printed=str(fpr)),
        Constraint(SCORES["sens"], tpr, name="tpr", printed=str(tpr)),
    )


def described(point: OperatingPoint) -> str:
    """The reported figures in words."""
    return " and ".join(f"{c.name or c.score.name} = {c.printed or c.interval}" for c in point)


def runs(p: int, n: int, point: OperatingPoint) -> list[Run]:
    """All matrices with p positives and n negatives that satisfy the constraints."""
    # A score that does not depend on the true positives cuts all columns alike.
    common = _span(Column(0, p, n), (c for c in point if c.score.rises[0] == 0), (0, n))
    varying = [c for c in point if c.score.rises[0] != 0]
    found: list[Run] = []
    for tp in range(p + 1):
        column = Column(tp, p, n)
        found += [Run(tp, *part) for part in _stretches(column, point, *_span(column, varying, common))]
    return found


def _stretches(column: Column, point: OperatingPoint, low: int, high: int) -> list[tuple[int, int]]:
    """The true-negative counts from low to high, and the ends of the column that satisfy the constraints too."""
    parts = [(low, high)] if low <= high else []
    # At its ends a score may be 0/0, where the constraint's substitutes count.
    parts += [(tn, tn) for tn in {0, column.n} if not low <= tn <= high and column.satisfies(point, tn)]
    return sorted(parts)


class Column(NamedTuple):
    """The matrices with `tp` of p positives found."""

    tp: int
    p: int
    n: int

    def matrix(self, tn: int) -> Matrix:
        """The one with so many true negatives."""
        return Matrix(self.tp, self.p - self.tp, self.n - tn, tn)

    def satisfies(self, point: OperatingPoint, tn: int) -> bool:
        """Whether it gives all the reported figures."""
        return all(c.holds(self.matrix(tn)) for c in point)

    def side(self, constraint: Constraint, tn: int) -> int | None:
        """-1, 0, 1 as its score is below, in or above the interval; None where it is 0/0."""
        value, interval = constraint.score.value(self.matrix(tn)), constraint.interval
        if value is None:
            return None
        if value in interval:
            return 0
        if interval.infinite or value is INFINITY:
            return -1 if interval.infinite else 1
        return -1 if interval.lo is not None and compare(value, interval.lo) < interval.lo_open else 1


def _span(column: Column, constraints: Iterable[Constraint], within: tuple[int, int]) -> tuple[int, int]:
    """The true-negative counts where all these scores are defined and in their intervals."""
    low, high = within
    for constraint in constraints:
        while low <= high and column.side(constraint, low) is None:
            low += 1
        while low <= high and column.side(constraint, high) is None:
            high -= 1
        if low > high:
            break
        direction = constraint.score.rises[1] or 1
        span = range(low, high + 1)
        sides = [bisect_left(span, edge, key=_along(column, constraint, direction)) for edge in (0, 1)]
        low, high = low + sides[0], low + sides[1] - 1
    return low, high


def _along(column: Column, constraint: Constraint, direction: int) -> Callable[[int], int]:
    """The side of the interval as it rises along the column."""
    return lambda tn: direction * (column.side(constraint, tn) or 0)
