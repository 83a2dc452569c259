"""A predictions folder as plain facts: slides, patches, detections, patients; joined by name, never by row number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.evaluation.tables import Rows, read_rows

if TYPE_CHECKING:
    from assay.slides.evaluation.tables import Bools, Floats

    Ints = np.ndarray[tuple[int], np.dtype[np.int64]]

STAGES = ("pN0", "pN0(i+)", "pN1mi", "pN1", "pN2")
"""The clinical order. Sorted by letter, pN1 would come before pN1mi, and every weighted kappa would be another."""
KINDS = ("negative", "itc", "micro", "macro")
TABLES = ("slides", "patches", "lesions", "patients")


@dataclass(frozen=True, slots=True)
class Slide:
    """What is known and what was predicted about one slide."""

    name: str
    patient: str
    set: str
    positive: bool
    score: float | None = None
    kind: str | None = None
    predicted_kind: str | None = None


@dataclass(frozen=True, slots=True)
class Patches:
    """Every scored patch; `slide` is its place among the slides."""

    slide: Ints
    positive: Bools
    score: Floats


@dataclass(frozen=True, slots=True)
class Detections:
    """The points that a detector marked on one slide, in micrometres from its upper left corner."""

    x_um: Floats
    y_um: Floats
    score: Floats


@dataclass(frozen=True, slots=True)
class Patient:
    """A patient's stage, as it is and as it was predicted."""

    name: str
    set: str
    stage: str
    predicted: str


@dataclass(frozen=True)
class Predictions:
    """All that a predictions folder says; what it has no table for is None."""

    folder: Path
    slides: tuple[Slide, ...]
    patches: Patches | None
    detections: Mapping[str, Detections] | None
    """By slide; a slide without detections is not in it, and counts all the same."""
    patients: tuple[Patient, ...] | None

    @property
    def shared(self) -> tuple[str, ...]:
        """Patients with slides in more than one set; there are none unless they were accepted."""
        pairs = {(slide.patient, slide.set) for slide in self.slides}
        seen = [patient for patient, _ in sorted(pairs)]
        return tuple(sorted({patient for patient in seen if seen.count(patient) > 1}))

    @property
    def sets(self) -> tuple[str, ...]:
        """The named sets, in the order in which they appear."""
        staged = [one.set for one in self.patients or ()]
        return tuple(dict.fromkeys([*(slide.set for slide in self.slides), *staged]))


def read_predictions(folder: Path, *, shared_patients: bool = False) -> Predictions:
    """The facts in a predictions folder; anything contradictory, unknown or missing is an `InputError`.

    A patient in two sets is refused unless `shared_patients` says that this is meant (to measure what it does);
    then patients.csv names the set of each patient itself.
    """
    if not folder.is_dir():
        raise InputError("is not a folder", where=str(folder), fix="Name a folder with slides.csv, patches.csv, ….")
    rows = {stem: read_rows(folder, stem) for stem in TABLES}
    if all(one is None for one in rows.values()):
        expected = ", ".join(f"{stem}.csv" for stem in TABLES)
        raise InputError("holds no predictions", where=str(folder), fix=f"It should hold some of {expected}.")
    slides = () if rows["slides"] is None else _slides(rows["slides"], shared_patients)
    if lone := next((stem for stem in ("patches", "lesions") if rows[stem] is not None and not slides), None):
        fix = "slides.csv says which patient and set a slide belongs to."
        raise InputError(f"has {lone}.csv but no slides.csv", where=str(folder), fix=fix)
    return _joined(folder, slides, rows, shared_patients)


def _joined(folder: Path, slides: tuple[Slide, ...], rows: Mapping[str, Rows | None], shared: bool) -> Predictions:
    places = {slide.name: place for place, slide in enumerate(slides)}
    patches, lesions, patients = rows["patches"], rows["lesions"], rows["patients"]
    return Predictions(
        folder,
        slides,
        None if patches is None else _patches(patches, places),
        None if lesions is None else _detections(lesions, places),
        None if patients is None else _patients(patients, () if shared else slides),
    )


def _slides(rows: Rows, shared_patients: bool) -> tuple[Slide, ...]:
    names = rows.unique_names("slide")
    patients, sets = rows.names("patient"), rows.names("set")
    positive = rows.flags("label")
    scores = rows.numbers("score", gaps=True) if "score" in rows else np.full(len(rows), np.nan)
    kinds = rows.words("class", KINDS) if "class" in rows else [None] * len(rows)
    predicted = (
        rows.words("predicted_class", KINDS) if "class" in rows and "predicted_class" in rows else [None] * len(rows)
    )
    if not shared_patients:
        refuse_patients_in_two_sets(rows, patients, sets)
    for row, (is_positive, kind) in enumerate(zip(positive, kinds, strict=True)):
        if kind == "negative" and is_positive:
            raise rows.complaint('"label" is 1 and "class" is "negative"', row, "Correct one of them.")
    return tuple(
        Slide(name, patient, group, bool(is_positive), None if np.isnan(score) else float(score), kind, guess)
        for name, patient, group, is_positive, score, kind, guess in zip(
            names, patients, sets, positive, scores, kinds, predicted, strict=True
        )
    )


def refuse_patients_in_two_sets(rows: Rows, patients: Iterable[str], sets: Iterable[str]) -> None:
    """A patient in two sets leaks (L3.2)."""
    first: dict[str, str] = {}
    for row, (patient, group) in enumerate(zip(patients, sets, strict=True)):
        if first.setdefault(patient, group) != group:
            told = f'patient "{patient}" is in the sets "{first[patient]}" and "{group}"'
            raise rows.complaint(told, row, "Split by patient; `assay explain L3.2` says why.")


def _places(rows: Rows, places: Mapping[str, int]) -> Ints:
    """For each row the place of its slide."""
    names = rows.names("slide")
    found = np.fromiter((places.get(name, -1) for name in names), dtype=np.int64, count=len(names))
    if (lost := np.flatnonzero(found < 0)).size:
        row = int(lost[0])
        raise rows.complaint(f'slide "{names[row]}" is not in slides.csv', row, "Every slide is listed there once.")
    return found


def _patches(rows: Rows, places: Mapping[str, int]) -> Patches:
    slide = _places(rows, places)
    spots = np.column_stack([slide, rows.numbers("x_um"), rows.numbers("y_um")])
    order = np.lexsort(spots.T)
    twins = np.flatnonzero((spots[order][1:] == spots[order][:-1]).all(axis=1))
    if twins.size:
        row = int(order[1:][twins].min())
        raise rows.complaint("this patch is listed twice", row, "A slide and a place name one patch.")
    return Patches(slide, rows.flags("label"), rows.numbers("score"))


def _detections(rows: Rows, places: Mapping[str, int]) -> dict[str, Detections]:
    slide = _places(rows, places)
    x, y, score = rows.numbers("x_um"), rows.numbers("y_um"), rows.numbers("score")
    names = list(places)
    return {
        names[place]: Detections(x[slide == place], y[slide == place], score[slide == place])
        for place in np.unique(slide).tolist()
    }


def _patients(rows: Rows, slides: tuple[Slide, ...]) -> tuple[Patient, ...]:
    names = rows.unique_names("patient")
    stages, predicted = rows.words("stage", STAGES), rows.words("predicted_stage", STAGES)
    if not slides:
        return tuple(map(Patient, names, rows.names("set"), stages, predicted))
    sets = {slide.patient: slide.set for slide in slides}
    for row, name in enumerate(names):
        if name not in sets:
            raise rows.complaint(
                f'patient "{name}" has no slide in slides.csv', row, "List the patient's slides there."
            )
    told = {sets[name] for name in names}
    missing = next((patient for patient, group in sets.items() if group in told and patient not in set(names)), None)
    if missing is not None:
        fix = f'List every patient of the set "{sets[missing]}".'
        raise rows.complaint(f'patient "{missing}" of slides.csv has no row', fix=fix)
    return tuple(Patient(name, sets[name], *both) for name, *both in zip(names, stages, predicted, strict=True))
