"""ROC and precision-recall curves as observed, with the band that resampling leaves around them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.comparison.arrays import Floats
from assay.comparison.bootstrap import resamples
from assay.comparison.curves import Counts, ranked, steps_of
from assay.comparison.predictions import Predictions
from assay.records import dataclass

GRID: Floats = np.linspace(0.0, 1.0, 101)
"""Where a band is known: at false-positive rates for the ROC curve, at recalls for the other."""
_MOST_POINTS = 2000
"""A drawn curve needs no more points than a screen has columns."""


@dataclass(frozen=True, eq=False)
class Curve:
    """A line as observed, and from where to where it goes over `GRID` in most resamples (nothing without them)."""

    x: Floats
    y: Floats
    low: Floats
    high: Floats


@dataclass(frozen=True, eq=False)
class Curves:
    """Both curves of one model."""

    model: str
    roc: Curve
    precision_recall: Curve


def curves_of(predictions: Predictions, number: int, seed: int, level: float) -> Iterator[Curves]:
    """The curves of each model with pointwise bands from `number` resamples."""
    rankings = {model: ranked(scores) for model, scores in predictions.scores.items()}
    rates: dict[str, list[Floats]] = {model: [] for model in rankings}
    precisions: dict[str, list[Floats]] = {model: [] for model in rankings}
    for weights in resamples(predictions, number if not predictions.too_small else 0, seed):
        for model, ranking in rankings.items():
            steps = steps_of(ranking, predictions.y, weights)
            for column in range(weights.shape[1]):
                caught, alarms = _descending(steps.positives[:, column], steps.negatives[:, column])
                rates[model].append(np.interp(GRID, alarms / alarms[-1], caught / caught[-1]))
                precisions[model].append(_precision_at(GRID, caught, alarms))
    ones = np.ones((predictions.y.size, 1), dtype=np.int32)
    for model, ranking in rankings.items():
        steps = steps_of(ranking, predictions.y, ones)
        caught, alarms = _descending(steps.positives[:, 0], steps.negatives[:, 0])
        roc = _curve(alarms / alarms[-1], caught / caught[-1], rates[model], level)
        gains = np.flatnonzero(np.diff(caught) > 0) + 1  # elsewhere the recall stands still and precision only falls
        gains = np.concatenate([gains[:1], gains])  # from the left edge on
        recall, precision = caught[gains] / caught[-1], caught[gains] / (caught[gains] + alarms[gains])
        recall[0] = 0.0
        yield Curves(model, roc, _curve(recall, precision, precisions[model], level))


def _descending(positives: Counts, negatives: Counts) -> tuple[Floats, Floats]:
    """Positives caught and false alarms raised as the threshold falls, from none to all."""
    caught, alarms = (
        np.concatenate([[0], (counts[-1] - counts)[-2::-1], counts[-1:]]).astype(np.float64)
        for counts in (positives, negatives)
    )
    return caught, alarms


def _precision_at(recalls: Floats, caught: Floats, alarms: Floats) -> Floats:
    """The precision where each recall is first reached."""
    place = np.maximum(np.searchsorted(caught, recalls * caught[-1] - 1e-9), 1)
    place = np.maximum(place, np.searchsorted(caught, 1))  # before the first positive there is nothing to be precise on
    precision: Floats = caught[place] / (caught[place] + alarms[place])
    return precision


def _curve(x: Floats, y: Floats, draws: list[Floats], level: float) -> Curve:
    ends = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(np.stack(draws), ends, axis=0) if draws else np.empty((2, 0))
    if x.size > _MOST_POINTS:
        chosen = np.unique(np.linspace(0, x.size - 1, _MOST_POINTS).astype(np.intp))
        x, y = x[chosen], y[chosen]
    return Curve(x, y, low, high)
