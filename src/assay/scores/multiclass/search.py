"""Looking at every confusion matrix, cleverly: class by class, giving up a branch as soon as a row fails.

All but the last two classes are tried pair by pair. For the last two, every split of the remaining
predictions is laid out in bulk; the remaining correct items are then split by solving the rows, which
are linear in that split. When the search ends without a find, there is nothing to be found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from assay.records import dataclass
from assay.scores.multiclass.budget import CLOSER_LOOK, BudgetSpentError, Purse
from assay.scores.multiclass.confusion import Confusion, Margins, filled
from assay.scores.multiclass.domains import Domain, Integers, Mask
from assay.scores.multiclass.quantities import Quantity
from assay.scores.multiclass.rows import Row, Setting
from assay.scores.multiclass.values import fits

_LARGEST_LIST = 8_000_000
_SLOWER = 30
"""How much longer Python's integers take than those of the machine."""
_BATCH = 20_000
"""Divisions among the last two classes that are looked at together."""


class _Lines:
    """Lines above the points of one class, for each row and number of predictions: slope · correct + offset."""

    def __init__(self, label: int, items: int, domain: Domain, rows: Sequence[Row]) -> None:
        predicted, whole = domain.predicted, max(1, items)
        none = np.array([row.points(label, np.zeros_like(predicted), predicted) for row in rows])
        full = np.array([row.points(label, np.full_like(predicted, whole), predicted) for row in rows])
        self.slope = (full - none) // whole
        self.offset = none + whole  # the slope lost less than one for each item


@dataclass(frozen=True, eq=False)
class _Branches:
    """Choices for the first classes: their pairs, one column per branch, and what all rows have collected with them."""

    sums: Integers
    correct: Integers
    predicted: Integers

    def __len__(self) -> int:
        return int(self.sums.shape[1])

    def extended(self, points: Integers, correct: Integers, predicted: Integers) -> _Branches:
        """A single branch, continued with each of these pairs."""
        new = [np.repeat(chosen, len(correct), axis=1) for chosen in (self.correct, self.predicted)]
        return _Branches(self.sums + points, np.vstack([new[0], correct]), np.vstack([new[1], predicted]))

    def part(self, which: slice | Integers) -> _Branches:
        """Some of the branches."""
        return _Branches(self.sums[:, which], self.correct[:, which], self.predicted[:, which])


class _Splits(NamedTuple):
    """Ways to divide what a branch leaves between the last two classes.

    The branch, `rest` correct items, the places in the two domains, and the first one's correct counts from `low`
    to `high`.
    """

    branch: Integers
    rest: Integers
    first: Integers
    second: Integers
    low: Integers
    high: Integers

    def kept(self, alive: Mask) -> _Splits:
        """Some of the ways."""
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
        largest = _LARGEST_LIST // (_SLOWER if any(row.wide for row in rows) else 1)
        if sum(domains[i].size for i in self.order[:-2]) * len(rows) > largest:
            raise BudgetSpentError
        self.pairs = [domains[i].pairs() for i in self.order[:-2]]
        self.points = [self._points(i, *pairs) for i, pairs in zip(self.order, self.pairs, strict=False)]
        self.lines = [_Lines(i, counts[i], domains[i], self.rows[: self.linear]) for i in (self.split, self.last)]
        self.ceilings = [sum(self._points(i, *domains[i].ends()).max(axis=1) for i in self.order[-2:])]
        for points in reversed(self.points):
            self.ceilings.insert(0, self.ceilings[0] + points.max(axis=1))

    def run(self) -> Confusion | None:
        """A matrix that gives every figure, or None when there is none. Raises `BudgetSpentError`."""
        self.purse.pay(sum(len(correct) for correct, _ in self.pairs))
        none = np.zeros((0, 1), dtype=np.int64)
        for margins in self._leaves(_Branches(np.array([[row.constant] for row in self.rows]), none, none)):
            self.purse.pay(CLOSER_LOOK)
            found = verified(margins, self.setting, self.quantities)
            if found:
                return found
        return None

    def _points(self, label: int, correct: Integers, predicted: Integers) -> Integers:
        return np.array([row.points(label, correct, predicted) for row in self.rows])

    def _leaves(self, branch: _Branches) -> Iterator[Margins]:
        """Continue a single branch."""
        level = len(branch.correct)
        if level == len(self.pairs):
            yield from self._ends(branch)
            return
        correct, predicted = self.pairs[level]
        self.purse.pay(len(correct))
        alive = (branch.sums + self.points[level] + self.ceilings[level + 1][:, None] >= 0).all(axis=0)
        order = self._middle_first(np.flatnonzero(alive), branch)
        grown = branch.extended(self.points[level][:, order], correct[order], predicted[order])
        size = max(1, _BATCH // len(self.setting.domains[self.split].predicted)) if level + 1 == len(self.pairs) else 1
        for start in range(0, len(grown), size):
            part = grown.part(slice(start, start + size))
            yield from self._ends(part) if level + 1 == len(self.pairs) else self._leaves(part)

    def _middle_first(self, alive: Integers, branch: _Branches) -> Integers:
        """Pairs that leave the remaining classes an average task come first."""
        level = len(branch.correct)
        correct, predicted = (values[alive] for values in self.pairs[level])
        rest = [self.setting.domains[i].predicted for i in self.order[level + 1 :]]
        aim = self.setting.items - int(branch.predicted.sum()) - sum(int(q[0]) + int(q[-1]) for q in rest) // 2
        typical = int(np.median(correct)) if len(correct) else 0
        return alive[np.argsort(abs(predicted - aim) + abs(correct - typical), kind="stable")]

    def _ends(self, branches: _Branches) -> Iterator[Margins]:
        """Give the last two classes the predictions and correct items that the branches leave."""
        one, two = (self.setting.domains[i] for i in (self.split, self.last))
        others = self.setting.items - branches.predicted.sum(axis=0)[:, None] - one.predicted
        at, there = two.at(others)
        branch, first = np.nonzero(there)
        second = at[there]
        already = branches.correct.sum(axis=0)[branch]
        for total in self.setting.correct:
            rest = total - already
            low = np.maximum(one.low[first], rest - two.high[second])
            high = np.minimum(one.high[first], rest - two.low[second])
            self.purse.pay(len(first))
            yield from self._filled(branches, self._solved(branches, _Splits(branch, rest, first, second, low, high)))

    def _solved(self, branches: _Branches, splits: _Splits) -> _Splits:
        """The correct counts that the linear rows leave to the first of the two classes."""
        one, two = self.lines
        splits = splits.kept(splits.low <= splits.high)
        for r in range(self.linear):
            if not len(splits.first):
                break
            branch, rest, first, second, low, high = splits
            slope = one.slope[r, first] - two.slope[r, second]
            level = (
                branches.sums[r, branch] + one.offset[r, first] + two.offset[r, second] + two.slope[r, second] * rest
            )
            steep = np.where(slope == 0, 1, slope)
            low = np.where(slope > 0, np.maximum(low, -(level // steep)), low)
            high = np.where(slope < 0, np.minimum(high, level // -steep), high)
            alive = (low <= high) & ((slope != 0) | (level >= 0))
            splits = splits._replace(low=low, high=high).kept(alive)
        return splits

    def _filled(self, branches: _Branches, splits: _Splits) -> Iterator[Margins]:
        """The margins of these divisions that pass every row."""
        if not len(splits.first):
            return
        one, two = (self.setting.domains[i] for i in (self.split, self.last))
        correct, at = Domain(np.arange(len(splits.first)), splits.low, splits.high).pairs()
        self.purse.pay(len(correct))
        branch, rest = splits.branch[at], splits.rest[at] - correct
        predicted, others = one.predicted[splits.first[at]], two.predicted[splits.second[at]]
        points = self._points(self.split, correct, predicted) + self._points(self.last, rest, others)
        for j in np.flatnonzero((branches.sums[:, branch] + points >= 0).all(axis=0)):
            d = [*branches.correct[:, branch[j]].tolist(), int(correct[j]), int(rest[j])]
            q = [*branches.predicted[:, branch[j]].tolist(), int(predicted[j]), int(others[j])]
            places = np.argsort(self.order)
            yield Margins(self.setting.counts, tuple(d[i] for i in places), tuple(q[i] for i in places))


def verified(margins: Margins, setting: Setting, quantities: Sequence[Quantity]) -> Confusion | None:
    """The confusion matrix with these margins, if there is one and it gives every figure."""
    if not margins.possible:
        return None
    confusion = filled(margins)
    return confusion if fits(confusion, quantities, setting.reading) else None
