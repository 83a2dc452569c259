"""Finding training rows that are almost the same as other rows, without comparing everything with everything.

Rows that differ in at most k columns agree wholly on at least one of k + 1 blocks of columns. So the
columns are cut into blocks of about equal information, numbers are rounded generously, and only rows that share the
key of a block are compared cell by cell.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.leakage.data.measures import Flags, Ints, Keys
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_COARSENESS = 64
"""Numbers are rounded to this many tolerances for the keys: a jittered number seldom changes its key."""
_MOST_PAIRS = 2_000_000
_CHUNK = 500_000
_SAMPLE = 2_000


@dataclass(frozen=True)
class Neighbours:
    """The rows of `train`, ready to be asked which of them are near to others."""

    train: pl.DataFrame
    tolerance: float
    """How far numbers with decimals may lie apart, in standard deviations of their column."""
    max_differing: int
    """In how many columns near rows may differ beyond the tolerance."""

    @cached_property
    def allowed(self) -> dict[str, float]:
        """The tolerance of each column in its own unit; 0 where values are compared exactly."""
        return {c.name: self._allowed(c) for c in self.train.get_columns()}

    def _allowed(self, column: pl.Series) -> float:
        if not column.dtype.is_float():
            return 0.0
        some = column.gather_every(len(column) // 50_000 + 1).drop_nulls().to_numpy()
        largest = float(np.abs(some).max(initial=0.0))
        return self.tolerance * largest * float((some / largest).std()) if largest else 0.0  # squares may overflow

    @cached_property
    def blocks(self) -> list[list[str]]:
        """Columns in groups that carry about the same information, the richest columns placed first."""
        sample = self.train.sample(min(self.train.height, _SAMPLE), seed=0)
        richness = {c.name: float(np.log2(max(c.n_unique(), 1))) for c in sample.get_columns()}
        blocks: list[list[str]] = [[] for _ in range(self.max_differing + 1)]
        weight = [0.0] * len(blocks)
        for name in sorted(richness, key=lambda n: -richness[n]):
            lightest = weight.index(min(weight))
            blocks[lightest].append(name)
            weight[lightest] += richness[name] + 1e-9
        return [block for block in blocks if block]

    @cached_property
    def _index(self) -> list[tuple[Keys, Ints]]:
        """For each block the sorted keys of the training rows, and the rows in that order."""
        out = []
        for block in self.blocks:
            keys = self.keys(self.train, block)
            order = np.argsort(keys)
            out.append((keys[order], order))
        return out

    def keys(self, frame: pl.DataFrame, block: list[str]) -> Keys:
        """One number for each row that is the same for rows which agree on the block after rounding."""
        import polars as pl

        rounded = [
            (column / (_COARSENESS * self.allowed[name])).floor().cast(pl.Int64, strict=False)
            if self.allowed[name] > 0
            else column
            for name in block
            for column in [frame.get_column(name)]
        ]
        return pl.DataFrame(rounded).hash_rows(seed=1).to_numpy()

    def near(self, rows: pl.DataFrame, own: Ints | None = None) -> Near:
        """Which of `rows` have near rows in training; `own` are their own places there, which do not count."""
        starts, ends = [], []
        for (keys, _), block in zip(self._index, self.blocks, strict=True):
            asked = self.keys(rows, block)
            start = sorted_search(keys, asked)
            end = start.copy()
            met = keys[np.minimum(start, len(keys) - 1)] == asked
            end[met] = np.searchsorted(keys, asked[met], "right")
            starts.append(start)
            ends.append(end)
        counts = [end - start for start, end in zip(starts, ends, strict=True)]
        examined = _affordable(np.sum(counts, axis=0))
        partner = np.full((rows.height, self.max_differing + 1), -1, np.int64)
        for (_, order), start, count in zip(self._index, starts, counts, strict=True):
            left, right = _pairs(examined, start, count, order)
            if own is not None:
                foreign = own[left] != right
                left, right = left[foreign], right[foreign]
            for at in range(0, len(left), _CHUNK):
                these, those = left[at : at + _CHUNK], right[at : at + _CHUNK]
                differing = self._differing(rows, these, those)
                close = differing <= self.max_differing
                partner[these[close], differing[close]] = those[close]
        return Near(examined, partner[examined])

    def _differing(self, rows: pl.DataFrame, left: Ints, right: Ints) -> Ints:
        """In how many columns each pair of rows differs beyond the tolerance."""
        differing = np.zeros(len(left), np.int64)
        for name, allowed in self.allowed.items():
            a, b = rows.get_column(name).gather(left), self.train.get_column(name).gather(right)
            far = a.ne_missing(b)
            if allowed > 0:
                far = far & ((a - b).abs() > allowed).fill_null(value=True)
            differing += far.to_numpy()
        return differing


@dataclass(frozen=True)
class Near:
    """The rows that were examined, and for each a training row that differs in 0, 1, 2, … columns, or -1."""

    examined: Ints
    partners: Ints

    def within(self, differing: int) -> Flags:
        """Which of the examined rows have a training row that differs in at most so many columns."""
        return np.asarray((self.partners[:, : differing + 1] >= 0).any(axis=1))

    def at(self, differing: int) -> Flags:
        """Which of the examined rows have a training row that differs in exactly so many columns."""
        return np.asarray(self.partners[:, differing] >= 0)

    def nearest(self, differing: int) -> Ints:
        """For each examined row the training row that differs least, among those within `differing`; or -1."""
        known = self.partners[:, : differing + 1]
        first = np.argmax(known >= 0, axis=1)
        return np.asarray(known[np.arange(len(known)), first])


def _affordable(pairs_of_row: Ints) -> Ints:
    """All rows, or a random part of them whose comparisons stay within the limit."""
    total = int(pairs_of_row.sum())
    if total <= _MOST_PAIRS:
        return np.arange(len(pairs_of_row))
    order = np.random.default_rng(0).permutation(len(pairs_of_row))
    within = int(np.searchsorted(np.cumsum(pairs_of_row[order]), _MOST_PAIRS))
    return np.sort(order[:within])


def _pairs(rows: Ints, start: Ints, count: Ints, order: Ints) -> tuple[Ints, Ints]:
    """Every (row, training row) of the same key, for the rows asked for."""
    number = count[rows]
    left = np.repeat(rows, number)
    offset = np.arange(len(left)) - np.repeat(np.cumsum(number) - number, number)
    return left, order[np.repeat(start[rows], number) + offset]


def sorted_search(ordered: Keys, asked: Keys) -> Ints:
    """`searchsorted` that asks in order, which spares the processor's cache most of its misses."""
    order = np.argsort(asked)
    place = np.empty(len(asked), np.int64)
    place[order] = np.searchsorted(ordered, asked[order])
    return place
