"""Score tables of a paper: typed cells, and rows that the score tests can examine."""

from __future__ import annotations

from collections.abc import Iterator

from assay.article.reading.paper import Paper
from assay.article.tables.cells import Cell, Grid, Kind, cell_of
from assay.article.tables.scores import ScoreRow, ScoreTable, score_table

__all__ = ["Cell", "Grid", "Kind", "ScoreRow", "ScoreTable", "cell_of", "grids_of", "score_rows_of", "score_tables_of"]


def grids_of(paper: Paper) -> Iterator[Grid]:
    """The tables of a paper: all of them from a source that tells their cells, those of scores from a PDF."""
    from assay.article.tables import pdf, source

    for table in paper.tables:
        yield from source.grids(table)
    yield from pdf.grids(paper)


def score_tables_of(paper: Paper) -> list[ScoreTable]:
    """Every table of a paper with the rows of scores that were read from it."""
    return [score_table(number, grid) for number, grid in enumerate(grids_of(paper), 1)]


def score_rows_of(paper: Paper) -> list[ScoreRow]:
    """The rows of scores in a paper."""
    return [row for table in score_tables_of(paper) for row in table.rows]
