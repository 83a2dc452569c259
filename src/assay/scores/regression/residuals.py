"""Residuals made to measure: the witnesses of the regression test.

Sizes are kept as levels, (size, how many), in rising order. For given mean, largest and median size the
sum of squares is smallest when the sizes are as equal as their places allow (water finding its level) and
largest when the top places are filled first. All mixtures of these two arrangements have the same mean,
largest and median size, and their sums of squares fill the whole range between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

_STEPS = 60
"""Halvings before a target counts as missed: it is then narrower than any printed figure."""


class Level(NamedTuple):
    """So many residuals of this size (or, once signed, of this value)."""

    size: Fraction
    number: int


class Places(NamedTuple):
    """Neighbours in the order of size that share the same bounds; `most` is None where there is none."""

    number: int
    least: Fraction
    most: Fraction | None

    @property
    def possible(self) -> bool:
        """Whether there are sizes for so many places within the bounds."""
        return self.number >= 0 and (self.most is None or self.least <= self.most)


def places(n: int, largest: Fraction | None, median: Fraction | None) -> list[Places]:
    """The bounds on n sizes in rising order when the largest and the median size are given."""
    zero, top = Fraction(0), 0 if largest is None else 1
    if median is None:
        parts = [Places(n - top, zero, largest)]
    else:
        middle = 2 - n % 2
        below = (n - middle) // 2
        parts = [Places(below, zero, median), Places(middle, median, median), Places(below - top, median, largest)]
    if largest is not None:
        parts.append(Places(1, largest, largest))
    return [p for p in parts if p.number]


def mean_square(levels: Iterable[Level], n: int) -> Fraction:
    """Σ size² / n."""
    return sum((size * size * count for size, count in levels), Fraction(0)) / n


def in_order(levels: Iterable[Level]) -> tuple[Level, ...]:
    """The levels by size, each size once."""
    numbers: dict[Fraction, int] = {}
    for size, number in levels:
        numbers[size] = numbers.get(size, 0) + number
    return tuple(Level(size, numbers[size]) for size in sorted(numbers))


def evenest(parts: Sequence[Places], total: Fraction) -> list[Level] | None:
    """Sizes in these places that add up to `total`, as equal as possible; None when they cannot."""
    marks = sorted({p.least for p in parts} | {p.most for p in parts if p.most is not None})
    low = [mark for mark in marks if _sum(parts, mark) < total]
    if not low:
        return _levels(parts, marks[0]) if _sum(parts, marks[0]) == total else None
    below = low[-1]
    above = marks[len(low)] if len(low) < len(marks) else marks[-1] + total  # only unbounded places rise this far
    rising = sum(p.number for p in parts if p.least <= below and (p.most is None or p.most >= above))
    return _levels(parts, below + (total - _sum(parts, below)) / rising) if rising else None


def _sum(parts: Sequence[Places], water: Fraction) -> Fraction:
    """What all sizes add up to when those that may are of this size."""
    return sum((p.number * _clipped(water, p) for p in parts), Fraction(0))


def _clipped(water: Fraction, part: Places) -> Fraction:
    size = max(water, part.least)
    return size if part.most is None else min(size, part.most)


def _levels(parts: Sequence[Places], water: Fraction) -> list[Level]:
    return [Level(_clipped(water, p), p.number) for p in parts]


def steepest(parts: Sequence[Places], total: Fraction) -> list[Level]:
    """Sizes in these places that add up to the (possible) `total`, the highest places filled first."""
    left = total - sum(p.number * p.least for p in parts)
    levels: list[Level] = []
    for part in reversed(parts):
        room = Fraction(0) if part.most is None else part.most - part.least
        full = _filled(part, room, left)
        left -= full * room
        levels.append(Level(part.least + room, full))
        if full < part.number:  # one more takes the rest
            levels += [Level(part.least + left, 1), Level(part.least, part.number - full - 1)]
            left = Fraction(0)
    return [level for level in reversed(levels) if level.number]


def _filled(part: Places, room: Fraction, left: Fraction) -> int:
    """How many of these places can have their greatest size."""
    if part.most is None:
        return 0
    return min(part.number, int(left // room)) if room else part.number


def mixed(even: Sequence[Level], steep: Sequence[Level], share: Fraction) -> list[Level]:
    """Place by place, `share` of the steep arrangement and the rest of the even one."""
    levels: list[Level] = []
    one, two = list(reversed(even)), list(reversed(steep))
    while one and two:
        count = min(one[-1].number, two[-1].number)
        levels.append(Level(one[-1].size * (1 - share) + two[-1].size * share, count))
        for side in (one, two):
            size, had = side.pop()
            if had > count:
                side.append(Level(size, had - count))
    return levels


def with_mean_square(
    even: Sequence[Level], steep: Sequence[Level], least: Fraction, most: Fraction, n: int
) -> list[Level] | None:
    """A mixture whose mean square lies from `least` to `most`, if one is met."""
    low, high = Fraction(0), Fraction(1)
    for share in (low, high):
        if least <= mean_square(mixed(even, steep, share), n) <= most:
            return mixed(even, steep, share)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        levels = mixed(even, steep, middle)
        found = mean_square(levels, n)
        if least <= found <= most:
            return levels
        low, high = (middle, high) if found < least else (low, middle)
    return None


def signed(levels: Sequence[Level], total: Fraction) -> list[Level]:
    """The same sizes with signs such that they add up to about `total`, the largest placed first."""
    out: list[Level] = []
    for size, count in reversed(levels):
        wanted = (total / size + count) / 2 if size else Fraction(0)
        positive = min(count, max(0, round(wanted)))
        total -= (2 * positive - count) * size
        out += [Level(size, positive), Level(-size, count - positive)]
    return [level for level in out if level.number]
