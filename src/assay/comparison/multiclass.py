"""Outcomes of three or more classes: what each model calls every row, and how likely it finds each class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from assay.comparison.arrays import Bools, Floats, Ints
from assay.comparison.curves import Counts, auc, ranked, steps_of
from assay.comparison.measures import ACCURACY, Kind, Measure
from assay.errors import InputError, suggestion
from assay.records import dataclass

_FEWEST_CLASSES = 3

CLASS_MEASURES = {
    measure.name: measure
    for measure in (
        Measure(ACCURACY, "accuracy", Kind.CLASS),
        Measure("bacc", "balanced accuracy", Kind.CLASS),
        Measure("f1_macro", "macro F1", Kind.CLASS),
        Measure("kappa", "Cohen's kappa", Kind.CLASS),
        Measure("mcc", "Matthews correlation", Kind.CLASS),
        Measure("auc_ovr", "one-against-rest AUC (mean of classes)", Kind.CLASS_PROBABILITY),
        Measure("brier", "Brier score (sum over classes)", Kind.CLASS_PROBABILITY, larger_is_better=False),
        Measure("logloss", "log-loss", Kind.CLASS_PROBABILITY, larger_is_better=False),
    )
}


@dataclass(frozen=True, eq=False)
class ClassPredictions:
    """One test set with several classes; `labels` has each model's call, `probabilities` a column for each class."""

    y: Ints
    classes: tuple[str, ...]
    labels: Mapping[str, Ints]
    probabilities: Mapping[str, Floats]
    groups: Ints | None = None
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.labels:
            raise InputError(
                "there is no column of predicted classes",
                fix=f"Give each model a column of classes, or a column for each class: model:{self.classes[0]}.",
            )
        if np.unique(self.y).size < _FEWEST_CLASSES:
            raise InputError("the outcome has fewer than three classes", fix="Compare as two classes: --positive.")

    @property
    def models(self) -> tuple[str, ...]:
        """The names, in the order of the source."""
        return tuple(self.labels)

    @property
    def subject(self) -> str:
        """How a sentence about the test set begins."""
        within = "" if self.groups is None else f", {np.unique(self.groups).size:,} groups"
        return f"On {self.y.size:,} rows ({len(self.classes)} classes{within})"

    @property
    def unit(self) -> str:
        """What a resample draws."""
        return "rows" if self.groups is None else "groups"

    @property
    def strata(self) -> Ints:
        """What keeps its size in every resample."""
        return self.y

    def errors(self, model: str) -> Floats:
        """0 where the model is right, 1 where it is wrong."""
        return np.asarray(self.labels[model] != self.y, dtype=np.float64)

    def complete(self) -> ClassPredictions:
        """Without the rows that some model has no answer for; they are counted."""
        known = np.logical_and.reduce([labels >= 0 for labels in self.labels.values()]) & (self.y >= 0)
        if known.all():
            return self
        note = f"{int((~known).sum()):,} of {known.size:,} rows: the outcome or a model's answer is missing"
        return replace(
            self,
            y=self.y[known],
            labels={name: labels[known] for name, labels in self.labels.items()},
            probabilities={name: values[known] for name, values in self.probabilities.items()},
            groups=None if self.groups is None else self.groups[known],
            left_out=(*self.left_out, note),
        )


def class_measures(names: Sequence[str]) -> list[Measure]:
    """The measures with these names, or all."""
    for name in names:
        if name not in CLASS_MEASURES:
            fix = suggestion(name, CLASS_MEASURES) or f"For several classes: {', '.join(CLASS_MEASURES)}."
            raise InputError(f'there is no score "{name}" for several classes', fix=fix)
    return [CLASS_MEASURES[name] for name in names or CLASS_MEASURES]


def class_scores(source: ClassPredictions, measures: Sequence[Measure], weights: Counts) -> Floats:
    """The scores by model, measure and resample; nan where a model lacks what a score asks for."""
    out = np.full((len(source.models), len(measures), weights.shape[1]), np.nan)
    drawn = weights.T.astype(np.float64)
    for i, model in enumerate(source.models):
        matrix = _confusion(source.y, source.labels[model], len(source.classes), drawn)
        likely = source.probabilities.get(model)
        for k, measure in enumerate(measures):
            if measure.kind is Kind.CLASS:
                out[i, k] = _of_confusion(measure.name, matrix)
            elif likely is not None:
                out[i, k] = _of_probabilities(measure.name, source.y, likely, weights)
    return out


def _confusion(y: Ints, called: Ints, number: int, drawn: Floats) -> Floats:
    """Counts by resample, true class and called class."""
    cell = y * number + called
    counts = [np.bincount(cell, weights=one, minlength=number * number) for one in drawn]
    return np.asarray(counts, dtype=np.float64).reshape(-1, number, number)


def _of_confusion(name: str, matrix: Floats) -> Floats:
    total = matrix.sum(axis=(1, 2))
    right = np.einsum("bii->b", matrix)
    true, called = matrix.sum(axis=2), matrix.sum(axis=1)
    hits = np.einsum("bii->bi", matrix)
    by_chance = (true * called).sum(axis=1)
    spread = (total**2 - (called**2).sum(axis=1)) * (total**2 - (true**2).sum(axis=1))  # Gorodkin 2004
    with np.errstate(invalid="ignore", divide="ignore"):
        values: dict[str, Floats] = {
            ACCURACY: right / total,
            "bacc": (hits / true).mean(axis=1),
            "f1_macro": (2 * hits / (true + called)).mean(axis=1),
            "kappa": (total * right - by_chance) / (total**2 - by_chance),
            "mcc": (total * right - by_chance) / np.sqrt(spread),
        }
    return values[name]


def _of_probabilities(name: str, y: Ints, likely: Floats, weights: Counts) -> Floats:
    classes = likely.shape[1]
    if name == "auc_ovr":
        areas = [auc(steps_of(ranked(likely[:, one]), y == one, weights)) for one in range(classes)]
        return np.asarray(np.mean(areas, axis=0), dtype=np.float64)
    truth: Bools = y[:, None] == np.arange(classes)
    if name == "brier":
        losses = ((likely - truth) ** 2).sum(axis=1)
    else:
        with np.errstate(divide="ignore"):
            losses = -np.log(likely[truth])
    if not np.isfinite(losses).all():
        return np.full(weights.shape[1], np.nan)
    return np.asarray(losses @ weights / weights.sum(axis=0), dtype=np.float64)
