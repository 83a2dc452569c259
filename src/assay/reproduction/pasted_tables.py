"""Tables of results in LaTeX, HTML, Markdown or pasted text, as tables of text cells."""

from __future__ import annotations

from collections.abc import Iterable

from assay.errors import InputError
from assay.patterns import regex
from assay.reported.model import Cell, Grid
from assay.reported.numbers import read_cell
from assay.reported.pieces import cut
from assay.reproduction.result_files import RawTable, raw_table
from assay.reproduction.rows import Row

_SEPARATORS = tuple(map(regex, (r"\t", r"&", r"\|", r";", r",", r" {2,}")))
LEVELS = " / "
"""Between the headings of a column, from the upper to the lower one."""


def pasted_table(text: str, where: str, number: int | None = None) -> RawTable:
    """The only table of a text, or the one with that number, counted from 1."""
    found = [piece.grid for piece in cut(text) if piece.grid is not None] or _plain_grids(text)
    grids = [grid for grid in found if _heading_rows(grid)]
    if not grids:
        fix = "Give a table with headings, as CSV, LaTeX, HTML, Markdown or with tabs between its cells."
        raise InputError("holds no table of results", where=where, fix=fix)
    if number is None and len(grids) > 1:
        listed = "; ".join(f"{at} {_first_words(grid)}" for at, grid in enumerate(grids[:10], 1))
        raise InputError(f"holds {len(grids)} tables", where=where, fix=f"Choose one with --table: {listed}.")
    if number is not None and not 1 <= number <= len(grids):
        raise InputError(f"has no table {number}", where=where, fix=f"Choose --table 1 to {len(grids)}.")
    return _raw(grids[(number or 1) - 1], where)


def _plain_grids(text: str) -> list[Grid]:
    """The whole text as one table, if one separator cuts all of its lines into equally many cells."""
    lines = [line.removesuffix("\\\\").strip(" ") for line in text.splitlines() if line.strip()]
    for separator in _SEPARATORS:
        rows = [separator.split(line) for line in lines]
        if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            return [Grid(tuple(map(_cells, rows)))]
    return []


def _cells(row: Iterable[str]) -> tuple[Cell, ...]:
    return tuple(Cell(cell.strip()) for cell in row)


def _first_words(grid: Grid) -> str:
    words = grid.caption or ", ".join(cell.text for cell in grid.rows[0] if cell.text)
    return f'"{words[:40]}"'


def _raw(grid: Grid, where: str) -> RawTable:
    heads = _heading_rows(grid)
    columns = [_heading([row[at].text for row in grid.rows[:heads]], at) for at in range(grid.width)]
    rows = [
        Row(f"{where}: row {number}", {name: cell.text for name, cell in zip(columns, cells, strict=True)})
        for number, cells in enumerate(grid.rows[heads:], 1)
        if any(cell.text.strip() for cell in cells)
    ]
    return raw_table(columns, rows, where)


def _heading(levels: list[str], at: int) -> str:
    words = dict.fromkeys(" ".join(level.split()) for level in levels if level.strip())
    return LEVELS.join(words) or f"column {at + 1}"


def _heading_rows(grid: Grid) -> int:
    """How many rows stand before the first that has a number beside its first cell; 0 if none has."""
    for at, row in enumerate(grid.rows):
        if any(read_cell(cell.text) is not None for cell in row[1:]):
            return at
    return 0
