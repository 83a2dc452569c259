"""Comparison of models whose scores have no formula for their spread: several classes, and numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, copysign, inf, isnan
from statistics import NormalDist

import numpy as np

from assay.comparison.analysis import Track, check_settings
from assay.comparison.arrays import Floats
from assay.comparison.bootstrap import block_size, resamples_within, usual_resamples
from assay.comparison.curves import Counts
from assay.comparison.mcnemar import Discordance
from assay.comparison.measures import ACCURACY, Kind, Measure
from assay.comparison.multiclass import ClassPredictions, class_measures, class_scores
from assay.comparison.pairs import corrected, pairs_of
from assay.comparison.regression import NumberPredictions, number_measures, number_scores
from assay.comparison.results import Comparison, Difference, Estimate, Interval, Method, Settings
from assay.comparison.signed_rank import signed_rank_p
from assay.records import dataclass
from assay.statistics import wilson

_FEWEST_DRAWS = 50
"""So many resamples must have a value, or there is no interval."""
_NORMAL = NormalDist()
Pair = tuple[str, str]


def compare_classes(
    source: ClassPredictions, settings: Settings | None = None, track: Track | None = None
) -> Comparison:
    """Every score of several classes with its interval, and every pair of models with its tests."""
    wanted = _settled(settings, source.y.size)
    measures = class_measures(wanted.measures)
    return _compared(source, measures, partial(class_scores, source, measures), wanted, track)


def compare_numbers(
    source: NumberPredictions, settings: Settings | None = None, track: Track | None = None
) -> Comparison:
    """Every score of a regression with its interval, and every pair of models with its tests."""
    wanted = _settled(settings, source.y.size)
    measures = number_measures(wanted.measures)
    return _compared(source, measures, partial(number_scores, source, measures), wanted, track)


def _settled(settings: Settings | None, rows: int) -> Settings:
    wanted = settings or Settings()
    check_settings(wanted)
    return wanted if wanted.resamples is not None else replace(wanted, resamples=usual_resamples(rows))


def _compared(
    source: ClassPredictions | NumberPredictions,
    measures: Sequence[Measure],
    scores: Callable[[Counts], Floats],
    settings: Settings,
    track: Track | None,
) -> Comparison:
    number = settings.resamples or 0
    blocks = resamples_within(source.strata, source.groups, number, settings.seed)
    tracked = track(blocks, ceil(number / block_size(source.y.size))) if track else blocks
    observed = scores(np.ones((source.y.size, 1), dtype=np.int32))
    draws = np.concatenate([np.empty((*observed.shape[:2], 0)), *map(scores, tracked)], axis=2)
    found = _Resampled(source, measures, observed[:, :, 0], draws, settings)
    pairs = pairs_of(source.models, settings.claim)
    return Comparison(
        source,
        settings,
        tuple(found.estimates()),
        tuple(corrected((d for pair in pairs for d in found.differences(pair)), settings.correction)),
        left_out=(*source.left_out, *found.left_out()),
    )


@dataclass(frozen=True, eq=False)
class _Resampled:
    """Scores by model and measure as observed, and the same in every resample."""

    source: ClassPredictions | NumberPredictions
    measures: Sequence[Measure]
    observed: Floats
    draws: Floats
    settings: Settings

    def estimates(self) -> Iterator[Estimate]:
        """Every score that has a value, with its interval."""
        for k, measure in enumerate(self.measures):
            for i, model in enumerate(self.source.models):
                value = float(self.observed[i, k])
                if isnan(value):
                    continue
                if measure.name == ACCURACY and self.source.groups is None:
                    right = int(np.count_nonzero(self.source.errors(model) == 0))
                    within = Interval(*wilson(right, self.source.y.size, self.settings.level))
                    yield Estimate(model, measure, value, within, Method.WILSON)
                else:
                    yield Estimate(model, measure, value, self._middle(self.draws[i, k]), Method.BOOTSTRAP)

    def differences(self, pair: Pair) -> Iterator[Difference]:
        """Every test of this pair."""
        i, j = map(self.source.models.index, pair)
        for k, measure in enumerate(self.measures):
            value = float(self.observed[i, k] - self.observed[j, k])
            apart = self.draws[i, k] - self.draws[j, k]
            within = self._middle(apart)
            if not isnan(value) and within is not None:
                yield self._by_error(pair, measure, value, float(np.nanstd(apart, ddof=1)), within)
            if not isnan(value) and self.source.groups is None:
                yield from self._by_rows(pair, measure, value)

    def left_out(self) -> Iterator[str]:
        """Scores that a model cannot have, and tests that do not apply."""
        for i, model in enumerate(self.source.models):
            missing = [m.label for k, m in enumerate(self.measures) if isnan(self.observed[i, k])]
            if missing:
                yield f"{model}: no {', '.join(missing)}, for it gives no probabilities or calls an outcome impossible"
        if self.source.groups is not None:
            yield "tests over single rows: they take rows for independent, and rows here come in groups"

    def _by_error(self, pair: Pair, measure: Measure, value: float, error: float, within: Interval) -> Difference:
        z = value / error if error > 0 else copysign(inf, value) if value else 0.0
        p = _NORMAL.cdf(-z * measure.sign) if self.settings.one_sided else 2 * _NORMAL.cdf(-abs(z))
        return Difference(*pair, measure, Method.BOOTSTRAP, value, within, z, p, p)

    def _by_rows(self, pair: Pair, measure: Measure, value: float) -> Iterator[Difference]:
        first, second = map(self.source.errors, pair)
        if measure.name == ACCURACY:
            split = Discordance(int((first < second).sum()), int((first > second).sum()))
            p = split.p(mid=False, one_sided=self.settings.one_sided)
            yield Difference(*pair, measure, Method.MCNEMAR_EXACT, value, None, None, p, p)
        elif measure.kind is Kind.NUMBER and measure.name == "mae" and (first != second).any():
            p = signed_rank_p(first, second, one_sided=self.settings.one_sided, sign=measure.sign)
            yield Difference(*pair, measure, Method.WILCOXON, value, None, None, p, p)

    def _middle(self, draws: Floats) -> Interval | None:
        defined = draws[~np.isnan(draws)]
        if defined.size < _FEWEST_DRAWS or np.ptp(defined) == 0:
            return None
        low, high = np.quantile(defined, [(1 - self.settings.level) / 2, (1 + self.settings.level) / 2])
        return Interval(float(low), float(high))
