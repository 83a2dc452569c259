"""Rows of a table that people write: cells become values, or an error that says which row and what to do."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import TypeVar

from assay.errors import InputError, suggestion
from assay.patterns import regex
from assay.records import dataclass

E = TypeVar("E", bound=StrEnum)
_PRINTED = regex(r"[-+−]?\d{1,40}(\.\d{0,40})?([eE][-+]?\d{1,3})?\s?%?")
MANY = 10**6
"""No count or number of hours in a study is larger."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table, with its place; a column that is missing is an empty cell."""

    where: str
    cells: Mapping[str, str]

    def error(self, what: str, fix: str = "") -> InputError:
        """An error about this row."""
        return InputError(what, where=self.where, fix=fix)

    def text(self, column: str) -> str:
        """The cell as it stands."""
        return self.cells.get(column, "")

    def needed(self, column: str, why: str = "") -> str:
        """The cell, which must not be empty."""
        if not (value := self.text(column).strip()):
            raise self.error(f'"{column}" is empty', why or f"Fill in the column {column}.")
        return value

    def number(self, column: str) -> Decimal | None:
        """A number that is not negative."""
        text = self.text(column).strip()
        if not text:
            return None
        try:
            value = Decimal(text)
        except InvalidOperation:
            value = Decimal("nan")
        if not value.is_finite() or value > MANY:
            raise self.error(f'"{column}" = {text[:40]!r} is not a number', "Write it as 40 or 2.5, or leave it empty.")
        if value < 0:
            raise self.error(f'"{column}" = {text[:40]} is negative', "It counts from 0.")
        return value

    def count(self, column: str) -> int | None:
        """A whole number that is not negative."""
        value = self.number(column)
        if value is None:
            return None
        if value != int(value):
            raise self.error(f'"{column}" = {value} is not a whole number', "Count in whole numbers.")
        return int(value)

    def positive(self, column: str) -> int | None:
        """A whole number from 1."""
        value = self.count(column)
        if value == 0:
            raise self.error(f'"{column}" = 0', "Leave out what did not occur.")
        return value

    def printed(self, column: str) -> str:
        """A number with the digits that were printed, or nothing."""
        return self._as_printed(column, self.text(column).strip())

    def all_printed(self, column: str) -> tuple[str, ...]:
        """Several such numbers."""
        return tuple(self._as_printed(column, word) for word in self.words(column))

    def words(self, column: str) -> tuple[str, ...]:
        """The parts of a cell between semicolons."""
        return tuple(word.strip() for word in self.text(column).split(";") if word.strip())

    def choice(self, column: str, kind: type[E]) -> E | None:
        """A word of a closed list."""
        return self._chosen(column, self.text(column).strip(), kind) if self.text(column).strip() else None

    def choices(self, column: str, kind: type[E]) -> tuple[E, ...]:
        """Several words of a closed list."""
        return tuple(self._chosen(column, word, kind) for word in self.words(column))

    def day(self, column: str, today: date) -> date | None:
        """A date that is not in the future."""
        text = self.text(column).strip()
        if not text:
            return None
        try:
            value = date.fromisoformat(text)
        except ValueError:
            raise self.error(f'"{column}" = {text[:40]!r} is not a date', "Write it as 2018-06-18.") from None
        if value > today:
            raise self.error(f'"{column}" = {value} is in the future', f"Today is {today}.")
        return value

    def _as_printed(self, column: str, text: str) -> str:
        if text and not _PRINTED.fullmatch(text):
            raise self.error(f'"{column}" = {text[:40]!r} is no number', "Write the figure as printed, as in 0.930.")
        return text

    def _chosen(self, column: str, text: str, kind: type[E]) -> E:
        named = {member.value.lower(): member for member in kind}
        if text.lower() not in named:
            known = [member.value for member in kind]
            fix = f"{suggestion(text, known)} Known are: {', '.join(known)}.".lstrip()
            raise self.error(f'"{column}" = {text[:40]!r} is not known', fix)
        return named[text.lower()]


def read_rows(text: str, path: str, columns: Sequence[str] | None) -> list[Row]:
    """The rows of a CSV file; `columns` are those that it may have, None for any."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    rows: list[Row] = []
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, path, columns)
        line = reader.line_num + 1
        for cells in reader:
            if len(cells) > len(header):
                fix = "A comma inside a cell needs quotes around the cell."
                raise InputError(f"{len(cells)} cells for {len(header)} columns", where=f"{path}:{line}", fix=fix)
            if any(cells):
                rows.append(Row(f"{path}:{line}", dict(zip(header, cells, strict=False))))
            line = reader.line_num + 1
    except csv.Error as error:
        raise InputError(
            f"is broken CSV ({error})", where=f"{path}:{reader.line_num}", fix="Check its quotes."
        ) from None
    return rows


def _check_header(header: Sequence[str], path: str, columns: Sequence[str] | None) -> None:
    for place, name in enumerate(header):
        if name in header[:place]:
            raise InputError(f'column "{name}" is there twice', where=f"{path}:1")
        if columns is not None and name not in columns:
            fix = suggestion(name, columns) or f"Known columns: {', '.join(columns)}."
            raise InputError(f'unknown column "{name}"', where=f"{path}:1", fix=fix)


def write_rows(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A CSV file with one line per row."""
    return "".join(",".join(map(_cell, row)) + "\n" for row in (columns, *rows))


def _cell(text: str) -> str:
    """Quoted when it must be; the standard writer forgets a lone carriage return when lines end in a line feed."""
    return '"' + text.replace('"', '""') + '"' if set(text) & set(',"\r\n') else text


def local_day() -> date:
    """Today, where this machine stands."""
    return datetime.now(UTC).astimezone().date()


def joined(words: Iterable[str]) -> str:
    """Words for one cell; a semicolon in one of them would be read as two."""
    listed = list(words)
    for word in listed:
        if ";" in word or word != word.strip() or not word:
            raise InputError(f"{word!r} cannot stand in a list", fix="Leave out semicolons and outer spaces.")
    return "; ".join(listed)
