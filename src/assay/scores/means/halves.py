"""Meet in the middle: sums over one half of the parts are sorted, those over the other half looked up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.definitions import Matrix
from assay.scores.means.patterns import FAR
from assay.scores.means.problem import Budget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from assay.scores.means.search import Check, Search

    Integers = NDArray[np.int64]

_MOST_KEPT = 1_500_000
"""Sums of one half that are kept in memory."""
_QUICK = 10_000_000
"""Combinations that are looked at without sampling first."""
_SAMPLE = 150_000
_BLOCK = 300_000
_MOST_CHECKS = 3_000
"""Exact checks of combinations that fall into all windows; rounding makes failures rare."""
_TEMPERATURES = (0.15, 0.3, 0.6, 1.2, 10.0)


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of vectors over some parts, and for each sum the row chosen in the table of every part."""

    vectors: Integers
    rows: Integers


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
        directions = np.concatenate([search.axes(), search.random_directions(24, seed=17)], axis=1)
        self._directions = directions
        self._tops = [(table.vectors @ directions).max(axis=0) for table in search.tables]
        self._need = np.array([max(x, -FAR) for x in search.need(directions)], dtype=np.int64)

    def run(self) -> list[Matrix] | None:
        """A witness if one turns up: by exhaustion where that is quick, else in samples first."""
        if self._count(self._left) * self._count(self._right) <= _QUICK:
            return self._exhausted()
        return self._sampled(rounds=6, seed=0) or self._exhausted() or self._sampled(rounds=20, seed=1)

    def _exhausted(self) -> list[Matrix] | None:
        """Look at every combination, if the budget allows."""
        self._checks, self._doubtful = 0, False
        if self._count(self._left) > 30 * _MOST_KEPT or self._count(self._right) > 30 * self.budget.left("sums"):
            return None
        left = self._all(self._left)
        prefix = self._all(self._right[:-1])
        if left is None or prefix is None:
            return None
        lookup = _Lookup(left, self.search)
        for block in self._grow(prefix, self._right[:-1], self._right[-1]):
            if not self.budget.spend("sums", len(block.vectors)):
                return None
            witness = self._match(lookup, block)
            if witness:
                return witness
        self.settled = not self._doubtful
        return None

    def _sampled(self, rounds: int, seed: int) -> list[Matrix] | None:
        """Look at samples of both halves near the reported means."""
        if self.settled:
            return None
        self._checks = 0
        generator = np.random.default_rng(seed)
        laws = [self._law(temperature) for temperature in _TEMPERATURES]
        for turn in range(rounds):
            if not self.budget.spend("sums", 2 * _SAMPLE):
                return None
            lookup = _Lookup(self._draw(self._left, laws[turn % len(laws)], generator), self.search)
            witness = self._match(lookup, self._draw(self._right, laws[turn % len(laws)], generator))
            if witness:
                return witness
        return None

    def _count(self, parts: Sequence[int]) -> int:
        """Combinations of matrices for these parts, equal parts being interchangeable."""
        total = 1
        for index, count in Counter(parts).items():
            total *= comb(len(self.search.tables[index].vectors) + count - 1, count)
        return total

    def _all(self, parts: Sequence[int]) -> Sums | None:
        """Every sum over the parts that the other parts can still complete, None when they are too many."""
        sums = Sums(np.zeros((1, len(self.search.windows)), dtype=np.int64), np.zeros((1, 0), dtype=np.int64))
        for position, index in enumerate(parts):
            blocks, kept = [], 0
            for block in self._grow(sums, parts[:position], index):
                kept += len(block.vectors)
                if kept > _MOST_KEPT or not self.budget.spend("sums", len(block.vectors)):
                    return None
                blocks.append(block)
            if not blocks:
                return Sums(sums.vectors[:0], np.zeros((0, len(parts)), dtype=np.int64))
            sums = Sums(np.concatenate([b.vectors for b in blocks]), np.concatenate([b.rows for b in blocks]))
        return sums

    def _grow(self, sums: Sums, parts: Sequence[int], index: int) -> Iterator[Sums]:
        """Add one more part to sums over `parts`; parts that draw from one table do so in rising order."""
        table = self.search.tables[index].vectors
        free = Counter(dict(enumerate(self.search.counts)))
        free.subtract([*parts, index])
        rest = sum((int(count) * self._tops[i] for i, count in free.items()), np.zeros(len(self._need), dtype=np.int64))
        rising = bool(parts) and parts[-1] == index
        step = max(1, _BLOCK // max(1, len(table)))
        for start in range(0, len(sums.vectors), step):
            vectors, rows = sums.vectors[start : start + step], sums.rows[start : start + step]
            i, j = np.divmod(np.arange(len(vectors) * len(table)), len(table))
            if rising:
                later = j >= rows[i, -1]
                i, j = i[later], j[later]
            added = vectors[i] + table[j]
            if len(free) and len(added):
                hopeful = ((added @ self._directions) >= self._need - rest).all(axis=1)
                added, i, j = added[hopeful], i[hopeful], j[hopeful]
            if len(added):
                yield Sums(added, np.concatenate([rows[i], j[:, None]], axis=1))

    def _law(self, temperature: float) -> list[NDArray[np.float64]]:
        """Probabilities for the matrices of each table: the nearer to the reported means, the likelier."""
        search = self.search
        bounded = (np.abs(search.low) < FAR) & (np.abs(search.high) < FAR)
        target = (search.low / 2 + search.high / 2) / sum(search.counts)
        laws = []
        for table in search.tables:
            away = ((table.vectors - target) / (table.vectors.std(axis=0) + 1.0))[:, bounded]
            distance = (away**2).mean(axis=1) if bounded.any() else np.zeros(len(table.vectors))
            chance = np.exp(-(distance - distance.min()) / (2 * temperature**2))
            laws.append(chance / chance.sum())
        return laws

    def _draw(self, parts: Sequence[int], laws: Sequence[NDArray[np.float64]], generator: np.random.Generator) -> Sums:
        columns = [generator.choice(len(laws[index]), _SAMPLE, p=laws[index]) for index in parts]
        rows = np.stack(columns, axis=1) if columns else np.zeros((1, 0), dtype=np.int64)
        vectors = np.zeros((len(rows), len(self.search.windows)), dtype=np.int64)
        for position, index in enumerate(parts):
            vectors += self.search.tables[index].vectors[rows[:, position]]
        return Sums(vectors, rows)

    def _match(self, lookup: _Lookup, block: Sums) -> list[Matrix] | None:
        """A verified witness made of a sum of the left half and one of `block`, if there is one."""
        self.tested += len(block.vectors)
        for left, right in lookup.pairs(block.vectors):
            for a, b in zip(left, right, strict=True):
                self._checks += 1
                if self._checks > _MOST_CHECKS:
                    self._doubtful = True
                    return None
                chosen = [
                    *zip(self._left, lookup.sums.rows[a], strict=True),
                    *zip(self._right, block.rows[b], strict=True),
                ]
                witness = [self.search.tables[index].matrix(int(row)) for index, row in chosen]
                verdict = self.check(witness)
                if verdict:
                    return witness
                self._doubtful = self._doubtful or verdict is None
        return None


class _Lookup:
    """Sums sorted by the two quantities whose windows are narrowest against their spread."""

    def __init__(self, sums: Sums, search: Search) -> None:
        self._low, self._high = search.low, search.high
        vectors = sums.vectors
        if not len(vectors):
            self.sums = sums
            return
        self._base, self._top = vectors.min(axis=0), vectors.max(axis=0)
        spread = (self._top - self._base + 1).astype(float)
        order = np.argsort((self._high / 2 - self._low / 2) / spread, kind="stable")
        self._first, self._second = int(order[0]), int(order[-1] if len(order) == 1 else order[1])
        # a window touches at most two buckets of the first quantity
        self._bucket = max(1, int(self._high[self._first]) - int(self._low[self._first]) + 1)
        buckets = int(self._top[self._first] - self._base[self._first]) // self._bucket + 3
        span = int(self._top[self._second] - self._base[self._second])
        self._grain = max(1, -(-span * buckets // 2**60))
        self._stride = span // self._grain + 3
        keys = self._key(vectors[:, self._first], vectors[:, self._second])
        place = np.argsort(keys, kind="stable")
        self._keys, self.sums = keys[place], Sums(vectors[place], sums.rows[place])

    def _key(self, first: Integers, second: Integers) -> Integers:
        bucket: Integers = (first - self._base[self._first]) // self._bucket
        grain: Integers = (second - self._base[self._second]) // self._grain
        return bucket * self._stride + grain

    def pairs(self, vectors: Integers) -> Iterator[tuple[Integers, Integers]]:
        """Positions of sorted sums and of `vectors` that together fall into every window."""
        if not len(self.sums.vectors):
            return
        low, high = self._low - vectors, self._high - vectors
        within = np.nonzero(((high >= self._base) & (low <= self._top)).all(axis=1))[0]
        low, high = low[within], high[within]
        bucket = (low[:, self._first] - self._base[self._first]) // self._bucket
        base, top = self._base[self._second], self._top[self._second]
        start = (np.maximum(low[:, self._second], base) - base) // self._grain
        stop = (np.minimum(high[:, self._second], top) - base) // self._grain
        for z in (bucket, bucket + 1):
            first = np.searchsorted(self._keys, z * self._stride + start, "left")
            last = np.searchsorted(self._keys, z * self._stride + stop, "right")
            yield from self._verified(vectors, within, first, np.maximum(last - first, 0))

    def _verified(
        self, vectors: Integers, within: Integers, first: Integers, counts: Integers
    ) -> Iterator[tuple[Integers, Integers]]:
        """Expand the ranges found in slices, so that a coarse window cannot fill the memory."""
        ends = np.cumsum(counts)
        start = 0
        while start < len(counts):
            done = int(ends[start - 1]) if start else 0
            stop = max(start + 1, int(np.searchsorted(ends, done + 2_000_000, "right")))
            some = counts[start:stop]
            source = np.repeat(np.arange(start, stop), some)
            position = first[source] + np.arange(len(source)) - np.repeat(np.cumsum(some) - some, some)
            total = self.sums.vectors[position] + vectors[within[source]]
            good = ((total >= self._low) & (total <= self._high)).all(axis=1)
            if good.any():
                yield position[good], within[source[good]]
            start = stop
