"""What one class can look like: all pairs (correct, predicted) that its own figures allow.

For a fixed number of predictions every one-versus-rest score is monotone in the number of correct
ones, so the allowed pairs form one run of correct counts for each number of predictions. Whole numbers
only; where a bound has a very long fraction it is rounded outwards, which never loses a pair.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.scores.definitions import Score, Shape
from assay.scores.exact import Interval
from assay.scores.multiclass.quantities import AVERAGES, Quantity
from assay.scores.multiclass.values import ClassSize, Gap, Mean, substitute
from assay.scores.regions import ratio_interval

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

MOST_ITEMS = 1 << 24
_SHORT = frozenset({"acc", "sens", "spec", "ppv", "npv", "f1", "ji", "tp", "fn", "fp", "tn"})
"""Scores whose terms are at most all items, or a few times that."""
_LARGEST_TERM = 1 << 26
_LONGEST = 1 << 36
"""Bounds with a larger denominator are rounded outwards, so that products stay within 64 bits."""


@dataclass(frozen=True, eq=False)
class Domain:
    """The pairs of one class: for `predicted[j]` predictions, from `low[j]` to `high[j]` correct ones."""

    predicted: Integers
    low: Integers
    high: Integers

    @property
    def size(self) -> int:
        """How many pairs there are."""
        return int((self.high - self.low + 1).sum())

    def pairs(self) -> tuple[Integers, Integers]:
        """All pairs, as arrays of correct and of predicted counts."""
        runs = self.high - self.low + 1
        starts = np.repeat(self.low - np.cumsum(runs) + runs, runs)
        return starts + np.arange(runs.sum()), np.repeat(self.predicted, runs)

    def ends(self) -> tuple[Integers, Integers]:
        """The first two pairs and the last pair of each run.

        What rises or falls along the runs is largest at one of them, even where 0 correct is a case of its own.
        """
        correct = np.concatenate([self.low, np.minimum(self.low + 1, self.high), self.high])
        return correct, np.tile(self.predicted, 3)

    def at(self, predicted: Integers) -> tuple[Integers, Mask]:
        """Where in `predicted` these numbers of predictions stand, and which of them do."""
        at = np.clip(np.searchsorted(self.predicted, predicted), 0, len(self.predicted) - 1)
        return at, self.predicted[at] == predicted

    def contains(self, correct: Integers, predicted: Integers) -> Mask:
        """Which of the pairs are in the domain."""
        at, there = self.at(predicted)
        return there & (self.low[at] <= correct) & (correct <= self.high[at])

    def without_empty_runs(self) -> Domain:
        """The same pairs."""
        kept = self.low <= self.high
        return Domain(self.predicted[kept], self.low[kept], self.high[kept])


def wide(score: Score, items: int) -> bool:
    """Whether products of this score's terms may not fit 64 bits, so that Python's integers are needed."""
    if score.name in _SHORT:
        return False
    return score.high is None or score.ratio(items, items, items, items)[1] >= _LARGEST_TERM


def ratio(score: Score, size: ClassSize, correct: Integers, predicted: Integers) -> tuple[Integers, Integers]:
    """Numerators and denominators of a one-versus-rest score for many pairs at once."""
    if wide(score, int(size.total)):
        correct, predicted = correct.astype(object), predicted.astype(object)
    # The formulas are plain arithmetic, as good for arrays as for single counts.
    top, bottom = cast("Any", score.ratio)(*cast("Any", size).versus_rest(correct, predicted))
    kind = correct.dtype
    return tuple(np.broadcast_to(np.asarray(x, dtype=kind), correct.shape) for x in (top, bottom))  # type: ignore[return-value]


def undefined(score: Score, size: ClassSize, correct: Integers, predicted: Integers, gap: Gap) -> Mask:
    """Array form of `values.undefined`."""
    top, bottom = ratio(score, size, correct, predicted)
    mask: Mask = (top == 0) & (bottom == 0)
    if score.name == "f1" and gap is Gap.SKIP_MISSED:
        mask = mask | (correct == 0)
    if score.name == "f1" and gap is Gap.SKIP_UNPREDICTED:
        mask = mask | (predicted == 0) | (size.items == 0)
    return mask


def domains(counts: Sequence[int], correct: range, quantities: Iterable[Quantity], gap: Gap) -> list[Domain]:
    """The domain of each class, given how many items can be correct in all."""
    stated = list(quantities)
    found = []
    for label, items in enumerate(counts):
        size = ClassSize(items, sum(counts))
        domain = _possible(size, correct)
        for quantity in stated:
            if quantity.label == label:
                domain = _with_figure(quantity, size, domain, gap)
            elif quantity.scope in AVERAGES and gap is Gap.NEVER:
                hollow = undefined(quantity.score, size, domain.low, domain.predicted, gap)
                domain = Domain(domain.predicted, domain.low + hollow, domain.high).without_empty_runs()
                hollow = undefined(quantity.score, size, domain.low, domain.predicted, gap)
                domain = Domain(domain.predicted[~hollow], domain.low[~hollow], domain.high[~hollow])
        found.append(domain.without_empty_runs())
    return found


def _possible(size: ClassSize, correct: range) -> Domain:
    """All pairs of a class of this size, whatever its figures."""
    others, least = size.total - size.items, correct.start
    predicted = np.arange(size.total + 1, dtype=np.int64)
    # c + q - 2d, the wrong items that touch this class, are at most all the wrong ones (see `confusion`).
    touched = -((size.total - least - size.items - predicted) // 2)
    low = np.maximum.reduce([predicted - others, touched, np.full_like(predicted, max(0, least - others))])
    return Domain(predicted, low, np.minimum(predicted, min(size.items, correct.stop - 1))).without_empty_runs()


def _with_figure(quantity: Quantity, size: ClassSize, domain: Domain, gap: Gap) -> Domain:
    """What a figure of this very class leaves."""
    predicted, low, high = domain.predicted, domain.low, domain.high
    score = quantity.score
    hollow = undefined(score, size, low, predicted, gap)
    later = undefined(score, size, np.minimum(low + 1, high), predicted, gap)
    first = np.where(hollow & ~later, low + 1, low)  # undefined at the first pair only, not for the whole run
    inside = _inside(quantity, size, Domain(predicted, first, high))
    stand_in = substitute(Mean(score, quantity.scope, quantity.complement), gap)
    if stand_in is None or stand_in not in quantity.interval:
        return Domain(predicted, inside.low, np.where(hollow & later, low - 1, inside.high))
    last = np.where(later, high, np.maximum(low, inside.high))
    return Domain(predicted, np.where(hollow, low, inside.low), np.where(hollow, last, inside.high))


def _inside(quantity: Quantity, size: ClassSize, domain: Domain) -> Domain:
    """Where the score is in its interval, for each number of predictions with which it is defined."""
    score, predicted = quantity.score, domain.predicted
    interval = ratio_interval(score.shape, quantity.interval)
    if interval is None:
        return Domain(predicted, domain.low, domain.low - 1)
    rises = (score.shape is Shape.INVERSE_ROOT) != (sum(score.rises) >= 0)
    low, high = domain.low, domain.high

    def sign(correct: Integers, bound: Fraction) -> Integers:
        top, bottom = ratio(score, size, correct, predicted)
        found = top * bound.denominator - bottom * bound.numerator
        return (found > 0).astype(np.int64) - (found < 0)

    lo, hi = interval.lo, interval.hi
    if not wide(score, size.total):
        lo, hi = _outward(interval, largest=1 if score.high is not None else size.total)
    if lo is not None:
        edge = _first(lambda d: (sign(d, lo) >= interval.lo_open) == rises, low, high)
        low, high = (edge, high) if rises else (low, edge - 1)
    if hi is not None:
        edge = _first(lambda d: (sign(d, hi) > -interval.hi_open) == rises, low, high)
        low, high = (low, edge - 1) if rises else (edge, high)
    return Domain(predicted, low, high)


def _outward(interval: Interval, largest: int) -> tuple[Fraction | None, Fraction | None]:
    """The ends of an interval for scores from 0 to `largest`, moved outwards where they are long fractions."""
    lo, hi = (
        None if end is None else min(max(end, Fraction(-1)), Fraction(largest + 1))
        for end in (interval.lo, interval.hi)
    )
    if lo is not None and lo.denominator > _LONGEST:
        lo = Fraction(math.floor(lo * _LONGEST), _LONGEST)
    if hi is not None and hi.denominator > _LONGEST:
        hi = Fraction(math.ceil(hi * _LONGEST), _LONGEST)
    return lo, hi


def _first(holds: Callable[[Integers], Mask], low: Integers, high: Integers) -> Integers:
    """For each run the first correct count where a monotone condition holds, or one past its end."""
    left, right = low.copy(), np.maximum(high + 1, low)
    while bool((left < right).any()):
        middle = (left + right) // 2
        yes, searching = holds(middle), left < right
        right = np.where(searching & yes, middle, right)
        left = np.where(searching & ~yes, middle + 1, left)
    return left
