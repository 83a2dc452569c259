"""Scores of a paper beside the confusion matrices that it prints: which follow from them, and which contradict them.

A row of scores belongs to a matrix when enough of its figures follow from it: that is the evidence of the binding, and
the rest of the row must follow as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from assay.article.tables import ScoreRow, ScoreTable
from assay.records import dataclass
from assay.reported.matrices import MatrixReading, readings_of, value_in

_LUCK = 0.01
"""Figures that follow from some matrix of the paper by chance more often than this bind nothing."""
_SPREAD_OF_SCORES = Fraction(3, 10)
"""Scores of one paper lie within about this range, so that a figure meets a given one by chance once in that."""
_CLEAR = Fraction(4, 1000)
"""A figure contradicts a matrix when it is off by more than this, besides one unit of its last digit."""


@dataclass(frozen=True, slots=True)
class MatrixScores:
    """A row whose figures follow from a printed matrix, and those of them that do not."""

    row: ScoreRow
    matrix: ScoreTable
    reading: str
    following: tuple[tuple[str, str], ...]
    """Score and printed figure."""
    contradicted: tuple[tuple[str, str, Fraction], ...] = ()
    """Score, printed figure, and what the matrix gives."""


def matrix_scores(tables: Sequence[ScoreTable], *, doubted: bool) -> Iterator[MatrixScores]:
    """Rows of scores that belong to a printed matrix; `doubted` where the paper mentions means over folds or runs."""
    readings = [(table, reading) for table in tables for matrix in table.matrices for reading in readings_of(matrix)]
    rows = [row for table in tables for row in table.rows]
    tries = len(readings) * len(rows)
    for row in rows if readings else ():
        best = max((_compared(row, *one) for one in readings), key=_balance)
        bound = _luck(best.following) * tries < _LUCK
        if bound and _is_sound(best, doubted=doubted):
            yield best


def _balance(found: MatrixScores) -> int:
    return len(found.following) - len(found.contradicted)


def _is_sound(found: MatrixScores, *, doubted: bool) -> bool:
    """Whether the row surely belongs to the matrix: most figures follow, and none contradicts that may be a mean."""
    return not found.contradicted or (not doubted and 2 * len(found.contradicted) <= len(found.following))


def _compared(row: ScoreRow, table: ScoreTable, reading: MatrixReading) -> MatrixScores:
    following, contradicted = [], []
    for score, figure in row.scores:
        value = value_in(reading, score, row.averaging)
        if value is None or "±" in figure:
            continue
        low, high = _span(figure)
        if low <= value <= high:
            following.append((score, figure))
        elif max(low - value, value - high) > _CLEAR:
            contradicted.append((score, figure, value))
    return MatrixScores(row, table, reading.words, tuple(following), tuple(contradicted))


def _luck(following: Sequence[tuple[str, str]]) -> float:
    """The chance that arbitrary figures follow from one given matrix; equal figures count once."""
    chance = 1.0
    for figure in {figure for _, figure in following}:
        low, high = _span(figure)
        chance *= min(1.0, float((high - low) / _SPREAD_OF_SCORES))
    return chance


def _span(figure: str) -> tuple[Fraction, Fraction]:
    """The printed value give or take one unit of its last digit, as a share of one."""
    digits = figure.rstrip("% ")
    scale = Fraction(1, 100) if "%" in figure else Fraction(1)
    unit = Fraction(1, 10 ** len(digits.partition(".")[2]))
    return (Fraction(digits) - unit) * scale, (Fraction(digits) + unit) * scale
