"""Columns known by a few of their cells, so that they are recognised in other company.

The key of a whole row changes when a column is added, dropped or cast. A cell keeps its value. Of each column the
cells with the smallest hashes are remembered, with their rows; the same cells are the smallest wherever the column
goes. So it is recognised in a selection, beside others, and in a part of the rows (bottom-k sketches, after Cohen &
Kaplan 2007). Columns of few values say nothing about rows and are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.statistics import wilson

Hashes = NDArray[np.uint32]
Places = NDArray[np.int64]

_WHOLE, _CELLS = 4_096, 300
"""Rows of a table whose columns are remembered whole, for one value may fill all gaps; cells of larger ones, about."""
_MOST_COLUMNS = 64
_FEWEST_VALUES = 8
_RECOGNISED = 0.6
"""Share of a column's remembered cells that another must have to be the same."""
_FEWEST_CHANGED, _AS_OFTEN_CHANGED = 3, 0.5
"""Cells that the step changed which must be among those recognised: so many, and so often as in all that it made."""
_FEWEST_COLUMNS = 3
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

    @property
    def holds_copies(self) -> bool:
        """Whether equal rows are copies: where chance makes rows equal, more rows are equal in all columns but one.

        Only columns of several values count: of the columns that stand for one category, two differ at a time.
        """
        measured = [hashes for hashes, _ in self.columns if len(np.unique(hashes)) >= _FEWEST_VALUES]
        if self.limit < 1 << 32 or len(measured) < _FEWEST_COLUMNS:
            return False
        weights = np.random.default_rng(0).integers(0, 1 << 64, len(measured), dtype=np.uint64) | np.uint64(1)
        cells = np.array(measured, np.uint64) * weights[:, None]
        keys = cells.sum(axis=0, dtype=np.uint64)
        distinct = len(np.unique(keys))
        near_misses = sum(distinct - len(np.unique(keys - column)) for column in cells)
        return near_misses < len(keys) - distinct

    def is_foreign(self, other: Sketch) -> bool:
        """Whether they share no cell at all, as tables mostly do."""
        return self.cells.isdisjoint(other.cells)


@dataclass(frozen=True, eq=False, slots=True)
class Recognised:
    """A column of one table that another holds too: its rows, and those that hold the same cells there."""

    column: int
    rows: Places
    origins: Places
    share: float
    """Of its remembered cells, those that were found."""


def sketch_of(columns: Sequence[NDArray[Any]], rows: int) -> Sketch | None:
    """The sketch of a table, from its columns of numbers; None for one without rows or columns."""
    if not rows or not columns:
        return None
    limit = 1 << 32 if rows <= _WHOLE else int((1 << 32) * _CELLS / rows)
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


def recognise(table: Sketch, made: Sketch, given: Sketch | None, *, in_place: bool = True) -> Iterator[Recognised]:
    """The columns of `table` that a step made.

    Cells that the step left as they were do not show whether the column went through it. An imputer changes a few, a
    scaler all; some of the changed ones must be there. A sampler puts rows into another order (`in_place` is false):
    it changed what stood nowhere before.
    """
    limit = min(table.limit, made.limit)
    origins = [_Origin.from_column(column, given, in_place) for column in made.columns]
    for number, (hashes, places) in enumerate(table.columns):
        kept = hashes < limit
        if len(np.unique(hashes[kept])) < _FEWEST_VALUES:
            continue
        found = [origin.recognised(number, hashes[kept], places[kept]) for origin in origins]
        best = max((one for one in found if one), key=lambda one: one.share, default=None)
        if best is not None:
            yield best


@dataclass(frozen=True, eq=False, slots=True)
class _Origin:
    """A column that a step made: its cells in order, their rows, and the cells that the step changed."""

    ordered: Hashes
    rows: Places
    changed: Hashes
    twins: int

    @staticmethod
    def from_column(column: tuple[Hashes, Places], given: Sketch | None, in_place: bool) -> _Origin:
        order = np.argsort(column[0], kind="stable")
        ordered = column[0][order]
        return _Origin(ordered, column[1][order], _changed(column, given, in_place), with_twins(ordered))

    def recognised(self, number: int, hashes: Hashes, places: Places) -> Recognised | None:
        """The cells of another column that stand in this one, if they are more than coarse columns share by chance."""
        if not len(self.ordered):
            return None
        at = np.minimum(np.searchsorted(self.ordered, hashes), len(self.ordered) - 1)
        found = self.ordered[at] == hashes
        touched = np.isin(hashes, self.changed).sum()
        expected = len(self.changed) / len(self.ordered) * int(found.sum())
        share = float(found.mean())
        if share < _RECOGNISED or touched < max(_FEWEST_CHANGED, _AS_OFTEN_CHANGED * expected):
            return None
        if wilson(int(found.sum()), len(found))[0] <= wilson(self.twins, len(self.ordered))[1]:
            return None
        return Recognised(number, places[found], self.rows[at[found]], share)


def with_twins(ordered: NDArray[Any]) -> int:
    """How many of these, which are sorted, have an equal beside them."""
    equal = ordered[1:] == ordered[:-1]
    twins = np.zeros(len(ordered), dtype=np.bool_)
    twins[1:] |= equal
    twins[:-1] |= equal
    return int(twins.sum())


def _changed(column: tuple[Hashes, Places], given: Sketch | None, in_place: bool) -> Hashes:
    """The cells of a column that did not stand in the same row before, or that stood nowhere."""
    hashes = column[0]
    if given is None:
        return hashes
    keys_of = _cell_keys if in_place else _values_alone
    before = np.concatenate([keys_of(other) for other in given.columns]) if given.columns else np.empty(0, np.uint64)
    changed = ~np.isin(keys_of(column), before)
    return np.sort(hashes[changed & (hashes < given.limit)])


def _values_alone(column: tuple[Hashes, Places]) -> NDArray[np.uint64]:
    return column[0].astype(np.uint64)


def _cell_keys(column: tuple[Hashes, Places]) -> NDArray[np.uint64]:
    return column[0].astype(np.uint64) << np.uint64(32) | column[1].astype(np.uint64)
