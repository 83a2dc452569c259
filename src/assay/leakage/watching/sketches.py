"""Columns known by a few of their cells, so that they are recognised in other company.

The key of a whole row changes when a column is added, dropped or cast. A cell keeps its value. Of each column the
cells with the smallest hashes are remembered, with their rows; the same cells are the smallest wherever the column
goes. So it is recognised in a selection, beside others, and in a part of the rows (bottom-k sketches, after Cohen &
Kaplan 2007). Columns of few values say nothing about rows and are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass

Hashes = NDArray[np.uint32]
Places = NDArray[np.int64]

_CELLS = 300
"""Cells remembered of a column, about."""
_MOST_COLUMNS = 64
_FEWEST_VALUES = 8
_RECOGNISED = 0.6
"""Share of a column's remembered cells that another must have to be the same."""
_FEWEST_CHANGED, _SHARE_CHANGED = 3, 0.02
"""Cells that the step changed which must be among those recognised."""
_SPREAD = np.uint32(0x9E3779B1)


@dataclass(frozen=True, eq=False)
class Sketch:
    """For each column the hashes of some cells and the rows where they stand."""

    limit: int
    """Cells with smaller hashes were remembered."""
    columns: tuple[tuple[Hashes, Places], ...]

    @cached_property
    def cells(self) -> frozenset[int]:
        """All remembered hashes."""
        return frozenset(np.concatenate([hashes for hashes, _ in self.columns]).tolist())

    def is_foreign(self, other: Sketch) -> bool:
        """Whether they share no cell at all, as tables mostly do."""
        return self.cells.isdisjoint(other.cells)


@dataclass(frozen=True, eq=False, slots=True)
class Recognised:
    """Rows of one table, and the rows of another that hold the same cell of a column."""

    rows: Places
    origins: Places


def sketch_of(columns: Sequence[NDArray[Any]], rows: int) -> Sketch | None:
    """The sketch of a table, from its columns of numbers; None for one without rows or columns."""
    if not rows or not columns:
        return None
    limit = min(1 << 32, int((1 << 32) * _CELLS / rows))
    step = len(columns) // _MOST_COLUMNS + 1
    return Sketch(limit, tuple(_cells(column, limit) for column in columns[::step]))


def _cells(column: NDArray[Any], limit: int) -> tuple[Hashes, Places]:
    if column.dtype.kind not in "fiub":
        return np.empty(0, np.uint32), np.empty(0, np.int64)
    bits = (column.astype(np.float32) + np.float32(0)).view(np.uint32)  # the two zeros are one
    hashes = (bits ^ (bits >> np.uint32(15))) * _SPREAD
    hashes ^= hashes >> np.uint32(13)
    places = (hashes < limit).nonzero()[0] if limit < 1 << 32 else np.arange(len(hashes))
    return hashes[places], places


def recognise(table: Sketch, made: Sketch, given: Sketch | None) -> Recognised | None:
    """Where a column of `table` comes from among those that a step made.

    Cells that the step left as they were do not tell whether the column went through it. An imputer changes a few, a
    scaler all; some of the changed ones must be there.
    """
    limit = min(table.limit, made.limit)
    origins = [(column, _changed(column, given)) for column in made.columns]
    best: Recognised | None = None
    for hashes, places in table.columns:
        kept = hashes < limit
        asked, rows = hashes[kept], places[kept]
        if len(np.unique(asked)) < _FEWEST_VALUES:
            continue
        for column, changed in origins:
            found = _matched((asked, rows), column, changed)
            if found is not None and (best is None or len(found.rows) > len(best.rows)):
                best = found
    return best


def _changed(column: tuple[Hashes, Places], given: Sketch | None) -> Hashes:
    """The cells of a column that did not stand in the same row before."""
    hashes = column[0]
    if given is None:
        return hashes
    before = np.concatenate([_cell_keys(other) for other in given.columns]) if given.columns else np.empty(0, np.uint64)
    changed = ~np.isin(_cell_keys(column), before)
    return np.sort(hashes[changed & (hashes < given.limit)])


def _cell_keys(column: tuple[Hashes, Places]) -> NDArray[np.uint64]:
    return column[0].astype(np.uint64) << np.uint64(32) | column[1].astype(np.uint64)


def _matched(asked: tuple[Hashes, Places], column: tuple[Hashes, Places], changed: Hashes) -> Recognised | None:
    hashes, origins = column
    if not len(hashes) or not len(changed):
        return None
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    at = np.minimum(np.searchsorted(ordered, asked[0]), len(ordered) - 1)
    found = ordered[at] == asked[0]
    touched = np.isin(asked[0], changed).sum()
    if found.mean() < _RECOGNISED or touched < max(_FEWEST_CHANGED, _SHARE_CHANGED * len(asked[0])):
        return None
    return Recognised(asked[1][found], origins[order[at[found]]])
