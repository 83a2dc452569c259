"""The two tables of a data folder: which slides there are, whose they are, what they show."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator
from pathlib import Path

from assay.errors import InputError, suggestion
from assay.files import is_there, read_text
from assay.records import dataclass
from assay.slides.reading.annotation_xml import Frame
from assay.slides.reading.annotations import Annotation, read_annotation
from assay.slides.vocabulary import CLASSES, SETS, STAGES

_MAX_ROWS = 200_000
_LONGEST = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """One slide of the table."""

    slide: str
    file: Path
    patient: str
    kind: str
    annotation: Path | None = None
    set: str = ""
    um_per_pixel: float | None = None
    tumour: tuple[str, ...] = ()
    """The groups of its annotation that are tumour, where their names do not say it."""

    def drawn(self, size: tuple[int, int], frame: Frame | None) -> Annotation | None:
        """What a pathologist drew on the slide, whose `size` is width and height."""
        return read_annotation(self.annotation, size, frame, self.tumour) if self.annotation else None


@dataclass(frozen=True, slots=True)
class Cohort:
    """All slides, in the order of their names, and the stages of the patients where a table gives them."""

    folder: Path
    entries: tuple[Entry, ...]
    stages: dict[str, str]

    @property
    def patients(self) -> tuple[str, ...]:
        """Every patient who has a slide, by name."""
        return tuple(sorted({entry.patient for entry in self.entries}))


def read_cohort(folder: Path) -> Cohort:
    """The tables ``slides.csv`` and, if it is there, ``patients.csv`` of a folder."""
    path = folder / "slides.csv"
    if not is_there(path):
        fix = "`assay slides make FOLDER` makes a folder of synthetic slides with its tables."
        raise InputError("has no slides.csv", where=str(folder), fix=fix)
    entries = [_entry(row, where, folder) for where, row in _rows(path, ("slide", "file", "patient", "class"))]
    _refuse_twins([entry.slide for entry in entries], path)
    if not entries:
        raise InputError("names no slide", where=str(path), fix="Add a row for each slide.")
    return Cohort(folder, tuple(sorted(entries, key=lambda e: e.slide)), _stages(folder, entries))


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows with the place of each, every cell stripped and every wanted column there."""
    table = csv.DictReader(io.StringIO(read_text(path)))
    try:
        names = [name.strip() for name in table.fieldnames or ()]
        table.fieldnames = names
        if missing := next((column for column in columns if column not in names), None):
            fix = suggestion(missing, names) or f"It needs: {', '.join(columns)}."
            raise InputError(f'has no column "{missing}"', where=str(path), fix=fix)
        for row in table:
            if table.line_num > _MAX_ROWS:
                raise InputError(f"has more than {_MAX_ROWS:,} lines", where=str(path), fix="Divide the cohort.")
            where = f"{path}:{table.line_num}"
            yield where, _cells(row, columns, where)
    except csv.Error as error:
        raise InputError(f"is not a CSV table ({error})", where=str(path), fix="Save it as plain CSV.") from None


def _cells(row: dict[str, str], columns: tuple[str, ...], where: str) -> dict[str, str]:
    if None in row or None in row.values():
        raise InputError("has more or fewer cells than columns", where=where, fix="Fix the row.")
    cells = {name: value.strip() for name, value in row.items()}
    for column in columns:
        if not cells[column] or len(cells[column]) > _LONGEST:
            raise InputError(f'"{column}" is empty or very long', where=where, fix="Fill it in.")
    return cells


def _entry(row: dict[str, str], where: str, folder: Path) -> Entry:
    if row["class"] not in CLASSES:
        fix = suggestion(row["class"], CLASSES) or f"Known: {', '.join(CLASSES)}."
        raise InputError(f'"{row["class"]}" is no class of a slide', where=where, fix=fix)
    if row.get("set") and row["set"] not in SETS:
        fix = suggestion(row["set"], SETS) or f"Known: {', '.join(SETS)}."
        raise InputError(f'"{row["set"]}" is no set', where=where, fix=fix)
    if "/" in row["slide"] or "\\" in row["slide"] or "\0" in row["slide"] or row["slide"].startswith("."):
        raise InputError(f'"{row["slide"]}" cannot name a slide', where=where, fix="Use letters, digits, _ and -.")
    annotation = row.get("annotation", "")
    return Entry(
        row["slide"],
        folder / row["file"],
        row["patient"],
        row["class"],
        folder / annotation if annotation else None,
        row.get("set", ""),
        _resolution(row.get("um_per_pixel", ""), where),
        tuple(filter(None, map(str.strip, row.get("tumour", "").split(";")))),
    )


def _resolution(text: str, where: str) -> float | None:
    if not text:
        return None
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < 1_000:
        raise InputError(f'um_per_pixel "{text}" is no resolution', where=where, fix="Write µm per pixel, as 0.243.")
    return value


def _stages(folder: Path, entries: list[Entry]) -> dict[str, str]:
    path = folder / "patients.csv"
    if not is_there(path):
        return {}
    stages: dict[str, str] = {}
    for where, row in _rows(path, ("patient", "stage")):
        if row["stage"] not in STAGES:
            fix = suggestion(row["stage"], STAGES) or f"Known, in clinical order: {', '.join(STAGES)}."
            raise InputError(f'"{row["stage"]}" is no stage', where=where, fix=fix)
        if row["patient"] in stages:
            raise InputError(f'patient "{row["patient"]}" is there twice', where=where, fix="Keep one row.")
        stages[row["patient"]] = row["stage"]
    for patient in sorted({entry.patient for entry in entries} - set(stages)):
        fix = suggestion(patient, stages) or "Add a row for every patient of slides.csv."
        raise InputError(f'patient "{patient}" has slides and no row', where=str(path), fix=fix)
    return stages


def _refuse_twins(names: list[str], path: Path) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(
                f'slide "{name}" is there twice', where=str(path), fix="Give each slide a name of its own."
            )
        seen.add(name)
