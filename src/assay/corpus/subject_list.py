"""The list of subjects: CSV, Parquet or JSON lines, read as a stream in constant memory.

A column names the subject; the others are carried along as groups, or, for rows of scores, are what is examined.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from assay.corpus.subject import Subject
from assay.errors import InputError, suggestion
from assay.records import dataclass
from assay.repository.remotes import is_url
from assay.tables import broken_is_refused

_SUBJECT_COLUMNS = ("subject", "path", "url", "repository", "repo", "source", "archive", "notebook", "paper", "file")
_LONGEST_CELL = 20_000
_LONGEST_LINE = 4 * 1024 * 1024
_MOST_COLUMNS = 500
_SLICE = 10_000
_ENDINGS = {".csv": "csv", ".tsv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}

Row = tuple[int, tuple[str, ...]]
"""The line (or the number, if there are no lines) and the cells of a row."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that was read through once and is well-formed."""

    path: Path
    sha256: str
    rows: int
    columns: tuple[str, ...]
    subject: str | None
    """The column that names the subject; None if the row itself is the subject."""
    groups: tuple[str, ...]

    def subjects(self) -> Iterator[Subject]:
        """Every row as a subject; relative paths start at the list's folder."""
        wanted = [self.columns.index(name) for name in self.groups]
        named = self.columns.index(self.subject or "name") if self.subject or "name" in self.columns else None
        rest = [i for i, c in enumerate(self.columns) if self.subject is None and c not in self.groups]
        for row, (line, cells) in enumerate(_rows(self.path)):
            name = cells[named] if named is not None else ""
            yield Subject(
                row,
                name or f"row {row + 1}",
                self._located(name) if self.subject else str(self.path),
                tuple(cells[i] for i in wanted),
                tuple((self.columns[i], cells[i]) for i in rest if cells[i]),
                line,
            )

    def _located(self, source: str) -> str:
        return source if is_url(source) or Path(source).is_absolute() else str(self.path.parent / source)


def read_listing(
    path: Path, *, subject: str | None = None, groups: Sequence[str] | None = None, itself: bool = False
) -> Listing:
    """Read through a list. With `itself`, rows are the subjects, and only the named groups are kept."""
    columns = _columns(path)
    _check_names(path, columns, [*(groups or ()), *filter(None, [subject])])
    if itself:
        column, carried = None, groups or ()
    else:
        column = subject or _subject_column(path, columns)
        carried = groups if groups is not None else [c for c in columns if c != column]
    return Listing(path, _digest(path), _counted(path, columns, column), columns, column, tuple(carried))


def _check_names(path: Path, columns: Sequence[str], wanted: Sequence[str]) -> None:
    """Check that column names are unique and that the requested columns exist."""
    twice = next((c for c in columns if columns.count(c) > 1), None)
    if twice is not None or not all(columns):
        fault = f'has the column "{twice}" twice' if twice else "has a column without a name"
        raise InputError(fault, where=str(path), fix="Give every column a name of its own.")
    if unknown := [name for name in wanted if name not in columns]:
        hint = suggestion(unknown[0], columns) or f"Columns: {', '.join(columns[:30])}."
        raise InputError(f'there is no column "{unknown[0]}"', where=str(path), fix=hint)


def _subject_column(path: Path, columns: Sequence[str]) -> str:
    lowered = {c.lower(): c for c in columns}
    usual = [lowered[name] for name in _SUBJECT_COLUMNS if name in lowered]
    if usual or len(columns) == 1:
        return usual[0] if usual else columns[0]
    fix = f"Name it with --subject; columns: {', '.join(columns[:30])}."
    raise InputError("no column is known to name the subjects", where=str(path), fix=fix)


def _counted(path: Path, columns: Sequence[str], subject: str | None) -> int:
    """The number of rows; each is validated."""
    index = columns.index(subject) if subject else None
    many = 0
    for many, (line, cells) in enumerate(_rows(path), 1):  # noqa: B007 - the last number is the answer
        if index is not None and not cells[index].strip():
            raise InputError(f'"{subject}" is empty', where=f"{path}:{line}", fix="Name a subject, or drop the row.")
        if any(len(cell) > _LONGEST_CELL for cell in cells):
            raise InputError(f"a cell is longer than {_LONGEST_CELL:,} characters", where=f"{path}:{line}")
    if not many:
        raise InputError("has no rows", where=str(path), fix="A list has a row for each subject.")
    return many


def _digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _kind(path: Path) -> str:
    kind = _ENDINGS.get(path.suffix.lower())
    if kind is None:
        told = f'cannot tell the format from the ending "{path.suffix}"'
        raise InputError(told, where=str(path), fix=f"Known: {', '.join(_ENDINGS)}.")
    if not path.is_file():
        raise InputError("is not a file", where=str(path), fix="Check the path.")
    return kind


def _columns(path: Path) -> tuple[str, ...]:
    read = {"parquet": _parquet_columns, "jsonl": _json_columns, "csv": _csv_columns}[_kind(path)]
    try:
        columns = read(path)
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="Check the path.") from None
    if not columns or len(columns) > _MOST_COLUMNS:
        fault = f"has {len(columns)} columns, more than {_MOST_COLUMNS}" if columns else "has no header"
        raise InputError(fault, where=str(path), fix="The first row names the columns.")
    return columns


def _parquet_columns(path: Path) -> tuple[str, ...]:
    import polars as pl

    with broken_is_refused(path, "Parquet"):
        return tuple(pl.read_parquet_schema(path))


def _csv_columns(path: Path) -> tuple[str, ...]:
    return next((cells for _, cells in _lines(path)), ())


def _rows(path: Path) -> Iterator[Row]:
    """Rows with their cells as text."""
    kind = _kind(path)
    if kind == "parquet":
        return _parquet(path)
    return _jsonl(path, _json_columns(path)) if kind == "jsonl" else _csv(path)


def _csv(path: Path) -> Iterator[Row]:
    return islice(_lines(path), 1, None)


def _lines(path: Path) -> Iterator[Row]:
    """Header and rows of a CSV file, all of one width; empty lines are skipped."""
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream, delimiter=separator, strict=True)
        width = 0
        try:
            for cells in filter(_has_text, reader):
                width = width or len(cells)
                if len(cells) != width:
                    what = f"{len(cells)} cells for {width} columns"
                    raise InputError(what, where=f"{path}:{reader.line_num}", fix="Quote cells that hold a separator.")
                yield reader.line_num, tuple(cell.strip() for cell in cells)
        except csv.Error as error:
            what = f"is not a CSV file ({error})"
            raise InputError(what, where=f"{path}:{reader.line_num}", fix="Fix the file.") from None
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text", where=str(path), fix="Save it as UTF-8.") from None


def _has_text(cells: Sequence[str]) -> bool:
    return any(cell.strip() for cell in cells)


def _json_columns(path: Path) -> tuple[str, ...]:
    first = next(_objects(path), None)
    return tuple(first[1]) if first else ()


def _jsonl(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    for line, found in _objects(path):
        stranger = next((name for name in found if name not in columns), None)
        if stranger is not None:
            told = f'has "{stranger}", which the first line has not'
            raise InputError(told, where=f"{path}:{line}", fix="Give every line the same keys; null for none.")
        yield line, tuple(_text(found.get(name)) for name in columns)


def _objects(path: Path) -> Iterator[tuple[int, dict[str, object]]]:
    """The objects of a JSON-lines file; numbers keep their digits as written."""
    with path.open("rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(_LONGEST_LINE), b""), 1):
            if not line.strip():
                continue
            try:
                found = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
            except (ValueError, RecursionError):
                told = "is not a line of JSON"
                raise InputError(told, where=f"{path}:{number}", fix="Write one object on each line.") from None
            if not isinstance(found, dict):
                raise InputError("is not an object", where=f"{path}:{number}", fix="Write one object on each line.")
            yield number, found


def _parquet(path: Path) -> Iterator[Row]:
    import polars as pl

    for start in range(0, 2**62, _SLICE):
        with broken_is_refused(path, "Parquet"):
            part = pl.scan_parquet(path).slice(start, _SLICE).collect()
        yield from ((start + i, tuple(_text(cell) for cell in row)) for i, row in enumerate(part.iter_rows(), 1))
        if part.height < _SLICE:
            return


def _text(value: object) -> str:
    if value is None:
        return ""
    return (
        value.strip() if isinstance(value, str) else json.dumps(value) if isinstance(value, dict | list) else str(value)
    )
