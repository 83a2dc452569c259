"""Tables of results in files: CSV, TOML, JSON, YAML, spreadsheets; every cell as the text that stands in it."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.bounded import load_json, load_toml
from assay.errors import InputError
from assay.files import read_text
from assay.patterns import regex
from assay.records import dataclass
from assay.reproduction.rows import Row

if TYPE_CHECKING:
    import polars as pl

MAX_BYTES = 8 * 1024 * 1024
MAX_CELLS = 200_000
MAX_UNPACKED = 128 * 1024 * 1024
"""A spreadsheet is a compressed archive: what it unpacks to is counted before it is read."""
_SHEETS = frozenset({".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"})
_PASTED = frozenset({".tex", ".html", ".htm", ".md", ".txt"})
_DIGITS = "final zeros, which a file of this kind does not keep; write numbers as text to keep them"
_COMMA = regex(r"[-+−±/%\d\s]*\d,\d[-+−±/%,\d\s]*")
_THOUSANDS = regex(r"[-+−]?[1-9]\d{0,2}(?:,\d{3})+")


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as its file has it: every cell as text."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    where: str
    left_out: tuple[str, ...] = ()


def read_raw(path: Path, table: int | None = None) -> RawTable:
    """The table in a file, by its ending; `-` is pasted text on standard input, `table` chooses one of several."""
    suffix = path.suffix.lower()
    if str(path) == "-":
        return _pasted(sys.stdin.read(MAX_BYTES), "standard input", table)
    if suffix in _PASTED:
        return _pasted(read_text(path, MAX_BYTES), str(path), table)
    if suffix in {".csv", ".tsv"}:
        return _from_csv(read_text(path, MAX_BYTES), str(path))
    if suffix in {".toml", ".json", ".yaml", ".yml"}:
        return _from_records(_document(path, suffix), str(path))
    return _from_sheet(path) if suffix in _SHEETS else _from_frame(path)


def _pasted(text: str, where: str, table: int | None) -> RawTable:
    from assay.reproduction.pasted_tables import pasted_table

    return pasted_table(text, where, table)


def _from_csv(text: str, path: str) -> RawTable:
    from assay.tables import sniff_delimiter

    delimiter = sniff_delimiter(text[:65536])
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[Row] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        for cells in reader:
            where = f"{path}:{reader.line_num}"
            if len(cells) > len(header):
                fix = "A delimiter inside a cell needs quotes around the cell."
                raise InputError(f"{len(cells)} cells for {len(header)} columns", where=where, fix=fix)
            if any(cell.strip() for cell in cells):
                rows.append(Row(where, dict(zip(header, cells, strict=False))))
    except csv.Error as error:
        raise InputError(
            f"is broken CSV ({error})", where=f"{path}:{reader.line_num}", fix="Check its quotes."
        ) from None
    return raw_table(header, rows if delimiter == "," else _with_points(rows), path)


def _with_points(rows: Sequence[Row]) -> list[Row]:
    """The rows with decimal points for decimal commas, unless every comma may separate thousands."""
    printed = {cell.strip() for row in rows for cell in row.cells.values() if _COMMA.fullmatch(cell.strip())}
    if all(_THOUSANDS.fullmatch(cell) for cell in printed):
        return list(rows)
    return [Row(row.where, {name: _with_point(cell) for name, cell in row.cells.items()}) for row in rows]


def _with_point(cell: str) -> str:
    return cell.replace(",", ".") if _COMMA.fullmatch(cell.strip()) else cell


def _document(path: Path, suffix: str) -> object:
    text = read_text(path, MAX_BYTES)
    try:
        if suffix == ".toml":
            return load_toml(text, parse_float=str)
        if suffix == ".json":
            return load_json(text, parse_float=str, parse_constant=str)
    except ValueError as error:
        raise InputError(f"is broken ({error})", where=str(path), fix="Correct the file.") from None
    from assay.plain_yaml import parse_yaml

    return parse_yaml(text, str(path))[0]


def _from_records(document: object, path: str) -> RawTable:
    """A list of rows, or a mapping that holds one and nothing else."""
    if isinstance(document, dict) and len(document) == 1:
        [document] = document.values()
    if not isinstance(document, list) or not all(isinstance(record, dict) for record in document):
        raise InputError(
            "is not a list of rows", where=path, fix='Write it as [[rows]] method = "ours" accuracy = "0.93".'
        )
    rows = [Row(f"{path}: row {i}", {str(k): _as_text(v) for k, v in r.items()}) for i, r in enumerate(document, 1)]
    return raw_table(list(dict.fromkeys(column for row in rows for column in row.cells)), rows, path)


def _from_sheet(path: Path) -> RawTable:
    """The first sheet, every cell as text: a column of numbers in which one cell says n/a must not lose it."""
    import fastexcel

    _refuse_vast(path)
    try:
        book = fastexcel.read_excel(path)
        frame = book.load_sheet(0, dtypes="string").to_polars()
    except Exception as error:  # noqa: BLE001 - a broken file fails in many ways
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"cannot be read ({first[:200]})", where=str(path), fix="Check the file.") from None
    others = book.sheet_names[1:]
    notes = [f"{path}: {', '.join(others)}: only the first sheet was read"] if others else []
    return replace(_from_columns(frame, str(path)), left_out=(*notes, f"{path}: {_DIGITS}"))


def _refuse_vast(path: Path) -> None:
    from zipfile import BadZipFile, ZipFile

    try:
        packed = path.stat().st_size
        with ZipFile(path) as archive:
            unpacked = sum(part.file_size for part in archive.infolist())
    except BadZipFile:
        unpacked = 0  # the old format is not compressed
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="Check the path.") from None
    except ValueError:
        raise InputError("is not a path", where=repr(str(path)), fix="Check the path.") from None
    if packed > MAX_BYTES or unpacked > MAX_UNPACKED:
        raise InputError("is too large", where=str(path), fix="Give the table of results alone.")


def _from_frame(path: Path) -> RawTable:
    """A data frame in a file: its numbers know no printed digits beyond their own."""
    from assay.tables import read_table

    read = read_table(path)
    return replace(_from_columns(read.frame, str(path)), left_out=(*read.left_out, f"{path}: {_DIGITS}"))


def _from_columns(frame: pl.DataFrame, path: str) -> RawTable:
    if frame.height * frame.width > MAX_CELLS:
        raise InputError(f"has more than {MAX_CELLS:,} cells", where=path, fix="Give the table of results alone.")
    rows = [
        Row(f"{path}: row {number}", {name: _as_text(cell) for name, cell in record.items()})
        for number, record in enumerate(frame.iter_rows(named=True), 1)
    ]
    return raw_table(frame.columns, rows, path)


def raw_table(header: Sequence[str], rows: Sequence[Row], path: str) -> RawTable:
    """A table whose headings differ and that has rows, but not too many."""
    for place, name in enumerate(header):
        if name in header[:place]:
            raise InputError(f'column "{name}" is there twice', where=f"{path}:1", fix="Rename one of them.")
    if not rows:
        raise InputError("has no rows", where=path, fix="Give a table with rows below its header.")
    if len(rows) * len(header) > MAX_CELLS:
        raise InputError(f"has more than {MAX_CELLS:,} cells", where=path, fix="Give the table of results alone.")
    return RawTable(tuple(header), tuple(rows), path)


def _as_text(value: Any) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)
