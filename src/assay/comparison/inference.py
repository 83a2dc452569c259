"""What observed scores and their resamples say: intervals, and tests for pairs of models."""

from __future__ import annotations

from collections.abc import Iterator
from math import copysign, hypot, inf, isnan
from statistics import NormalDist

import numpy as np

from assay.comparison.arrays import Floats
from assay.comparison.delong import Areas
from assay.comparison.mcnemar import discordance
from assay.comparison.measures import ACCURACY, AUC, TESTED, Kind, Measure
from assay.comparison.permutation import permutation_p
from assay.comparison.results import Difference, Estimate, Interval, Method, Needed, Settings
from assay.comparison.sample_size import positives_for
from assay.comparison.scorecard import Scorecard
from assay.records import dataclass

_NORMAL = NormalDist()
_FEWEST = 50
"""So many resamples must have a value, or there is no interval."""

_WITHOUT_VALUE = {Kind.RANKING: "too few distinct scores to smooth", Kind.THRESHOLD: "it would be 0/0 at the threshold"}

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class Measured:
    """Scores by model and measure as observed, the same in every resample, and DeLong's areas where they apply."""

    card: Scorecard
    observed: Floats
    draws: Floats
    areas: Areas | None
    settings: Settings

    def estimates(self) -> Iterator[Estimate]:
        """Every score that has a value, with its intervals."""
        for k in range(len(self.card.measures)):
            for i in range(len(self.card.models)):
                if not isnan(self.observed[i, k]):
                    yield from self._intervals(i, k)

    def _intervals(self, i: int, k: int) -> Iterator[Estimate]:
        """One score with each of its intervals."""
        model, measure, value = self.card.models[i], self.card.measures[k], float(self.observed[i, k])
        analytic = measure.name == AUC and self.areas is not None
        if analytic and self._separates(i):
            yield Estimate(model, measure, value, self._of_separation(value), Method.SEPARATED)
            return  # in every resample it separates them again, which is no interval
        if analytic:
            yield Estimate(model, measure, value, self._of_area(value, i), Method.DELONG)
        if share := self._share(model, measure):
            yield Estimate(model, measure, value, share, Method.WILSON)
        elif self.draws.shape[2] or not analytic:
            yield Estimate(model, measure, value, self._middle(self.draws[i, k]), Method.BOOTSTRAP)

    def differences(self, pair: Pair) -> Iterator[Difference]:
        """Every test of this pair."""
        i, j = map(self.card.models.index, pair)
        for k, measure in enumerate(self.card.measures):
            value = float(self.observed[i, k] - self.observed[j, k])
            if isnan(value):
                continue
            if measure.name == AUC and (self._separates(i) or self._separates(j)):
                yield self._by_permutation(pair, measure, value)
                continue
            if measure.name == AUC:
                yield from self._by_delong(pair, measure, value)
            yield from self._by_bootstrap(pair, measure, value, self.draws[i, k] - self.draws[j, k])
            if measure.name == ACCURACY and self.card.predictions.groups is None:
                yield from self._mcnemar(pair, measure, value)

    def _by_delong(self, pair: Pair, measure: Measure, value: float) -> Iterator[Difference]:
        if self.areas is None:
            return
        error = self.areas.error_of_difference(*map(self.card.models.index, pair))
        if error > 0 or value == 0:
            yield self._judged(pair, measure, Method.DELONG, value, error, self._around(value, error))

    def _by_bootstrap(self, pair: Pair, measure: Measure, value: float, apart: Floats) -> Iterator[Difference]:
        """The test by how far the models are `apart` in every resample."""
        middle = self._middle(apart)
        if middle is None and value == 0 and apart.size:  # both models agree in every resample
            middle = Interval(0.0, 0.0)
        if middle and (self.settings.measures or measure.name in TESTED):
            error = float(np.nanstd(apart, ddof=1))
            yield self._judged(pair, measure, Method.BOOTSTRAP, value, error, middle)

    def needed(self, pair: Pair) -> Iterator[Needed]:
        """How many positives would show the differences that were asked about."""
        if self.areas is None:
            return
        error = self.areas.error_of_difference(*map(self.card.models.index, pair))
        now = self.card.predictions.positives
        for difference in self.settings.detect:
            count = positives_for(difference, positives=now, error=error, level=self.settings.alpha)
            yield Needed(*pair, difference, count)

    def undefined(self) -> Iterator[str]:
        """Where a score has no value, as observed or in some resamples, or the same in all of them."""
        for i in range(len(self.card.models)):
            for k in range(len(self.card.measures)):
                yield from self._gaps(i, k)

    def _gaps(self, i: int, k: int) -> Iterator[str]:
        """What is missing from one score of one model."""
        model, measure, unknown = self.card.models[i], self.card.measures[k], isnan(self.observed[i, k])
        if unknown and measure.kind is not Kind.PROBABILITY and self.card.has(model, measure):
            yield f"{model}: {measure.label} has no value ({_WITHOUT_VALUE[measure.kind]})"
        if measure.name == AUC and self._without_spread(i) and not self._separates(i):
            yield f"{model}: no interval of the AUC, for its scores leave no spread"
        missing = int(np.count_nonzero(np.isnan(self.draws[i, k])))
        if missing and not unknown:
            share = f"{missing:,} of {self.draws.shape[2]:,} resamples"
            yield f"{model}: {measure.label} has no value in {share}; they do not count"

    def _without_spread(self, place: int) -> bool:
        return self.areas is not None and not self.areas.covariance[place, place]

    def _separates(self, place: int) -> bool:
        """Whether a model parts the classes without any overlap, so that formulas and resamples see no spread."""
        return self.areas is not None and self._without_spread(place) and self.areas.values[place] in (0.0, 1.0)

    def _of_separation(self, value: float) -> Interval:
        """What perfect separation by so few rows leaves possible.

        All of the rarer class lie beyond all of the other. If q is the share of that class that does, seeing all r of
        r has probability q^r, so that q is at least (α/2)^(1/r) (Clopper & Pearson 1934), and the area at least q.
        """
        predictions = self.card.predictions
        units = min(predictions.positives, predictions.negatives)
        if predictions.groups is not None:
            units = min(units, int(np.unique(predictions.groups).size))
        bound = ((1 - self.settings.level) / 2) ** (1 / units)
        return Interval(bound, 1.0) if value == 1 else Interval(0.0, 1 - bound)

    def _by_permutation(self, pair: Pair, measure: Measure, value: float) -> Difference:
        """A test and an interval that need no spread: ranks exchanged, and the two intervals combined (MOVER)."""
        predictions = self.card.predictions
        first, second = (predictions.scores[model] for model in pair)
        p = permutation_p(predictions.y, first, second, one_sided=self.settings.one_sided)
        intervals = [self._own_interval(self.card.models.index(model)) for model in pair]
        if intervals[0] is None or intervals[1] is None:
            return Difference(*pair, measure, Method.PERMUTATION, value, None, None, p, p)
        (a, one), (b, other) = ((self._area(m), i) for m, i in zip(pair, intervals, strict=True) if i is not None)
        low = value - hypot(a - one.low, other.high - b)
        high = value + hypot(one.high - a, b - other.low)
        return Difference(*pair, measure, Method.PERMUTATION, value, Interval(low, high), None, p, p)

    def _area(self, model: str) -> float:
        return float(self.areas.values[self.card.models.index(model)]) if self.areas is not None else 0.5

    def _own_interval(self, place: int) -> Interval | None:
        value = self._area(self.card.models[place])
        return self._of_separation(value) if self._separates(place) else self._of_area(value, place)

    def _of_area(self, value: float, place: int) -> Interval | None:
        """DeLong's interval; none where the scores leave no spread."""
        error = float(np.sqrt(self.areas.covariance[place, place])) if self.areas is not None else 0.0
        around = self._around(value, error)
        return Interval(max(around.low, 0.0), min(around.high, 1.0)) if error > 0 else None

    def _share(self, model: str, measure: Measure) -> Interval | None:
        """Wilson's interval for a share of single rows, which unlike resampling knows that 0 of 11 is not 0 %."""
        predictions, matrix = self.card.predictions, self.card.matrix(model)
        if not measure.share or not matrix or predictions.groups is not None:
            return None
        from scipy.stats import binomtest

        hits, of = measure.share(*matrix)
        found = binomtest(hits, of).proportion_ci(self.settings.level, method="wilson")
        return Interval(float(found.low), float(found.high))

    def _around(self, value: float, error: float) -> Interval:
        reach = _NORMAL.inv_cdf((1 + self.settings.level) / 2) * error
        return Interval(value - reach, value + reach)

    def _middle(self, draws: Floats) -> Interval | None:
        """The interval that holds the middle share of the resampled values."""
        defined = draws[~np.isnan(draws)]
        if defined.size < _FEWEST or (defined == defined[0]).all():  # no spread is no certainty
            return None
        level = self.settings.level
        low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
        return Interval(float(low), float(high))

    def _judged(  # noqa: PLR0917 - the six parts of one test
        self, pair: Pair, measure: Measure, method: Method, value: float, error: float, interval: Interval
    ) -> Difference:
        """A difference judged by its standard error: Z = difference / error is about normal."""
        z = value / error if error > 0 else copysign(inf, value) if value else 0.0
        p = _NORMAL.cdf(-z * measure.sign) if self.settings.one_sided else 2 * _NORMAL.cdf(-abs(z))
        return Difference(*pair, measure, method, value, interval, z, p, p)

    def _mcnemar(self, pair: Pair, measure: Measure, value: float) -> Iterator[Difference]:
        split = discordance(self.card.predictions.y, *(self.card.called[model] for model in pair))
        for method in (Method.MCNEMAR_EXACT, Method.MCNEMAR_MID_P):
            p = split.p(mid=method is Method.MCNEMAR_MID_P, one_sided=self.settings.one_sided)
            yield Difference(*pair, measure, method, value, None, None, p, p)
