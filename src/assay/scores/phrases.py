"""Words and rounded figures for certificates.

A rounded bound must prove as much as the exact one, so figures are rounded outwards and get as many
digits as that takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor

from assay.scores.constraints import Constraint
from assay.scores.exact import Exact, Infinite, compare, decimal, floor_times

_MOST_DIGITS = 12


def many(number: int, thing: str) -> str:
    """'1 positive', '6,000 negatives'."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def claim(constraint: Constraint) -> str:
    """The figure in the report's own words."""
    return f"{constraint.name or constraint.score.name} {constraint.printed or constraint.interval}"


def claims(constraints: Sequence[Constraint]) -> str:
    """The figures as a list: 'acc 0.9, sens 0.8 and spec 0.8'."""
    words = [claim(constraint) for constraint in constraints]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def rounded(value: Exact, direction: int, digits: int) -> Fraction:
    """The value with so many decimals, rounded down (direction -1) or up (1)."""
    if isinstance(value, Infinite):
        raise TypeError("an infinite value has no digits")
    unit = Fraction(1, 10**digits)
    below = floor_times(value, 10**digits) * unit
    return below if direction < 0 or compare(value, below) == 0 else below + unit


def outward(value: Exact, direction: int, proves: Callable[[Fraction], bool], digits: int = 4) -> Fraction | None:
    """The value rounded down or up, with no fewer digits than given but enough to prove the point; else None."""
    for more in range(digits, _MOST_DIGITS + 1):
        shown = rounded(value, direction, more)
        if proves(shown):
            return shown
    return None


def between(low: Fraction | None, high: Fraction | None) -> str:
    """'between 0.79 and 0.81', or the one bound that there is."""
    if low is None or high is None:
        bound = low if low is not None else high
        return "anything" if bound is None else f"{'at most' if low is None else 'at least'} {decimal(bound)}"
    return decimal(low) if low == high else f"between {decimal(low)} and {decimal(high)}"


def between_whole(low: Fraction, high: Fraction, *, low_open: bool = False, high_open: bool = False) -> str | None:
    """'between 283.39 and 283.43' when no whole number is there, else None."""
    for digits in range(2, _MOST_DIGITS + 1):
        least, most = rounded(low, -1, digits), rounded(high, 1, digits)
        first = floor(least) + 1 if low_open and least == low else ceil(least)
        last = ceil(most) - 1 if high_open and most == high else floor(most)
        if first > last:
            strictly = "strictly " if 1 in (least.denominator, most.denominator) else ""
            return f"{strictly}between {decimal(least)} and {decimal(most)}"
    return None
