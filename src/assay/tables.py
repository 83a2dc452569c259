"""Read tables of common formats into plain columns, with limits and with errors that name the fix."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

MAX_BYTES = 4 * 1024**3
MAX_CELLS = 400_000_000
"""Cells are counted before reading: a small compressed file can hold more than fit in memory."""

MISSING = ("", "NA", "N/A", "NaN", "nan", "null", "NULL", "?")
DELIMITERS = ",;\t|"
FORMATS = {
    ".csv": "CSV",
    ".tsv": "CSV",
    ".txt": "CSV",
    ".parquet": "Parquet",
    ".pq": "Parquet",
    ".feather": "Feather",
    ".arrow": "Feather",
    ".ipc": "Feather",
    ".xlsx": "Excel",
    ".xlsm": "Excel",
    ".xlsb": "Excel",
    ".xls": "Excel",
    ".ods": "Excel",
}
_EXCEL_BYTES = 256 * 1024**2
_SNIFFED = 1 << 16
_TURN = threading.Lock()


@dataclass(frozen=True)
class ReadTable:
    """A table with unique column names and plain columns (numbers, booleans, text, dates)."""

    frame: pl.DataFrame
    name: str
    left_out: tuple[str, ...] = ()


def counted(column: pl.Series) -> list[tuple[Any, int]]:
    """The different values of a column, whatever it is called, and how often each stands there: the commonest first."""
    return column.alias("value").value_counts(sort=True).rows()


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The user's options for reading the file."""

    delimiter: str | None = None
    sheet: str | None = None
    missing: tuple[str, ...] = MISSING


def read_table(
    path: Path, *, delimiter: str | None = None, sheet: str | None = None, also_missing: tuple[str, ...] = ()
) -> ReadTable:
    """Read a CSV, Parquet, Feather or Excel file; `also_missing` adds words for an empty cell of a CSV."""
    kind = FORMATS.get(path.suffix.lower())
    _refuse_unfit(path, _EXCEL_BYTES if kind == "Excel" else MAX_BYTES)
    if kind is None:
        raise InputError(
            f'"{path.suffix}" is not a table that can be read', where=str(path), fix=f"Known: {', '.join(FORMATS)}."
        )
    with broken_is_refused(path, kind):
        frame, notes = _FRAME_OF[kind](path, _Wanted(delimiter, sheet, (*MISSING, *also_missing)))
    return plain_table(frame, str(path), notes)


def read_workbook(path: Path) -> dict[str, list[tuple[str | None, ...]]]:
    """The cells of every sheet of an Excel or OpenDocument file, as text, without treating any row as header."""
    import fastexcel

    _refuse_unfit(path, _EXCEL_BYTES)
    grids: dict[str, list[tuple[str | None, ...]]] = {}
    with broken_is_refused(path, "Excel"):
        book = fastexcel.read_excel(path)
        for name in book.sheet_names:
            sheet = book.load_sheet(name, header_row=None, dtypes="string")
            _refuse_vast(sheet.total_height, sheet.width, path)
            grids[name] = sheet.to_polars().rows()
    return grids


@contextmanager
def broken_is_refused(path: Path, kind: str) -> Iterator[None]:
    """Turn any failure to read a broken file, including panics in Rust, into one `InputError`."""
    from polars.exceptions import PanicException

    try:
        with _unless_it_fails():
            yield
    except InputError:
        raise
    except (Exception, PanicException) as error:  # noqa: BLE001 - see above
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(f"cannot be read as {kind} ({first[:200]})", where=str(path), fix="Check the file.") from None


@contextmanager
def _unless_it_fails() -> Iterator[None]:
    """Hold back standard error meanwhile; show it afterwards unless the block fails.

    A panic in Rust is written there, past Python, before it is raised; the user gets one line about it. There is
    one standard error for all threads, so they take turns.
    """
    with _TURN:
        try:
            real = os.dup(2)
        except OSError:  # nobody listens
            yield
            return
        with tempfile.TemporaryFile() as kept:
            os.dup2(kept.fileno(), 2)
            try:
                yield
            except BaseException:
                kept.truncate(0)
                raise
            finally:
                os.dup2(real, 2)
                os.close(real)
                kept.seek(0)
                os.write(2, kept.read())


def read_csv_text(text: str, name: str = "") -> ReadTable:
    """A table from CSV text, for the examples of rules."""
    frame, notes = _from_csv_bytes(text.strip().encode(), name, _Wanted())
    return plain_table(frame, name, notes)


def plain_table(frame: pl.DataFrame, name: str, notes: tuple[str, ...] = ()) -> ReadTable:
    """The table with named, plain columns; an empty table is an error."""
    import polars as pl

    renamed, told = _names(frame.columns)
    frame.columns = renamed
    if frame.width < 2:
        shown = renamed[0] if renamed else "nothing"
        raise InputError(
            f"has fewer than two columns ({shown[:60]!r})",
            where=name,
            fix="A target and a feature are needed. Is the delimiter right? --delimiter names it.",
        )
    if frame.height == 0:
        raise InputError("has no rows", where=name, fix="Give a table with rows below its header.")
    columns, also_told = _plain_columns(frame)
    if len(columns) < 2:
        raise InputError("has fewer than two columns of plain values", where=name, fix="Flatten nested columns.")
    return ReadTable(pl.DataFrame(columns), name, tuple(f"{name}: {n}" for n in (*notes, *told, *also_told)))


def _refuse_unfit(path: Path, limit: int) -> None:
    try:
        is_folder, size = path.is_dir(), path.stat().st_size
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="Check the path.") from None
    except ValueError:
        raise InputError("is not a path", where=repr(str(path)), fix="Check the path.") from None
    if is_folder:
        raise InputError("is a folder", where=str(path), fix="Name a file in it.")
    if size == 0:
        raise InputError("is empty", where=str(path), fix="Give a table with a header and rows.")
    if size > limit:
        raise InputError(f"is larger than {limit:,} bytes", where=str(path), fix="Give a sample of its rows.")


# --- formats ---------------------------------------------------------------------------------------

_Read = tuple["pl.DataFrame", tuple[str, ...]]


def _from_csv(path: Path, wanted: _Wanted) -> _Read:
    with path.open("rb") as stream:
        start = stream.read(_SNIFFED)
    if b"\0" in start and start[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise InputError("is not text", where=str(path), fix="Save the table as CSV or Parquet.")
    if start[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = path.read_bytes().decode("utf-16", errors="replace")
        return _from_csv_bytes(text.encode(), str(path), wanted)
    try:
        return _parsed(path, start, str(path), wanted), ()
    except UnicodeError:
        text = path.read_bytes().decode("cp1252", errors="replace")
        frame, _ = _from_csv_bytes(text.encode(), str(path), wanted)
        return frame, ("is not UTF-8; it was read as Windows-1252, so letters with accents may be wrong",)


def _from_csv_bytes(data: bytes, name: str, wanted: _Wanted) -> _Read:
    return _parsed(data, data[:_SNIFFED], name, wanted), ()


def _parsed(source: Path | bytes, start: bytes, name: str, wanted: _Wanted) -> pl.DataFrame:
    """The CSV typed by its first rows; by all rows if later ones differ; otherwise as text."""
    import polars as pl

    separator = wanted.delimiter or sniff_delimiter(start.decode("utf-8", errors="replace"))
    if len(separator.encode()) != 1:
        raise InputError(f"delimiter {separator!r} is not one character", fix=r"Give one of , ; | or a tab.")
    complaint = ""
    settings: dict[str, Any] = {"separator": separator, "null_values": list(wanted.missing), "try_parse_dates": True}
    inferences: list[dict[str, Any]] = [
        {"infer_schema_length": 10_000},
        {"infer_schema_length": None},
        {"infer_schema": False},
    ]
    for inference in inferences:
        try:
            return pl.read_csv(source, glob=False, **settings, **inference)
        except pl.exceptions.NoDataError:
            raise InputError("is empty", where=name, fix="Give a table with a header and rows.") from None
        except pl.exceptions.ComputeError as error:
            complaint = str(error).strip().partition("\n")[0]
        if "utf-8" in complaint.lower():
            raise UnicodeError(complaint)
        if "more fields" in complaint:
            break
    raise _csv_complaint(source, separator, name, complaint)


def _csv_complaint(source: Path | bytes, separator: str, name: str, complaint: str) -> InputError:
    """Names the first row with more cells than the header, if that is the problem."""
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        reader = csv.reader(io.TextIOWrapper(stream, "utf-8", errors="replace", newline=""), delimiter=separator)
        try:
            width = len(next(reader, []))
            for row in reader:
                if len(row) > width:
                    what = f"{len(row)} cells for {width} columns"
                    fix = "Quote cells that hold the delimiter, or name another with --delimiter."
                    return InputError(what, where=f"{name}:{reader.line_num}", fix=fix)
        except csv.Error as error:
            complaint = str(error)
    return InputError(f"cannot be read as CSV ({complaint[:200]})", where=name, fix="Check its quotes.")


def sniff_delimiter(start: str) -> str:
    """The delimiter that splits the first lines most evenly; a comma if none does."""
    lines = [line for line in start.splitlines()[:50] if line.strip()]
    lines = lines[:-1] if len(lines) > 2 else lines  # the last may be cut off in the middle

    def evenness(delimiter: str) -> tuple[int, int]:
        cells = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter) if row)
        width, rows = max(cells.items(), key=lambda item: item[1], default=(1, 0))
        return (rows, width) if width > 1 else (0, 0)

    try:
        return max(DELIMITERS, key=evenness)
    except csv.Error:
        return ","


def _from_parquet(path: Path, _wanted: _Wanted) -> _Read:
    import polars as pl

    lazy = pl.scan_parquet(path, glob=False)
    _refuse_vast(int(lazy.select(pl.len()).collect().item()), len(lazy.collect_schema()), path)
    _try_elsewhere("scan_parquet", path)
    return lazy.collect(), ()


def _try_elsewhere(reader: str, path: Path) -> None:
    """Let a process of its own read the file first.

    Where damaged pages announce more values than there is memory, polars ends the process that reads them. An ordinary
    failure is left to the reading that follows, which words it.
    """
    code = "import sys, polars; getattr(polars, sys.argv[1])(sys.argv[2], glob=False).collect()"
    command = [sys.executable, "-I", "-c", code, reader, str(path)]
    ended = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)  # noqa: S603 - our own words
    if ended.returncode not in {0, 1}:
        raise InputError("is damaged: its reader ran out of memory", where=str(path), fix="Save it again, or as CSV.")


def _from_feather(path: Path, _wanted: _Wanted) -> _Read:
    import polars as pl

    lazy = pl.scan_ipc(path, glob=False)
    _refuse_vast(int(lazy.select(pl.len()).collect().item()), len(lazy.collect_schema()), path)
    _try_elsewhere("scan_ipc", path)
    return lazy.collect(), ()


def _from_excel(path: Path, wanted: _Wanted) -> _Read:
    import fastexcel
    import polars as pl

    book = fastexcel.read_excel(path)
    sheet = wanted.sheet
    if sheet is not None and sheet not in book.sheet_names:
        raise InputError(f'has no sheet "{sheet}"', where=str(path), fix=f"It has: {', '.join(book.sheet_names)}.")
    chosen = sheet or book.sheet_names[0]
    others = [name for name in book.sheet_names if name != chosen]
    notes = (f'only sheet "{chosen}" was read; --sheet names another ({", ".join(others)})',)
    frame = pl.read_excel(path, sheet_name=chosen, raise_if_empty=False)
    return frame, notes if others and sheet is None else ()


def _refuse_vast(rows: int, columns: int, path: Path) -> None:
    if rows * columns > MAX_CELLS:
        raise InputError(
            f"has {rows:,} rows of {columns:,} columns, more than {MAX_CELLS:,} cells",
            where=str(path),
            fix="Give a sample of its rows.",
        )


_FRAME_OF = {"CSV": _from_csv, "Parquet": _from_parquet, "Feather": _from_feather, "Excel": _from_excel}


# --- columns ---------------------------------------------------------------------------------------


def _names(columns: list[str]) -> tuple[list[str], list[str]]:
    """Unique, non-blank column names, and what had to be changed."""
    renamed: list[str] = []
    for number, column in enumerate(columns, 1):
        pattern = column == "*" or (column.startswith("^") and column.endswith("$"))  # polars would expand it
        renamed.append(f"({column})" if pattern else column if column.strip() else f"(unnamed {number})")
    twice = [c for c in columns if "_duplicated_" in c]
    told = [f"{len(twice)} column names occur twice; the later ones are called {', '.join(twice[:3])}"] if twice else []
    return renamed, told


def _plain_columns(frame: pl.DataFrame) -> tuple[list[pl.Series], list[str]]:
    """Convert each column to a plain type, and list what was lost."""
    import polars as pl

    columns: list[pl.Series] = []
    nested: list[str] = []
    infinite: list[str] = []
    for column in frame.get_columns():
        if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
            nested.append(column.name)
            continue
        plain = _plain_column(column)
        if plain.dtype == pl.Float64 and plain.is_infinite().any():
            infinite.append(column.name)
        columns.append(_finite(plain) if plain.dtype == pl.Float64 else plain)
    notes = [f'column "{name}" was left out: it holds nested or binary values' for name in nested[:20]]
    notes += [f'infinite values of column "{name}" were read as missing' for name in infinite[:20]]
    return columns, notes


def _plain_column(column: pl.Series) -> pl.Series:
    """The column as one of five types: integer, number, time, boolean, text."""
    import polars as pl

    kind = column.dtype
    if kind.is_integer():
        return column.cast(pl.Float64 if kind in (pl.UInt64, pl.Int128, pl.UInt128) else pl.Int64)
    if kind.is_float() or kind.is_decimal() or kind == pl.Null:
        return column.cast(pl.Float64)
    if kind == pl.Duration:
        return column.dt.total_microseconds().cast(pl.Float64)
    if isinstance(kind, pl.Datetime):
        return column.dt.replace_time_zone(None).cast(pl.Datetime("us"))
    if kind == pl.Date:
        return column.cast(pl.Datetime("us"))
    return column if kind == pl.Boolean else column.cast(pl.String)


def _finite(column: pl.Series) -> pl.Series:
    """The numbers of the column; infinities and NaN become missing."""
    import polars as pl

    finite = column.is_finite()
    return column if finite.all() else pl.select(pl.when(finite).then(column).alias(column.name)).to_series()
