"""The tables of a predictions folder: every cell is text until a column is asked for as names, numbers or flags.

So a slide that is called 007 stays 007, and a complaint can name the line.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError, suggestion
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]

MAX_BYTES = 4 * 1024**3
"""A table of patches is never larger."""


@dataclass(frozen=True)
class Rows:
    """A table that was read, and the file it came from."""

    path: Path
    table: pl.DataFrame

    def __len__(self) -> int:
        return self.table.height

    def __contains__(self, column: str) -> bool:
        return column in self.table.columns

    def complaint(self, what: str, row: int | None = None, fix: str = "") -> InputError:
        """An error about this file, or about one of its rows (counted from 0, told as the line of the CSV)."""
        by_line = row is not None and self.path.suffix == ".csv"
        where = f"{self.path}:{row + 2}" if by_line and row is not None else str(self.path)
        return InputError(what, where=where, fix=fix)

    def names(self, column: str) -> list[str]:
        """A column of names, none of them empty."""
        values = self._series(column)
        if empty := np.flatnonzero(values.is_null().to_numpy()).tolist():
            raise self.complaint(f'"{column}" is empty', empty[0], "Fill it in: rows are joined by name.")
        listed: list[str] = values.to_list()
        return listed

    def unique_names(self, column: str) -> list[str]:
        """A column of names that tells the rows apart."""
        listed = self.names(column)
        seen: set[str] = set()
        for row, name in enumerate(listed):
            if name in seen:
                raise self.complaint(f'{column} "{name}" is listed twice', row, "Keep one row for each.")
            seen.add(name)
        return listed

    def numbers(self, column: str, *, gaps: bool = False) -> Floats:
        """A column of finite numbers; an empty cell is an error, or not a number if there may be gaps."""
        import polars as pl

        text = self._series(column)
        values: Floats = text.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
        wrong = ~np.isfinite(values) & (~text.is_null().to_numpy() if gaps else True)
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            said = "is empty" if text[row] is None else f"is {text[row]!r}, which is no number"
            raise self.complaint(f'"{column}" {said}', row, "Give a number in every row.")
        return values

    def flags(self, column: str) -> Bools:
        """A column of 0 and 1."""
        values = self.numbers(column)
        odd = np.flatnonzero((values != 0) & (values != 1))
        if odd.size:
            told = f'"{column}" is {self._series(column)[int(odd[0])]!r}, neither 0 nor 1'
            raise self.complaint(told, int(odd[0]), "Write 1 for tumour and 0 for normal.")
        return np.equal(values, 1)

    def words(self, column: str, known: tuple[str, ...]) -> list[str]:
        """A column of words from a closed list."""
        listed = self.names(column)
        for row, word in enumerate(listed):
            if word not in known:
                fix = suggestion(word, known) or f"Known: {', '.join(known)}."
                raise self.complaint(f'"{column}" is "{word[:40]}", which is unknown', row, fix)
        return listed

    def words_at(self, column: str, row: int) -> tuple[str, ...]:
        """The words of one cell, with semicolons between them; none if there is no such column."""
        cell = self.table[column][row] if column in self else None
        return tuple(filter(None, map(str.strip, (cell or "").split(";"))))

    def _series(self, column: str) -> pl.Series:
        if column not in self.table.columns:
            fix = suggestion(column, self.table.columns) or f"The columns are {', '.join(self.table.columns[:12])}."
            raise self.complaint(f'there is no column "{column}"', fix=fix)
        return self.table[column]


def read_rows(folder: Path, stem: str) -> Rows | None:
    """The table of that name in the folder, from CSV or Parquet; None when there is none."""
    found = [path for ending in ("csv", "parquet") if (path := folder / f"{stem}.{ending}").exists()]
    if len(found) > 1:
        raise InputError(f"there are both {stem}.csv and {stem}.parquet", where=str(folder), fix="Keep one of them.")
    return Rows(found[0], _table(found[0])) if found else None


def read_table(path: Path) -> Rows:
    """A table by its path."""
    return Rows(path, _table(path))


def _table(path: Path) -> pl.DataFrame:
    import polars as pl

    try:
        if path.stat().st_size > MAX_BYTES:
            raise InputError(f"is larger than {MAX_BYTES:,} bytes", where=str(path), fix="Keep the sets that matter.")
        if path.suffix == ".parquet":
            table = pl.read_parquet(path, glob=False).cast(pl.String)
        else:
            _refuse_twin_columns(path)
            table = pl.read_csv(path, infer_schema=False, glob=False)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be read ({reason})", where=str(path), fix="Check the path.") from None
    except pl.exceptions.NoDataError:
        raise InputError("is empty", where=str(path), fix="A table without rows still has its header.") from None
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        reason = str(error).strip().split("\n", 1)[0][:200]
        raise InputError(f"is no table ({reason})", where=str(path), fix="Give CSV (UTF-8, commas).") from None
    trimmed = table.select(pl.all().str.strip_chars())
    return trimmed.select(pl.when(pl.all() == "").then(None).otherwise(pl.all()).name.keep())


def _refuse_twin_columns(path: Path) -> None:
    """Polars would rename the second of two columns in silence."""
    import csv

    with path.open(encoding="utf-8-sig", newline="") as stream:
        head = next(csv.reader([stream.readline(100_000)]), [])
    for name in head:
        if head.count(name) > 1:
            raise InputError(f'two columns are called "{name}"', where=str(path), fix="Rename one of them.")
