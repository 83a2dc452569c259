"""Looking for confusion matrices of many folds whose means, spreads, medians and extremes are the reported ones.

Each kind of fold gets a pool of matrices of plausible classifiers. Two folds at a time are given the pair from their
pools that brings all figures nearest: sorted sums find it among millions of pairs. Floating point steers; only
matrices that have been verified exactly are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

import numpy as np

from assay.records import dataclass
from assay.scores.exact import Interval
from assay.scores.multiclass.budget import CLOSER_LOOK, Purse
from assay.scores.multiclass.confusion import Confusion, Margins, filled
from assay.scores.multiclass.domains import Integers
from assay.scores.multiclass.figures import Figure, Floats
from assay.scores.multiclass.naming import Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.steering import CORRECT, PREDICTED, Moves, Steering
from assay.scores.multiclass.values import value

_POOL = 1_500
"""Matrices drawn for each kind of fold."""
_MOST_PAIRS = 150_000
_CLOSER_LOOKS = 10
_CLOSER_ROUNDS = 3
"""New pools around the best choice, one after the other."""
_REACHES = (1, 1, 2, 4)
"""Items by which the matrices of a near pool differ in each class."""
_PATIENCE = 4
_HIT = 1e-12
_SPREADS = (0.02, 0.3)
"""How far the classifiers of a pool differ in their rates, from the least to the most."""
_TILT = 1.0
"""How unevenly wrong predictions fall on the other classes."""
_OPEN = Interval(None, None)


@dataclass(frozen=True, slots=True)
class Pool:
    """Matrices of one kind of fold: their counts, and what each figure is on them."""

    counts: Integers
    values: Floats
    order: Integers
    """The matrices from the smallest to the largest value of the leading figure."""

    @property
    def size(self) -> int:
        """How many matrices there are."""
        return len(self.order)


class Combination:
    """A seeded search for one matrix a fold, in attempts that start anew."""

    def __init__(self, settings: Sequence[Setting], figures: Sequence[Figure], purse: Purse, seed: int) -> None:
        self.settings, self.figures, self.purse = settings, figures, purse
        self.random = np.random.default_rng(seed)
        quantities = [figure.quantity for figure in figures]
        self.steering = {setting.counts: Steering(setting, quantities) for setting in settings}
        self.lead = 0

    def attempt(self) -> tuple[Confusion, ...] | None:
        """Verified matrices, if improving one choice leads to them: from wide pools first, then from near ones."""
        base, kinds = self._rate(), {setting.counts: setting for setting in self.settings}
        wide = {counts: self._drawn(setting, base) for counts, setting in kinds.items()}
        pools = self._sorted([wide[setting.counts] for setting in self.settings])
        if not all(pool.size for pool in pools):
            return None
        chosen = [int(self.random.integers(pool.size)) for pool in pools]
        found = self._improved(pools, chosen)
        for _ in range(_CLOSER_ROUNDS):
            if found:
                break
            states = [pool.counts[:, :, at] for pool, at in zip(pools, chosen, strict=True)]
            pools = self._sorted([self._around(*one) for one in zip(self.settings, states, strict=True)])
            chosen = [0] * len(pools)
            found = self._improved(pools, chosen)
        return found

    def _improved(self, pools: Sequence[Pool], chosen: list[int]) -> tuple[Confusion, ...] | None:
        """Improve the choice, two folds at a time, until nothing more is gained; verified matrices if all fits."""
        best, waited = np.inf, 0
        while waited < _PATIENCE + len(pools):
            pair = [int(i) for i in self.random.permutation(len(pools))[:2]]
            misses, rows = self._pairs(pair, chosen, pools)
            found = self._look_closer(misses, rows, pair, chosen, pools)
            if found:
                return found
            at = int(misses.argmin())
            waited = 0 if misses[at] < best * (1 - 1e-9) else waited + 1
            best = min(best, float(misses[at]))
            for fold, row in zip(pair, rows[:, at], strict=True):
                chosen[fold] = int(row)
        return None

    def _sorted(self, drawn: Sequence[tuple[Integers, Floats]]) -> list[Pool]:
        """The pools; the figure with the narrowest window leads the search for pairs."""
        every = np.concatenate([values for _, values in drawn], axis=1)
        widths = np.array([_width(figure.quantity.interval) for figure in self.figures])
        if every.shape[1]:
            self.lead = int(np.argmin(widths / (every.std(axis=1) + _HIT)))
        return [Pool(counts, values, values[self.lead].argsort()) for counts, values in drawn]

    def _rate(self) -> float:
        """A share of correct items that one of the figures suggests."""
        figure = self.figures[int(self.random.integers(len(self.figures)))]
        ends, classes = figure.quantity.interval, len(self.settings[0].counts)
        middle = float((ends.lo or 0) + (1 if ends.hi is None else ends.hi)) / 2
        if figure.quantity.scope in (Scope.KAPPA, Scope.MCC):
            middle += (1 - middle) / classes
        return min(max(middle + float(self.random.normal(0, 0.03)), 0.0), 1.0)

    def _drawn(self, setting: Setting, base: float) -> tuple[Integers, Floats]:
        """Different matrices that classifiers around this rate may have, and their scores."""
        k, draw = len(setting.counts), self.random
        self.purse.pay(_POOL * k)
        spread = np.exp(draw.uniform(log(_SPREADS[0]), log(_SPREADS[1]), size=(_POOL, 1)))
        rates = np.clip(base + spread * (draw.normal(size=(_POOL, 1)) + draw.normal(size=(_POOL, k))), 0, 1)
        correct = draw.binomial(np.array(setting.counts), rates)
        predicted = correct.copy()
        liking = np.exp(draw.normal(0, _TILT, size=(_POOL, k)))
        for label, items in enumerate(setting.counts):
            others = liking.copy()
            others[:, label] = 0
            predicted += draw.multinomial(items - correct[:, label], others / others.sum(axis=1, keepdims=True))
        counts = np.unique(np.stack([correct.T, predicted.T]).reshape(2 * k, -1), axis=1).reshape(2, k, -1)
        return self._scored(setting, counts)

    def _around(self, setting: Setting, state: Integers) -> tuple[Integers, Floats]:
        """A matrix, first, and others that differ from it by a few items."""
        k, draw = len(setting.counts), self.random
        self.purse.pay(_POOL * k)
        reach = draw.choice(_REACHES, size=(_POOL, 1))
        steps = np.stack([draw.integers(-reach, reach + 1, size=(_POOL, k)).T for _ in (CORRECT, PREDICTED)])
        bound = draw.integers(k, size=_POOL)
        steps[PREDICTED, bound, np.arange(_POOL)] -= steps[PREDICTED].sum(axis=0)
        steps[:, :, 0] = 0
        return self._scored(setting, state[:, :, None] + steps)

    def _scored(self, setting: Setting, counts: Integers) -> tuple[Integers, Floats]:
        """The possible ones for which every figure is a number; an MCC of 0/0 counts as what the reading allows."""
        for label, domain in enumerate(setting.domains):
            counts = counts[:, :, domain.contains(counts[CORRECT, label], counts[PREDICTED, label])]
        every = Moves(list(range(counts.shape[1])), counts)
        found, off = self.steering[setting.counts].after(every, np.zeros(counts.shape[:2], dtype=np.int64))
        for row, figure in zip(found, self.figures, strict=True):
            if figure.quantity.scope in (Scope.KAPPA, Scope.MCC) and setting.reading.whole:
                row[np.isnan(row)] = float(setting.reading.whole[0])
        known = np.isfinite(found).all(axis=0) & (off == 0)
        return counts[:, :, known], found[:, known]

    def _pairs(self, pair: Sequence[int], chosen: Sequence[int], pools: Sequence[Pool]) -> tuple[Floats, Integers]:
        """How far the figures are off with each promising pair of matrices for two folds, and the pairs."""
        left, right = (pools[fold] for fold in pair)
        rest = [i for i in range(len(pools)) if i not in pair]
        others = np.array([pools[i].values[:, chosen[i]] for i in rest]).reshape(len(rest), len(self.figures))
        rows = self._near(left, right, float(others[:, self.lead].sum()))
        self.purse.pay(rows.shape[1])
        misses = np.zeros(rows.shape[1])
        for i, figure in enumerate(self.figures):
            misses += figure.miss(others[:, i], np.stack([left.values[i, rows[0]], right.values[i, rows[1]]]))
        return misses, rows

    def _near(self, left: Pool, right: Pool, rest: float) -> Integers:
        """Pairs with which the leading figure fits, and those next to them."""
        ends, folds = self.figures[self.lead].quantity.interval, len(self.settings)
        low, high = (float(end) * folds - rest if end is not None else None for end in (ends.lo, ends.hi))
        mine, theirs = left.values[self.lead], right.values[self.lead, right.order]
        first = np.zeros(len(mine), np.int64) if low is None else np.searchsorted(theirs, low - mine - _HIT) - 1
        last = np.full(len(mine), len(theirs)) if high is None else np.searchsorted(theirs, high - mine + _HIT) + 1
        first, last = np.clip(first, 0, len(theirs) - 1), np.clip(last, 1, len(theirs))
        many = np.maximum(last - first, 1)
        if many.sum() > _MOST_PAIRS:
            kept = self.random.permutation(len(mine))[: max(1, int(len(mine) * _MOST_PAIRS / many.sum()))]
        else:
            kept = np.arange(len(mine))
        many, first = many[kept], first[kept]
        places = np.arange(many.sum()) - np.repeat(many.cumsum() - many, many) + np.repeat(first, many)
        return np.stack([np.repeat(kept, many), right.order[places]])

    def _look_closer(
        self, misses: Floats, rows: Integers, pair: Sequence[int], chosen: Sequence[int], pools: Sequence[Pool]
    ) -> tuple[Confusion, ...] | None:
        """Verify what looks like a hit."""
        for at in np.flatnonzero(misses <= _HIT)[:_CLOSER_LOOKS]:
            self.purse.pay(CLOSER_LOOK * len(pools))
            changed = dict(enumerate(chosen)) | dict(zip(pair, map(int, rows[:, at]), strict=True))
            found = self._verified([pool.counts[:, :, changed[i]] for i, pool in enumerate(pools)])
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
            values = [value(replace(figure.quantity, interval=_OPEN), one, reading) for one in margins]
            known = [v for v in values if v is not None]
            if len(known) < len(values) or not figure.holds(known):
                return None
        return tuple(map(filled, margins))


def _width(interval: Interval) -> float:
    return float("inf") if interval.lo is None or interval.hi is None else float(interval.hi - interval.lo)
