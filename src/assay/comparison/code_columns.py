"""Columns of whole numbers that are names and not amounts, such as the number of a country: no scores of an outcome."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from assay.comparison.arrays import Floats, Ints

if TYPE_CHECKING:
    import polars as pl

_ORDERS = 2000
_CHANCE = 0.05
_LARGE = 1.96
"""In standard deviations: what chance alone exceeds in one of twenty columns."""
_STEPS = 20
"""Longer scales are cut into so many steps of about equally many rows."""
_ALL_ORDERS = 6
"""Up to so many steps every order is tried: 720."""


def is_a_counter(values: Floats) -> bool:
    """Whether each row has a number of its own that rises down the table, or all rows have the same."""
    return bool(values.size > 2 and ((np.diff(values) > 0).all() or np.ptp(values) == 0))


def are_codes(values: Floats, outcome: Floats) -> bool:
    """Whether the numbers order the outcome no better than chance, or than most other orders of the same numbers."""
    place, size = _places(values), values.size
    if place.max(initial=0) >= _STEPS:
        place = _places(np.searchsorted(np.sort(values), values) * _STEPS // size)
    rows = np.bincount(place)
    excess = np.bincount(place, weights=outcome - outcome.mean())
    orders = _orders(rows.size)
    ranks = np.cumsum(rows[orders], axis=1) - rows[orders] / 2
    reached = np.abs((ranks * excess[orders]).sum(axis=1))
    if reached[0] < _LARGE * outcome.std() * np.sqrt((rows * (ranks[0] - size / 2) ** 2).sum()):
        return True
    return bool(np.mean(reached >= reached[0] * (1 - 1e-9)) > _CHANCE)


def _places(values: Floats | Ints) -> Ints:
    """Each value by its place among the sorted distinct ones."""
    return np.unique(values, return_inverse=True)[1].reshape(-1).astype(np.int64)


def outcome_as_numbers(outcome: pl.Series) -> Floats | None:
    """An outcome of numbers, or one of two words as 0 and 1; None for anything else."""
    import polars as pl

    words = outcome.drop_nulls().unique().to_list()
    if not (outcome.dtype.is_numeric() or outcome.dtype == pl.Boolean):
        if len(words) != 2:
            return None
        outcome = outcome == words[0]
    numbers: Floats = outcome.cast(pl.Float64).fill_null(float("nan")).to_numpy()
    return numbers


def _orders(steps: int) -> Ints:
    """The order as it is, and then others: all of few steps, else some at random."""
    if steps <= _ALL_ORDERS:
        return np.array(list(permutations(range(steps))), dtype=np.int64)
    shuffled = np.random.default_rng(1).permuted(np.tile(np.arange(steps), (_ORDERS, 1)), axis=1)
    shuffled[0] = np.arange(steps)
    return shuffled
