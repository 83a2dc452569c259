"""DeLong's covariance of areas under ROC curves, in the time of a sort.

DeLong, DeLong & Clarke-Pearson (1988) need for every row the share of the other class that it beats, its
*placement*; Sun & Xu (2014) saw that ranks give all placements at once. For rows that come in groups the
placements are summed by group first, as Obuchowski (1997) does, for rows of one patient are no
independent witnesses.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.comparison.arrays import Bools, Floats, Ints
from assay.comparison.curves import Ranking
from assay.records import dataclass


@dataclass(frozen=True, eq=False)
class Areas:
    """The areas of several models on the same rows, and how they vary together by chance."""

    values: Floats
    covariance: Floats

    def error_of_difference(self, first: int, second: int) -> float:
        """The standard error of the difference between two of them; 0 when the rankings agree throughout."""
        c = self.covariance
        return float(np.sqrt(max(c[first, first] + c[second, second] - 2 * c[first, second], 0.0)))


def placements(ranking: Ranking, y: Bools) -> Floats:
    """For each row the share of the other class that it beats: higher for a positive, lower for a negative."""
    positive = y[ranking.order]
    starts = np.concatenate([[0], ranking.ends[:-1] + 1])
    sizes = np.diff(np.append(starts, positive.size))
    up_to = np.cumsum(positive)[ranking.ends].astype(np.float64)
    tied = np.diff(up_to, prepend=0.0)
    beaten_by = up_to[-1] - up_to + tied / 2  # positives above a value, a tie counting half
    tied_negatives = sizes - tied
    beats = np.cumsum(tied_negatives) - tied_negatives / 2  # negatives below it
    total_positives, total_negatives = up_to[-1], positive.size - up_to[-1]
    placed = np.empty(positive.size)
    placed[ranking.order] = np.where(
        positive, np.repeat(beats / total_negatives, sizes), np.repeat(beaten_by / total_positives, sizes)
    )
    return placed


def delong(y: Bools, rankings: Sequence[Ranking], groups: Ints | None = None) -> Areas:
    """The areas of all models and their covariance; nan where a class has a single row."""
    placed = np.stack([placements(ranking, y) for ranking in rankings])
    values: Floats = placed[:, y].mean(axis=1)
    if groups is None:
        return Areas(values, _covariance(placed[:, y]) + _covariance(placed[:, ~y]))
    # What a row adds to the area, in the first order; a group adds the sum of its rows.
    influence: Floats = (placed - values[:, None]) / np.where(y, np.count_nonzero(y), np.count_nonzero(~y))
    by_group: Floats = np.stack([np.bincount(groups, weights=row) for row in influence])
    number = np.unique(groups).size
    correction = number / (number - 1) if number > 1 else np.nan
    return Areas(values, correction * (by_group @ by_group.T))


def _covariance(placed: Floats) -> Floats:
    """The covariance of the models' mean placements over one class."""
    size = placed.shape[1]
    if size < 2:
        return np.full((placed.shape[0],) * 2, np.nan)
    centred = placed - placed.mean(axis=1, keepdims=True)
    covariance: Floats = centred @ centred.T / (size - 1) / size
    return covariance
