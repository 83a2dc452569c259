"""The table `cases.csv`: one row for each slide, region or image whose class, grade or segmentation was predicted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path

from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.slides.evaluation.predictions import refuse_patients_in_two_sets
from assay.slides.evaluation.tables import Rows, read_rows

SUBGROUPS = ("centre", "scanner")
"""Optional columns; each of their values gets a table of its own."""


class Task(Enum):
    """What was predicted."""

    CAMELYON = "camelyon"
    BINARY = "binary"
    CLASSES = "classes"
    GRADES = "grades"
    SEGMENTATION = "segmentation"


@dataclass(frozen=True)
class Cases:
    """The cases of one set, or of one centre or scanner in it."""

    name: str
    rows: Rows
    kept: tuple[int, ...]
    """Which rows of the table these are."""

    @property
    def patients(self) -> list[str]:
        """The patient of each case."""
        listed = self.rows.names("patient")
        return [listed[row] for row in self.kept]

    def names(self, column: str) -> list[str]:
        """A column of names for these cases."""
        listed = self.rows.names(column)
        return [listed[row] for row in self.kept]

    def parts(self) -> Iterator[Cases]:
        """The cases of each centre and of each scanner, where there are two or more."""
        for column in SUBGROUPS:
            values = self.names(column) if column in self.rows else []
            found = list(dict.fromkeys(values))
            for value in found if len(found) > 1 else []:
                kept = tuple(row for row, one in zip(self.kept, values, strict=True) if one == value)
                yield Cases(f"{self.name}, {column} {value}", self.rows, kept)


def read_cases(folder: Path, sets: Sequence[str] = (), *, shared_patients: bool = False) -> list[Cases]:
    """The cases of each named set (all sets unless some are named); patients in two sets only where that is meant."""
    rows = read_rows(folder, "cases")
    if rows is None:
        fix = "Give it the columns case, patient, set and truth; see the page on evaluation."
        raise InputError("has no cases.csv", where=str(folder), fix=fix)
    if not len(rows):
        raise rows.complaint("has no rows", fix="Add a row for each case.")
    rows.unique_names("case")
    owners = rows.names("set")
    if not shared_patients:
        refuse_patients_in_two_sets(rows, rows.names("patient"), owners)
    known = tuple(dict.fromkeys(owners))
    for name in sets:
        if name not in known:
            fix = suggestion(name, known) or f"The sets are {', '.join(known)}."
            raise InputError(f'there is no set "{name}"', where=str(rows.path), fix=fix)
    return [
        Cases(name, rows, tuple(row for row, one in enumerate(owners) if one == name))
        for name in dict.fromkeys(sets or known)
    ]
