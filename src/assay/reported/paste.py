"""Whatever somebody pastes: cut into tables, matrices and running text, each read on its own, then put together."""

from __future__ import annotations

from collections.abc import Sequence

from assay.records import replace
from assay.reported.asides import mask
from assay.reported.grid import read_grid
from assay.reported.model import Averaging, Over, Reading, Row
from assay.reported.pieces import Piece, cut
from assay.reported.prose import over_of, read_prose
from assay.reported.reports import find_matrices
from assay.reported.transcripts import straightened

_MINUS = str.maketrans({"\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ", "\N{THIN SPACE}": " "})


def read_text(text: str) -> Reading:
    """Whatever somebody pastes; every number is read, set aside with its kind, or listed as not understood."""
    plain = straightened(text.translate(_MINUS))
    matrices = tuple(find_matrices(plain))
    plain = mask(plain, [matrix.span for matrix in matrices]).replace("\0", " ") if matrices else plain
    parts = [_read(plain, piece) for piece in cut(plain)]
    inside = tuple(matrix for part in parts for matrix in part.matrices)
    return replace(_together(parts, plain), matrices=(*matrices, *inside))


def _read(text: str, piece: Piece) -> Reading:
    if piece.grid is not None:
        return read_grid(piece.grid)
    words = text[piece.start : piece.end].replace("\\%", " %").replace("**", "  ").replace("$", " ")
    return read_prose(words, offset=piece.start)


def _together(parts: Sequence[Reading], text: str) -> Reading:
    over = next((part.over for part in parts if part.over is not Over.UNSTATED), over_of(text))
    averaging = next((part.averaging for part in parts if part.averaging is not Averaging.UNSTATED), Averaging.UNSTATED)
    return Reading(
        tuple(_single(parts)),
        tuple(size for part in parts for size in part.sizes),
        asides=tuple(aside for part in parts for aside in part.asides),
        unread=tuple(one for part in parts for one in part.unread),
        over=over,
        averaging=averaging,
    )


def _single(parts: Sequence[Reading]) -> list[Row]:
    """Pieces that hold one nameless row each, with different scores, are about one thing: their rows become one."""
    out: list[list[Row]] = []
    for rows in (list(part.rows) for part in parts if part.rows):
        lone = len(rows) == 1 and not rows[0].name
        if out and lone and len(out[-1]) == 1 and _joinable(out[-1][0], rows[0]):
            first = out[-1][0]
            out[-1] = [replace(first, figures=(*first.figures, *rows[0].figures), sizes=(*first.sizes, *rows[0].sizes))]
        else:
            out.append(rows)
    return [row for rows in out for row in rows]


def _joinable(one: Row, other: Row) -> bool:
    return not one.name and not _scores(one) & _scores(other)


def _scores(row: Row) -> set[tuple[str, str, str]]:
    return {(figure.score, figure.name.averaging.value, figure.name.label) for figure in row.figures}
