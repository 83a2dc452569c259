"""Looking for a confusion matrix that fits by improving one that nearly does.

From a plausible start, three classes at a time change their counts (the third such that all totals
stay right) to whatever brings the scores nearest to the reported ones, first in large steps, then in
small ones. Floating point steers; only a matrix that has been verified exactly is returned.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.scores.multiclass.budget import CLOSER_LOOK, BudgetSpentError, Purse
from assay.scores.multiclass.confusion import Confusion, Margins, filled
from assay.scores.multiclass.domains import Integers
from assay.scores.multiclass.figures import Figure, Floats
from assay.scores.multiclass.naming import Quantity, Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.steering import CORRECT, PREDICTED, Moves, Steering
from assay.scores.multiclass.values import fits

_REACH, _FINE_REACH = 3, 6
"""Steps in each direction that a class may take at once."""
_PATIENCE = 12
"""Moves without progress before the steps get smaller."""
_MOST_PATIENCE = 6 * _PATIENCE
_CLOSER_LOOKS = 20
_HIT = 1e-12
_TILTS = (0.0, 0.1, 0.3)


class Descent:
    """A seeded local search on one test set."""

    def __init__(self, setting: Setting, quantities: Sequence[Quantity], purse: Purse) -> None:
        self.setting, self.quantities, self.purse = setting, quantities, purse
        self.k = len(setting.counts)
        self.random = np.random.default_rng(0)
        # The domains see to the figures of classes and of the number correct.
        self.steered = [Figure(q) for q in quantities if q.scope not in (Scope.CLASS, Scope.CORRECT)]
        self.steering = Steering(setting, [f.quantity for f in self.steered])

    def run(self) -> Confusion | None:
        """A verified matrix, or None when the budget is spent."""
        try:
            while True:
                self.purse.pay(self.k * CLOSER_LOOK)
                state = self._start()
                found = None if state is None else self._improve(state)
                if found:
                    return found
        except BudgetSpentError:
            return None

    def _start(self) -> Integers | None:
        """Counts in every class's domain whose totals are right: a classifier without favourites, or a bit tilted."""
        window, n = self.setting.correct, self.setting.items
        aim = int(self.random.integers(window.start, window.stop))
        tilt = self.random.normal(0, self.random.choice(_TILTS), self.k)
        state = np.zeros((2, self.k), dtype=np.int64)
        for i, items in enumerate(self.setting.counts):
            self._put(state, i, round(items * aim / n), round(items * float(np.exp(tilt[i]))))
        for _ in range(20 * self.k):
            missing = aim - int(state[CORRECT].sum()), n - int(state[PREDICTED].sum())
            if not any(missing):
                return state
            i = int(self.random.integers(self.k))
            self._put(state, i, int(state[CORRECT, i]) + missing[0], int(state[PREDICTED, i]) + missing[1])
        return None

    def _put(self, state: Integers, label: int, correct: int, predicted: int) -> None:
        """Give a class these counts, or the nearest that its domain allows."""
        domain = self.setting.domains[label]
        at = int(abs(domain.predicted - predicted).argmin())
        state[:, label] = min(max(correct, int(domain.low[at])), int(domain.high[at])), domain.predicted[at]

    def _improve(self, state: Integers) -> Confusion | None:
        stride, waited, best = max(1, self.setting.items // (8 * self.k)), 0, np.inf
        while waited < _MOST_PATIENCE:
            fine = stride == 1 and waited > _PATIENCE
            moves = self._moves(state, stride, _FINE_REACH if fine else _REACH)
            misses = self._misses(moves, state)
            found = self._look_closer(misses, moves, state)
            if found:
                return found
            at = int(misses.argmin()) if len(misses) else -1
            nearest = float(misses[at]) if len(misses) else np.inf
            better = nearest < best * (1 - 1e-9)
            waited = 0 if better else waited + 1
            if better or (fine and nearest < 2 * best + 1e-4):  # the latter: a sideways step out of a corner
                best, state = nearest, moves.applied(state, at)
            elif stride > 1 and waited > _PATIENCE:
                stride, waited = max(1, stride // 3), 0
        return None

    def _misses(self, moves: Moves, state: Integers) -> Floats:
        """How far all figures together are off after each of the moves."""
        reached, off = self.steering.after(moves, state)
        for figure, new in zip(self.steered, reached, strict=True):
            off = off + figure.miss(np.zeros(0), new[None])
        return np.nan_to_num(off, nan=np.inf)

    def _look_closer(self, misses: Floats, moves: Moves, state: Integers) -> Confusion | None:
        """Verify what looks like a hit."""
        for at in np.flatnonzero(misses <= _HIT)[:_CLOSER_LOOKS]:
            self.purse.pay(CLOSER_LOOK)
            found = self._verified(moves.applied(state, int(at)))
            if found:
                return found
            misses[at] = np.inf
        return None

    def _verified(self, state: Integers) -> Confusion | None:
        """The matrix with these counts, if there is one and it gives every figure."""
        margins = Margins(self.setting.counts, tuple(state[CORRECT].tolist()), tuple(state[PREDICTED].tolist()))
        if not margins.possible:
            return None
        confusion = filled(margins)
        return confusion if fits(confusion, self.quantities, self.setting.reading) else None

    def _moves(self, state: Integers, stride: int, reach: int) -> Moves:
        """All combinations of steps of two classes, with a third one (or, of two, the second) making up for them."""
        setting = self.setting
        *free, bound = (int(i) for i in self.random.permutation(self.k)[:3])
        near = [self._near(i, state[:, i], stride, reach) for i in free]
        grid = np.indices([found.shape[1] for found in near]).reshape(len(free), -1)
        self.purse.pay(grid.shape[1])
        chosen = np.stack([found[:, places] for found, places in zip(near, grid, strict=True)], axis=1)
        window, right = setting.correct, int(state[CORRECT].sum())
        more = int(self.random.choice([0, -stride, stride])) if len(window) > 1 else 0
        change = min(max(right + more, window.start), window.stop - 1) - right
        rest = state[:, [*free, bound]].sum(axis=1)[:, None] - chosen.sum(axis=1)
        rest[CORRECT] += change
        possible = setting.domains[bound].contains(*rest)
        return Moves([*free, bound], np.concatenate([chosen, rest[:, None]], axis=1)[:, :, possible])

    def _near(self, label: int, counts: Integers, stride: int, reach: int) -> Integers:
        """Pairs of a class around its present one, or all of them when there are few."""
        domain = self.setting.domains[label]
        if domain.size <= (2 * reach + 1) ** 2:
            return np.array(domain.pairs())
        steps = np.arange(-reach, reach + 1) * stride
        pairs = np.array([x.ravel() for x in np.meshgrid(counts[CORRECT] + steps, counts[PREDICTED] + steps)])
        return pairs[:, domain.contains(*pairs)]
