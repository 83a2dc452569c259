"""Outcomes that are numbers: how far off each model is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.comparison.arrays import Floats, Ints
from assay.comparison.curves import Counts
from assay.comparison.measures import Kind, Measure
from assay.errors import InputError, suggestion
from assay.records import dataclass

NUMBER_MEASURES = {
    measure.name: measure
    for measure in (
        Measure("rmse", "RMSE", Kind.NUMBER, larger_is_better=False),
        Measure("mae", "mean absolute error", Kind.NUMBER, larger_is_better=False),
        Measure("r2", "R²", Kind.NUMBER),
    )
}


@dataclass(frozen=True, eq=False)
class NumberPredictions:
    """One test set with a number for each row, and what each model predicted."""

    y: Floats
    predicted: Mapping[str, Floats]
    groups: Ints | None = None
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.predicted:
            raise InputError("there is no model to compare", fix="Give at least one column of predictions.")
        if self.y.size < 2 or not np.ptp(self.y):
            raise InputError("all outcomes are the same", fix="A comparison needs outcomes that differ.")

    @property
    def models(self) -> tuple[str, ...]:
        """The names, in the order of the source."""
        return tuple(self.predicted)

    @property
    def subject(self) -> str:
        """How a sentence about the test set begins."""
        within = "" if self.groups is None else f" in {np.unique(self.groups).size:,} groups"
        return f"On {self.y.size:,} rows{within}"

    @property
    def unit(self) -> str:
        """What a resample draws."""
        return "rows" if self.groups is None else "groups"

    @property
    def strata(self) -> Ints:
        """Rows of a regression are drawn from one pool."""
        return np.zeros(self.y.size, dtype=np.int64)

    def errors(self, model: str) -> Floats:
        """How far off the model is on each row."""
        return np.abs(self.predicted[model] - self.y)


def number_measures(names: Sequence[str]) -> list[Measure]:
    """The measures with these names, or all."""
    for name in names:
        if name not in NUMBER_MEASURES:
            fix = suggestion(name, NUMBER_MEASURES) or f"For numbers: {', '.join(NUMBER_MEASURES)}."
            raise InputError(f'there is no score "{name}" for an outcome of numbers', fix=fix)
    return [NUMBER_MEASURES[name] for name in names or NUMBER_MEASURES]


def number_scores(source: NumberPredictions, measures: Sequence[Measure], weights: Counts) -> Floats:
    """The scores by model, measure and resample."""
    rows = weights.sum(axis=0, dtype=np.float64)
    drawn = weights.astype(np.float64)
    centred = source.y - source.y.mean()  # keeps the sums of squares exact for outcomes far from zero
    spread = centred**2 @ drawn - (centred @ drawn) ** 2 / rows
    out = np.empty((len(source.models), len(measures), weights.shape[1]))
    for i, model in enumerate(source.models):
        errors = source.errors(model)
        squares = errors**2 @ drawn
        with np.errstate(invalid="ignore", divide="ignore"):
            values = {"rmse": np.sqrt(squares / rows), "mae": errors @ drawn / rows, "r2": 1 - squares / spread}
        for k, measure in enumerate(measures):
            out[i, k] = values[measure.name]
    return out
