"""Units that were observed several times: a pair of columns that names each row once.

If every (state, year) occurs once although states and years both repeat, the table is a panel. Columns that were
measured independently cannot do that: rows that fill a good part of all pairs would meet often by chance.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from assay.leakage.data.columns import Column, Kind, looks_like_time
from assay.leakage.data.measures import Ints
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_FEWEST_UNITS, _FEWEST_OCCASIONS = 5, 3
_FEWEST_ROWS, _MOST_ROWS = 50, 200_000
_FILLED = 0.25
"""Share of all pairs of unit and occasion that are in the table."""
_MOST_COLUMNS = 40


@dataclass(frozen=True, slots=True)
class Panel:
    """The column of units and the column of occasions."""

    unit: str
    occasion: str


def panel_of(whole: pl.DataFrame, columns: list[Column]) -> Panel | None:
    """The fullest pair of columns that names each row once; None for a table of single observations."""
    if not _FEWEST_ROWS <= whole.height <= _MOST_ROWS:
        return None
    repeated = [c for c in columns if _repeats(c, whole.height)][:_MOST_COLUMNS]
    pairs = [
        (whole.height / ((unit.distinct or 1) * (occasion.distinct or 1)), unit, occasion)
        for unit, occasion in permutations(repeated, 2)
        if _may_be_panel(unit, occasion)
    ]
    code = cache(partial(_codes, whole))
    for filled, unit, occasion in sorted(pairs, key=lambda pair: -pair[0]):
        if not _FILLED <= filled <= 1:
            continue
        units, occasions = code(unit.name), code(occasion.name)
        if len(np.unique(units * (int(occasions.max()) + 1) + occasions)) == whole.height:
            return Panel(unit.name, occasion.name)
    return None


def _codes(whole: pl.DataFrame, name: str) -> Ints:
    """A number for each row that is the same for equal values of a column."""
    return whole.get_column(name).rank("dense").fill_null(0).to_numpy().astype(np.int64)


def _repeats(column: Column, rows: int) -> bool:
    whole = column.kind in (Kind.CATEGORY, Kind.TIME) or (column.kind is Kind.NUMBER and column.integral)
    return whole and column.distinct is not None and _FEWEST_OCCASIONS <= column.distinct <= rows / 2


def _may_be_panel(unit: Column, occasion: Column) -> bool:
    """Time is the occasion where there is one; otherwise there are more units than occasions."""
    if looks_like_time(unit) or (unit.distinct or 0) < _FEWEST_UNITS:
        return False
    return looks_like_time(occasion) or (unit.distinct or 0) > (occasion.distinct or 0)
