"""Whatever somebody pastes: cut into tables, matrices and running text, each read on its own, then put together."""

from __future__ import annotations

from collections.abc import Sequence

from assay.records import replace
from assay.reported.asides import mask
from assay.reported.cutting import Piece, cut
from assay.reported.grid import read_grid
from assay.reported.model import Averaging, Over, Reading, Row
from assay.reported.prose import over_of, read_prose
from assay.reported.reports import find_matrices

_MINUS = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\N{THIN SPACE}": " "})


def read_text(text: str) -> Reading:
    """Whatever somebody pastes; every number is read, set aside with its kind, or listed as not understood."""
    plain = text.translate(_MINUS)
    matrices = tuple(find_matrices(plain))
    plain = mask(plain, [matrix.span for matrix in matrices]).replace("\0", " ") if matrices else plain
    parts = [_read(plain, piece) for piece in cut(plain)]
    return replace(_together(parts, plain), matrices=matrices)


def _read(text: str, piece: Piece) -> Reading:
    if piece.grid is not None:
        return read_grid(piece.grid)
    words = text[piece.start : piece.end].replace("\\%", " %").replace("**", "  ").replace("$", " ")
    return read_prose(words, offset=piece.start)


def _together(parts: Sequence[Reading], text: str) -> Reading:
    rows = [row for part in parts for row in part.rows]
    over = next((part.over for part in parts if part.over is not Over.UNSTATED), over_of(text))
    averaging = next((part.averaging for part in parts if part.averaging is not Averaging.UNSTATED), Averaging.UNSTATED)
    return Reading(
        tuple(_single(rows)),
        tuple(size for part in parts for size in part.sizes),
        asides=tuple(aside for part in parts for aside in part.asides),
        unread=tuple(one for part in parts for one in part.unread),
        over=over,
        averaging=averaging,
    )


def _single(rows: Sequence[Row]) -> list[Row]:
    """Rows without a name of their own that name different scores are one row in several pieces."""
    out: list[Row] = []
    for row in rows:
        if out and not row.name and not out[-1].name and not _scores(out[-1]) & _scores(row):
            out[-1] = replace(out[-1], figures=(*out[-1].figures, *row.figures), sizes=(*out[-1].sizes, *row.sizes))
        else:
            out.append(row)
    return out


def _scores(row: Row) -> set[tuple[str, str, str]]:
    return {(figure.score, figure.name.averaging.value, figure.name.label) for figure in row.figures}
