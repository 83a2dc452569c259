"""Pasted scores beside a printed confusion matrix of several classes: the matrix gives them, or it does not."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from assay.findings import Judgement, Report, Verdict, certificate, note
from assay.records import dataclass
from assay.reported.matrices import OF_ALL_CLASSES, MatrixReading, readings_of, value_in
from assay.reported.model import Averaging, Figure, Matrix, Over, Reading, Relation, Row
from assay.rules import get_rule
from assay.scores.definitions import SCORES

_BINARY = 2
_WHOLE = 100
"""Rows or columns that all add up to this hold percentages, which give only some of the scores."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """One reading of the matrix beside the printed figures: those that follow, and those that do not."""

    reading: MatrixReading
    following: tuple[Figure, ...]
    contradicted: tuple[tuple[Figure, Fraction], ...]

    @property
    def comparable(self) -> int:
        """How many figures the matrix says something about."""
        return len(self.following) + len(self.contradicted)


def report_by_matrix(reading: Reading, row: Row) -> Report | None:
    """The verdict that the only matrix of a text gives about its only row of scores; None where it gives none."""
    figures = list(filter(_is_exact, row.figures))
    if not figures or not _is_about_one_matrix(reading, row):
        return None
    [matrix] = reading.matrices
    tried = [_compared(one, figures, reading.averaging) for one in readings_of(matrix)]
    widest = max(one.comparable for one in tried)
    best = min((one for one in tried if one.comparable == widest), key=lambda one: len(one.contradicted))
    if not widest or (best.contradicted and _in_percent(matrix)):
        return None
    return _contradiction(best, row) if best.contradicted else _confirmation(best, matrix, row)


def _is_exact(figure: Figure) -> bool:
    return figure.number is not None and not figure.spread and figure.relation is Relation.EQUAL


def _is_about_one_matrix(reading: Reading, row: Row) -> bool:
    """Whether the text has one matrix, of several classes, and one row of scores that are no means over folds."""
    alone = len(reading.matrices) == len(reading.rows) == 1 and not reading.unread
    pooled = {row.over, reading.over} <= {Over.UNSTATED, Over.POOLED}
    return alone and pooled and len(reading.matrices[0].counts) > _BINARY


def _in_percent(matrix: Matrix) -> bool:
    return any({sum(line) for line in lines} == {_WHOLE} for lines in (matrix.counts, zip(*matrix.counts, strict=True)))


def _compared(reading: MatrixReading, figures: Sequence[Figure], averaging: Averaging) -> _Compared:
    following, contradicted = [], []
    for figure in figures:
        stated = figure.name.averaging
        value = value_in(reading, figure.score, averaging if stated is Averaging.UNSTATED else stated)
        if value is None or figure.number is None:
            continue
        if figure.number.gives(value):
            following.append(figure)
        else:
            contradicted.append((figure, value))
    return _Compared(reading, tuple(following), tuple(contradicted))


def _confirmation(found: _Compared, matrix: Matrix, row: Row) -> Report:
    shown = ", ".join(f"{_label(figure)} {figure.number}" for figure in found.following)
    items, classes = sum(map(sum, matrix.counts)), len(matrix.counts)
    whole = all(figure.score in OF_ALL_CLASSES for figure in found.following)
    read = "" if whole else f", read {found.reading.words},"
    said = f"The printed matrix of {items:,} items in {classes} classes{read} gives {shown}."
    return Report("Score check", judgements=(Judgement(row.name or "row 1", Verdict.CONSISTENT, said),))


def _contradiction(found: _Compared, row: Row) -> Report:
    name = row.name or "row 1"
    differences = [
        f"the matrix gives {_label(figure)} {float(value):.4f}, not {figure.number}"
        for figure, value in found.contradicted
    ]
    said = f"No reading of the printed confusion matrix gives these scores: {'; '.join(differences)}."
    proof = certificate(f"Read {found.reading.words}, {'; '.join(differences)}.")
    others = note("Every reading was tried: rows as true or predicted classes, one class, and means over classes.")
    rule = get_rule("S103", "scores")
    return Report(
        "Score check",
        judgements=(Judgement(name, Verdict.INCONSISTENT, said, (proof, others)),),
        findings=(rule.finding(said, subject=name, evidence=(proof, others)),),
    )


def _label(figure: Figure) -> str:
    label = SCORES[figure.score].label if figure.score in SCORES else figure.score
    averages = {Averaging.MACRO, Averaging.MICRO, Averaging.WEIGHTED}
    return f"{figure.name.averaging.value} {label}" if figure.name.averaging in averages else label
