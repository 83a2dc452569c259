"""A file of results: one row for each repository, with a header; bounded, and every bad cell named by its place."""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from pathlib import Path

from assay.errors import InputError, suggestion
from assay.files import read_text
from assay.records import dataclass

MOST_ROWS = 100_000
MOST_COLUMNS = 500
_LONGEST_CELL = 20_000
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_MISSING = frozenset({"", "na", "n/a", "nan", "none", "null", "-", "not tested", "not measured"})


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells as they are written; rows count as lines of a spreadsheet do, the header being 1."""

    path: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """The file's name without its ending: what a group is called when the file is all that tells it apart."""
        return Path(self.path).stem

    def text(self, column: str) -> tuple[str, ...]:
        """The cells of a column; an unknown column is an error that names the nearest."""
        return tuple(row[self._index(column)] for row in self.rows)

    def numbers(self, column: str) -> tuple[float | None, ...]:
        """The cells of a column as numbers; None where nothing was measured, 1 and 0 for yes and no."""
        index = self._index(column)
        return tuple(self._number(row[index], number, column) for number, row in enumerate(self.rows, 2))

    def is_numeric(self, column: str) -> bool:
        """Whether every cell is a number, a yes or no, or nothing, and at least one is not nothing."""
        values = [_value(cell) for cell in self.text(column)]
        return all(v is None or math.isfinite(v) for v in values) and any(v is not None for v in values)

    def _index(self, column: str) -> int:
        if column not in self.columns:
            hint = suggestion(column, self.columns) or f"Columns: {', '.join(self.columns[:30])}."
            raise InputError(f'there is no column "{column}"', where=self.path, fix=hint)
        return self.columns.index(column)

    def _number(self, cell: str, row: int, column: str) -> float | None:
        value = _value(cell)
        if value is not None and math.isnan(value):
            shown = cell if len(cell) <= 40 else cell[:37] + "..."
            raise InputError(f'"{column}" is {shown!r}, not a number', where=f"{self.path}:{row}")
        return value


def read_sheet(path: Path) -> Sheet:
    """Read a CSV file (comma, semicolon or tab)."""
    text = read_text(path)
    if "\0" in text:
        raise InputError("is not a text file", where=str(path), fix="Save it as CSV.")
    header = text.lstrip("\ufeff").partition("\n")[0]
    separator = max(",;\t", key=header.count)
    try:
        lines = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if any(row)]
    except csv.Error as error:
        raise InputError(f"is not a CSV file ({error})", where=str(path), fix="Save it as CSV.") from None
    if len(lines) < 2:
        raise InputError("has no rows", where=str(path), fix="A header and a row for each repository are needed.")
    columns = tuple(cell.strip() for cell in lines[0])
    _refuse_unfit(columns, lines[1:], str(path))
    width = len(columns)
    rows = (tuple(cell.strip() for cell in row) + ("",) * (width - len(row)) for row in lines[1:])
    return Sheet(str(path), columns, tuple(rows))


def _refuse_unfit(columns: tuple[str, ...], rows: list[list[str]], path: str) -> None:
    if len(columns) > MOST_COLUMNS or len(rows) > MOST_ROWS:
        most = f"more than {MOST_ROWS:,} rows or {MOST_COLUMNS} columns"
        raise InputError(f"has {most}", where=path, fix="Split it into several files.")
    double = next((c for c, many in Counter(filter(None, columns)).items() if many > 1), "")
    if double:
        raise InputError(f'has the column "{double}" twice', where=path, fix="Rename one.")
    for number, row in enumerate(rows, 2):
        where = f"{path}:{number}"
        if len(row) > len(columns):
            raise InputError(f"{len(row)} cells for {len(columns)} columns", where=where)
        if max(map(len, row)) > _LONGEST_CELL:
            raise InputError(f"a cell is longer than {_LONGEST_CELL:,} characters", where=where)


def _value(cell: str) -> float | None:
    """The number; None for a missing one; NaN for what is no number."""
    word = cell.strip().lower()
    if word in _MISSING:
        return None
    if word in _WORDS:
        return _WORDS[word]
    try:
        number = float(word.removesuffix("%"))
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def plain_words(heading: str) -> str:
    """A heading in lower case without signs, so that "% acc. Links" and "pct_acc_links" are the same."""
    lowered = heading.lower().replace("%", " pct ").replace("#", " ")
    words = re.findall(r"[a-z0-9]+", lowered)
    return " ".join(w for w in words if w not in {"mean", "avg", "average", "number", "total"})
