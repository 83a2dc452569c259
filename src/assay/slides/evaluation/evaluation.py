"""From a predictions folder to measures with their intervals and their denominators, for each named set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.slides.evaluation.levels import Level, NamedSet
from assay.slides.evaluation.measures import Conventions
from assay.slides.evaluation.predictions import Predictions, read_predictions
from assay.slides.evaluation.references import References, read_references

if TYPE_CHECKING:
    from assay.slides.evaluation.tables import Floats

LEVEL = 0.95
_CELLS = 4_000_000
"""How many weights are held at a time."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure of one set, its interval over resampled patients, and what it was computed over."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    over: str


class CurveKind(Enum):
    """What a curve shows."""

    ROC = "ROC"
    FROC = "FROC"


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve with its band: the name of each point is the rate of false positives."""

    kind: CurveKind
    points: tuple[Measured, ...]


@dataclass(frozen=True, slots=True)
class SetEvaluation:
    """All measures of one named set."""

    name: str
    patients: int
    measured: tuple[Measured, ...]
    operating_points: tuple[Measured, ...] = ()
    """Sensitivity at each rate of false positives; empty when lesions were not evaluated."""
    conventions: tuple[Measured, ...] = ()
    """What other conventions of reporting would have given at the same predictions."""
    confusion: tuple[tuple[int, ...], ...] = ()
    """Patients by stage (rows) and predicted stage (columns), in clinical order; empty without patients."""
    notes: tuple[str, ...] = ()
    curves: tuple[Curve, ...] = ()


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a predictions folder comes to."""

    folder: str
    sets: tuple[SetEvaluation, ...]
    conventions: Conventions
    threshold: float
    resamples: int
    seed: int
    task: str = "camelyon"

    def metrics(self) -> dict[str, dict[str, float | None]]:
        """Set, measure and value as plain data, for a file that other programs read; ends of intervals beside it."""
        return {one.name: dict(_named_values(one.measured)) for one in self.sets}


def _named_values(measures: Sequence[Measured]) -> Iterator[tuple[str, float | None]]:
    for one in measures:
        yield one.name, one.value
        if one.low is not None and one.high is not None:
            yield from ((f"{one.name}_low", one.low), (f"{one.name}_high", one.high))


def evaluate(
    folder: Path,
    *,
    sets: Sequence[str] = (),
    threshold: float = 0.5,
    resamples: int = 1000,
    seed: int = 0,
    conventions: Conventions | None = None,
    shared_patients: bool = False,
) -> Evaluation:
    """Every measure that the predictions in a folder allow, for the named sets (all of them unless some are named).

    `shared_patients` accepts patients in two sets, for those who measure what such a split does.
    """
    how = conventions or Conventions()
    predictions = read_predictions(folder, shared_patients=shared_patients)
    references = read_references(folder)
    _refuse_unknown_names(predictions, references, sets)
    named = (
        NamedSet(predictions, references, name, threshold, how) for name in dict.fromkeys(sets or predictions.sets)
    )
    return Evaluation(
        str(folder), tuple(_evaluated(one, resamples, seed) for one in named), how, threshold, resamples, seed
    )


def _refuse_unknown_names(predictions: Predictions, references: References, sets: Sequence[str]) -> None:
    where = str(predictions.folder)
    for name in sets:
        if name not in predictions.sets:
            fix = suggestion(name, predictions.sets) or f"The sets are {', '.join(predictions.sets)}."
            raise InputError(f'there is no set "{name}"', where=where, fix=fix)
    known = [slide.name for slide in predictions.slides]
    for name in references:
        if name not in known:
            fix = suggestion(name, known) or "Every slide is listed in slides.csv once."
            raise InputError(f'annotated slide "{name}" is not in slides.csv', where=where, fix=fix)


def _evaluated(named: NamedSet, resamples: int, seed: int) -> SetEvaluation:
    """Every level's measures, with one and the same resamples of patients."""
    patients = len(named.patients)
    drawn = np.random.default_rng(seed).multinomial(patients, np.full(patients, 1 / patients), size=resamples)
    weights = drawn.T.astype(np.float64)

    def measured(levels: Iterable[Level | None]) -> tuple[Measured, ...]:
        return tuple(one for level in levels if level for one in measured_with_intervals(level, weights))

    main = measured(
        (
            named.patch_level(),
            named.slide_level(),
            named.class_level(),
            named.lesion_level(),
            named.patient_level(),
        )
    )
    undefined = [one.name for one in main if one.value is None]
    notes = [*named.notes]
    if shared := [name for name in named.predictions.shared if name in named.patients]:
        notes.append(f"{named.name}: {len(shared)} of its {patients} patients are in another set too (leakage L3.2)")
    if undefined:
        notes.append(f"{named.name}: {', '.join(undefined)}: undefined here, for a class or all lesions are missing")
    return SetEvaluation(
        named.name,
        patients,
        main,
        measured([named.operating_points()]),
        measured(named.other_conventions()),
        named.confusion(),
        tuple(notes),
        tuple(curves_of({CurveKind.ROC: named.roc_curve(), CurveKind.FROC: named.froc_curve()}, weights)),
    )


def curves_of(
    levels: Mapping[CurveKind, Level | None], weights: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> Iterator[Curve]:
    """The curves that are defined."""
    for kind, level in levels.items():
        points = tuple(measured_with_intervals(level, weights)) if level else ()
        if points and points[0].value is not None:
            yield Curve(kind, points)


_RAISED = frozenset({"calibration_error"})
"""Resampled patients raise a sum of absolute gaps: its own value may lie below all of them."""


def measured_with_intervals(
    level: Level, weights: np.ndarray[tuple[int, int], np.dtype[np.float64]]
) -> Iterator[Measured]:
    """Each measure with its percentile interval over patients drawn with replacement."""
    patients, resamples = weights.shape
    estimate = level.measures(np.ones((patients, 1)))
    step = max(1, _CELLS // level.units)
    blocks = [level.measures(weights[:, first : first + step]) for first in range(0, resamples, step)]
    for name, [value] in estimate.items():
        values = np.concatenate([block[name] for block in blocks]) if blocks else np.zeros(0)
        low, high = (None, None) if name in _RAISED else _interval(values)
        yield Measured(name, None if np.isnan(value) else float(value), low, high, level.over)


def _interval(values: Floats) -> tuple[float | None, float | None]:
    """The middle 95 % of the resamples in which the measure was defined; none if that is fewer than half."""
    defined = values[~np.isnan(values)]
    if not defined.size or defined.size * 2 < values.size:
        return None, None
    low, high = np.quantile(defined, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)
