"""Data frames of pandas and polars: the same frame comes back with the results beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.errors import InputError
from assay.scores.sheets.files import Sheet, SheetRow
from assay.scores.sheets.results import COLUMNS, PREFIX, CheckedRow, check_sheet


def check_frame(frame: Any, *, diagnose: bool = False, workers: int | None = None, **settings: object) -> Any:
    """The frame with a verdict, conflict, certificate and witness for each row."""
    checked = check_sheet(sheet_of(frame), settings, diagnose=diagnose, workers=workers or 1)
    return with_results(frame, checked)


def sheet_of(frame: Any) -> Sheet:
    """The frame as rows of cells, as they come from a file."""
    library = _library(frame)
    if library not in ("pandas", "polars"):
        what = f"table is a {type(frame).__name__}"
        raise InputError(what, where="check_table", fix="Give a DataFrame of pandas or polars, or a file.")
    cells = frame.itertuples(index=False, name=None) if library == "pandas" else frame.iter_rows()
    rows = tuple(SheetRow(number, tuple(row)) for number, row in enumerate(cells, 1))
    return Sheet("table", tuple(map(str, frame.columns)), rows)


def with_results(frame: Any, checked: Sequence[CheckedRow]) -> Any:
    """The frame with a column for each part of the results."""
    values = [one.values() for one in checked]
    added = {PREFIX + column: [row[column] for row in values] for column in COLUMNS}
    if _library(frame) == "pandas":
        return frame.assign(**added)
    import polars as pl

    return frame.with_columns([pl.Series(name, column, dtype=pl.String) for name, column in added.items()])


def _library(frame: Any) -> str:
    return type(frame).__module__.partition(".")[0]
