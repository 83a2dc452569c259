"""Resamples of a test set, as the number of times that each row was drawn.

Drawing is stratified, so that every resample has positives: rows within their class, or whole groups
(patients, countries) among those with a positive and those without. The same seed gives the same
resamples, however many are made at a time.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.comparison.arrays import Bools, Ints
from assay.comparison.curves import Counts
from assay.comparison.predictions import Predictions

_CELLS = 1_000_000
"""How many numbers a block of resamples holds, about: what a processor's cache is good for."""

_ROWS_DRAWN = 100_000_000
"""How many rows all resamples hold together, when the user does not say how many: some seconds' work."""


def usual_resamples(rows: int) -> int:
    """2,000, but fewer of sets so large that chance is small and a resample takes long; never below 200."""
    return min(2_000, max(200, _ROWS_DRAWN // max(1, rows)))


def resamples(predictions: Predictions, number: int, seed: int) -> Iterator[Counts]:
    """Blocks of resamples: a row for each row of the test set, a column for each resample."""
    units, strata = _units(predictions.y, predictions.groups)
    yield from _blocks(units, strata, predictions.y.size, number, seed)


def resamples_within(strata: Ints, groups: Ints | None, number: int, seed: int) -> Iterator[Counts]:
    """The same for rows of any number of strata; groups are drawn as a whole, whatever the strata of their rows."""
    if groups is None:
        parts = [np.flatnonzero(strata == one) for one in np.unique(strata)]
        yield from _blocks(None, parts, strata.size, number, seed)
    else:
        units = np.unique(groups, return_inverse=True)[1].reshape(-1)
        yield from _blocks(units, [np.arange(units.max() + 1)], strata.size, number, seed)


def block_size(rows: int) -> int:
    """How many resamples of a test set of so many rows are made at a time."""
    return max(1, _CELLS // rows)


def _blocks(units: Ints | None, strata: list[Ints], rows: int, number: int, seed: int) -> Iterator[Counts]:
    rng = np.random.default_rng(seed)
    size = block_size(rows)
    for first in range(0, number, size):
        block = np.stack([_draw(strata, rng) for _ in range(min(size, number - first))])
        yield (block if units is None else np.take(block, units, axis=1)).T


def _units(y: Bools, groups: Ints | None) -> tuple[Ints | None, list[Ints]]:
    """What is drawn as a whole (None for single rows), and from which strata."""
    if groups is None:
        return None, [np.flatnonzero(y), np.flatnonzero(~y)]
    units = np.unique(groups, return_inverse=True)[1].reshape(-1)
    eventful = np.bincount(units, weights=y) > 0
    return units, [stratum for stratum in (np.flatnonzero(eventful), np.flatnonzero(~eventful)) if stratum.size]


def _draw(strata: list[Ints], rng: np.random.Generator) -> Counts:
    """How often each unit was drawn, each stratum keeping its size."""
    drawn = np.empty(sum(stratum.size for stratum in strata), dtype=np.int32)
    for stratum in strata:
        picks = rng.integers(0, stratum.size, stratum.size, dtype=np.int32)
        drawn[stratum] = np.bincount(picks, minlength=stratum.size)
    return drawn
