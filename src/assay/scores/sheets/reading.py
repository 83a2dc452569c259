"""The cells of a table: CSV and its relatives as text, so that trailing zeros stay; other formats by their values."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

from assay.errors import InputError
from assay.files import read_text
from assay.records import dataclass
from assay.tables import FORMATS, read_table, sniff_delimiter

_LARGEST_INPUT = 256 * 1024**2


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: its line (or its number below the heading), and its cells."""

    line: int
    cells: tuple[object, ...]
    surplus: bool = False
    """Whether it has more or fewer cells than the heading."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A heading and the rows below it."""

    name: str
    headings: tuple[str, ...]
    rows: tuple[SheetRow, ...]


def is_sheet(path: Path) -> bool:
    """Whether a file is a table, by its ending; ``-`` is standard input."""
    return str(path) == "-" or path.suffix.lower() in FORMATS


def read_sheet(path: Path) -> Sheet:
    """The table in a CSV, TSV, Excel, OpenDocument, Parquet or Feather file, or on standard input (``-``)."""
    if str(path) == "-":
        return read_sheet_text(sys.stdin.read(_LARGEST_INPUT), "standard input")
    if FORMATS.get(path.suffix.lower()) == "CSV":
        return read_sheet_text(read_text(path), str(path))
    frame = read_table(path).frame
    rows = tuple(SheetRow(number, tuple(cells)) for number, cells in enumerate(frame.iter_rows(), 2))
    return Sheet(str(path), tuple(frame.columns), rows)


def read_sheet_text(text: str, name: str) -> Sheet:
    """The table in a text whose columns are parted by commas, semicolons, tabs or bars."""
    if not text.strip():
        raise InputError("is empty", where=name, fix="A table needs a heading and rows.")
    lines = csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=sniff_delimiter(text[: 1 << 16]), strict=True)
    try:
        headings = tuple(heading.strip() for heading in next(lines))
        rows = tuple(
            SheetRow(lines.line_num, tuple(row[: len(headings)]), surplus=len(row) != len(headings))
            for row in lines
            if any(cell.strip() for cell in row)
        )
    except csv.Error as error:
        raise InputError(f"not valid CSV: {error}", where=f"{name}:{lines.line_num}", fix="Correct the file.") from None
    return Sheet(name, headings, rows)
