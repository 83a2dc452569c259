"""Looking for confusion matrices that fit, one for each fold, by improving some that nearly do.

From a plausible start, three classes of one fold at a time change their counts (the third such that all totals
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
from assay.scores.multiclass.naming import Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.steering import CORRECT, PREDICTED, Moves, Steering
from assay.scores.multiclass.values import value

_REACH, _FINE_REACH = 3, 6
"""Steps in each direction that a class may take at once."""
_PATIENCE = 12
"""Moves without progress before the steps get smaller."""
_STARTS = 50
_CLOSER_LOOKS = 20
_HIT = 1e-12
_TILTS = (0.0, 0.1, 0.3)


class Descent:
    """A seeded local search; without folds the test set is the only one."""

    def __init__(self, settings: Sequence[Setting], figures: Sequence[Figure], purse: Purse) -> None:
        self.settings, self.figures, self.purse = settings, figures, purse
        self.k = len(settings[0].counts)
        self.random = np.random.default_rng(0)
        # On one test set the domains see to the figures of classes and of the number correct.
        settled = (Scope.CLASS, Scope.CORRECT) if len(settings) == 1 else ()
        self.steered = [f for f in figures if f.quantity.scope not in settled]
        steering = {one.counts: Steering(one, [f.quantity for f in self.steered]) for one in settings}
        self.steering = [steering[setting.counts] for setting in settings]

    def run(self) -> tuple[Confusion, ...] | None:
        """Verified matrices, or None when the budget is spent."""
        try:
            while True:
                self.purse.pay(self.k * CLOSER_LOOK * len(self.settings))
                found = self._attempt()
                if found:
                    return found
        except BudgetSpentError:
            return None

    def _attempt(self) -> tuple[Confusion, ...] | None:
        """One start in every fold and what it can be improved to; None where a fold has no start."""
        rate = self._rate()
        attempts = 1 if len(self.settings) == 1 else _STARTS
        states = [self._started(setting, rate, attempts) for setting in self.settings]
        started = [state for state in states if state is not None]
        return self._improve(started) if len(started) == len(states) else None

    def _rate(self) -> float | None:
        """A share of correct items that one of the figures suggests; None for any."""
        of_shares = [f.quantity.interval for f in self.figures if f.quantity.scope not in (Scope.KAPPA, Scope.MCC)]
        if len(self.settings) == 1 or not of_shares:
            return None
        ends = of_shares[int(self.random.integers(len(of_shares)))]
        return float((ends.lo or 0) + (1 if ends.hi is None else ends.hi)) / 2

    def _started(self, setting: Setting, rate: float | None, attempts: int) -> Integers | None:
        """The first start that works out: of many folds all have to."""
        tries = (self._start(setting, rate) for _ in range(attempts))
        return next((state for state in tries if state is not None), None)

    def _start(self, setting: Setting, rate: float | None) -> Integers | None:
        """Counts in every class's domain whose totals are right: a classifier without favourites, or a bit tilted."""
        window, n = setting.correct, setting.items
        aim = int(self.random.integers(window.start, window.stop))
        if rate is not None:
            aim = min(max(round(n * (rate + float(self.random.normal(0, 0.02)))), window.start), window.stop - 1)
        tilt = self.random.normal(0, self.random.choice(_TILTS), self.k)
        state = np.zeros((2, self.k), dtype=np.int64)
        for i, items in enumerate(setting.counts):
            self._put(setting, state, i, round(items * aim / n), round(items * float(np.exp(tilt[i]))))
        for _ in range(20 * self.k):
            missing = aim - int(state[CORRECT].sum()), n - int(state[PREDICTED].sum())
            if not any(missing):
                return state
            i = int(self.random.integers(self.k))
            self._put(setting, state, i, int(state[CORRECT, i]) + missing[0], int(state[PREDICTED, i]) + missing[1])
        return None

    def _put(self, setting: Setting, state: Integers, label: int, correct: int, predicted: int) -> None:
        """Give a class these counts, or the nearest that its domain allows."""
        domain = setting.domains[label]
        at = int(abs(domain.predicted - predicted).argmin())
        state[:, label] = min(max(correct, int(domain.low[at])), int(domain.high[at])), domain.predicted[at]

    def _improve(self, states: list[Integers]) -> tuple[Confusion, ...] | None:
        n, many = self.settings[0].items, len(states)
        stride, waited, best = max(1, n // (8 * self.k)), 0, np.inf
        values = np.array([self._values(fold, state) for fold, state in enumerate(states)])
        # Starting anew costs little with folds; a single set has fewer ways to fit and deserves a closer look.
        patience, reach = (6 * _PATIENCE, _FINE_REACH) if many == 1 else (_PATIENCE + 4 * many, _REACH)
        while waited < patience:
            fold = int(self.random.integers(many)) if many > 1 else 0
            fine = stride == 1 and waited > _PATIENCE
            moves = self._moves(fold, states[fold], stride, reach if fine else _REACH)
            reached, off = self.steering[fold].after(moves, states[fold])
            misses = self._misses(np.delete(values, fold, axis=0), reached, off)
            found = self._look_closer(misses, moves, states, fold)
            if found:
                return found
            at = int(misses.argmin()) if len(misses) else -1
            nearest = float(misses[at]) if len(misses) else np.inf
            better = nearest < best * (1 - 1e-9)
            waited = 0 if better else waited + 1
            if better or (fine and nearest < 2 * best + 1e-4):  # the latter: a sideways step out of a corner
                best, states[fold], values[fold] = nearest, moves.applied(states[fold], at), reached[:, at]
            elif stride > 1 and waited > _PATIENCE:
                stride, waited = max(1, stride // 3), 0
        return None

    def _values(self, fold: int, state: Integers) -> Floats:
        """What each quantity is on a fold as it stands."""
        stay = Moves([0], state[:, :1, None])
        found, _ = self.steering[fold].after(stay, state)
        return found[:, 0] if self.steered else np.zeros(0)

    def _misses(self, others: Floats, reached: Floats, off: Floats) -> Floats:
        """How far all figures together are off after each of the moves."""
        for i, figure in enumerate(self.steered):
            off = off + figure.miss(others[:, i], reached[i])
        return np.nan_to_num(off, nan=np.inf)

    def _look_closer(
        self, misses: Floats, moves: Moves, states: Sequence[Integers], fold: int
    ) -> tuple[Confusion, ...] | None:
        """Verify what looks like a hit."""
        for at in np.flatnonzero(misses <= _HIT)[:_CLOSER_LOOKS]:
            self.purse.pay(CLOSER_LOOK * len(states))
            changed = [moves.applied(state, int(at)) if i == fold else state for i, state in enumerate(states)]
            found = self._verified(changed)
            if found:
                return found
            misses[at] = np.inf
        return None

    def _verified(self, states: Sequence[Integers]) -> tuple[Confusion, ...] | None:
        """The matrices with these counts, if there are such and they give every figure."""
        margins = [
            Margins(setting.counts, tuple(state[CORRECT].tolist()), tuple(state[PREDICTED].tolist()))
            for setting, state in zip(self.settings, states, strict=True)
        ]
        if not all(one.possible for one in margins):
            return None
        reading = self.settings[0].reading
        for figure in self.figures:
            values = [value(figure.quantity, one, reading) for one in margins]
            known = [v for v in values if v is not None]
            if len(known) < len(values) or not figure.holds(known):
                return None
        return tuple(map(filled, margins))

    def _moves(self, fold: int, state: Integers, stride: int, reach: int) -> Moves:
        """All combinations of steps of two classes, with a third one (or, of two, the second) making up for them."""
        setting = self.settings[fold]
        *free, bound = (int(i) for i in self.random.permutation(self.k)[:3])
        near = [self._near(setting, i, state[:, i], stride, reach) for i in free]
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

    def _near(self, setting: Setting, label: int, counts: Integers, stride: int, reach: int) -> Integers:
        """Pairs of a class around its present one, or all of them when there are few."""
        domain = setting.domains[label]
        if domain.size <= (2 * reach + 1) ** 2:
            return np.array(domain.pairs())
        steps = np.arange(-reach, reach + 1) * stride
        pairs = np.array([x.ravel() for x in np.meshgrid(counts[CORRECT] + steps, counts[PREDICTED] + steps)])
        return pairs[:, domain.contains(*pairs)]
