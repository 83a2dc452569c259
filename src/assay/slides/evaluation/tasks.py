"""Any task of slide analysis from one table: two classes, many, ordered grades, or masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.evaluation.agreement import (
    Tally,
    calibration_measures,
    calibration_tally,
    class_measures,
    confusion_tables,
    confusion_tally,
    grade_measures,
    overlap_measures,
    overlap_tally,
)
from assay.slides.evaluation.cases import Cases, Task, read_cases
from assay.slides.evaluation.evaluation import CurveKind, Evaluation, SetEvaluation, curves_of, measured_with_intervals
from assay.slides.evaluation.levels import Level, roc_level
from assay.slides.evaluation.measures import Conventions, auc, divided, shares
from assay.slides.evaluation.references import read_mask

if TYPE_CHECKING:
    from assay.slides.evaluation.measures import Ints, Weights
    from assay.slides.evaluation.tables import Floats


@dataclass(frozen=True, slots=True)
class Settings:
    """What the person who evaluates decides."""

    threshold: float = 0.5
    order: tuple[str, ...] = ()
    """The grades from the lowest to the highest; whole numbers need none."""
    resamples: int = 1000
    seed: int = 0


def evaluate_task(
    folder: Path, task: Task, settings: Settings, sets: Sequence[str] = (), *, shared_patients: bool = False
) -> Evaluation:
    """The measures of a task for each set, and in it for each centre and scanner."""
    cases = read_cases(folder, sets, shared_patients=shared_patients)
    found = [_measured(part, task, settings, curve=part is one) for one in cases for part in (one, *one.parts())]
    return Evaluation(
        str(folder), tuple(found), Conventions(), settings.threshold, settings.resamples, settings.seed, task.value
    )


def _measured(part: Cases, task: Task, settings: Settings, *, curve: bool) -> SetEvaluation:
    """One set, or one centre or scanner of it; a whole set also has a curve."""
    place, patients = _places(part.patients)
    drawn = np.random.default_rng(settings.seed).multinomial(
        patients, np.full(patients, 1 / patients), size=settings.resamples
    )
    weights = drawn.T.astype(np.float64)
    level, notes = LEVELS[task](part, place, patients, settings)
    measured = tuple(measured_with_intervals(level, weights))
    lost = [one.name for one in measured if one.value is None]
    undefined = [f"{part.name}: {', '.join(lost)}: undefined here, for a class is missing"] if lost else []
    roc = _roc(part, place) if curve and task is Task.BINARY else None
    curves = tuple(curves_of({CurveKind.ROC: roc}, weights))
    return SetEvaluation(part.name, patients, measured, notes=(*notes, *undefined), curves=curves)


def _roc(cases: Cases, place: Ints) -> Level:
    kept = np.array(cases.kept)
    return roc_level(cases.rows.flags("truth")[kept], cases.rows.numbers("score")[kept], place)


LevelAndNotes = tuple[Level, tuple[str, ...]]


def _binary(cases: Cases, place: Ints, patients: int, settings: Settings) -> LevelAndNotes:
    kept = np.array(cases.kept)
    positive, score = cases.rows.flags("truth")[kept], cases.rows.numbers("score")[kept]
    called = score >= settings.threshold
    found = Tally.sums(np.column_stack([positive & called, positive * 1.0 + called]), place, patients)
    probable = bool(((score >= 0) & (score <= 1)).all())
    calibration = calibration_tally(positive, score, place, patients) if probable else None

    def measures(weights: Weights) -> dict[str, Floats]:
        out = {"auc": auc(positive, score, weights[place])} | shares(positive, called, place, weights)
        right, marked = found.weighted(weights)
        out["f1"] = divided(2 * right, marked)
        return out | (calibration_measures(calibration, weights) if calibration else {})

    notes = () if probable else (f"{cases.name}: scores outside 0 to 1 are no probabilities, so no calibration",)
    return Level(f"{score.size} cases ({int(positive.sum())} positive)", score.size, measures), notes


def _classes(cases: Cases, place: Ints, patients: int, settings: Settings) -> LevelAndNotes:
    del settings
    rows = cases.rows
    known = sorted({*rows.names("truth"), *rows.names("predicted")})
    tally = _confusion(cases, known, place, patients)
    calibration = _top_class_calibration(cases, place, patients)

    def measures(weights: Weights) -> dict[str, Floats]:
        out = class_measures(confusion_tables(tally, len(known), weights))
        return out | (calibration_measures(calibration, weights) if calibration else {})

    notes = () if calibration else (f"{cases.name}: no column confidence, so no calibration",)
    return Level(f"{len(cases.kept)} cases in {len(known)} classes", len(known) ** 2, measures), notes


def _grades(cases: Cases, place: Ints, patients: int, settings: Settings) -> LevelAndNotes:
    order = settings.order or _numeric_order(cases)
    tally = _confusion(cases, order, place, patients)

    def measures(weights: Weights) -> dict[str, Floats]:
        return grade_measures(confusion_tables(tally, len(order), weights))

    return Level(f"{len(cases.kept)} cases; grades {' < '.join(order)}", len(order) ** 2, measures), ()


def _segmentation(cases: Cases, place: Ints, patients: int, settings: Settings) -> LevelAndNotes:
    del settings
    overlaps = []
    for row, reference, predicted in zip(cases.kept, cases.names("truth"), cases.names("predicted"), strict=True):
        one, other = (_mask(cases, row, file) for file in (reference, predicted))
        if one.shape != other.shape:
            sizes = " and ".join(f"{mask.shape[1]} × {mask.shape[0]}" for mask in (one, other))
            raise cases.rows.complaint(f"the two masks have {sizes} pixels", row, "Export both at one resolution.")
        overlaps.append((int((one & other).sum()), int(one.sum()), int(other.sum())))
    tally = overlap_tally(overlaps, place, patients)
    empty = sum(reference + predicted == 0 for _, reference, predicted in overlaps)
    over = f"{len(overlaps) - empty} of {len(overlaps)} images"
    notes = (f"{cases.name}: {empty} images with two empty masks have no Dice and are left out",) if empty else ()
    return Level(over, len(overlaps), lambda weights: overlap_measures(tally, weights)), notes


LEVELS: dict[Task, Callable[[Cases, Ints, int, Settings], LevelAndNotes]] = {
    Task.BINARY: _binary,
    Task.CLASSES: _classes,
    Task.GRADES: _grades,
    Task.SEGMENTATION: _segmentation,
}
"""How each task is measured."""


def _places(patients: Sequence[str]) -> tuple[Ints, int]:
    """For each case the row of its patient in a column of weights, and how many patients there are."""
    order = {name: place for place, name in enumerate(dict.fromkeys(patients))}
    return np.array([order[name] for name in patients]), len(order)


def _confusion(cases: Cases, order: Sequence[str], place: Ints, patients: int) -> Tally:
    known = tuple(order)
    columns = []
    for column in ("truth", "predicted"):
        words = cases.rows.words(column, known)
        columns.append(np.array([known.index(words[row]) for row in cases.kept]))
    return confusion_tally(columns[0], columns[1], len(known), place, patients)


def _top_class_calibration(cases: Cases, place: Ints, patients: int) -> Tally | None:
    """Calibration of the probability of the predicted class, where the column `confidence` gives it."""
    if "confidence" not in cases.rows:
        return None
    confidence = cases.rows.numbers("confidence")
    outside = [row for row in cases.kept if not 0 <= confidence[row] <= 1]
    if outside:
        raise cases.rows.complaint('"confidence" is outside 0 to 1', outside[0], "Give a probability.")
    right = np.array([a == b for a, b in zip(cases.names("truth"), cases.names("predicted"), strict=True)])
    return calibration_tally(right, confidence[np.array(cases.kept)], place, patients)


def _numeric_order(cases: Cases) -> tuple[str, ...]:
    """Whole numbers order themselves, with the grades between them that do not occur."""
    words = {*cases.rows.names("truth"), *cases.rows.names("predicted")}
    if not all(word.isascii() and word.isdigit() and len(word) < 3 for word in words):
        fix = "Name the grades from the lowest to the highest, as --order 3+3,3+4,4+3,4+4."
        raise InputError("the grades are not whole numbers", where=str(cases.rows.path), fix=fix)
    numbers = [int(word) for word in words]
    return tuple(map(str, range(min(numbers), max(numbers) + 1)))


def _mask(cases: Cases, row: int, file: str) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    folder = cases.rows.path.parent
    path = folder / file
    if not path.resolve().is_relative_to(folder.resolve()):
        raise cases.rows.complaint(f'"{file}" is outside the folder', row, "Masks lie in the predictions folder.")
    return read_mask(path, 1.0).tumour
