"""Numbers known to lie between two rationals: values with square roots, their sums, and their spread.

Where even a hair's breadth does not settle a comparison the answer is None, "not known", and no verdict may rest on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from assay.scores.exact import Exact, Infinite, Interval, Root

_SCALE = 10**40
Enclosure = tuple[Fraction, Fraction]


def total(enclosures: Iterable[Enclosure]) -> Enclosure:
    """The sum of enclosed numbers."""
    low = high = Fraction(0)
    for least, most in enclosures:
        low, high = low + least, high + most
    return low, high


def scaled(enclosure: Enclosure, factor: Fraction) -> Enclosure:
    """A multiple of an enclosed number, for a factor of 0 or more."""
    return enclosure[0] * factor, enclosure[1] * factor


def spread_inside(
    enclosures: Sequence[Enclosure], squares: Sequence[Enclosure], sd: Interval, ddof: Iterable[int]
) -> bool | None:
    """Whether the standard deviation of the numbers is in the interval, for one of the divisors."""
    count = len(enclosures)
    mean_square = scaled(squared(total(enclosures)), Fraction(1, count))
    below, above = total(squares)
    deviation = max(Fraction(0), below - mean_square[1]), above - mean_square[0]
    outcomes = [
        inside(scaled(deviation, Fraction(1, divisor)), squared_interval(sd))
        for divisor in {count - taken for taken in ddof} - {0}
    ]
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


def inside(enclosure: Enclosure, interval: Interval) -> bool | None:
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
def enclose(value: Exact) -> Enclosure:
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


def square(value: Exact) -> Enclosure:
    """The square of a value, exactly for roots."""
    if isinstance(value, Root):
        return value.square, value.square
    return squared(enclose(value))


def squared(enclosure: Enclosure) -> Enclosure:
    """The square of an enclosed number."""
    low, high = enclosure
    ends = (low * low, high * high)
    return (Fraction(0) if low < 0 < high else min(ends)), max(ends)


def _rational_root(square: Fraction) -> Fraction | None:
    top, bottom = isqrt(square.numerator), isqrt(square.denominator)
    return Fraction(top, bottom) if (top * top, bottom * bottom) == square.as_integer_ratio() else None
