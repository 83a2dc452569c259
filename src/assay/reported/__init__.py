"""Scores as people print them: prose, pasted tables, whole reports and cell grids, read as typed rows.

    read_text(text)        whatever somebody pastes: prose, tables of any kind, reports, matrices
    read_prose(text)       running text only
    read_grid(grid)        a table that is already cut into cells, with its caption
    read_sizes(text)       the sizes that a caption or sentence states, without scores
    read_name(text)        what a heading or a name in a text means; None when it names no score

The reader has no opinion: it says what stands where, and lists every number that it did not understand.
"""

from __future__ import annotations

from assay.reported.model import Grid, Reading, ScoreName, Size

__all__ = ["read_grid", "read_name", "read_prose", "read_sizes", "read_text"]


def read_text(text: str) -> Reading:
    """Whatever somebody pastes; every number is read, set aside with its kind, or listed as not understood."""
    raise NotImplementedError


def read_prose(text: str) -> Reading:
    """Running text: sentences, lists, lines of names and numbers."""
    raise NotImplementedError


def read_grid(grid: Grid) -> Reading:
    """A table of cells: scores as columns or as rows, with headings of several levels; the caption may state sizes."""
    raise NotImplementedError


def read_sizes(text: str) -> tuple[Size, ...]:
    """The sizes that a caption or a sentence states; runs, shots, folds and "per class" are never items."""
    raise NotImplementedError


def read_name(text: str) -> ScoreName | None:
    """What a heading or a name in a text means; None when it names no score."""
    raise NotImplementedError
