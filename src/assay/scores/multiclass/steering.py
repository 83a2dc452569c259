"""How far the scores of many confusion matrices are from the reported ones, in floating point.

Good enough to steer a search by, never to decide anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from assay.scores.definitions import Score, Shape
from assay.scores.multiclass.domains import Integers, ratio, undefined
from assay.scores.multiclass.naming import Quantity, Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.values import ClassSize, Mean, averages, precision_and_recall, substitute

Floats = NDArray[np.float64]

CORRECT, PREDICTED = 0, 1
"""A state is an array of two rows, the correct and the predicted count of every class."""
_LARGEST_TABLE = 200_000
"""Pairs of correct and predicted counts of one class that are worth a table."""


def _values(score: Score, size: ClassSize, correct: Integers, predicted: Integers) -> Floats:
    """A one-versus-rest score of a class, which is a share, for many pairs; anything where it is 0/0."""
    top, bottom = (x.astype(float) for x in ratio(score, size, correct, predicted))
    found = top / np.where(bottom == 0, 1, bottom)
    return np.asarray(np.sign(found) * np.sqrt(abs(found)) if score.shape is Shape.ROOT else found)


class Moves(NamedTuple):
    """Alternatives for some classes: `counts[:, j, a]` are the counts of class `labels[j]` in alternative a."""

    labels: list[int]
    counts: Integers

    def applied(self, state: Integers, alternative: int) -> Integers:
        """The state after one of the moves."""
        new = state.copy()
        new[:, self.labels] = self.counts[:, :, alternative]
        return new


class Distance:
    """The distance of matrices from what is reported."""

    def __init__(self, setting: Setting, quantities: Sequence[Quantity]) -> None:
        self.setting = setting
        self.counts = np.array(setting.counts, dtype=np.int64)
        self._tables: dict[int, Floats] = {}
        self.steered = [q for q in quantities if q.scope not in (Scope.CLASS, Scope.CORRECT)]
        self.means = list(averages(quantities, setting.reading).values())
        if setting.reading.f1_of_means:
            self.means += [m for q in quantities if q.averaged_f1 for m in precision_and_recall(q.scope)]

    def after(self, moves: Moves, state: Integers) -> Floats:
        """The distance after each of the moves; all of them leave the same number of correct items."""
        n = self.setting.items
        still = np.setdiff1d(np.arange(len(self.counts)), moves.labels)
        moving, fixed = self.counts[moves.labels][:, None], self.counts[still]
        here = state[:, still]
        sums = self._features(fixed, *here).sum(axis=1)[:, None]
        for label, (correct, predicted) in zip(moves.labels, moves.counts.transpose(1, 0, 2), strict=True):
            sums = sums + self._of_class(label, correct, predicted)
        right = int(here[CORRECT].sum()) + moves.counts[CORRECT].sum(axis=0)
        touched = (moving + moves.counts[PREDICTED] - 2 * moves.counts[CORRECT]).max(axis=0)
        elsewhere = (fixed + here[PREDICTED] - 2 * here[CORRECT]).max(initial=0)
        off: Floats = np.maximum(0, np.maximum(touched, elsewhere) - (n - right)) / n
        for quantity in self.steered:
            value = self._value(quantity, sums, right)
            lo, hi = quantity.interval.lo, quantity.interval.hi
            off = off + (np.maximum(0, float(lo) - value) if lo is not None else 0)
            off = off + (np.maximum(0, value - float(hi)) if hi is not None else 0)
        return np.nan_to_num(off, nan=np.inf)

    def _of_class(self, label: int, correct: Integers, predicted: Integers) -> Floats:
        """The features of one class, looked up where a table of all its pairs is small."""
        items, n = int(self.counts[label]), self.setting.items
        if (items + 1) * (n + 1) > _LARGEST_TABLE:
            return self._features(self.counts[label], correct, predicted)
        if label not in self._tables:
            pairs = np.indices((items + 1, n + 1)).reshape(2, -1)
            # pairs that no matrix has may divide by 0; nobody asks for them
            with np.errstate(divide="ignore", invalid="ignore"):
                self._tables[label] = self._features(self.counts[label], *pairs)
        return self._tables[label][:, correct * (n + 1) + predicted]

    def _features(self, items: Integers, correct: Integers, predicted: Integers) -> Floats:
        """What the scores need of each class: terms of kappa and MCC, a weighted value and its weight for each mean."""
        gap = self.setting.reading.gap
        size = ClassSize(cast("Any", items), self.setting.items)
        rows: list[Any] = [items * predicted, predicted**2]
        for mean in self.means:
            hollow = undefined(mean.score, size, correct, predicted, gap)
            stand_in = substitute(gap, mean.complement)
            values = np.where(hollow, float(stand_in or 0), _values(mean.score, size, correct, predicted))
            weights = np.where(hollow & (stand_in is None), 0, items if mean.scope is Scope.WEIGHTED else 1)
            rows += [values * weights, weights]
        return np.array(rows, dtype=float)

    def _value(self, quantity: Quantity, sums: Floats, right: Integers) -> Floats:
        n = float(self.setting.items)
        covariance = n * right - sums[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            if quantity.scope is Scope.KAPPA:
                return np.asarray(covariance / (n * n - sums[0]))
            if quantity.scope is Scope.MCC:
                spread = n * n - float((self.counts**2).sum())
                return np.asarray(covariance / np.sqrt(spread * (n * n - sums[1])))
            if quantity.averaged_f1 and self.setting.reading.f1_of_means:
                precision, recall = (self._mean(m, sums) for m in precision_and_recall(quantity.scope))
                return np.asarray(2 * precision * recall / (precision + recall))
            return self._mean(Mean(quantity.score, quantity.scope, quantity.complement), sums)

    def _mean(self, mean: Mean, sums: Floats) -> Floats:
        at = 2 + 2 * self.means.index(mean)
        return np.asarray(sums[at] / sums[at + 1])
