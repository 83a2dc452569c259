"""The final word on every witness: whether its matrices give the reported mean, sd, minimum, maximum and median.

Sums of square roots are enclosed between rationals a hair apart. Where even that does not settle a
comparison the answer is None, "not known", and nobody may build a verdict on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import median

from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix
from assay.scores.enclosures import enclose, inside, spread_inside, square
from assay.scores.exact import INFINITY, Exact, compare, decimal
from assay.scores.means.problem import Convention, Part, Reported, each, shares


def holds(parts: Sequence[Part], reported: Sequence[Reported], witness: Sequence[Matrix]) -> bool | None:
    """Whether one matrix for each single part, in order, gives everything reported."""
    singles = list(each(parts))
    if [(part.p, part.n) for part in singles] != [(matrix.p, matrix.n) for matrix in witness]:
        return False
    if any(min(matrix) < 0 for matrix in witness):
        return False
    known = True
    for one in reported:
        outcome = _under_some_convention(singles, one, witness)
        if outcome is False:
            return False
        known = known and outcome is True
    return True if known else None


def _under_some_convention(singles: Sequence[Part], one: Reported, witness: Sequence[Matrix]) -> bool | None:
    """Whether the figures of one score hold, whatever was counted where it is 0/0."""
    undefined = any(one.score.value(matrix) is None for matrix in witness)
    outcome: bool | None = False
    for convention in one.conventions if undefined else one.conventions[:1]:  # where it is never 0/0 all are alike
        found = _holds(singles, one, witness, convention)
        if found:
            return True
        outcome = None if found is None else outcome
    return outcome


def conventions_used(parts: Sequence[Part], reported: Sequence[Reported], witness: Sequence[Matrix]) -> str:
    """In words, what a witness counts where a score is 0/0; empty where no score is."""
    singles = list(each(parts))
    told = []
    for one in reported:
        undefined = [matrix for matrix in witness if one.score.value(matrix) is None]
        used = next((c for c in one.conventions if undefined and _holds(singles, one, witness, c)), None)
        if used is Undefined.SKIP:
            told.append(f"{one.name} leaves out parts on which it is 0/0")
        elif used is not None and not isinstance(used, Undefined):
            told.append(f"{one.name} counts {decimal(Fraction(*used(*undefined[0])))} on parts on which it is 0/0")
    return f"This holds if {' and '.join(told)}." if told else ""


def values(one: Reported, witness: Sequence[Matrix], convention: Convention) -> list[Exact | None] | None:
    """The score of each matrix, None where it is skipped; no list at all where the convention forbids a matrix."""
    found: list[Exact | None] = []
    for matrix in witness:
        value = one.score.value(matrix)
        if value is None and convention is not Undefined.SKIP:
            if isinstance(convention, Undefined):
                return None
            top, bottom = convention(*matrix)
            if bottom == 0:
                return None
            value = Fraction(top, bottom)
        found.append(value)
    return found


def _holds(singles: Sequence[Part], one: Reported, witness: Sequence[Matrix], convention: Convention) -> bool | None:
    found = values(one, witness, convention)
    if found is None or all(value is None for value in found):
        return False
    counted = [value for value in found if value is not None]
    if not _extremes_hold(one, counted):
        return False
    if INFINITY in counted:
        return one.mean.infinite
    if one.mean.infinite:
        return False
    weights = shares(singles, [value is not None for value in found])
    enclosures = [(Fraction(0), Fraction(0)) if value is None else enclose(value) for value in found]
    low = sum((w * e[0] for w, e in zip(weights, enclosures, strict=True)), Fraction(0))
    high = sum((w * e[1] for w, e in zip(weights, enclosures, strict=True)), Fraction(0))
    verdicts = [inside((low, high), one.mean)]
    if one.median is not None:
        known = [enclose(value) for value in counted]
        # Ends that rise together: the median of the lower ends and that of the upper ends enclose the median.
        verdicts.append(inside((median(e[0] for e in known), median(e[1] for e in known)), one.median))
    if one.sd is not None:
        squares = [square(value) for value in counted]
        verdicts.append(spread_inside([enclose(value) for value in counted], squares, one.sd, one.ddof))
    return False if False in verdicts else None if None in verdicts else True


def _extremes_hold(one: Reported, counted: Sequence[Exact]) -> bool:
    """A minimum lies in its interval when some value does and no value lies below; a maximum likewise."""
    if one.minimum is not None and not any(value in one.minimum for value in counted):
        return False
    if one.maximum is not None and not any(value in one.maximum for value in counted):
        return False
    return all(within_extremes(one, value) for value in counted)


def within_extremes(one: Reported, value: Exact) -> bool:
    """Whether a single value is neither below the reported minimum nor above the maximum."""
    low, high = one.minimum, one.maximum
    if value is INFINITY:
        return high is None or high.infinite
    if low is not None and (low.infinite or (low.lo is not None and compare(value, low.lo) < low.lo_open)):
        return False
    return high is None or high.infinite or high.hi is None or compare(value, high.hi) <= -high.hi_open
