"""Looking for a confusion matrix in two halves of its classes.

Every score depends on sums over the classes. So each half of the classes is drawn many thousand times, and two draws
are joined where their totals and the reported figures fit. Then the draws come nearer to the best join. Floating point
steers; only a matrix that has been verified exactly is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.records import dataclass
from assay.scores.multiclass.budget import CLOSER_LOOK, BudgetSpentError, Purse
from assay.scores.multiclass.confusion import Confusion, Margins
from assay.scores.multiclass.domains import Integers
from assay.scores.multiclass.draws import plausible_counts, plausible_rate
from assay.scores.multiclass.estimates import CORRECT, PREDICTED, Steering
from assay.scores.multiclass.figures import Figure, Floats, ends
from assay.scores.multiclass.joins import Window, joined
from assay.scores.multiclass.quantities import Quantity, Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.search import verified

_DRAWS = 60_000
"""Draws of each half."""
_MOST_JOINS = 60_000
_POOL = 1_500
"""Plausible matrices from which the counts of each class are drawn."""
_SMALL_DOMAIN = 400
"""A class with so few pairs is drawn from all of them."""
_NEARER = (4, 8, 16)
"""Parts of a class by which its counts differ in the rounds around the best join, before a new start."""
_CLOSER_LOOKS = 20
_HIT = 1e-12


@dataclass(frozen=True, slots=True)
class _Half:
    """Draws of some classes: their counts, and what the scores need of them."""

    labels: Integers
    counts: Integers
    """Correct and predicted counts, class by class, draw by draw."""
    sums: Floats
    excess: Integers
    """The most wrong items that a class of a draw needs elsewhere."""

    def totals(self, row: int) -> Integers:
        """All correct or all predicted items of each draw."""
        return np.asarray(self.counts[row].sum(axis=0))


class Halves:
    """A seeded search on one test set."""

    def __init__(self, setting: Setting, quantities: Sequence[Quantity], purse: Purse) -> None:
        self.setting, self.quantities, self.purse = setting, quantities, purse
        self.k = len(setting.counts)
        self.random = np.random.default_rng(0)
        # The domains see to the figures of classes and of the number correct.
        self.steered = [Figure(q) for q in quantities if q.scope not in (Scope.CLASS, Scope.CORRECT)]
        self.steering = Steering(setting, [figure.quantity for figure in self.steered])
        self.counted = any(q.scope is Scope.CORRECT for q in quantities)

    def run(self) -> Confusion | None:
        """A verified matrix, or None when the budget is spent."""
        try:
            while True:
                self.purse.pay(self.k * CLOSER_LOOK)
                found = self._attempt()
                if found:
                    return found
        except BudgetSpentError:
            return None

    def _attempt(self) -> Confusion | None:
        """From plausible classifiers to the neighbourhood of the best join, in a few rounds."""
        pools = self._wide()
        for nearer in (*_NEARER, 0):
            states, misses = self._joined(pools)
            found = self._look_closer(states, misses)
            if found or not len(misses) or not nearer:
                return found
            pools = self._near(states[:, :, int(misses.argmin())], nearer)
        return None

    def _wide(self) -> list[Integers]:
        """Pairs of counts of each class, as plausible classifiers have them."""
        base = plausible_rate([f.quantity for f in self.steered] or self.quantities, self.k, self.random)
        self.purse.pay(_POOL * self.k)
        counts = plausible_counts(self.setting.counts, base, _POOL, self.random)
        return [self._allowed(label, counts[:, label]) for label in range(self.k)]

    def _near(self, state: Integers, nearer: int) -> list[Integers]:
        """Pairs around those of one matrix, up to that part of each class away."""
        pools = []
        for label, items in enumerate(self.setting.counts):
            farthest = max(3.0, items / nearer)
            reach = np.exp(self.random.uniform(0, np.log(farthest + 1), size=_POOL))
            steps = np.rint(self.random.uniform(-reach, reach, size=(2, _POOL))).astype(np.int64)
            steps[:, 0] = 0
            pools.append(self._allowed(label, state[:, label][:, None] + steps))
        return pools

    def _allowed(self, label: int, pairs: Integers) -> Integers:
        """Those in the class's domain, each once; all of a small domain."""
        domain = self.setting.domains[label]
        if domain.size <= _SMALL_DOMAIN:
            return np.array(domain.pairs())
        kept = np.unique(pairs[:, domain.contains(*pairs)], axis=1)
        if kept.shape[1]:
            return kept
        at = self.random.integers(len(domain.predicted), size=_POOL)
        return np.array([self.random.integers(domain.low[at], domain.high[at] + 1), domain.predicted[at]])

    def _joined(self, pools: Sequence[Integers]) -> tuple[Integers, Floats]:
        """Matrices joined from two halves, as states, and how far their figures are off."""
        order = self.random.permutation(self.k)
        left, right = (self._half(labels, pools) for labels in (order[: self.k // 2], order[self.k // 2 :]))
        self.purse.pay(2 * _DRAWS)
        a, b = joined(self._windows(left, right), self.random, _MOST_JOINS)
        self.purse.pay(len(a))
        states = np.zeros((2, self.k, len(a)), dtype=np.int64)
        states[:, left.labels], states[:, right.labels] = left.counts[:, :, a], right.counts[:, :, b]
        right_ones, wrong = states[CORRECT].sum(axis=0), self.setting.items - states[CORRECT].sum(axis=0)
        sums = left.sums[:, a] + right.sums[:, b]
        misses = np.maximum(0, np.maximum(left.excess[a], right.excess[b]) - wrong) / self.setting.items
        for figure in self.steered:
            misses = misses + figure.miss(np.zeros(0), self.steering.value(figure.quantity, sums, right_ones)[None])
        return states, np.nan_to_num(misses, nan=np.inf)

    def _half(self, labels: Integers, pools: Sequence[Integers]) -> _Half:
        drawn = [pools[i][:, self.random.integers(pools[i].shape[1], size=_DRAWS)] for i in labels]
        sums = sum(self.steering.of_class(int(i), *pair) for i, pair in zip(labels, drawn, strict=True))
        counts = np.stack(drawn, axis=1)
        items = np.array(self.setting.counts)[labels][:, None]
        excess = (items + counts[PREDICTED] - 2 * counts[CORRECT]).max(axis=0)
        return _Half(labels, counts, np.asarray(sums), excess)

    def _windows(self, left: _Half, right: _Half) -> list[Window]:
        """What the totals and the figures ask of the sums over both halves, as far as it is a straight line."""
        n, window = float(self.setting.items), self.setting.correct
        found = [Window(left.totals(PREDICTED), right.totals(PREDICTED), n, n, whole=True)]
        if self.counted:
            correct = int(self.random.integers(window.start, window.stop))
            found.append(Window(left.totals(CORRECT), right.totals(CORRECT), correct, correct, whole=True))
        for quantity in (figure.quantity for figure in self.steered):
            place, (low, high) = self.steering.place(quantity), ends(quantity.interval)
            if place is not None:
                weight = n if quantity.scope is Scope.WEIGHTED else self.k
                found.append(Window(left.sums[place], right.sums[place], low * weight, high * weight))
            elif quantity.scope in (Scope.KAPPA, Scope.MCC):
                found.append(self._agreement(quantity, left, right))
        return found

    def _agreement(self, quantity: Quantity, left: _Half, right: _Half) -> Window:
        """Kappa or MCC by its fraction: n times the correct items minus the chance, beside a typical denominator."""
        n, (low, high) = float(self.setting.items), ends(quantity.interval)
        middle, half = (low + high) / 2, (high - low) / 2
        if quantity.scope is Scope.KAPPA:
            here, there = (n * one.totals(CORRECT) - (1 - middle) * one.sums[0] for one in (left, right))
            wide = half * float(n * n - left.sums[0].mean() - right.sums[0].mean())
            return Window(here, there, middle * n * n - wide, middle * n * n + wide)
        squares = left.sums[1] + right.sums[1]  # of as many random joins as there are draws
        spread = n * n - float(sum(items * items for items in self.setting.counts))
        below = np.sqrt(np.maximum(spread * (n * n - squares), 0))
        wide = half * below.mean() + abs(middle) * below.std()
        here, there = (n * one.totals(CORRECT) - one.sums[0] for one in (left, right))
        return Window(here, there, middle * below.mean() - wide, middle * below.mean() + wide)

    def _look_closer(self, states: Integers, misses: Floats) -> Confusion | None:
        """Verify what looks like a hit."""
        for at in np.flatnonzero(misses <= _HIT)[:_CLOSER_LOOKS]:
            self.purse.pay(CLOSER_LOOK)
            correct, predicted = (tuple(row.tolist()) for row in states[:, :, at])
            found = verified(Margins(self.setting.counts, correct, predicted), self.setting, self.quantities)
            if found:
                return found
            misses[at] = np.inf
        return None
