"""All scores of all models on one test set, for the set as it is and for any number of its resamples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from assay.comparison.arrays import Bools, Floats
from assay.comparison.binormal import smoothed_auc
from assay.comparison.curves import Counts, Ranking, Steps, auc, average_precision, ranked, steps_of
from assay.comparison.measures import AP, AUC, BRIER, LOG_LOSS, SMOOTH_AUC, Kind, Measure
from assay.comparison.predictions import Predictions
from assay.errors import InputError
from assay.records import dataclass

_OF_A_CURVE = {AUC: auc, SMOOTH_AUC: smoothed_auc, AP: average_precision}


class _Totals(NamedTuple):
    """What every resample adds up to: the sums by model and name, the positives and all rows."""

    sums: Mapping[tuple[str, str], Floats]
    positives: Floats
    rows: Floats


@dataclass(frozen=True, eq=False)
class Scorecard:
    """Models, measures, and what is prepared once so that a resample costs little."""

    predictions: Predictions
    measures: tuple[Measure, ...]
    rankings: tuple[Ranking, ...]
    called: Mapping[str, Bools]
    """By model, which rows its threshold calls positive."""
    sums: Floats
    """What each row adds to each sum, a row for every sum named in `sum_names`."""
    sum_names: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in their order."""
        return self.predictions.models

    def values(self, weights: Counts) -> Floats:
        """The scores by model, measure and resample; nan where a score is missing."""
        out = np.full((len(self.models), len(self.measures), weights.shape[1]), np.nan)
        # Not a matrix product: its threads wait for each other longer than these sums take.
        sums = np.einsum("sn,bn->sb", self.sums, weights.T.astype(np.float64))
        totals = _Totals(
            dict(zip(self.sum_names, sums, strict=True)),
            weights[self.predictions.y].sum(axis=0, dtype=np.float64),
            weights.sum(axis=0, dtype=np.float64),
        )
        curves = any(m.kind is Kind.RANKING for m in self.measures)
        for i, (model, ranking) in enumerate(zip(self.models, self.rankings, strict=True)):
            steps = steps_of(ranking, self.predictions.y, weights) if curves else None
            for k, measure in enumerate(self.measures):
                if (found := self._value(model, measure, steps, totals)) is not None:
                    out[i, k] = found
        return out

    def _value(self, model: str, measure: Measure, steps: Steps | None, totals: _Totals) -> Floats | None:
        """One score of one model in every resample; None where its output is not of that kind."""
        if steps is not None and measure.name in _OF_A_CURVE:
            return _OF_A_CURVE[measure.name](steps)
        if (model, measure.name) in totals.sums:
            return totals.sums[model, measure.name] / totals.rows
        if measure.kind is Kind.THRESHOLD and model in self.called:
            tp, fp = totals.sums[model, "tp"], totals.sums[model, "fp"]
            with np.errstate(invalid="ignore", divide="ignore"):
                found: Floats = measure.at(tp, totals.positives - tp, fp, totals.rows - totals.positives - fp)
            return found
        return None

    def has(self, model: str, measure: Measure) -> bool:
        """Whether the model's output is of the kind that the measure asks for."""
        return measure.kind is not Kind.THRESHOLD or model in self.called

    def matrix(self, model: str) -> tuple[int, int, int, int] | None:
        """True positives, false negatives, false positives and true negatives, for a model with a threshold."""
        if model not in self.called:
            return None
        y, called = self.predictions.y, self.called[model]
        tp, fp = int(np.count_nonzero(called & y)), int(np.count_nonzero(called & ~y))
        return tp, self.predictions.positives - tp, fp, self.predictions.negatives - fp

    def observed(self) -> Floats:
        """The scores on the test set as it is, by model and measure."""
        values: Floats = self.values(np.ones((self.predictions.y.size, 1), dtype=np.int32))[:, :, 0]
        return values


def scorecard_of(
    predictions: Predictions, measures: Sequence[Measure], thresholds: Mapping[str, float], threshold: float | None
) -> Scorecard:
    """Prepare the scores; `thresholds` are those of single models, `threshold` that of all others."""
    _require_models(thresholds, predictions)
    left_out: list[str] = []
    called: dict[str, Bools] = {}
    sums: list[tuple[tuple[str, str], Floats]] = []
    kinds = {measure.kind for measure in measures}
    for model, scores in predictions.scores.items():
        if Kind.PROBABILITY in kinds:
            sums += _losses(model, scores, predictions.y, left_out)
        if Kind.THRESHOLD not in kinds:
            continue
        calls = _called_positive(model, scores, thresholds.get(model, threshold), left_out)
        if calls is not None:
            called[model] = calls
            sums += _caught(model, calls, predictions.y)
    return Scorecard(
        predictions,
        tuple(measures),
        tuple(ranked(scores) for scores in predictions.scores.values()),
        called,
        _stacked([values for _, values in sums], predictions.y.size),
        tuple(name for name, _ in sums),
        tuple(left_out),
    )


def _stacked(sums: Sequence[Floats], rows: int) -> Floats:
    return np.stack(sums) if sums else np.empty((0, rows))


def _require_models(thresholds: Mapping[str, float], predictions: Predictions) -> None:
    if unknown := [name for name in thresholds if name not in predictions.scores]:
        fix = f"The models are {', '.join(predictions.models)}."
        raise InputError(f'a threshold is given for "{unknown[0]}", which is no model', fix=fix)


def _are_probabilities(scores: Floats) -> bool:
    return bool(scores.min() >= 0 and scores.max() <= 1)


def _called_positive(model: str, scores: Floats, threshold: float | None, left_out: list[str]) -> Bools | None:
    """Which rows a model calls positive: at 0.5 if its scores are probabilities and no threshold is given."""
    if threshold is None and not _are_probabilities(scores):
        left_out.append(f"{model}: no scores at a threshold, for its scores are not probabilities and none is given")
        return None
    calls: Bools = scores >= (0.5 if threshold is None else threshold)
    return calls


def _losses(model: str, p: Floats, y: Bools, left_out: list[str]) -> Iterator[tuple[tuple[str, str], Floats]]:
    if not _are_probabilities(p):
        reason = f"scores from {p.min():.4g} to {p.max():.4g} are not probabilities"
        left_out.append(f"{model}: no Brier score and no log-loss, for {reason}")
        return
    yield (model, BRIER), (p - y) ** 2
    believed = np.where(y, p, 1 - p)
    if certain := int(np.count_nonzero(believed == 0)):
        left_out.append(f"{model}: no log-loss, for it is infinite: {certain:,} outcomes had the probability 0")
    else:
        yield (model, LOG_LOSS), -np.log(believed)


def _caught(model: str, called: Bools, y: Bools) -> Iterator[tuple[tuple[str, str], Floats]]:
    yield (model, "tp"), (called & y).astype(np.float64)
    yield (model, "fp"), (called & ~y).astype(np.float64)
