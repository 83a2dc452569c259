"""A witness for many parts or for large ones: rates that meet everything reported, then whole numbers near them.

The parts are too many, or have too many matrices, to go through all of them. But then a report that is possible is
mostly met by some matrices near almost any real-valued solution. So Newton's method finds true positives and negatives
of every part, not yet whole, that give the reported means, spreads and extremes; the parts are rounded, one after the
other so that the sums stay near; and all whole numbers around a few of them are combined in two halves that meet. What
fits is verified exactly. Nothing is ever refuted here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass
from assay.scores import newton
from assay.scores.definitions import Matrix
from assay.scores.means.goals import Goal, ways
from assay.scores.means.neighbours import Check, Neighbours
from assay.scores.means.problem import Budget, Part, Reported, each
from assay.scores.means.verify import holds
from assay.scores.newton import Ends

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

QUICK = (200, 2_000, 2_000)
"""Sums in each half of the first few attempts."""
THOROUGH = (2_000,) * 6 + (20_000,) * 12 + (200_000,) * 40
_STARTS = 48
_MOST_FAILURES = 12
_SPREADS = (0.02, 0.005, 0.06, 0.15)
"""How far the rates of the parts lie apart at the start."""
_LONGEST = 0.25
_ACTIVE = (6, 10, 8, 12)
"""So many parts are combined in every way while the others stay as they have settled."""
_TURNS = 2
"""Choices of those parts in one attempt."""
_COST_OF_A_PART = 1_000
"""What it takes to settle a part, in the time of so many sums."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A verified matrix for each single part, in order; or at least whether there is a real-valued solution."""

    witness: tuple[Matrix, ...] = ()
    solvable: bool = False


def propose(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget, attempts: Sequence[int]) -> Proposed:
    """What so many attempts, each with its number of sums, find."""
    if any(one.mean.infinite or _endless(one) for one in reported):
        return Proposed()
    singles = list(each(parts))

    def check(matrices: list[Matrix]) -> bool:
        return holds(singles, reported, matrices) is True

    fits = [Fit(singles, goals, seed) for seed, goals in enumerate(ways(singles, reported))]
    with np.errstate(all="ignore"):  # 0/0 and infinite scores are expected, and nothing is built on them
        for size, fit in ((size, fit) for size in attempts for fit in fits if fit.hopeful):
            if not budget.spend("nearby", _COST_OF_A_PART * len(singles)):
                return Proposed(solvable=fit.successes > 0)
            found = fit.attempt(size, check, budget)
            if found:
                return Proposed(tuple(found), solvable=True)
    return Proposed(solvable=any(fit.successes for fit in fits))


def _endless(one: Reported) -> bool:
    """Whether a minimum or a maximum is reported as infinite."""
    return any(bound is not None and bound.infinite for bound in (one.minimum, one.maximum))


class Fit:
    """One way to read what is reported, and real-valued solutions of it."""

    def __init__(self, parts: Sequence[Part], goals: Sequence[Goal], seed: int) -> None:
        self.goals = goals
        self.p = np.array([part.p for part in parts], dtype=float)
        self.n = np.array([part.n for part in parts], dtype=float)
        self.sizes = np.stack([self.p, self.n])
        self.failures = self.successes = 0
        self._generator = np.random.default_rng(seed)

    @property
    def hopeful(self) -> bool:
        """Whether Newton's method finds real-valued solutions at all."""
        return self.successes > 0 or self.failures < _MOST_FAILURES

    def attempt(self, size: int, check: Check, budget: Budget) -> list[Matrix] | None:
        """Look around one real-valued solution, with so many sums in each half."""
        rates = self._solution(self._start())
        if rates is None:
            self.failures += 1
            return None
        self.successes += 1
        around = Neighbours(self.goals, self.sizes, rates * self.sizes, self._generator)
        few = len(self.p) <= min(_ACTIVE)
        if not few:
            around.settle()
        for turn in range(1 if few else _TURNS):
            count = _ACTIVE[(self.successes + turn) % len(_ACTIVE)]
            found = around.search(self._generator.permutation(len(self.p))[:count], size, check, budget)
            if found:
                return found
        return None

    def _start(self) -> Floats:
        """Rates of all parts near one pair of rates that gives about the reported means."""
        draws = self._generator.random((2, _STARTS)) ** np.array([[1.0], [0.5]])
        draws[:, ::3] = 1 - (1 - draws[:, ::3]) ** 3
        some = self._generator.permutation(len(self.p))[:20]
        p, n = self.p[some, None], self.n[some, None]
        away = np.zeros(_STARTS)
        for goal in self.goals:
            found = goal.values(draws[0] * p, draws[1] * n, p, n, goal.undefined[some, None])
            away += np.abs(np.nan_to_num(found, nan=0.0, posinf=1e6).mean(axis=0) - _middle(goal.mean))
        best = draws[:, int(np.argmin(away))]
        spread = _SPREADS[(self.failures + self.successes) % len(_SPREADS)]
        rates: Floats = best[:, None] + spread * self._generator.standard_normal(self.sizes.shape)
        return rates.clip(0.001, 0.999)

    def _solution(self, rates: Floats) -> Floats | None:
        """Rates near the given ones that meet everything reported, if Newton's method arrives there."""
        shape, fixed = rates.shape, (self.sizes == 0).ravel()

        def rows(flat: Floats) -> tuple[Floats, Floats]:
            missed, slopes = self._rows(flat.reshape(shape))
            return missed, np.where(fixed, 0.0, slopes.reshape(len(missed), -1))

        bounds = np.zeros(rates.size), np.ones(rates.size)
        found = newton.meet(rates.ravel(), rows, *bounds, longest=_LONGEST)
        return None if found is None else found.reshape(shape)

    def _rows(self, rates: Floats) -> tuple[Floats, Floats]:
        """By how much every figure is missed, in half widths of its window, and how it changes with the rates."""
        missed: list[float] = []
        slopes: list[Floats] = []
        for goal in self.goals:
            values, slope = self._slopes(goal, rates)
            for value, ends, change in _figures(goal, values):
                aim, half = newton.aim(value, ends)
                missed.append((aim - value) / half)
                slopes.append(change * slope / half)
        return np.array(missed), np.array(slopes)

    def _slopes(self, goal: Goal, rates: Floats) -> tuple[Floats, Floats]:
        """The score of every part and how it changes with the rates, by differences."""
        values = self._values(goal, rates)
        step = np.minimum(0.25, 0.5 / np.maximum(self.sizes, 1))
        slopes = np.zeros(rates.shape)
        for line in range(2):
            up, down = rates.copy(), rates.copy()
            up[line], down[line] = np.minimum(rates[line] + step[line], 1), np.maximum(rates[line] - step[line], 0)
            width = up[line] - down[line]
            slopes[line] = (self._values(goal, up) - self._values(goal, down)) / width
        return values, np.nan_to_num(slopes, nan=0.0, posinf=0.0, neginf=0.0)

    def _values(self, goal: Goal, rates: Floats) -> Floats:
        found = goal.values(rates[0] * self.p, rates[1] * self.n, self.p, self.n, goal.undefined)
        return np.where(goal.counted, found, 0.0)


def _figures(goal: Goal, values: Floats) -> Iterator[tuple[float, Ends, Floats]]:
    """Each reported figure of a score: its value now, its window, and its change with the score of each part."""
    yield float(goal.weights @ values), goal.mean, goal.weights
    if goal.sd is not None:
        away = np.where(goal.counted, values - values[goal.counted].mean(), 0.0)
        sd = max(float(np.sqrt(away @ away / goal.divisor)), 1e-9)
        yield sd, goal.sd, away / (goal.divisor * sd)
    yield from _extremes(goal, values)


def _extremes(goal: Goal, values: Floats) -> Iterator[tuple[float, Ends, Floats]]:
    """The least part is at the minimum, the greatest at the maximum, and none is beyond."""
    low, high = goal.limits
    places = np.flatnonzero(goal.counted)
    beyond = set(places[(values[places] < low) | (values[places] > high)].tolist())
    for bound, pick in ((goal.minimum, np.argmin), (goal.maximum, np.argmax)):
        if bound is not None:
            place = int(places[pick(values[places])])
            beyond.discard(place)
            yield float(values[place]), bound, np.eye(1, len(values), place)[0]
    for place in beyond:
        inside = low, (high if np.isfinite(high) else low + 1)
        yield float(values[place]), inside, np.eye(1, len(values), place)[0]


def _middle(ends: Ends) -> float:
    return sum(end if np.isfinite(end) else 1.0 for end in ends) / 2
