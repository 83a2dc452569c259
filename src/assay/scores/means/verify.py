"""The final word on every witness: whether its matrices give the reported mean, sd, minimum and maximum.

Sums of square roots are enclosed between rationals a hair apart. Where even that does not settle a
comparison the answer is None, "not known", and nobody may build a verdict on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix
from assay.scores.exact import INFINITY, Exact, Infinite, Interval, Root, compare, decimal
from assay.scores.means.problem import Convention, Part, Reported, each, shares

_SCALE = 10**40
Enclosure = tuple[Fraction, Fraction]


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
    enclosures = [(Fraction(0), Fraction(0)) if value is None else _enclose(value) for value in found]
    low = sum((w * e[0] for w, e in zip(weights, enclosures, strict=True)), Fraction(0))
    high = sum((w * e[1] for w, e in zip(weights, enclosures, strict=True)), Fraction(0))
    verdicts = [_inside((low, high), one.mean)]
    if one.sd is not None:
        verdicts.append(_spread_holds(counted, one))
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


def _spread_holds(counted: Sequence[Exact], one: Reported) -> bool | None:
    """Compare the sum of squared deviations with what the printed sd leaves open, for each divisor."""
    if one.sd is None or any(value is INFINITY for value in counted):
        return False
    enclosures = [_enclose(value) for value in counted]
    squares = [_square(value) for value in counted]
    total = (sum((e[0] for e in enclosures), Fraction(0)), sum((e[1] for e in enclosures), Fraction(0)))
    mean_square = tuple(x / len(counted) for x in _squared(total))
    deviation = (
        max(Fraction(0), sum((s[0] for s in squares), Fraction(0)) - mean_square[1]),
        sum((s[1] for s in squares), Fraction(0)) - mean_square[0],
    )
    outcomes = []
    for divisor in {len(counted) - ddof for ddof in one.ddof} - {0}:
        variance = (deviation[0] / divisor, deviation[1] / divisor)
        outcomes.append(_inside(variance, squared_interval(one.sd)))
    return True if True in outcomes else None if None in outcomes else False


def squared_interval(sd: Interval) -> Interval:
    """What an interval of a standard deviation leaves open for the variance."""
    positive = sd.lo is not None and sd.lo >= 0
    low = sd.lo**2 if positive and sd.lo is not None else None
    if sd.hi is None:
        return Interval(low, None, sd.lo_open)
    if sd.hi < 0:
        return Interval(Fraction(1), Fraction(0))  # a negative sd: nothing is left open
    return Interval(low, sd.hi**2, sd.lo_open and positive, sd.hi_open)


def _inside(enclosure: Enclosure, interval: Interval) -> bool | None:
    """Whether a number known to lie in `enclosure` is in the interval; None when that is not settled."""
    low, high = enclosure
    if low in interval and high in interval:
        return True
    if interval.empty:
        return False
    below = interval.lo is not None and (high < interval.lo or (interval.lo_open and high == interval.lo))
    above = interval.hi is not None and (low > interval.hi or (interval.hi_open and low == interval.hi))
    return False if below or above else None


@lru_cache(maxsize=100_000)
def _enclose(value: Exact) -> Enclosure:
    """Two rationals with the value between them; the value itself twice where it is rational."""
    if isinstance(value, Infinite):
        raise TypeError("infinity has no enclosure")
    if isinstance(value, Fraction):
        return value, value
    root = _rational_root(value.square)
    if root is not None:
        exact = value.sign * root if isinstance(value, Root) else 1 / (1 + root)
        return exact, exact
    low = isqrt(value.square.numerator * _SCALE**2 // value.square.denominator)
    ends = Fraction(low, _SCALE), Fraction(low + 1, _SCALE)
    if isinstance(value, Root):
        return ends if value.sign > 0 else (-ends[1], -ends[0])
    return 1 / (1 + ends[1]), 1 / (1 + ends[0])


def _square(value: Exact) -> Enclosure:
    """The square of a value, exactly for roots."""
    if isinstance(value, Root):
        return value.square, value.square
    return _squared(_enclose(value))


def _squared(enclosure: Enclosure) -> Enclosure:
    low, high = enclosure
    ends = (low * low, high * high)
    return (Fraction(0) if low < 0 < high else min(ends)), max(ends)


def _rational_root(square: Fraction) -> Fraction | None:
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    return Fraction(top, bottom) if (top * top, bottom * bottom) == square.as_integer_ratio() else None
