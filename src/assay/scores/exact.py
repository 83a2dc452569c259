"""Exact numbers: score values that may hold a square root, and the intervals that printed digits leave open.

Nothing here is a float. A score is a fraction, a signed square root of one, or `1 / (1 + √q)`;
each can be compared with a rational bound by squaring, so every comparison is decided, not estimated.
"""

from __future__ import annotations

import math
from enum import Enum
from fractions import Fraction

from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Root:
    """sign · √square, for the geometric means and correlations."""

    sign: int
    square: Fraction

    def __float__(self) -> float:
        return self.sign * math.sqrt(self.square)


@dataclass(frozen=True, slots=True)
class InverseRoot:
    """1 / (1 + √square), the shape of the prevalence threshold; falls as `square` grows."""

    square: Fraction

    def __float__(self) -> float:
        return 1 / (1 + math.sqrt(self.square))


class Infinite(Enum):
    """x / 0 with x > 0: an odds or likelihood ratio without a finite value."""

    PLUS = "inf"

    def __float__(self) -> float:
        return math.inf


Exact = Fraction | Root | InverseRoot | Infinite
INFINITY = Infinite.PLUS


def compare(value: Exact, bound: Fraction) -> int:
    """-1, 0 or 1 as the value is below, at or above the bound."""
    if isinstance(value, Infinite):
        return 1
    if isinstance(value, Root):
        return _sign(value.sign * value.square - bound * abs(bound))
    if isinstance(value, InverseRoot):
        if bound <= 0:
            return 1
        if bound > 1:
            return -1
        return _sign(((1 - bound) / bound) ** 2 - value.square)
    here, there = value.numerator * bound.denominator, bound.numerator * value.denominator
    return (here > there) - (here < there)


def _sign(x: Fraction) -> int:
    return (x > 0) - (x < 0)


def floor_times(value: Fraction | Root | InverseRoot, scale: int) -> int:
    """⌊value · scale⌋, exactly."""
    if isinstance(value, Fraction):
        return math.floor(value * scale)
    if isinstance(value, Root):
        square = value.square * scale * scale
        root = math.isqrt(square.numerator // square.denominator)
        if value.sign >= 0:
            return root * value.sign
        return -root if root * root == square else -root - 1
    fine = 1000 * scale  # the guess is then off by one at most
    guess = scale * fine // (fine + math.isqrt(math.floor(value.square * fine * fine)))
    while compare(value, Fraction(guess, scale)) < 0:
        guess -= 1
    while compare(value, Fraction(guess + 1, scale)) >= 0:
        guess += 1
    return guess


@dataclass(frozen=True, slots=True)
class Interval:
    """What a reported figure leaves open: the true value lies between `lo` and `hi`.

    Ends are included unless marked open; `None` is no bound on that side. An interval that means
    "reported as infinite" has `infinite` set and no finite part.
    """

    lo: Fraction | None
    hi: Fraction | None
    lo_open: bool = False
    hi_open: bool = False
    infinite: bool = False

    def __contains__(self, value: Exact) -> bool:
        if self.infinite or isinstance(value, Infinite):
            return self.infinite and isinstance(value, Infinite)
        if self.lo is not None and compare(value, self.lo) < self.lo_open:
            return False
        return self.hi is None or compare(value, self.hi) <= -self.hi_open

    @property
    def empty(self) -> bool:
        """True when no number is inside."""
        if self.infinite or self.lo is None or self.hi is None:
            return False
        return self.lo > self.hi or (self.lo == self.hi and (self.lo_open or self.hi_open))

    def one_minus(self) -> Interval:
        """The interval of the complement, 1 - x."""
        return Interval(
            None if self.hi is None else 1 - self.hi,
            None if self.lo is None else 1 - self.lo,
            self.hi_open,
            self.lo_open,
            self.infinite,
        )

    def times(self, factor: Fraction | int) -> Interval:
        """The interval of `factor` · x, for a positive factor."""
        return Interval(
            None if self.lo is None else self.lo * factor,
            None if self.hi is None else self.hi * factor,
            self.lo_open,
            self.hi_open,
            self.infinite,
        )

    def intersect(self, other: Interval) -> Interval:
        """What both leave open (neither may be the infinite one)."""
        lo, lo_open = max(((i.lo, i.lo_open) for i in (self, other) if i.lo is not None), default=(None, False))
        his = [(i.hi, not i.hi_open) for i in (self, other) if i.hi is not None]
        hi, hi_closed = min(his, default=(None, True))
        return Interval(lo, hi, lo_open, not hi_closed)

    def __str__(self) -> str:
        if self.infinite:
            return "infinite"
        left = "(-∞" if self.lo is None else f"{'(' if self.lo_open else '['}{decimal(self.lo)}"
        right = "∞)" if self.hi is None else f"{decimal(self.hi)}{')' if self.hi_open else ']'}"
        return f"{left}, {right}"


def decimal(x: Fraction) -> str:
    """The number in full when its decimals end, as a fraction when they do not."""
    rest, digits = x.denominator, 0
    for prime in (2, 5):
        count = 0
        while rest % prime == 0:
            rest //= prime
            count += 1
        digits = max(digits, count)
    if rest != 1 or digits > 15:
        return f"{x.numerator}/{x.denominator}"
    scaled = abs(x.numerator) * 10**digits // x.denominator
    text = str(scaled).rjust(digits + 1, "0")
    sign = "-" if x < 0 else ""
    return f"{sign}{text[: len(text) - digits]}" + (f".{text[len(text) - digits :]}" if digits else "")
