"""Layouts that people make by hand: tables set side by side, and titles over columns that no command spans."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from assay.records import replace
from assay.reported.model import Cell, Grid
from assay.reported.names import read_name
from assay.reported.numbers import read_cell

_Rows = tuple[tuple[Cell, ...], ...]


def parts_of(grid: Grid) -> tuple[tuple[int, Grid], ...]:
    """The tables that stand side by side in one grid, each with its first column; mostly there is one.

    Where a new table begins, the heading of the labels is repeated.
    """
    heads = _heading_rows(grid.rows)
    starts = next((found for row in heads if len(found := _repeats(row, grid.rows[len(heads) :])) > 1), (0,))
    ends = (*starts[1:], len(grid.rows[0]) if grid.rows else 0)
    if len(starts) == 1:
        return ((0, _with_wide_titles(grid, heads)),)
    parts = [replace(grid, rows=tuple(row[a:b] for row in grid.rows)) for a, b in zip(starts, ends, strict=True)]
    wide = (_with_wide_titles(part, _heading_rows(part.rows)) for part in parts)
    return tuple(zip(starts, wide, strict=True))


def _heading_rows(rows: _Rows) -> _Rows:
    """The rows above the first that holds a figure."""
    first = next((at for at, row in enumerate(rows) if any(read_cell(cell.text) for cell in row[1:])), len(rows))
    return rows[:first]


def _repeats(heading: Sequence[Cell], body: _Rows) -> tuple[int, ...]:
    """Where the heading of the first column stands again, in equal distances and each time over words."""
    label = heading[0].text.strip() if heading else ""
    places = tuple(at for at, cell in enumerate(heading) if label and cell.text.strip() == label and not cell.spanned)
    steps = {b - a for a, b in pairwise((*places, len(heading)))}
    named = read_name(label) is not None or len(steps) != 1 or steps == {1}
    return (0,) if named or not all(_holds_words(body, at) for at in places) else places


def _holds_words(body: _Rows, at: int) -> bool:
    texts = [row[at].text for row in body if row[at].text.strip()]
    return 2 * sum(read_cell(text) is None for text in texts) > len(texts)


def _with_wide_titles(grid: Grid, heads: _Rows) -> Grid:
    """Titles with empty cells to their right stand over these as well, where the lowest heading names scores there."""
    if len(heads) < 2:
        return grid
    lowest = heads[-1]
    raised = tuple(_widened(row, lowest) for row in heads[:-1])
    return replace(grid, rows=(*raised, *grid.rows[len(raised) :]))


def _widened(titles: tuple[Cell, ...], lowest: Sequence[Cell]) -> tuple[Cell, ...]:
    out = list(titles[:1])
    for at in range(1, len(titles)):
        before, own = out[-1], titles[at]
        goes_on = not own.text.strip() and before.text.strip() and at > 1 and read_name(before.text) is None
        spans = any(cell.spanned for cell in titles)
        carried = goes_on and not spans and read_name(lowest[at].text) is not None
        out.append(replace(before, spanned=True) if carried else own)
    return tuple(out)
