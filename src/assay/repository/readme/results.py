"""Tables of results: which tables are, and which numbers in them are scores."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.findings import Location
from assay.records import dataclass
from assay.repository.readme.document import Document, Grid
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.readme", "phrases.toml")
METRIC = _WORDS.pattern("metric")
_SETTING = _WORDS.pattern("setting")
_NUMBER = _WORDS.pattern("number")
_SCORE = _WORDS.pattern("score")
_SPLIT = _WORDS.pattern("split")
_LARGE = _WORDS.pattern("large")
_MOST_TABLES = 200
_PLACEHOLDER = _WORDS.pattern("placeholder")


@dataclass(frozen=True, slots=True)
class ResultsTable:
    """A table that reports scores."""

    location: Location
    caption: str
    """The heading it stands under."""
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    metrics: tuple[str, ...]
    """The cells of the header or of the first column that name a score."""
    numbers: int


def find_results(document: Document) -> tuple[ResultsTable, ...]:
    """The tables of results, in the order of the text."""
    found: list[ResultsTable] = []
    for part in document.parts:
        caption = part.heading.text if part.heading else ""
        for block in part.blocks:
            if isinstance(block, Grid) and len(found) < _MOST_TABLES and is_results(block, caption):
                names = tuple(_metrics(block))
                place = Location(document.path, block.line)
                found.append(ResultsTable(place, caption, block.header, block.rows, names, len(_numeric(block))))
    return tuple(found)


def is_results(grid: Grid, caption: str) -> bool:
    """Whether a table has numbers that are scores: named so in its header, first column or caption."""
    if sum(bool(_SCORE.search(cell[:300])) for row in grid.rows[:50] for cell in row[:20]) >= 2:
        return True
    numeric = _numeric(grid)
    if not numeric:
        return False
    if any(True for _ in _metrics(grid)):
        return True
    settings = sum(bool(_SETTING.search(cell)) for cell in grid.header)
    decimals = sum("." in grid.rows[r][c] for r, c in numeric)
    return (_WORDS.finds("results_heading", caption) or decimals >= 4) and 2 * settings < max(1, len(grid.header))


def is_placeholder(grid: Grid) -> bool:
    """Whether a table only has room for results: no cell beside the first of its row has one."""
    cells = [cell.strip("*_` ~") for row in grid.rows[:50] for cell in row[1:20]]
    return bool(cells) and all(_PLACEHOLDER.fullmatch(cell[:100]) for cell in cells) and not _numeric(grid)


def _numeric(grid: Grid) -> list[tuple[int, int]]:
    """Row and column of each cell that begins with a number and stands under no setting."""
    passed_over = {i for i, name in enumerate(grid.header) if _SETTING.search(name) and not METRIC.search(name)}
    return [
        (r, c)
        for r, row in enumerate(grid.rows[:500])
        for c, cell in enumerate(row[:60])
        if c not in passed_over and _NUMBER.match(cell.strip("*_` ~")[:60])
    ]


def _metrics(grid: Grid) -> Iterator[str]:
    columns: dict[int, list[str]] = {}
    rows: dict[int, list[str]] = {}
    for r, c in _numeric(grid):
        columns.setdefault(c, []).append(grid.rows[r][c])
        if c:
            rows.setdefault(r, []).append(grid.rows[r][c])
    for c, name in enumerate(grid.header):
        if c in columns and METRIC.search(name[:200]) and not _is_size(name, columns[c]):
            yield name
    for r, cells in rows.items():
        name = grid.rows[r][0][:200]
        if METRIC.search(name) and not re.search(r"\d$", name.strip()) and not _is_size(name, cells):
            yield name


def _is_size(name: str, cells: list[str]) -> bool:
    """Whether numbers under the name of a part of the data say how large it is."""
    return _SPLIT.fullmatch(name.strip("*_` ")[:100]) is not None and any(_LARGE.match(c.strip("*_` ~")) for c in cells)
