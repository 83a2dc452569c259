"""Meet in the middle: sums over one half of the parts are sorted, those over the other half looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.definitions import Matrix
from assay.scores.means.laws import Laws
from assay.scores.means.problem import Budget
from assay.scores.means.sums import MOST_KEPT, Addend, Adding, Lookup, Sums, TooManySumsError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.scores.means.search import Check, Search

_FEW = 400_000
"""So many sums are looked at without sampling first."""
_SAMPLES = (10_000, 10_000, 20_000, 40_000, 40_000, 80_000)
"""Sums of each half in the first samples: an easy report needs few."""
_LARGE_SAMPLE = 150_000
_COST_OF_DRAWING = 4
"""Drawing and sorting a sum takes so much longer than forming it."""
_MOST_CHECKS = 500
"""Exact checks of combinations that fall into all windows; rounding makes failures rare."""
_TEMPERATURES = (0.3, 0.15, 0.6, 1.2, 10.0)


class Halves:
    """A search in two halves; `settled` once every combination was seen and its fate is certain."""

    def __init__(self, search: Search, check: Check, budget: Budget) -> None:
        self.search, self.check, self.budget = search, check, budget
        self.settled = False
        self.tested = 0
        self._checks = 0
        self._doubtful = False
        parts = [index for index, count in enumerate(search.counts) for _ in range(count)]
        self._left, self._right = parts[: len(parts) // 2], parts[len(parts) // 2 :]

    def run(self) -> list[Matrix] | None:
        """A witness if one turns up: by exhaustion where that is quick, else in samples first."""
        left, right = self._count(self._left), self._count(self._right)
        if left + right <= _FEW:
            return self._exhausted()
        witness = self._sampled(_SAMPLES, seed=0)
        if not witness and left <= 30 * MOST_KEPT and right <= 30 * self.budget.left("sums"):
            witness = self._exhausted()
        return witness or self._sampled([_LARGE_SAMPLE] * 20, seed=1)

    def _exhausted(self) -> list[Matrix] | None:
        """Look at every combination, if the budget allows."""
        self._checks, self._doubtful = 0, False
        search = self.search
        directions = search.random_directions(24, seed=17)
        addends = [Addend.from_table(table.vectors) for table in search.tables]
        parts = len(self._left) + len(self._right)
        adding = Adding(addends, search.ends, directions=directions, parts=parts)
        left, right = adding.reach(self._left), adding.reach(self._right)
        try:
            lookup = Lookup(adding.all(self._left, right, self.budget), self.search.ends)
            beginnings = adding.all(self._right[:-1], left + adding.reach(self._right[-1:]), self.budget)
            for block in adding.grow(beginnings, self._right, left, self.budget):
                witness = self._match(lookup, block)
                if witness:
                    return witness
        except TooManySumsError:
            return None
        self.settled = not self._doubtful
        return None

    def _sampled(self, sizes: Sequence[int], seed: int) -> list[Matrix] | None:
        """Look at samples of both halves near the reported means."""
        if self.settled:
            return None
        self._checks = 0
        generator = np.random.default_rng(seed)
        aims = [(ends, Laws(self.search.tables, self.search.counts, ends)) for ends in self.search.aims()]
        for (turn, size), (ends, laws) in product(enumerate(sizes), aims):
            if not self.budget.spend("sums", 2 * size * _COST_OF_DRAWING):
                return None
            law = laws.at(_TEMPERATURES[turn % len(_TEMPERATURES)])
            lookup = Lookup(self._draw(self._left, size, law, generator), ends)
            witness = self._match(lookup, self._draw(self._right, size, law, generator))
            if witness:
                return witness
        return None

    def _count(self, parts: Sequence[int]) -> int:
        """Combinations of matrices for these parts, equal parts being interchangeable."""
        total = 1
        for index, count in Counter(parts).items():
            total *= comb(len(self.search.tables[index].vectors) + count - 1, count)
        return total

    def _draw(
        self, parts: Sequence[int], size: int, laws: Sequence[NDArray[np.float64]], generator: np.random.Generator
    ) -> Sums:
        columns = [generator.choice(len(laws[index]), size, p=laws[index]) for index in parts]
        rows = np.stack(columns) if columns else np.zeros((0, 1), dtype=np.int64)
        values = np.zeros((len(self.search.windows), rows.shape[1]), dtype=np.int64)
        for index, chosen in zip(parts, rows, strict=True):
            values += self.search.tables[index].vectors.T[:, chosen]
        return Sums(values, rows)

    def _matrices(self, left: NDArray[np.int64], right: NDArray[np.int64]) -> list[Matrix]:
        """The matrices in these rows of the tables, for the parts of the left half and then of the right one."""
        chosen = [*zip(self._left, left, strict=True), *zip(self._right, right, strict=True)]
        return [self.search.tables[index].matrix(int(row)) for index, row in chosen]

    def _match(self, lookup: Lookup, block: Sums) -> list[Matrix] | None:
        """A verified witness made of a sum of the left half and one of `block`, if there is one."""
        self.tested += len(block)
        for left, right in lookup.pairs(block.values):
            fitting = self.search.spreads_fit(lookup.sums.values[:, left] + block.values[:, right])
            for a, b in zip(left[fitting], right[fitting], strict=True):
                self._checks += 1
                if self._checks > _MOST_CHECKS:
                    self._doubtful = True
                    return None
                witness = self._matrices(lookup.sums.rows[:, a], block.rows[:, b])
                verdict = self.check(witness)
                if verdict:
                    return witness
                self._doubtful = self._doubtful or verdict is None
        return None
