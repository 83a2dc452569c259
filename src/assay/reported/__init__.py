"""Scores as people print them: prose, pasted tables, whole reports and cell grids, read as typed rows.

    read_text(text)        whatever somebody pastes: prose, tables of any kind, reports, matrices
    read_prose(text)       running text only
    read_grid(grid)        a table that is already cut into cells, with its caption
    read_sizes(text)       the sizes that a caption or sentence states, without scores
    read_name(text)        what a heading or a name in a text means; None when it names no score

The reader has no opinion: it says what stands where, and lists every number that it did not understand.
"""

from __future__ import annotations

from assay.reported.grid import read_grid
from assay.reported.names import read_name
from assay.reported.paste import read_text
from assay.reported.prose import read_prose
from assay.reported.sizes import read_sizes

__all__ = ["read_grid", "read_name", "read_prose", "read_sizes", "read_text"]
