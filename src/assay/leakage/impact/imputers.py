"""Filling gaps from the nearest rows, with or without a look at the outcome."""

from __future__ import annotations

import warnings

import numpy as np

from assay.leakage.data.measures import Floats, Ints

_NEIGHBOURS = 8
_MOST_DONORS = 3_000
_CHUNK = 500
_HELP = 4.0
"""Weight of the outcome among the standardised columns, in units of one column: enough to prefer its own class."""


def impute(x: Floats, donors: Ints, outcome: Floats | None = None, seed: int = 0) -> Floats:
    """Each gap gets the mean of its column over the nearest donor rows that have a value.

    Rows are near when their known cells are alike and, if `outcome` is given, when their outcomes are. That
    last is the fault in question: the filled cell then carries the outcome of its own row.
    """
    from sklearn.neighbors import NearestNeighbors

    known = (~np.isnan(x[donors])).sum(axis=1)
    full = donors[known >= np.median(known)]  # a row that is itself mostly gaps has nothing to give
    draw = np.random.default_rng(seed)
    chosen = np.sort(draw.choice(full, _MOST_DONORS, replace=False)) if len(full) > _MOST_DONORS else full
    if outcome is not None:  # all of the rarer class take part: an imputer that is given the outcome uses them
        chosen = np.union1d(chosen, full[outcome[full] > np.median(outcome[full])][:_MOST_DONORS])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value in the donors
        centre, spread = np.nanmedian(x[chosen], axis=0), np.nanstd(x[chosen], axis=0)
    centre = np.nan_to_num(centre)
    spread = np.where(np.nan_to_num(spread) > 0, spread, 1.0)
    place = np.nan_to_num((x - centre) / spread)
    if outcome is not None:
        scale = float(outcome[donors].std()) or 1.0
        place = np.column_stack([place, _HELP * (outcome / scale)])
    gapped = np.flatnonzero(np.isnan(x).any(axis=1))
    if not len(gapped):
        return x.copy()
    search = NearestNeighbors(n_neighbors=min(_NEIGHBOURS + 1, len(chosen)), algorithm="brute").fit(place[chosen])
    filled = x.copy()
    for start in range(0, len(gapped), _CHUNK):
        rows = gapped[start : start + _CHUNK]
        near = chosen[search.kneighbors(place[rows], return_distance=False)]
        filled[rows] = np.where(np.isnan(x[rows]), _means(x, near, centre), x[rows])
    return filled


def _means(x: Floats, near: Ints, centre: Floats) -> Floats:
    """Mean of each column over the neighbours that have a value; the donors' median where none has."""
    values = x[near]
    known = ~np.isnan(values)
    number = known.sum(axis=1)
    total = np.where(known, values, 0.0).sum(axis=1)
    return np.where(number > 0, total / np.maximum(number, 1), centre)
