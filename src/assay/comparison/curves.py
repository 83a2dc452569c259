"""A model's ranking of the rows, and what resampling does to it without ever sorting again.

Scores are sorted once. A resample is a whole number for each row (how often it was drawn), so its curve
is a running sum over the sorted rows: every quantity here comes for many resamples at a time, one in
each column.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.comparison.arrays import Bools, Floats
from assay.records import dataclass

Counts = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Rows from the lowest score to the highest; `ends` are the places of the last of each run of equal scores."""

    order: NDArray[np.intp]
    ends: NDArray[np.intp]


def ranked(scores: Floats) -> Ranking:
    """The ranking that these scores give."""
    order = np.argsort(scores, kind="stable")
    ascending = scores[order]
    return Ranking(order, np.flatnonzero(np.append(ascending[1:] != ascending[:-1], True)))


@dataclass(frozen=True, eq=False)
class Steps:
    """How many negatives and positives score no more than each distinct value: the empirical ROC curve.

    Rows go up the distinct values, columns are resamples.
    """

    negatives: Counts
    positives: Counts


def steps_of(ranking: Ranking, y: Bools, weights: Counts) -> Steps:
    """The curve of each resample; `weights` has a row for each row of the test set and a column for each resample."""
    # Each resample lies in one piece of memory, transposed, so that running sums are quick.
    drawn = np.take(weights.T, ranking.order, axis=1)
    everything = np.cumsum(drawn, axis=1, dtype=np.int32)
    drawn *= y[ranking.order]
    positives = np.cumsum(drawn, axis=1, dtype=np.int32)
    if ranking.ends.size < ranking.order.size:
        everything, positives = (np.take(counts, ranking.ends, axis=1) for counts in (everything, positives))
    return Steps((everything - positives).T, positives.T)


def auc(steps: Steps) -> Floats:
    """The area under the ROC curve: the share of pairs in which the positive scores higher, ties counting half."""
    gained = _gained(steps.positives)
    between = steps.negatives.astype(np.float64)
    between[1:] += steps.negatives[:-1]  # twice the negatives below, a tie counting half
    pairs = steps.positives[-1].astype(np.float64) * steps.negatives[-1]
    with np.errstate(invalid="ignore"):
        area: Floats = np.einsum("ij,ij->j", gained, between) / (2 * pairs)
    return area


def average_precision(steps: Steps) -> Floats:
    """The precision at each distinct score, weighted by the positives gained there (no interpolation)."""
    gained = _gained(steps.positives)
    caught = (steps.positives[-1] - steps.positives + gained).astype(np.float64)
    called = caught + steps.negatives[-1]
    called[1:] -= steps.negatives[:-1]
    with np.errstate(invalid="ignore"):
        precision = np.divide(caught, called, out=np.zeros_like(caught), where=gained > 0)
        area: Floats = np.einsum("ij,ij->j", gained, precision) / steps.positives[-1]
    return area


def _gained(positives: Counts) -> Floats:
    gained = positives.astype(np.float64)
    gained[1:] -= positives[:-1]
    return gained
