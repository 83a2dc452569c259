"""How a split was drawn, as far as the rows show: row by row, by whole groups, or along time.

A difference between the parts means something else in each case. Rows drawn one by one are alike on both sides; whole
groups differ as groups do; later rows differ because time has passed.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from assay.leakage.data.columns import Column, Kind, as_times, looks_like_time
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_FEWEST_GROUPS = 3
"""A column of two values that the split keeps apart is a selection (women only), not a split by groups."""
_WOULD_MEET = 0.3
"""Share of test rows that a split by rows would put into a group of training: below it, apart means nothing."""


class DrawnBy(StrEnum):
    """What was drawn when the test part was chosen."""

    ROWS = "rows"
    GROUPS = "groups"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Drawing:
    """How the test part was drawn, and the column that shows it."""

    by: DrawnBy
    column: str = ""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Share of test rows whose value of a column training has too, and what a split by rows would give."""

    shared: float
    expected: float


def drawing_between(
    train: pl.DataFrame, test: pl.DataFrame, columns: dict[str, Column], groups: tuple[str, ...], times: tuple[str, ...]
) -> Drawing:
    """Columns that the user named come first; then columns by which the parts do not meet."""
    timed = [*times, *(c.name for c in columns.values() if looks_like_time(c) and c.name not in times)]
    for name in timed:
        if test_is_later(train.get_column(name), test.get_column(name)):
            return Drawing(DrawnBy.TIME, name)
    grouped = [columns[name] for name in groups] or [c for c in columns.values() if _may_be_drawn(c)]
    for column in sorted(grouped, key=lambda c: c.distinct or 0):  # a school keeps its pupils apart, too
        sharing = sharing_of(train.get_column(column.name), test.get_column(column.name))
        if sharing.shared == 0 and sharing.expected >= _WOULD_MEET:
            return Drawing(DrawnBy.GROUPS, column.name)
    return Drawing(DrawnBy.ROWS)


def _may_be_drawn(column: Column) -> bool:
    whole = column.kind in (Kind.NUMBER, Kind.CATEGORY, Kind.TIME)
    return whole and column.distinct is not None and column.distinct >= _FEWEST_GROUPS


def test_is_later(train: pl.Series, test: pl.Series) -> bool:
    """Whether every test value lies after every training value."""
    import polars as pl

    both = as_times(pl.concat([train, test]))
    if both is None:
        return False
    last, first = both[: len(train)].max(), both[len(train) :].min()
    return last is not None and first is not None and bool(first > last)  # type: ignore[operator] # both are numbers


def sharing_of(train: pl.Series, test: pl.Series) -> Sharing:
    """How many test rows have a value that training has too."""
    import polars as pl

    known, asked = train.drop_nulls(), test.drop_nulls()
    if not len(asked) or not len(known):
        return Sharing(0.0, 0.0)
    shared = float(asked.is_in(known.unique().implode()).to_numpy().mean())
    both = pl.concat([known, asked]).alias("value")
    sizes = both.value_counts().get_column("count").to_numpy().astype(float)
    in_train = len(known) / len(both)
    expected = float((sizes * (1 - (1 - in_train) ** (sizes - 1))).sum() / sizes.sum())
    return Sharing(shared, expected)
