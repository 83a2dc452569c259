"""From predictions to answers: scores with intervals, and differences with tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import ceil

import numpy as np

from assay.comparison.arrays import Floats
from assay.comparison.bootstrap import block_size, resamples, usual_resamples
from assay.comparison.curves import Counts
from assay.comparison.delong import delong
from assay.comparison.inference import Measured
from assay.comparison.measures import AUC, USUAL, Kind, Measure, measure
from assay.comparison.pairs import corrected, pairs_of
from assay.comparison.predictions import Predictions
from assay.comparison.results import Comparison, Settings
from assay.comparison.scorecard import Scorecard, scorecard_of
from assay.errors import InputError

_FEW_GROUPS = 20
"""With fewer, sums over groups say too little about how groups differ (a rule of thumb)."""


Track = Callable[[Iterator[Counts], int], Iterable[Counts]]
"""Passes blocks on and shows how many of so many are done."""


def compare(predictions: Predictions, settings: Settings | None = None, track: Track | None = None) -> Comparison:
    """Every score with its interval, and every pair of models with its tests."""
    wanted = settings or Settings()
    if wanted.resamples is None:
        wanted = replace(wanted, resamples=usual_resamples(predictions.y.size))
    check_settings(wanted)
    pairs = pairs_of(predictions.models, wanted.claim)
    measures = [measure(name) for name in wanted.measures or USUAL]
    card = scorecard_of(predictions, measures, wanted.thresholds, wanted.threshold)
    by_ranks = not predictions.too_small and any(m.name == AUC for m in measures)
    found = Measured(
        card,
        card.observed(),
        _resampled(card, wanted, track),
        delong(predictions.y, card.rankings, predictions.groups) if by_ranks else None,
        wanted,
    )
    left_out = [*predictions.left_out, *card.left_out, *found.undefined(), *_limits(predictions, measures)]
    estimates = tuple(found.estimates())
    if not estimates:
        raise InputError(f"none of these scores has a value: {', '.join(wanted.measures)}", fix="; ".join(left_out))
    differences = tuple(corrected((d for pair in pairs for d in found.differences(pair)), wanted.correction))
    needed = tuple(needed for pair in pairs for needed in found.needed(pair))
    comparison = Comparison(predictions, wanted, estimates, differences, needed)
    left_out += _untested(comparison, pairs)
    return replace(comparison, left_out=tuple(left_out))


def _limits(predictions: Predictions, measures: Iterable[Measure]) -> Iterator[str]:
    """What a single row of a class or rows in groups keep from being tested."""
    if predictions.too_small:
        yield "intervals and tests: a class has one row only, so nothing tells how much is chance"
    if predictions.groups is None:
        return
    if any(m.kind is Kind.THRESHOLD for m in measures):
        yield "McNemar's test: it takes rows for independent, and rows here come in groups"
    if (number := np.unique(predictions.groups).size) < _FEW_GROUPS:
        yield f"how much too narrow the intervals are: {number} groups are few"


def _untested(comparison: Comparison, pairs: list[tuple[str, str]]) -> Iterator[str]:
    """The pairs that no test could judge by the score that matters."""
    judged = {(d.first, d.second) for d in comparison.decisive()}
    for first, second in pairs:
        if (first, second) not in judged:
            yield f"{first} against {second}: no test of the {comparison.primary.label}, for nothing tells its spread"


def _resampled(card: Scorecard, settings: Settings, track: Track | None) -> Floats:
    """The scores in every resample, by model, measure and resample; none where a class has a single row."""
    number = 0 if card.predictions.too_small else settings.resamples or 0
    empty = np.empty((len(card.models), len(card.measures), 0))
    drawn = resamples(card.predictions, number, settings.seed)
    blocks = track(drawn, ceil(number / block_size(card.predictions.y.size))) if track else drawn
    return np.concatenate([empty, *(card.values(block) for block in blocks)], axis=2)


def check_settings(settings: Settings) -> None:
    """Refuse what no interval can be made of."""
    number = settings.resamples or 0
    if not 0 <= number <= 1_000_000:
        raise InputError(f"{number:,} resamples", fix="Give up to 1,000,000, or 0 for no bootstrap.")
    if 0 < number < 100:
        raise InputError(f"{number} resamples are too few for an interval", fix="Give 100 or more, or 0.")
    if not 0.5 <= settings.level < 1:
        raise InputError(f"a level of {settings.level}", fix="Give a share from 0.5 to below 1, as 0.95.")
    if settings.seed < 0:
        raise InputError(f"a seed of {settings.seed}", fix="Give 0 or more.")
