"""The final word on every witness: whether its matrices give the reported mean, sd, minimum, maximum and median.

Sums of square roots are enclosed between rationals a hair apart. Where even that does not settle a
comparison the answer is None, "not known", and nobody may build a verdict on it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import median

from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix
from assay.scores.enclosures import enclose, inside, spread_inside, square
from assay.scores.exact import INFINITY, Exact, Interval, compare, decimal
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
    conditions = [words for one in reported if (words := _convention_used(singles, one, witness))]
    return f"This holds if {' and '.join(conditions)}." if conditions else ""


def _convention_used(singles: Sequence[Part], one: Reported, witness: Sequence[Matrix]) -> str:
    undefined = [matrix for matrix in witness if one.score.value(matrix) is None]
    used = next((c for c in one.conventions if undefined and _holds(singles, one, witness, c)), None)
    if used is Undefined.SKIP:
        return f"{one.name} leaves out parts on which it is 0/0"
    if used is None or isinstance(used, Undefined):
        return ""
    return f"{one.name} counts {decimal(Fraction(*used(*undefined[0])))} on parts on which it is 0/0"


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
    if one.mean.infinite or INFINITY in counted:
        return one.mean.infinite and INFINITY in counted
    weights = shares(singles, [value is not None for value in found])
    verdicts = [_mean_inside(one.mean, weights, found), *_spreads_inside(one, counted)]
    return False if False in verdicts else None if None in verdicts else True


def _mean_inside(mean: Interval, weights: Sequence[Fraction], found: Sequence[Exact | None]) -> bool | None:
    """Whether the weighted mean lies in its interval; a part that is left out has no weight."""
    zero = Fraction(0)
    enclosures = [(zero, zero) if value is None else enclose(value) for value in found]
    low, high = (sum((w * e[end] for w, e in zip(weights, enclosures, strict=True)), zero) for end in (0, 1))
    return inside((low, high), mean)


def _spreads_inside(one: Reported, counted: Sequence[Exact]) -> Iterator[bool | None]:
    """Whether median and standard deviation lie in their intervals, as far as they are reported."""
    known = [enclose(value) for value in counted]
    if one.median is not None:
        # Ends that rise together: the median of the lower ends and that of the upper ends enclose the median.
        yield inside((median(e[0] for e in known), median(e[1] for e in known)), one.median)
    if one.sd is not None:
        yield spread_inside(known, [square(value) for value in counted], one.sd, one.ddof)


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
