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
from assay.scores.multiclass.quantities import Quantity, Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.values import (
    ClassSize,
    Gap,
    Mean,
    averages,
    mean_of,
    pooled,
    precision_and_recall,
    substitute,
)

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


class Steering:
    """The scores of one test set or fold, for many alternatives at once."""

    def __init__(self, setting: Setting, quantities: Sequence[Quantity]) -> None:
        self.setting, self.quantities = setting, quantities
        self.counts = np.array(setting.counts, dtype=np.int64)
        self._tables: dict[int, Floats] = {}
        self.means = [*averages(quantities, setting.reading).values()]
        self.means += [Mean(q.score, Scope.CLASS, q.complement) for q in quantities if q.scope is Scope.CLASS]
        self.labels = [-1] * len(self.means)
        singles = [q.label for q in quantities if q.scope is Scope.CLASS]
        self.labels[len(self.means) - len(singles) :] = singles
        if setting.reading.f1_of_means:
            pairs = [m for q in quantities if q.averaged_f1 for m in precision_and_recall(q.scope)]
            self.means, self.labels = self.means + pairs, self.labels + [-1] * len(pairs)

    def after(self, moves: Moves, state: Integers) -> tuple[Floats, Floats]:
        """What each quantity is after each of the moves, and by which share of the items no matrix has such counts."""
        n = self.setting.items
        still = np.setdiff1d(np.arange(len(self.counts)), moves.labels)
        moving, fixed = self.counts[moves.labels][:, None], self.counts[still]
        here = state[:, still]
        sums = self._features(still, *here).sum(axis=1)[:, None]
        for label, (correct, predicted) in zip(moves.labels, moves.counts.transpose(1, 0, 2), strict=True):
            sums = sums + self.of_class(label, correct, predicted)
        right = int(here[CORRECT].sum()) + moves.counts[CORRECT].sum(axis=0)
        touched = (moving + moves.counts[PREDICTED] - 2 * moves.counts[CORRECT]).max(axis=0)
        elsewhere = (fixed + here[PREDICTED] - 2 * here[CORRECT]).max(initial=0)
        off: Floats = np.maximum(0, np.maximum(touched, elsewhere) - (n - right)) / n
        return np.array([self.value(q, sums, right) for q in self.quantities]), off

    def of_class(self, label: int, correct: Integers, predicted: Integers) -> Floats:
        """The features of one class, looked up where a table of all its pairs is small."""
        items, n = int(self.counts[label]), self.setting.items
        if (items + 1) * (n + 1) > _LARGEST_TABLE:
            return self._features(np.array([label]), correct, predicted)
        if label not in self._tables:
            pairs = np.indices((items + 1, n + 1)).reshape(2, -1)
            # pairs that no matrix has may divide by 0; nothing asks for them
            with np.errstate(divide="ignore", invalid="ignore"):
                self._tables[label] = self._features(np.array([label]), *pairs)
        return self._tables[label][:, correct * (n + 1) + predicted]

    def _features(self, labels: Integers, correct: Integers, predicted: Integers) -> Floats:
        """What the scores need of each class: terms of kappa and MCC, a weighted value and its weight for each mean."""
        gap, items = self.setting.reading.gap, self.counts[labels]
        size = ClassSize(cast("Any", items), self.setting.items)
        rows: list[Any] = [items * predicted, predicted**2]
        for mean, only in zip(self.means, self.labels, strict=True):
            hollow = undefined(mean.score, size, correct, predicted, gap)
            stand_in = substitute(mean, gap)
            values = np.where(hollow, float(stand_in or 0), _values(mean.score, size, correct, predicted))
            share = items if mean.scope is Scope.WEIGHTED else (labels == only) | (only < 0)
            dropped = stand_in is None or (gap is Gap.ABSENT and mean.without(items, predicted))
            weights = np.where(hollow & dropped, 0, share)
            rows += [values * weights, weights]
        return np.array(np.broadcast_arrays(*rows), dtype=float)

    def value(self, quantity: Quantity, sums: Floats, right: Integers) -> Floats:
        """The quantity for sums of features over the classes, and numbers of correct items."""
        n = float(self.setting.items)
        covariance = n * right - sums[0]
        with np.errstate(divide="ignore", invalid="ignore"):
            if quantity.scope is Scope.CORRECT:
                return self._by_accuracy(quantity, right)
            if quantity.scope is Scope.KAPPA:
                return np.asarray(covariance / (n * n - sums[0]))
            if quantity.scope is Scope.MCC:
                spread = n * n - float((self.counts**2).sum())
                return np.asarray(covariance / np.sqrt(spread * (n * n - sums[1])))
            if quantity.averaged_f1 and self.setting.reading.f1_of_means:
                precision, recall = (self._mean(m, sums) for m in precision_and_recall(quantity.scope))
                return np.asarray(2 * precision * recall / (precision + recall))
            return self._mean(mean_of(quantity), sums, quantity.label)

    def _by_accuracy(self, quantity: Quantity, right: Integers) -> Floats:
        """A pooled score at each number of correct items."""
        found = {d: float(pooled(quantity.score, int(d), self.setting.items, len(self.counts))) for d in set(right)}
        return np.array([found[d] for d in right])

    def place(self, quantity: Quantity) -> int | None:
        """Where among the features the weighted values of this mean stand, if its values are those of the classes."""
        wanted = mean_of(quantity), -1
        kept = [*zip(self.means, self.labels, strict=True)]
        return 2 + 2 * kept.index(wanted) if wanted in kept else None

    def _mean(self, mean: Mean, sums: Floats, label: int = -1) -> Floats:
        at = 2 + 2 * [*zip(self.means, self.labels, strict=True)].index((mean, label))
        return np.asarray(sums[at] / sums[at + 1])
