"""Whether printed scores can come from counted rows, and whether two printed figures differ."""

from __future__ import annotations

from fractions import Fraction

from assay.audit.facts import Row
from assay.errors import InputError


def impossible(row: Row, p: int, n: int) -> str:
    """Why the row's scores cannot come from p positives and n negatives; empty when they can, or nobody can tell."""
    from assay.findings import Verdict
    from assay.scores.check import check
    from assay.scores.compilation import experiment_of
    from assay.scores.reading import words_as_data

    if p == 0 or n == 0 or any("±" in figure for _, figure in row.scores):
        return ""
    words = [f"p={p}", f"n={n}", *(f"{name}={figure}" for name, figure in row.scores)]
    try:
        result = check(experiment_of(words_as_data(words), where=str(row.location)))
    except InputError:
        return ""
    if result.verdict is not Verdict.INCONSISTENT:
        return ""
    return result.decisive.answer.reason or f"No confusion matrix of {p} positives and {n} negatives gives them."


def differs(one: str, other: str) -> bool:
    """Whether two figures differ by more than rounding to the coarser of the two explains."""
    try:
        (a, step), (b, other_step) = _read(one), _read(other)
    except ValueError:
        return False
    return abs(a - b) > max(step, other_step) * Fraction(3, 2)


def _read(figure: str) -> tuple[Fraction, Fraction]:
    """The value as a share of one, and one unit of its last digit."""
    text = figure.partition("±")[0].strip()
    percent = text.endswith("%")
    digits = text.rstrip("% ")
    value, step = Fraction(digits), Fraction(1, 10 ** len(digits.partition(".")[2]))
    if percent or value > 1:
        return value / 100, step / 100
    return value, step
