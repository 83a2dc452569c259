"""Looking for confusion matrices of many folds whose means, spreads, medians and extremes are the reported ones.

Each kind of fold gets a pool of matrices of plausible classifiers. Each half of the folds is drawn many thousand times
from the pools, and two draws are joined where the means and the spreads of all figures fit. Then the pools come nearer
to the best join. Floating point steers; only matrices that have been verified exactly are returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import IntEnum
from math import prod

import numpy as np

from assay.records import dataclass
from assay.scores.exact import Interval
from assay.scores.multiclass.budget import CLOSER_LOOK, Purse
from assay.scores.multiclass.confusion import Confusion, Margins, filled
from assay.scores.multiclass.domains import Integers
from assay.scores.multiclass.draws import every_count, item_moves, plausible_counts, plausible_rate
from assay.scores.multiclass.estimates import CORRECT, PREDICTED, Moves, Steering
from assay.scores.multiclass.figures import DIVISORS, Figure, Floats, ends
from assay.scores.multiclass.joins import Window, joined
from assay.scores.multiclass.quantities import Scope
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.values import Reading, value

_MOST_POOL, _MOST_POOLED = 8_000, 40_000
"""Matrices drawn for a fold, and for all folds."""
_MOST_DRAWS, _MOST_DRAWN = 30_000, 300_000
"""Draws of each half of the folds, and folds in all of them."""
_MOST_WAYS = 100_000
"""If a half has so few choices, all of them are taken."""
_MOST_VALUES = 400_000
"""Folds of all joins that are looked at together."""
_CLOSER_LOOKS = 10
_UNCHANGED = 0.4
"""The share of folds that a draw near a choice leaves as they are."""
_PATIENCE = 4
"""New pools around the best choice, one after the other, that bring no better one."""
_PAIRS, _NEIGHBOURS, _MOST_PAIRS = 200, 300, 5_000
"""Pairs of folds that are changed after the draws, the matrices tried for each, and joins looked at."""
_FIRST_LIMIT, _LAST_LIMIT = 1e-2, 1e-6
"""By how much the figures may be off after the first and the last of these changes."""
_REACHES = (1, 1, 2, 4)
"""Items by which the matrices of a near pool differ in each class."""
_HIT = 1e-12
_OPEN = Interval(None, None)


class Effort(IntEnum):
    """By how much the pools and the draws of an attempt are smaller than they may be."""

    FULL = 1
    BRIEF = 8


@dataclass(frozen=True, slots=True)
class Search:
    """What an attempt may spend, where its random numbers start, and how hard it tries."""

    purse: Purse
    seed: int
    effort: Effort = Effort.FULL


@dataclass(frozen=True, slots=True)
class Pool:
    """Matrices of one kind of fold: their counts, and what each figure is on them."""

    counts: Integers
    values: Floats

    @property
    def size(self) -> int:
        """How many matrices there are."""
        return int(self.values.shape[1])


class Combination:
    """A seeded search for one matrix a fold, in attempts that start anew."""

    def __init__(self, settings: Sequence[Setting], figures: Sequence[Figure], search: Search) -> None:
        self.settings, self.figures, self.purse = settings, figures, search.purse
        self.random = np.random.default_rng(search.seed)
        self.thorough = search.effort is Effort.FULL
        self.pool = min(_MOST_POOL, max(1, _MOST_POOLED // len(settings))) // search.effort
        self.draws = min(_MOST_DRAWS, _MOST_DRAWN // len(settings)) // search.effort
        quantities = [figure.quantity for figure in figures]
        self.complete = True
        """Whether every choice was looked at, so that nothing is left to come nearer to."""
        self.steering = {setting.counts: Steering(setting, quantities) for setting in settings}

    def attempt(self) -> tuple[Confusion, ...] | None:
        """Verified matrices, if drawing ever nearer to one choice leads to them."""
        pools, best, waited = self._wide(), np.inf, 0
        states: list[Integers] = []
        while waited < _PATIENCE and all(pool.size for pool in pools):
            rows, misses = self._joined(pools, near=best < np.inf)
            found = self._look_closer(misses, rows, pools)
            if found or not len(misses) or (self.complete and best == np.inf):
                return found
            nearest = float(misses.min())
            waited = 0 if nearest < best else waited + 1
            best = min(best, nearest)
            states = states if waited else _states(pools, rows[:, int(misses.argmin())])
            pools = list(map(self._around, self.settings, states))
        return self._in_pairs(states) if states and self.thorough else None

    def _in_pairs(self, states: list[Integers]) -> tuple[Confusion, ...] | None:
        """Verified matrices, if changing two folds at a time leads from one choice to them.

        At first the figures may be off a little, then less and less (threshold accepting).
        """
        pools = map(self._next_to, self.settings, states)
        now, current = list(states), np.array([pool.values[:, 0] for pool in pools])
        limits = np.geomspace(_FIRST_LIMIT, _LAST_LIMIT, _PAIRS if len(states) > 1 else 0)
        return next(filter(None, (self._pair_changed(now, current, limit) for limit in limits)), None)

    def _pair_changed(self, now: list[Integers], current: Floats, limit: float) -> tuple[Confusion, ...] | None:
        """Change two folds, of those that are given with their figures; verified matrices if that is a hit."""
        pair = self.random.choice(len(now), size=2, replace=False).tolist()
        near = [self._next_to(self.settings[i], now[i]) for i in pair]
        places, misses = self._pairs(near, np.delete(current, pair, axis=0))
        hits = np.flatnonzero(misses <= _HIT)[:1].tolist()
        for at in [*hits, self._some(misses, limit)] if len(misses) else []:
            for i, pool, place in zip(pair, near, places[:, at], strict=True):
                now[i], current[i] = pool.counts[:, :, place], pool.values[:, place]
            found = self._verified(now) if misses[at] <= _HIT else None
            if found:
                return found
        return None

    def _pairs(self, near: Sequence[Pool], fixed: Floats) -> tuple[Integers, Floats]:
        """Choices for two folds beside the others, and how far the figures are off with them."""
        one, two = (pool.values[None] for pool in near)
        places = joined(self._windows(one, two, fixed), self.random, _MOST_PAIRS)
        self.purse.pay(len(places[0]))
        new = np.array([pool.values[:, row] for pool, row in zip(near, places, strict=True)])
        misses = sum((f.miss(fixed[:, i], new[:, i]) for i, f in enumerate(self.figures)), np.zeros(len(places[0])))
        return np.array(places), misses

    def _some(self, misses: Floats, limit: float) -> int:
        """Any choice that is off by no more than the limit, or the nearest."""
        allowed = np.flatnonzero(misses <= limit)
        return int(self.random.choice(allowed) if len(allowed) else misses.argmin())

    def _wide(self) -> list[Pool]:
        """A pool for each fold, the same for folds alike."""
        base = plausible_rate([f.quantity for f in self.figures], len(self.settings[0].counts), self.random)
        kinds = {setting.counts: setting for setting in self.settings}
        drawn = {counts: self._drawn(setting, base) for counts, setting in kinds.items()}
        return [drawn[setting.counts] for setting in self.settings]

    def _joined(self, pools: Sequence[Pool], *, near: bool) -> tuple[Integers, Floats]:
        """Choices of a matrix for each fold, joined from two halves, and how far their figures are off."""
        order = self.random.permutation(len(pools))
        halves = [order[: len(order) // 2], order[len(order) // 2 :]]
        drawn = [self._choices([pools[i] for i in half], near=near) for half in halves]
        sides = [
            np.array([pools[i].values[:, row] for i, row in zip(half, rows, strict=True)])
            for half, rows in zip(halves, drawn, strict=True)
        ]
        a, b = joined(self._windows(*sides), self.random, _MOST_VALUES // len(pools))
        self.purse.pay(len(a))
        rows = np.empty((len(pools), len(a)), dtype=np.int64)
        rows[halves[0]], rows[halves[1]] = drawn[0][:, a], drawn[1][:, b]
        misses = np.zeros(len(a))
        for i, figure in enumerate(self.figures):
            values = np.array([pool.values[i, row] for pool, row in zip(pools, rows, strict=True)])
            misses += figure.miss(np.zeros(0), values)
        return rows, misses

    def _choices(self, pools: Sequence[Pool], *, near: bool) -> Integers:
        """A place in each pool, in every draw, or in all ways if these are few.

        The first place of a near pool is what it was drawn around.
        """
        sizes = [pool.size for pool in pools]
        if not near and prod(sizes) <= _MOST_WAYS:
            self.purse.pay(2 * prod(sizes))
            return np.indices(sizes).reshape(len(sizes), -1)
        self.complete = False
        self.purse.pay(2 * self.draws)
        rows = np.array([self.random.integers(size, size=self.draws) for size in sizes])
        if near:
            rows[self.random.random(rows.shape) < _UNCHANGED] = 0
        return rows

    def _windows(self, left: Floats, right: Floats, fixed: Floats | None = None) -> list[Window]:
        """What means and standard deviations ask of sums over two sides of the folds, beside those that are fixed."""
        found, folds = [], len(self.settings)
        for i, figure in enumerate(self.figures):
            low, high = ends(figure.quantity.interval)
            mine, theirs = left[:, i], right[:, i]
            others = np.zeros(0) if fixed is None else fixed[:, i]
            given = float(others.sum())
            found.append(Window(mine.sum(axis=0), theirs.sum(axis=0), low * folds - given, high * folds - given))
            if figure.sd is not None and folds > 1:
                middle, divisor = (low + high) / 2, folds - int(self.random.choice(DIVISORS))
                here, there = (((values - middle) ** 2).sum(axis=0) for values in (mine, theirs))
                given = float(((others - middle) ** 2).sum())
                least, most = (max(0.0, end) ** 2 * divisor - given for end in ends(figure.sd))
                found.append(Window(here, there, least, most))
        return found

    def _drawn(self, setting: Setting, base: float) -> Pool:
        """Different matrices that classifiers around this rate may have, and their scores."""
        k = len(setting.counts)
        self.purse.pay(self.pool * k)
        if k == 2 and (setting.counts[0] + 1) * (setting.counts[1] + 1) <= self.pool:
            return self._scored(setting, every_count(setting.counts))
        self.complete = False
        drawn = plausible_counts(setting.counts, base, self.pool, self.random)
        return self._scored(setting, np.unique(drawn.reshape(2 * k, -1), axis=1).reshape(2, k, -1))

    def _next_to(self, setting: Setting, state: Integers) -> Pool:
        """A matrix, first, and others in which one to four items have another prediction."""
        moves = item_moves(len(setting.counts))
        self.purse.pay(_NEIGHBOURS * len(setting.counts))
        chosen = self.random.integers(moves.shape[2], size=(4, _NEIGHBOURS))
        many = self.random.integers(2, 5, size=_NEIGHBOURS)
        mixed = sum(moves[:, :, row] * (at < many) for at, row in enumerate(chosen))
        steps = np.concatenate([np.zeros_like(moves[:, :, :1]), moves, mixed], axis=2)
        return self._scored(setting, state[:, :, None] + steps)

    def _around(self, setting: Setting, state: Integers) -> Pool:
        """A matrix, first, and others that differ from it by a few items."""
        k, draw = len(setting.counts), self.random
        self.purse.pay(self.pool * k)
        reach = draw.choice(_REACHES, size=(self.pool, 1))
        steps = np.stack([draw.integers(-reach, reach + 1, size=(self.pool, k)).T for _ in (CORRECT, PREDICTED)])
        bound, every = draw.integers(k, size=self.pool), np.arange(self.pool)
        steps[PREDICTED, bound, every] -= steps[PREDICTED].sum(axis=0)
        # The number of correct items moves in large steps: most draws keep it, some keep all correct counts.
        steps[CORRECT, bound, every] -= np.where(every % 4 < 3, steps[CORRECT].sum(axis=0), 0)
        steps[CORRECT, :, every % 4 == 2] = 0
        steps[:, :, 0] = 0
        return self._scored(setting, state[:, :, None] + steps)

    def _scored(self, setting: Setting, counts: Integers) -> Pool:
        """The possible ones for which every figure is a number; an MCC of 0/0 counts as what the reading allows."""
        for label, domain in enumerate(setting.domains):
            counts = counts[:, :, domain.contains(counts[CORRECT, label], counts[PREDICTED, label])]
        every = Moves(list(range(counts.shape[1])), counts)
        found, off = self.steering[setting.counts].after(every, np.zeros(counts.shape[:2], dtype=np.int64))
        for row, figure in zip(found, self.figures, strict=True):
            if figure.quantity.scope in (Scope.KAPPA, Scope.MCC) and setting.reading.whole:
                row[np.isnan(row)] = float(setting.reading.whole[0])
        known = np.isfinite(found).all(axis=0) & (off == 0)
        return Pool(counts[:, :, known], found[:, known])

    def _look_closer(self, misses: Floats, rows: Integers, pools: Sequence[Pool]) -> tuple[Confusion, ...] | None:
        """Verify what looks like a hit."""
        for at in np.flatnonzero(misses <= _HIT)[:_CLOSER_LOOKS]:
            self.purse.pay(CLOSER_LOOK * len(pools))
            found = self._verified(_states(pools, rows[:, at]))
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
        return tuple(map(filled, margins)) if holds(margins, self.figures, self.settings[0].reading) else None


def holds(margins: Sequence[Margins], figures: Sequence[Figure], reading: Reading) -> bool:
    """Whether these very folds give every figure: the final word."""
    for figure in figures:
        values = [value(replace(figure.quantity, interval=_OPEN), one, reading) for one in margins]
        known = [v for v in values if v is not None]
        if len(known) < len(values) or not figure.holds(known):
            return False
    return True


def _states(pools: Sequence[Pool], rows: Integers) -> list[Integers]:
    """The counts of one choice of a matrix for each fold."""
    return [pool.counts[:, :, row] for pool, row in zip(pools, rows, strict=True)]
