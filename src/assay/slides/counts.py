"""Patches by slide and class: what two people compare before either of them trains anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path

from assay.errors import InputError
from assay.files import is_there, read_text
from assay.findings import Judgement, Report, Table, Verdict, certificate, numbers
from assay.records import dataclass

_SHOWN = 50


@dataclass(frozen=True, slots=True)
class SlideCounts:
    """One slide: its patches, and how many of them the first training sample takes (one taken twice counts twice)."""

    slide: str
    set: str
    tumour: int
    normal: int
    sampled_tumour: int
    sampled_normal: int
    inference: int


_COLUMNS = tuple(f.name for f in fields(SlideCounts))


def counts_csv(rows: Sequence[SlideCounts]) -> str:
    """The table of a run folder."""
    stream = io.StringIO()
    table = csv.DictWriter(stream, _COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerows(asdict(row) for row in rows)
    return stream.getvalue()


def read_counts(path: Path) -> dict[str, SlideCounts]:
    """The counts of a run folder, or of its file, by slide."""
    file = path / "counts.csv" if is_there(path) and path.is_dir() else path
    fix = "Give the folder of a run, or its counts.csv."
    table = csv.DictReader(io.StringIO(read_text(file)))
    try:
        if set(table.fieldnames or ()) != set(_COLUMNS):
            raise InputError("is no table of counts", where=str(file), fix=fix)
        rows = [SlideCounts(row["slide"], row["set"], *(int(row[column]) for column in _COLUMNS[2:])) for row in table]
    except (csv.Error, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is no table of counts", where=f"{file}:{table.line_num}", fix=fix) from None
    return {row.slide: row for row in rows}


def compare_counts(first: Path, second: Path, command: str = "") -> Report:
    """Whether two runs start from the same patches, and where not."""
    one, other = read_counts(first), read_counts(second)
    rows = [
        (slide, column, _cell(one.get(slide), column), _cell(other.get(slide), column))
        for slide in sorted(one.keys() | other.keys())
        for column in _COLUMNS[1:]
        if _cell(one.get(slide), column) != _cell(other.get(slide), column)
    ]
    totals = tuple((c, _total(one, c), _total(other, c)) for c in _COLUMNS[2:])
    slides = {row[0] for row in rows}
    if rows:
        said = f"{len(slides)} of {len(one.keys() | other.keys())} slides differ, first {rows[0][0]} in {rows[0][1]}"
        evidence = certificate(f"{rows[0][0]}: {rows[0][1]} is {rows[0][2]} here and {rows[0][3]} there")
        judgement = Judgement("patch counts", Verdict.INCONSISTENT, said, (evidence,))
    else:
        said = f"all {len(one)} slides have the same counts"
        judgement = Judgement("patch counts", Verdict.CONSISTENT, said, (numbers({n: a for n, a, _ in totals}),))
    tables = [Table("Patches in all", ("count", str(first), str(second)), totals)]
    if rows:
        tables.append(Table("Slides that differ", ("slide", "count", str(first), str(second)), tuple(rows[:_SHOWN])))
    left_out = (f"{len(rows) - _SHOWN} further differences",) if len(rows) > _SHOWN else ()
    return Report(
        "Patch counts of two runs",
        "Do both start from the same patches?",
        judgements=(judgement,),
        tables=tuple(tables),
        left_out=left_out,
        command=command,
    )


def _cell(row: SlideCounts | None, column: str) -> str | int:
    return getattr(row, column) if row else "absent"


def _total(rows: dict[str, SlideCounts], column: str) -> int:
    return sum(getattr(row, column) for row in rows.values())
