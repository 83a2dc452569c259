"""The table ``bags.csv``: which slides there are, whose they are, what they show, and where their features lie.

The columns are ``slide``, ``patient`` and ``label``; CLAM's own names ``slide_id`` and ``case_id`` are understood, so
that its table of a data set can be used as it is. ``features`` names the file; without it, the folders of CLAM
(``h5_files``, ``pt_files``) and the folder itself are searched for a file with the slide's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from assay.errors import InputError
from assay.files import is_there
from assay.records import dataclass
from assay.slides.evaluation.tables import Rows, read_rows
from assay.slides.reading.feature_files import READERS
from assay.slides.vocabulary import SETS

TABLE = "bags"
_NAMES = {"slide": ("slide", "slide_id"), "patient": ("patient", "case_id"), "label": ("label",)}
"""What we call a column, and what tables call it."""
_FOLDERS = ("features", "h5_files", "pt_files", "")
"""Where the features of a slide may lie."""


@dataclass(frozen=True, slots=True)
class Bag:
    """One slide of the table."""

    slide: str
    patient: str
    label: str
    features: Path
    set: str = ""


def read_bags(folder: Path) -> tuple[Bag, ...]:
    """The bags of a folder, by name."""
    rows = read_rows(folder, TABLE)
    if rows is None:
        fix = "It has the columns slide, patient and label; `assay slides run attention` makes an example."
        raise InputError("has no bags.csv", where=str(folder), fix=fix)
    slides = rows.unique_names(_column(rows, "slide"))
    if not slides:
        raise rows.complaint("names no slide", fix="Add a row for each slide.")
    bags = zip(
        slides,
        rows.names(_column(rows, "patient")),
        rows.names(_column(rows, "label")),
        _files(rows, slides, folder),
        _sets(rows),
        strict=True,
    )
    found = tuple(sorted((Bag(*bag) for bag in bags), key=lambda bag: bag.slide))
    if len({bag.label for bag in found}) < 2:
        raise rows.complaint("all slides have one label", fix="A classifier needs two.")
    return found


def _column(rows: Rows, ours: str) -> str:
    return next((name for name in _NAMES[ours] if name in rows), ours)


def _sets(rows: Rows) -> list[str]:
    return rows.words("set", SETS) if "set" in rows else [""] * len(rows)


def _files(rows: Rows, slides: list[str], folder: Path) -> Iterator[Path]:
    named = rows.names("features") if "features" in rows else [""] * len(rows)
    for row, (slide, name) in enumerate(zip(slides, named, strict=True)):
        path = folder / name if name else _found(folder, slide)
        if path is None:
            fix = f"Name it in the column features; endings: {', '.join(READERS)}."
            raise rows.complaint(f'there are no features of slide "{slide}"', row, fix)
        if not path.resolve().is_relative_to(folder.resolve()):
            raise rows.complaint(f'"{name}" is outside the folder', row, "Features lie in the folder of bags.csv.")
        yield path


def _found(folder: Path, slide: str) -> Path | None:
    if "/" in slide or "\\" in slide or "\0" in slide:
        return None
    candidates = (folder / place / f"{slide}{ending}" for place in _FOLDERS for ending in READERS)
    return next((path for path in candidates if is_there(path)), None)
