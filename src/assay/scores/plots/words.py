"""What a picture of bands says, in words: the key beneath it, and the description for those who cannot see it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import ceil, log10

from assay.findings import Verdict
from assay.report.drawing import shortened
from assay.scores.answers import Answer
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix
from assay.scores.exact import Infinite, Interval, compare, decimal

_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LONGEST_TAG = 12
_LONGEST_NUMBER = 14


def name_of(constraint: Constraint) -> str:
    """The report's own word for a score."""
    return shortened(constraint.name or constraint.score.name, 30)


def tag_of(constraint: Constraint) -> str:
    """A word short enough to stand on a band."""
    name = name_of(constraint)
    return name if len(name) <= _LONGEST_TAG else constraint.score.name


def claim_of(constraint: Constraint) -> str:
    """The score as reported."""
    return f"{name_of(constraint)} {shortened(constraint.printed, 20)}".strip()


def meaning_of(constraint: Constraint) -> str:
    """What the reported figure leaves open, such as 0.6820 ≤ acc < 0.6822."""
    score, interval = constraint.score, constraint.interval
    if interval.infinite:
        return f"{score.name} is infinite"
    if interval.lo is None and interval.hi is None:
        return f"any {score.name}"
    if interval.lo == interval.hi and interval.lo is not None:
        return f"{score.name} = {_number(interval.lo)}"
    left = "" if interval.lo is None else f"{_number(interval.lo)} {'<' if interval.lo_open else '≤'} "
    right = "" if interval.hi is None else f" {'<' if interval.hi_open else '≤'} {_number(interval.hi)}"
    return f"{left}{score.name}{right}"


def _number(x: Fraction) -> str:
    text = decimal(x)
    return text if len(text) <= _LONGEST_NUMBER and "/" not in text else f"{float(x):.8g}"


def value_at(constraint: Constraint, matrix: Matrix) -> str:
    """The score of this matrix, with enough digits to distinguish it from the reported one."""
    value = constraint.score.value(matrix)
    if value is None:
        return "0/0 (by convention as reported)" if constraint.holds(matrix) else "0/0"
    return "∞" if isinstance(value, Infinite) else f"{float(value):.{_digits(constraint.interval)}f}"


def judged_at(constraint: Constraint, matrix: Matrix) -> str:
    """The same, and on which side of what was reported it is."""
    value, interval = constraint.score.value(matrix), constraint.interval
    shown = value_at(constraint, matrix)
    if value is None:
        return shown
    if value in interval:
        return f"{shown} (as reported)"
    low = interval.infinite or (interval.lo is not None and compare(value, interval.lo) <= 0)
    return f"{shown} (too {'low' if low else 'high'})"


def _digits(interval: Interval) -> int:
    if interval.lo is None or interval.hi is None or interval.lo >= interval.hi:
        return 4
    return min(12, max(2, 2 + ceil(-log10(interval.hi - interval.lo))))


def cells_of(matrix: Matrix) -> str:
    """The matrix in one line."""
    return ", ".join(f"{name} {count:,}" for name, count in matrix._asdict().items())


def listed(words: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def title_of(shown: Sequence[Constraint], verdict: Verdict) -> str:
    """What the picture is about."""
    names = listed([name_of(constraint) for constraint in shown])
    if verdict is Verdict.INCONSISTENT:
        return f"No confusion matrix has the reported {names}"
    if verdict is Verdict.CONSISTENT:
        return f"Confusion matrices with the reported {names}"
    return f"What the reported {names} leave open"


def outcome_of(shown: Sequence[Constraint], answer: Answer, *, apart: bool) -> str:
    """The verdict as it is seen; `apart` says that it is known that the bands have no point in common."""
    bands = "the band" if len(shown) == 1 else "both bands" if len(shown) == 2 else f"all {len(shown)} bands"
    if answer.verdict is Verdict.INCONSISTENT:
        if apart:
            return "The bands have no point in common" if len(shown) > 1 else "There is no point in the band"
        return f"No whole-number point lies in {bands}"
    if answer.verdict is Verdict.UNDECIDED:
        return f"Not decided whether a whole-number point lies in {bands}"
    if answer.count is None:
        return f"The witness lies in {bands}"
    return f"{_many(answer.count)} whole-number point{' lies' if answer.count == 1 else 's lie'} in {bands}"


def _many(count: int) -> str:
    """A count in full, as long as that is informative."""
    if count < 10**9:
        return f"{count:,}"
    digits, exponent = f"{Decimal(count):.1e}".split("e+")
    return f"{digits}·10{exponent.translate(_RAISED)}"


def described(p: int, n: int, shown: Sequence[Constraint], outcome: str) -> str:
    """The picture for those who cannot see it."""
    bands = "; ".join(f"{claim_of(constraint)} ({meaning_of(constraint)})" for constraint in shown)
    return (
        f"The plane of the confusion matrices of {p:,} positives and {n:,} negatives: true positives to the right, "
        f"true negatives upwards. Bands show where each score is as reported: {bands}. {outcome}."
    )


def described_mark(shown: Sequence[Constraint], marked: Matrix, *, witness: bool) -> str:
    """The marked matrix, and what it gives."""
    what = "A star marks the witness" if witness else "A cross marks the closest matrix found"
    value = value_at if witness else judged_at
    values = ", ".join(f"{constraint.score.name} {value(constraint, marked)}" for constraint in shown)
    return f"{what}: {cells_of(marked)}. It gives {values}."
