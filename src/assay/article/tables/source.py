"""Tables in a paper's source (LaTeX, HTML, Markdown, Word) → grids, cut into cells by the shared reader."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from assay.article.reading.paper import RawTable, Source
from assay.article.tables.cells import Grid, cell_of
from assay.findings import Location
from assay.reported import html, latex
from assay.reported.model import Grid as PrintedGrid
from assay.reported.pieces import cut


def _find_columns(text: str) -> Iterator[tuple[int, int, PrintedGrid]]:
    yield from ((piece.start, piece.end, piece.grid) for piece in cut(text) if piece.grid is not None)


_READERS: dict[Source, Callable[[str], Iterable[tuple[int, int, PrintedGrid]]]] = {
    Source.LATEX: latex.find_tables,
    Source.HTML: html.find_tables,
    Source.MARKDOWN: html.find_tables,
    Source.TEXT: _find_columns,
}


def grids(table: RawTable) -> Iterator[Grid]:
    """Every grid of cells in a table's source."""
    reader = _READERS.get(table.source)
    for start, _, grid in reader(table.text) if reader else ():
        line = (table.location.line or 1) + table.text.count("\n", 0, start)
        own = grid.caption if table.text.count("\\caption") > 1 else ""
        yield typed(grid, own or table.caption, Location(table.location.path, line))


def typed(grid: PrintedGrid, caption: str, location: Location) -> Grid:
    """The grid with its cells typed as numbers and texts."""
    rows = tuple(tuple(cell_of(cell.text, bold=cell.bold, spanned=cell.spanned) for cell in row) for row in grid.rows)
    return Grid(rows, caption, location)
