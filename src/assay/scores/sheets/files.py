"""The cells of a table: CSV and its relatives as text, so that trailing zeros stay; other formats by their values."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from assay.errors import InputError
from assay.files import read_bytes, read_text
from assay.records import dataclass
from assay.scores.sheets.formulas import formulas_without_values
from assay.scores.sheets.headings import heading_rows, joined_headings
from assay.tables import FORMATS, read_table, read_workbook, sniff_delimiter

_LARGEST_INPUT = 256 * 1024**2
_MOST_COLUMNS = 1_000
"""Headings are compared with each other, and a hundred scores in ten versions are more than any sheet has."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: its line (or its number below the heading), and its cells."""

    line: int
    cells: tuple[object, ...]
    misfit: int = 0
    """How many cells it has, if they are not as many as the headings."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A heading and the rows below it."""

    name: str
    headings: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    note: str = ""
    """What of the file was not read."""
    above: str = ""
    """What stands above the headings: a title, most often."""


def is_sheet(path: Path) -> bool:
    """Whether a file is a table, by its ending; ``-`` is standard input."""
    return str(path) == "-" or path.suffix.lower() in FORMATS


def read_sheet(path: Path) -> Sheet:
    """The table in a CSV, TSV, Excel, OpenDocument, Parquet or Feather file, or on standard input (``-``)."""
    if str(path) == "-":
        return read_sheet_text(sys.stdin.read(_LARGEST_INPUT), "standard input")
    kind = FORMATS.get(path.suffix.lower())
    if kind == "CSV":
        return read_sheet_text(_text(path), str(path))
    if kind == "Excel":
        grids = read_workbook(path)
        return _of_workbook(grids, str(path), formulas_without_values(path, grids))
    frame = read_table(path).frame
    rows = tuple(SheetRow(number, tuple(cells)) for number, cells in enumerate(frame.iter_rows(), 2))
    return Sheet(str(path), tuple(frame.columns), rows)


def _text(path: Path) -> str:
    """The text of a file; Excel writes CSV in the characters of Windows where it is not asked for UTF-8."""
    try:
        return read_text(path)
    except InputError:
        data = read_bytes(path)
        if b"\0" in data or data[:1] == b"\xff":
            raise
        return data.decode("cp1252", errors="replace")


def _of_workbook(grids: Mapping[str, Sequence[Sequence[object]]], name: str, unvalued: Mapping[str, str]) -> Sheet:
    """The first sheet that has headings of scores; the first one that holds anything if none has."""
    filled = {title: grid for title, grid in grids.items() if grid}
    if not filled:
        raise InputError("is empty", where=name, fix="A table needs a heading and rows.")
    chosen = next((title for title, grid in filled.items() if heading_rows(grid)), next(iter(filled)))
    others = ", ".join(title for title in filled if title != chosen)
    notes = [f'only the sheet "{chosen}" was read, not {others}'] if others else []
    if chosen in unvalued:
        notes.append(
            f"formulas without stored values are read as empty ({unvalued[chosen]}); "
            "open the file in a spreadsheet program and save it"
        )
    return _with_headings([(i, row) for i, row in enumerate(filled[chosen], 1)], name, "; ".join(notes))


def read_sheet_text(text: str, name: str) -> Sheet:
    """The table in a text whose columns are parted by commas, semicolons, tabs or bars."""
    if not text.strip():
        raise InputError("is empty", where=name, fix="A table needs a heading and rows.")
    lines = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=sniff_delimiter(text[: 1 << 16]), strict=True)
    try:
        grid = [(lines.line_num, row) for row in lines]
    except csv.Error as error:
        raise InputError(f"not valid CSV: {error}", where=f"{name}:{lines.line_num}", fix="Correct the file.") from None
    return _with_headings(grid, name)


def _with_headings(grid: Sequence[tuple[int, Sequence[object]]], name: str, note: str = "") -> Sheet:
    """The grid below its headings, without empty rows; the first row holds them where none names a score."""
    cells = [row for _, row in grid]
    widest = max(map(len, cells), default=0)
    if widest > _MOST_COLUMNS:
        fix = "Leave out the columns that are no scores, sizes or names."
        raise InputError(f"has {widest:,} columns; at most {_MOST_COLUMNS:,} are read", where=name, fix=fix)
    start, depth = heading_rows(cells) or (0, 1)
    headings = joined_headings(cells[start : start + depth])
    rows = tuple(
        SheetRow(line, tuple(row[: len(headings)]), misfit=len(row) if len(row) != len(headings) else 0)
        for line, row in grid[start + depth :]
        if any(str(cell or "").strip() for cell in row)
    )
    above = " ".join(str(cell) for row in cells[:start] for cell in row if cell)
    return Sheet(name, headings, rows, note, above)
