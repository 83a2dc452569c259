"""Score tables of a paper: typed cells, and rows that the score tests can examine."""

from __future__ import annotations

from collections.abc import Iterator

from assay.article.reading.paper import Paper, Source
from assay.article.tables.cells import Cell, Grid, Kind, cell_of
from assay.article.tables.scores import ScoreRow, Sizes, score_rows, with_sizes

__all__ = ["Cell", "Grid", "Kind", "ScoreRow", "Sizes", "cell_of", "grids_of", "score_rows_of"]


def grids_of(paper: Paper) -> Iterator[Grid]:
    """The tables of a paper: all of them from a source that tells their cells, those of scores from a PDF."""
    from assay.article.tables import latex, markup, pdf

    for table in paper.tables:
        if table.source is Source.LATEX:
            yield from latex.grids(table)
        elif table.source in {Source.HTML, Source.MARKDOWN}:
            grid = markup.grid(table)
            if grid is not None:
                yield grid
    yield from pdf.grids(paper)


def score_rows_of(paper: Paper) -> list[ScoreRow]:
    """The rows of scores in a paper, with the sizes of the test set where its captions say them."""
    return [with_sizes(row, ()) for grid in grids_of(paper) for row in score_rows(grid)]
