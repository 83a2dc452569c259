"""The baseline that any forecast must beat: what happened last time happens again."""

from __future__ import annotations

import numpy as np

from assay.comparison.arrays import Bools, Floats, Ints
from assay.errors import InputError


def last_outcomes(y: Bools, known: Bools, groups: Ints | None, times: Ints | None) -> tuple[Floats, Bools]:
    """For each row the outcome of the same group in its latest earlier period, and which rows have none.

    A row without a past gets the commoner outcome. Only strictly earlier periods count, whatever the
    order of the rows; unknown outcomes are passed over.
    """
    if groups is None or times is None:
        raise InputError("last time's outcome needs groups and times", fix="Name their columns: --group and --time.")
    _refuse_twins(groups, times)
    order = np.lexsort((times, groups))
    place = np.arange(order.size)
    latest = np.maximum.accumulate(np.where(known[order], place, -1))
    before = np.concatenate([[-1], latest[:-1]])  # the latest known row before this one, of any group
    past = (before >= 0) & (groups[order][before] == groups[order])
    commoner = float(np.mean(y[known]) > 0.5) if known.any() else 0.0
    predicted = np.empty(order.size)
    predicted[order] = np.where(past, y[order][before], commoner)
    without = np.empty(order.size, dtype=bool)
    without[order] = ~past
    return predicted, without


def _refuse_twins(groups: Ints, times: Ints) -> None:
    pairs = np.stack([groups, times], axis=1)
    twins = pairs.shape[0] - np.unique(pairs, axis=0).shape[0]
    if twins:
        fix = "Name all columns that tell the periods apart, as in --time year,month."
        raise InputError(f"{twins:,} rows share their group and time with another row", fix=fix)
