"""Looking at every confusion matrix, cleverly: class by class, giving up a branch as soon as a row fails.

All but the last two classes are tried pair by pair. For the last two, every split of the remaining
predictions is laid out in bulk; the remaining correct items are then split by solving the rows, which
are linear in that split. When the search ends without a find, there is nothing to be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from assay.scores.multiclass.confusion import Confusion, Margins, filled
from assay.scores.multiclass.domains import Domain, Integers, Mask
from assay.scores.multiclass.naming import Quantity
from assay.scores.multiclass.rows import Row, Setting
from assay.scores.multiclass.values import fits


class BudgetSpent(Exception):  # noqa: N818 - not an error, the end of a purse
    """The work allowed is done."""


class Purse:
    """Work that may still be done, counted in pairs looked at, so that answers do not depend on the clock."""

    def __init__(self, left: int, owner: Purse | None = None) -> None:
        self.left, self.spent, self.owner = left, 0, owner

    def pay(self, work: int) -> None:
        """Spend, or stop."""
        self.spent += work
        self.left -= work
        if self.owner:
            self.owner.pay(work)
        if self.left < 0:
            raise BudgetSpent

    def part(self, share: int) -> Purse:
        """One `share`-th of what is left, to be spent on one attempt."""
        return Purse(self.left // share, self)


CLOSER_LOOK = 200
"""The worth of checking one matrix exactly, in pairs looked at."""
_LARGEST_LIST = 16_000_000


class _Lines:
    """Lines above the points of one class, for each row and number of predictions: slope · correct + offset."""

    def __init__(self, label: int, items: int, domain: Domain, rows: Sequence[Row]) -> None:
        predicted, whole = domain.predicted, max(1, items)
        none = np.array([row.points(label, np.zeros_like(predicted), predicted) for row in rows])
        full = np.array([row.points(label, np.full_like(predicted, whole), predicted) for row in rows])
        self.slope = (full - none) // whole
        self.offset = none + whole  # the slope lost less than one for each item


class _Branch(NamedTuple):
    """The pairs chosen for the first classes, and what all rows have collected with them."""

    sums: Integers
    chosen: tuple[tuple[int, int], ...] = ()

    @property
    def correct(self) -> int:
        return sum(d for d, _ in self.chosen)

    @property
    def predicted(self) -> int:
        return sum(q for _, q in self.chosen)


class _Splits(NamedTuple):
    """Ways to divide the rest between the last two classes.

    Places in their domains, and the first one's correct counts from `low` to `high`.
    """

    first: Integers
    second: Integers
    low: Integers
    high: Integers

    def kept(self, alive: Mask) -> _Splits:
        return _Splits(*(values[alive] for values in self))


class Search:
    """An exhaustive search of one setting."""

    def __init__(self, setting: Setting, rows: Sequence[Row], quantities: Sequence[Quantity], purse: Purse) -> None:
        self.setting, self.quantities, self.purse = setting, quantities, purse
        self.rows = sorted(rows, key=lambda row: not row.linear)
        self.linear = sum(row.linear for row in rows)
        domains, counts = setting.domains, setting.counts
        self.order = sorted(range(len(counts)), key=lambda i: domains[i].size)
        self.split, self.last = self.order[-2:]
        if sum(domains[i].size for i in self.order[:-2]) * len(rows) > _LARGEST_LIST:
            raise BudgetSpent
        self.pairs = [domains[i].pairs() for i in self.order[:-2]]
        self.points = [self._points(i, *pairs) for i, pairs in zip(self.order, self.pairs, strict=False)]
        self.lines = [_Lines(i, counts[i], domains[i], self.rows[: self.linear]) for i in (self.split, self.last)]
        self.ceilings = [sum(self._points(i, *domains[i].ends()).max(axis=1) for i in self.order[-2:])]
        for points in reversed(self.points):
            self.ceilings.insert(0, self.ceilings[0] + points.max(axis=1))

    def run(self) -> Confusion | None:
        """A matrix that gives every figure, or None when there is none. Raises `BudgetSpent`."""
        self.purse.pay(sum(len(correct) for correct, _ in self.pairs))
        for margins in self._leaves(_Branch(np.array([row.constant for row in self.rows]))):
            self.purse.pay(CLOSER_LOOK)
            found = verified(margins, self.setting, self.quantities)
            if found:
                return found
        return None

    def _points(self, label: int, correct: Integers, predicted: Integers) -> Integers:
        return np.array([row.points(label, correct, predicted) for row in self.rows])

    def _leaves(self, branch: _Branch) -> Iterator[Margins]:
        level = len(branch.chosen)
        if level == len(self.pairs):
            for total in self.setting.correct:
                yield from self._divided(branch, total - branch.correct)
            return
        correct, predicted = self.pairs[level]
        totals = branch.sums[:, None] + self.points[level]
        self.purse.pay(len(correct))
        alive = np.flatnonzero((totals + self.ceilings[level + 1][:, None] >= 0).all(axis=0))
        for at in self._middle_first(alive, branch):
            pair = (int(correct[at]), int(predicted[at]))
            yield from self._leaves(_Branch(totals[:, at], (*branch.chosen, pair)))

    def _middle_first(self, alive: Integers, branch: _Branch) -> Integers:
        """Pairs that leave the remaining classes an average task come first."""
        level = len(branch.chosen)
        correct, predicted = (values[alive] for values in self.pairs[level])
        rest = [self.setting.domains[i].predicted for i in self.order[level + 1 :]]
        aim = self.setting.items - branch.predicted - sum(int(q[0]) + int(q[-1]) for q in rest) // 2
        typical = int(np.median(correct)) if len(correct) else 0
        return alive[np.argsort(abs(predicted - aim) + abs(correct - typical), kind="stable")]

    def _divided(self, branch: _Branch, rest: int) -> Iterator[Margins]:
        """Give the last two classes the predictions that are left and `rest` correct ones."""
        one, two = (self.setting.domains[i] for i in (self.split, self.last))
        at, there = two.at(self.setting.items - branch.predicted - one.predicted)
        first, second = np.flatnonzero(there), at[there]
        low = np.maximum(one.low[first], rest - two.high[second])
        high = np.minimum(one.high[first], rest - two.low[second])
        self.purse.pay(len(first))
        splits = self._solved(branch.sums, rest, _Splits(first, second, low, high))
        if not len(splits.first):
            return
        correct, predicted = Domain(one.predicted[splits.first], splits.low, splits.high).pairs()
        others = self.setting.items - branch.predicted - predicted
        self.purse.pay(len(correct))
        points = self._points(self.split, correct, predicted) + self._points(self.last, rest - correct, others)
        for j in np.flatnonzero((branch.sums[:, None] + points >= 0).all(axis=0)):
            d, q = int(correct[j]), int(predicted[j])
            yield self._margins((*branch.chosen, (d, q), (rest - d, int(others[j]))))

    def _solved(self, sums: Integers, rest: int, splits: _Splits) -> _Splits:
        """The correct counts that the linear rows leave to the first of the two classes."""
        one, two = self.lines
        splits = splits.kept(splits.low <= splits.high)
        for r in range(self.linear):
            if not len(splits.first):
                break
            first, second, low, high = splits
            slope = one.slope[r, first] - two.slope[r, second]
            level = sums[r] + one.offset[r, first] + two.offset[r, second] + two.slope[r, second] * rest
            steep = np.where(slope == 0, 1, slope)
            low = np.where(slope > 0, np.maximum(low, -(level // steep)), low)
            high = np.where(slope < 0, np.minimum(high, level // -steep), high)
            splits = _Splits(first, second, low, high).kept((low <= high) & ((slope != 0) | (level >= 0)))
        return splits

    def _margins(self, chosen: tuple[tuple[int, int], ...]) -> Margins:
        pairs = dict(zip(self.order, chosen, strict=True))
        made = [pairs[i] for i in range(len(pairs))]
        return Margins(self.setting.counts, tuple(d for d, _ in made), tuple(q for _, q in made))


def verified(margins: Margins, setting: Setting, quantities: Sequence[Quantity]) -> Confusion | None:
    """The confusion matrix with these margins, if there is one and it gives every figure."""
    if not margins.possible:
        return None
    confusion = filled(margins)
    return confusion if fits(confusion, quantities, setting.reading) else None
