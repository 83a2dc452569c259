"""Choose one matrix for each part so that every sum falls into its window: a search over any scores.

1. Directions. For whole numbers L, no choice can lift Σ L·v above the sum of the parts' maxima. When
   that stays below what the windows need, the report is refuted; otherwise matrices that cannot
   contribute to a solution are dropped. Directions are the axes, random ones, and the dual of a
   linear programme; each counts only through this exact test.
2. Meet in the middle. The sums of one half of the parts are sorted, those of the other half looked up.
   When both halves are complete, finding nothing is a proof. When they are too many, samples near
   the reported means may still find a witness.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.definitions import Matrix
from assay.scores.means import sentences
from assay.scores.means.patterns import Exclusion, Table
from assay.scores.means.problem import Budget
from assay.scores.means.sums import Outcome, needed, product
from assay.scores.means.windows import FAR, Window

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_RANDOM_DIRECTIONS = 200
_SIZE = 2**40
"""A direction weighs each quantity so that its largest value becomes about this."""


@dataclass
class Search:
    """Tables of matrices, with how many parts draw from each, and the windows of their sums."""

    tables: list[Table]
    counts: list[int]
    windows: Sequence[Window]
    complete: bool = True
    """Whether every matrix that could matter is in the tables; without that nothing is refuted."""
    refuting: list[int] = field(default_factory=list)
    """The direction that refuted the report."""

    def __post_init__(self) -> None:
        ends = [(max(w.low, -FAR), min(w.high, FAR)) for w in self.windows]
        self.ends = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        self.original = tuple(self.tables)

    @property
    def names(self) -> tuple[str, ...]:
        """The scores in question."""
        return tuple(dict.fromkeys(w.score for w in self.windows if w.score))

    @property
    def without(self) -> list[Exclusion]:
        """Why some matrices are not in the tables."""
        return sorted(frozenset().union(*(table.without for table in self.tables)))

    @property
    def rows(self) -> int:
        """Matrices still in play."""
        return sum(len(table.vectors) for table in self.tables)

    def spreads_fit(self, sums: Integers) -> NDArray[np.bool_]:
        """Which sums, a column each, leave the standard deviations that were reported."""
        fitting = np.ones(sums.shape[1], dtype=bool)
        for index, window in enumerate(self.windows):
            if window.spread:
                fitting &= window.spread.fits(sums[index - 1], sums[index])
        return fitting

    def aims(self) -> list[Integers]:
        """The windows of which draws may hit one: those of each divisor that standard deviations may have had."""
        ways = max((len(w.spread.aims) for w in self.windows if w.spread), default=1)
        found = []
        for way in range(ways):
            ends = self.ends.copy()
            for index, window in enumerate(self.windows):
                if window.spread:
                    ends[:, index] = window.spread.aims[way % len(window.spread.aims)]
            found.append(ends)
        return found

    def need(self, directions: Integers) -> list[int]:
        """The least value of L·v over the windows, for each column L of `directions`; -FAR where it has none."""
        return needed(directions, self.ends)

    def falls_short(self, direction: Integers) -> bool:
        """Whether no choice of matrices gets as high in this direction as the windows need."""
        tops = (int(product(table.vectors, direction).max()) for table in self.tables)
        return sum(top * count for top, count in zip(tops, self.counts, strict=True)) < self.need(direction)[0]

    def prune(self, directions: Integers) -> bool:
        """Drop matrices that no solution can contain; False when a direction refutes the report."""
        if not self._has_matrices():
            return False
        values = [product(table.vectors, directions) for table in self.tables]
        tops = np.stack([v.max(axis=0) for v in values])
        # Python's integers where 64 bits might not do
        small = int(np.abs(tops).max()) * sum(self.counts) < FAR // 4
        kind: type = np.int64 if small else object
        need: NDArray[Any] = np.array([min(x, FAR) if small else x for x in self.need(directions)], dtype=kind)
        totals: NDArray[Any] = np.array(self.counts, dtype=kind) @ tops.astype(kind)
        short = np.flatnonzero(totals < need)
        if len(short):
            self.refuting = [int(x) for x in directions[:, short[0]]]
            return False
        floors = np.maximum(need - totals + tops.astype(kind), -FAR).astype(np.int64)
        self._keep([(value >= floor).all(axis=1) for value, floor in zip(values, floors, strict=True)])
        return self._has_matrices()

    def _has_matrices(self) -> bool:
        """Whether some matrix is left for every part."""
        return all(len(table.vectors) for table in self.tables)

    def _keep(self, chosen: Sequence[NDArray[np.bool_]]) -> None:
        """Drop all other matrices of each table."""
        for index, keep in enumerate(chosen):
            if not keep.all():
                self.tables[index] = self.tables[index][np.flatnonzero(keep)]

    def sizes(self) -> list[int]:
        """The largest absolute value of each quantity, at least 1: what keeps products within 64 bits."""
        largest = np.max([np.abs(table.vectors).max(axis=0) for table in self.tables], axis=0)
        finite = np.where(np.abs(self.ends) < FAR, np.abs(self.ends), 0).max(axis=0)
        return [max(1, int(x), int(y) // sum(self.counts)) for x, y in zip(largest, finite, strict=True)]

    def axes(self) -> Integers:
        """Each quantity up and down."""
        unit = np.eye(len(self.windows), dtype=np.int64)
        return np.concatenate([unit, -unit], axis=1)

    def random_directions(self, count: int, seed: int) -> Integers:
        """Directions in which every quantity has a comparable say."""
        draws = np.random.default_rng(seed).standard_normal((len(self.windows), count)) * 1000
        factors = np.array([max(1, _SIZE // (1000 * size)) for size in self.sizes()])
        directions: Integers = np.rint(draws).astype(np.int64) * factors[:, None]
        return directions

    def dual_direction(self) -> Integers:
        """The direction that a linear relaxation finds hardest to satisfy, in whole numbers."""
        from scipy.optimize import linprog

        scale = np.array(self.sizes(), dtype=float)
        columns = np.concatenate([table.vectors for table in self.tables]).T / scale[:, None]
        low, high = self.ends
        bounded = np.abs(self.ends) < FAR
        upper = np.vstack([-columns[bounded[0]], columns[bounded[1]]])
        ends = np.r_[-(low / scale)[bounded[0]], (high / scale)[bounded[1]]]
        owner = np.repeat(np.arange(len(self.tables)), [len(table.vectors) for table in self.tables])
        one_each = (owner[None, :] == np.arange(len(self.tables))[:, None]).astype(float)
        size = columns.shape[1]
        result = linprog(
            np.r_[np.zeros(size), 1.0],
            A_ub=np.hstack([upper, -np.ones((len(ends), 1))]),
            b_ub=ends,
            A_eq=np.hstack([one_each, np.zeros((len(self.tables), 1))]),
            b_eq=self.counts,
            bounds=[(0, None)] * size + [(None, None)],
            method="highs",
        )
        direction = np.zeros(len(self.windows))
        if result.status == 0:
            lows = int(bounded[0].sum())
            direction[bounded[0]] -= result.ineqlin.marginals[:lows]
            direction[bounded[1]] += result.ineqlin.marginals[lows:]
        weighted = direction / scale
        largest = np.abs(weighted * scale).max() or 1.0
        rounded: Integers = np.rint(weighted / largest * _SIZE).astype(np.int64)[:, None]
        return rounded


Check = Callable[[list[Matrix]], bool | None]
"""The exact test of one matrix for each part, tables in order."""


def refuted(search: Search, budget: Budget) -> Answer | None:
    """What the directions rule out, as far as the tables hold everything."""
    found = screen(search, budget)
    if found is not None and not search.complete:
        return undecided(f"No matrices were found after {budget}.")
    return found


def exhaust(search: Search, check: Check, budget: Budget) -> Answer:
    """A witness among what the directions have left, a refutation, or the word that the budget did not suffice."""
    for way in (_class_by_class, _in_halves):
        outcome = way(search, check, budget)
        if outcome.witness:
            return consistent(*outcome.witness)
        if outcome.settled and search.complete:
            return none_fit(search, outcome.tested)
    return undecided(f"No matrices were found and none were ruled out after {budget}.")


def _class_by_class(search: Search, check: Check, budget: Budget) -> Outcome:
    from assay.scores.means.classes import Classes, applies
    from assay.scores.means.kinds import kind_of

    if not applies(search.windows, sum(search.counts), search.sizes()):
        return Outcome()
    kinds = [kind_of(table, search.windows) for table in search.tables]
    classes = Classes(kinds, sum(search.counts), search.windows)
    return classes.search([index for index, count in enumerate(search.counts) for _ in range(count)], check, budget)


def _in_halves(search: Search, check: Check, budget: Budget) -> Outcome:
    from assay.scores.means.halves import Halves

    halves = Halves(search, check, budget)
    return Outcome(halves.run(), halves.settled, halves.tested)


def none_fit(search: Search, tested: int) -> Answer:
    """The certificate of an exhaustive search."""
    names = search.names
    reason = (
        f"An exhaustive search over the confusion matrices of {sum(search.counts)} parts"
        f" ({tested:,} combinations compared) finds none that give {sentences.join(names)}."
    )
    return inconsistent(reason, {"combinations": tested}, names, by_search=True)


def screen(search: Search, budget: Budget) -> Answer | None:
    """Directions until they cut no more; the refutation if there is one."""
    before = search.rows + 1
    for seed in range(6):
        if not search.prune(search.axes()) or not search.prune(search.random_directions(_RANDOM_DIRECTIONS, seed)):
            return refutation(search)
        if search.rows > 0.98 * before:
            break
        before = search.rows
    if budget.spend("programmes") and not search.prune(search.dual_direction()):
        return refutation(search)
    return None


def refutation(search: Search) -> Answer:
    """The certificate: one combination of scores out of reach, if that holds for all matrices, else in what steps."""
    names = search.names
    if any(not len(table.vectors) for table in search.original):
        reason = f"Some part has no confusion matrix at all that is compatible with {sentences.join(names)}."
        return inconsistent(reason, {}, names)
    whole = Search(list(search.original), search.counts, search.windows)
    # a direction found after matrices were dropped says nothing about those: try it on all, then ask for a better one
    if search.refuting and whole.falls_short(found := np.array(search.refuting, dtype=np.int64)[:, None]):
        return inequality(whole, simpler(whole, found))
    if whole.falls_short(found := whole.dual_direction()):
        return inequality(whole, simpler(whole, found))
    all_matrices, left = whole.rows, search.rows
    reason = (
        f"Of the {all_matrices:,} confusion matrices of the parts, {all_matrices - left:,} are ruled out in turn,"
        f" because with them a combination of {sentences.join(names)} would stay out of reach, whatever the other"
        f" parts give; with what is left the reported figures are out of reach too."
    )
    figures = {"matrices": all_matrices, "ruled out": all_matrices - left}
    return inconsistent(reason, figures, names, by_search=True)


def simpler(search: Search, column: Integers) -> Integers:
    """A direction near the given one, in weights of few digits, that proves as much; else the given one."""
    units = [window.unit for window in search.windows]
    weights = [int(x) * unit for x, unit in zip(column[:, 0], units, strict=True)]
    common, largest = lcm(*units), max(map(abs, weights))
    for digits in range(1, 5):
        rounded = [round(Fraction(10**digits * weight, largest)) for weight in weights]
        whole = [weight * (common // unit) for weight, unit in zip(rounded, units, strict=True)]
        if max(map(abs, whole)) * max(search.sizes()) * len(whole) >= FAR:
            continue
        found = np.array(whole, dtype=np.int64)[:, None]
        if search.falls_short(found):
            return found
    return column


def _scope(search: Search) -> str:
    """For what an inequality over these tables holds."""
    whatever = sentences.EVERYTHING
    if any(not window.score for window in search.windows):
        whatever += " and the folds"
    if not search.without:
        return whatever
    left = sentences.join([exclusion.left for exclusion in search.without])
    return f"{whatever}, as long as {left} (the report excludes all other matrices)"


def inequality(search: Search, column: Integers) -> Answer:
    """The certificate of a direction in which the report needs more than any matrices give."""
    best = [int(np.argmax((table.vectors @ column)[:, 0])) for table in search.tables]
    most = sum(c * int((t.vectors[i] @ column)[0]) for t, i, c in zip(search.tables, best, search.counts, strict=True))
    peaks = [
        f"on {found.p} + {found.n} items with tp = {found.tp}, tn = {found.tn}"
        for found in (t.matrix(i) for t, i in zip(search.tables, best, strict=True))
    ]
    chosen = [(w, int(x)) for w, x in zip(search.windows, column[:, 0], strict=True) if x]
    unit = chosen[0][0].unit
    weights = {w.label: Fraction(x * w.unit, unit) for w, x in chosen}
    # back from sums of rounded-down, shifted values to the scores themselves
    shift = sum(x * w.shift + max(x, 0) * w.lost for w, x in chosen)
    need = search.need(column)[0]
    bounds = Fraction(most + shift, unit), Fraction(need + shift, unit)
    reason = sentences.inequality(weights, *bounds, peaks, _scope(search))
    conflict = tuple(dict.fromkeys([*(w.score for w, _ in chosen if w.score), *(one.score for one in search.without)]))
    figures = {label: str(weight) for label, weight in weights.items()}
    return inconsistent(reason, figures, conflict, by_search=bool(search.without))
