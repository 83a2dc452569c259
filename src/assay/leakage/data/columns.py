"""What each column is: a number, a category, text, a time, or something that merely names the row."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from assay.patterns import regex
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_SAMPLE = 10_000
_REPEATED = 0.5
"""Share of different values up to which numbers with decimals are said to repeat."""
_TEXT_LENGTH = 30
"""Text of at least so many characters on average is prose, not a category."""
_TEXT_VARIETY = 0.2
"""Share of different values that prose has at least, even where every row stands there several times."""
_IDENTIFIER_NAME = regex(
    r"(.*[_\W])?(id|ids|uuid|guid|idx|index|key|row(_?(no|nr|num|number))?|record|hash|sha\d*|md5)"
    r"|unnamed: \d+|\(unnamed \d+\)|level_0|[a-z]+id|[a-z]+Id|[a-z]+ID",
    re.IGNORECASE,
)
_TIME_NAME = regex(
    r"(.*[_\W])?(date|time|timestamp|datetime|year|yr|month|week|day|hour|period|quarter|epoch|when|ts)s?([_\W].*)?"
    r"|.*(date|timestamp|datetime)",
    re.IGNORECASE,
)
_NO_SPLIT_TIME = regex(
    r"birth|dob|born|expir|built|build|construct|founded|establish|remod|reno|vintage", re.IGNORECASE
)
_LOOKS_DATED = r"^\s*\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}:\d{2}.*)?\s*$"
_LOOKS_QUARTERLY = r"^\s*(\d{4})[- ]?[Qq]([1-4])\s*$"
_DATE_FORMATS = ("%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%Y/%m/%d", "%d-%m-%Y", "%Y-%m-%d", "%Y.%m.%d")


class Kind(StrEnum):
    """How the checks treat a column."""

    NUMBER = "number"
    CATEGORY = "category"
    TEXT = "text"
    TIME = "time"
    IDENTIFIER = "identifier"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Column:
    """A column and what it was taken for."""

    name: str
    kind: Kind
    distinct: int | None
    """Different values in all rows; None for numbers with decimals that seldom repeat."""
    missing: float
    """Share of cells without a value."""
    integral: bool = False


def profile(train: pl.DataFrame, test: pl.DataFrame | None) -> Iterator[Column]:
    """Every column of the table, examined over both parts."""
    for column in train.get_columns():
        other = None if test is None else test.get_column(column.name)
        yield _examined(column, other)


def _examined(train: pl.Series, test: pl.Series | None) -> Column:
    import polars as pl

    both = train if test is None else pl.concat([train, test], rechunk=False)
    missing = both.null_count() / max(len(both), 1)
    if both.null_count() == len(both):
        return Column(train.name, Kind.CONSTANT, 0, missing)
    if both.dtype.is_float() and not _integral(both):
        constant = both.min() == both.max()
        kind = _kind_of_decimals(both, constant)
        return Column(train.name, kind, _distinct_decimals(both, kind), missing)
    distinct = both.n_unique() - (1 if both.has_nulls() else 0)
    if distinct <= 1:
        return Column(train.name, Kind.CONSTANT, distinct, missing)
    integral = both.dtype.is_numeric()
    kind = _kind(both, distinct, integral)
    return Column(train.name, kind, distinct, missing, integral)


def _distinct_decimals(column: pl.Series, kind: Kind) -> int | None:
    """Different values, where they matter: of times, and of numbers that many rows share to the last digit."""
    if kind is Kind.CONSTANT:
        return 1
    some = column.head(_SAMPLE).drop_nulls()
    repeated = some.n_unique() <= _REPEATED * len(some)
    return column.drop_nulls().n_unique() if kind is Kind.TIME or repeated else None


def _kind_of_decimals(column: pl.Series, constant: bool) -> Kind:
    """Decimals are measured, but for a year with its fraction, as 2000.083 for January."""
    if constant:
        return Kind.CONSTANT
    low, high = float(column.min()), float(column.max())  # type: ignore[arg-type] # a number, for it is not constant
    decimal_year = _named_as_time(column.name) and 1500 <= low <= high <= 2200
    return Kind.TIME if decimal_year else Kind.NUMBER


def _integral(column: pl.Series) -> bool:
    """Whether all numbers are whole; most columns with decimals show it in their first rows."""
    return all(not ((part - part.floor()) != 0).any() for part in (column.head(_SAMPLE), column))


def _kind(column: pl.Series, distinct: int, integral: bool) -> Kind:
    import polars as pl

    if column.dtype == pl.Datetime:
        return Kind.TIME
    filled = len(column) - column.null_count()
    if integral:
        if _named_as_time(column.name) and _plausible_time(column):
            return Kind.TIME
        return Kind.IDENTIFIER if _names_rows(column, distinct, filled) else Kind.NUMBER
    if column.dtype == pl.Boolean:
        return Kind.CATEGORY
    if as_times(column.head(_SAMPLE)) is not None:
        return Kind.TIME
    if _is_free_text(column.head(_SAMPLE).drop_nulls().head(1_000)):
        return Kind.TEXT
    unique = distinct >= 0.99 * filled and filled >= 10
    return Kind.IDENTIFIER if unique else Kind.CATEGORY


def _is_free_text(sample: pl.Series) -> bool:
    """True for long values, mostly of several words, of which few repeat: a long name of a category repeats."""
    if not len(sample) or sample.str.len_chars().to_numpy().mean() < _TEXT_LENGTH:
        return False
    varied = sample.n_unique() >= _TEXT_VARIETY * len(sample)
    return varied and bool(sample.str.contains(" ").to_numpy().mean() > 0.5)


def _named_as_time(name: str) -> bool:
    return _TIME_NAME.fullmatch(name) is not None and not _NO_SPLIT_TIME.search(name)


def _names_rows(column: pl.Series, distinct: int, filled: int) -> bool:
    """Whether whole numbers were given out rather than measured.

    Measured whole numbers meet by chance: among n draws from R values about n²/2R pairs agree. Numbers that
    never meet although they should have met five times were assigned.
    """
    if filled < 10 or distinct < 0.99 * filled:
        return False
    low, high = float(column.min() or 0), float(column.max() or 0)  # type: ignore[arg-type]
    width = high - low + 1
    return bool(filled * filled / (2 * width) >= 5 or width > 1e12 or _IDENTIFIER_NAME.fullmatch(column.name))


def _plausible_time(column: pl.Series) -> bool:
    """Years, yyyymm, yyyymmdd, days since year 1, or seconds or milliseconds of the computer's clock, by their size."""
    low, high = float(column.min() or 0), float(column.max() or 0)  # type: ignore[arg-type]
    ranges = ((1500, 2200), (150001, 220012), _DAYS_OF_PYTHON, (15000101, 22001231), (1e8, 5e9), (1e11, 5e12))
    return any(start <= low <= high <= end for start, end in ranges)


_ORDINAL_TIME_NAME = regex(
    r"(.*[_\W])?(time|trend|wave|season|round|period|t|year|yr|month|week|day|doy|yday|date)", re.IGNORECASE
)
_DAYS_OF_PYTHON = (547_500, 803_900)
"""The years 1500 to 2200 as numbers of days, as `date.toordinal` counts them."""


_REPEATED_IDENTIFIER_NAME = regex(r"(.*[_\W])?(id|nr)|[a-z]{2,}(id|nr)", re.IGNORECASE)


def names_something(name: str) -> bool:
    """Whether a column is called like an identifier: where its values repeat, it names what the rows belong to."""
    return _REPEATED_IDENTIFIER_NAME.fullmatch(name) is not None


def tells_when(column: Column) -> bool:
    """Whether a column says when its row was observed: a date of birth or of construction does not."""
    return column.kind is Kind.TIME and not _NO_SPLIT_TIME.search(column.name)


def looks_like_time(column: Column) -> bool:
    """Whether a cut along this column may be a cut in time: dates, years, and numbered periods."""
    numbered = column.integral or column.kind is Kind.NUMBER
    return tells_when(column) or (numbered and _ORDINAL_TIME_NAME.fullmatch(column.name) is not None)


def as_times(column: pl.Series) -> pl.Series | None:
    """The column as numbers that grow with time; None when it does not hold times."""
    import polars as pl

    if column.dtype == pl.Datetime:
        return column.cast(pl.Int64)
    if column.dtype.is_numeric():
        return column.cast(pl.Float64)
    if column.dtype != pl.String:
        return None
    some = column.head(200).drop_nulls()
    if len(some) and some.str.contains(_LOOKS_QUARTERLY).all():
        year, quarter = (column.str.extract(_LOOKS_QUARTERLY, group).cast(pl.Int64) for group in (1, 2))
        return 4 * year + quarter
    if not len(some) or not some.str.contains(_LOOKS_DATED).all():
        return None
    for form in _DATE_FORMATS:
        read = column.str.strip_chars().str.slice(0, 10).str.to_date(form, strict=False)
        if read.null_count() == column.null_count():
            return read.cast(pl.Int64)
    return None
