"""Units that were observed several times and that no column names (L3.2).

If each occasion of a table has the same number of rows, and most rows have one row at the next occasion that is far
nearer than any other (Lowe's ratio test, IJCV 60, 2004), while rows of the same occasion have no such twin, the rows at
both occasions are of the same units. A split by rows then trains on the units that it tests.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.columns import Column, Kind
from assay.leakage.data.drawing import DrawnBy
from assay.leakage.data.measures import Flags, Floats, Ints
from assay.leakage.data.outcome import Line, Outcome, Rows, percent
from assay.leakage.data.split import Split
from assay.leakage.rules.taxonomy_distribution import dependent_rows
from assay.records import dataclass
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

_CODE, _CHECK = "L3.2", "units without a name"
_MOST_ROWS, _FEWEST_ROWS, _FEWEST_COLUMNS, _FEWEST_VALUES = 20_000, 10, 3, 10
_FEWEST_OCCASIONS, _MOST_OCCASIONS = 3, 60
_EVEN = 0.8
"""Rows of the smallest occasion, in those of the largest."""
_MUCH_NEARER, _GOES_ON, _TIMES_WITHIN = 0.5, 0.4, 2.5
"""Distance to the nearest row in that to the next; share of rows that must go on; times the share within occasions."""
_MOST_GAPS, _CUT = 0.1, 0.2


@dataclass(frozen=True)
class _Course:
    """Rows and the rows that continue them at the next occasion, by their places in the whole table."""

    column: str
    rows: Ints
    following: Ints
    share: float
    within: float
    """Share of rows that have such a twin at the same occasion, where there can be none of the same unit."""

    @property
    def goes_on(self) -> bool:
        return self.share >= max(_GOES_ON, _TIMES_WITHIN * self.within)


def unnamed_units(split: Split) -> Outcome:
    """Test rows that continue a training row, or are continued by one, where no column names the unit."""
    if split.test is None or split.whole.height > _MOST_ROWS:
        return Outcome(Line.not_run(_CHECK, _CODE, "the table is not split, or is too large"))
    if split.drawing.by is not DrawnBy.ROWS or split.panel is not None or split.roles.groups:
        return Outcome(Line.not_run(_CHECK, _CODE, "the rows were not drawn one by one, or a column names the unit"))
    courses = (course for column in _occasions(split) if (course := _course(split, column)) is not None)
    found = next((course for course in courses if course.goes_on), None)
    if found is None:
        return Outcome(Line(_CHECK, _CODE, "rows do not go on from one occasion to the next"))
    return _reported(split, found)


def _occasions(split: Split) -> Iterator[Column]:
    """Columns of a few values that all have about the same number of rows."""
    for column in split.columns.values():
        whole = column.kind is Kind.TIME or (column.kind is Kind.NUMBER and column.integral)
        few = column.distinct is not None and _FEWEST_OCCASIONS <= column.distinct <= _MOST_OCCASIONS
        if whole and few and column.name != split.roles.target and _even(split.whole.get_column(column.name)):
            yield column


def _even(values: pl.Series) -> bool:
    sizes = [count for _, count in counted(values.drop_nulls())]
    return min(sizes) >= max(_FEWEST_ROWS, _EVEN * max(sizes))


def _course(split: Split, occasion: Column) -> _Course | None:
    """Follow each row to the next occasion by its measurements, compared with others of the occasion."""
    names = [c.name for c in split.features if c.name != occasion.name and _measured(c)]
    if len(names) < _FEWEST_COLUMNS:
        return None
    values = split.whole[names].to_numpy().astype(np.float64)
    values = np.where(np.isnan(values), np.nanmean(values, axis=0), values)
    when = split.whole.get_column(occasion.name).rank("dense").fill_null(0).to_numpy().astype(np.int64)
    places = [(when == one).nonzero()[0] for one in np.unique(when[when > 0])]
    parts = [_standardised(values[rows]) for rows in places]
    rows, following, twins, counted = [], [], 0, 0
    for at, (these, those) in enumerate(pairwise(parts)):
        goes_on, partner = _twins(these, those)
        rows.append(places[at][goes_on])
        following.append(places[at + 1][partner[goes_on]])
        twins, counted = twins + int(_own_twins(these).sum()), counted + len(these)
    found = np.concatenate(rows)
    return _Course(occasion.name, found, np.concatenate(following), len(found) / counted, twins / counted)


def _measured(column: Column) -> bool:
    many = column.distinct is None or column.distinct > _FEWEST_VALUES
    return column.kind is Kind.NUMBER and many and column.missing < _MOST_GAPS


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean(axis=0)) / np.maximum(values.std(axis=0), 1e-9))


def _twins(these: Floats, those: Floats) -> tuple[Flags, Ints]:
    """Which rows have one row among the others that is far nearer than the next and has them as its nearest."""
    from sklearn.neighbors import NearestNeighbors

    distance, place = NearestNeighbors(n_neighbors=2).fit(those).kneighbors(these)
    back = NearestNeighbors(n_neighbors=1).fit(these).kneighbors(those)[1][:, 0]
    mutual = back[place[:, 0]] == np.arange(len(these))
    return mutual & (distance[:, 0] < _MUCH_NEARER * distance[:, 1]), place[:, 0]


def _own_twins(these: Floats) -> Flags:
    """The same among the rows of one occasion."""
    from sklearn.neighbors import NearestNeighbors

    distance, place = NearestNeighbors(n_neighbors=3).fit(these).kneighbors(these)
    mutual = place[place[:, 1], 1] == np.arange(len(these))
    return np.asarray(mutual & (distance[:, 1] < _MUCH_NEARER * distance[:, 2]))


def _reported(split: Split, course: _Course) -> Outcome:
    train = split.train.height
    ends = np.concatenate([course.rows, course.following]), np.concatenate([course.following, course.rows])
    across = (ends[0] >= train) & (ends[1] < train)
    tested, first = np.unique(ends[0][across] - train, return_index=True)
    partners = ends[1][across][first]
    share = len(tested) / split.test_height
    result = f'{percent(course.share)} of rows go on at the next "{course.column}"; {percent(share)} of test rows'
    if share < _CUT:
        return Outcome(Line(_CHECK, _CODE, result))
    finding = dependent_rows.finding(
        f'{percent(share)} of test rows continue a training row at the "{course.column}" before or after: '
        "the same units seem to be in both parts, and no column names them",
        subject=course.column,
        location=Location(split.test_numbers.file),
        severity=Severity.WARNING,
        confidence=Confidence.MEDIUM,
        evidence=[
            numbers(
                {
                    "rows with one row at the next occasion that is far nearer than any other": percent(course.share),
                    "rows with such a row at the same occasion": percent(course.within),
                    "first test rows": split.test_numbers.first(tested),
                    "their training rows": split.train_numbers.first(partners),
                }
            )
        ],
    )
    found = Rows(
        _CODE,
        _CHECK,
        course.column,
        split.test_numbers.file,
        split.test_numbers.numbers[tested],
        split.train_numbers.file,
        split.train_numbers.numbers[partners],
    )
    return Outcome(Line(_CHECK, _CODE, result), [finding], [found])
