"""Whole errors of many items: a real-valued solution is rounded, and single items move until all sums fit.

An item that moves by one changes the sum of sizes, the sum of squares and the sum with signs. The moves that bring the
three nearest to their ranges are made one after the other; at the end pairs of moves are combined with other pairs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from assay.scores.exact import Interval
from assay.scores.means.sums import Lookup, Sums
from assay.scores.regression.integer_search import whole_range
from assay.scores.regression.relations import Sizes
from assay.scores.regression.residuals import Level, mean_square

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_STEPS = 400
_FAR = 2**60
_STRIDES = (1, -1, 2, -2, 5, -5, 20, -20)
_COMBINED = 20_000
_NEAR = 1e-4
"""By how much of itself a mean square that nothing reports may change when errors are rounded."""
_MOST_MATCHES = 5


class Bounded(NamedTuple):
    """A signed error whose size stays within bounds."""

    value: int
    least: int
    most: int


class Move(NamedTuple):
    """One item goes from one error to another."""

    source: Bounded
    target: Bounded

    @property
    def change(self) -> tuple[int, int, int]:
        """Of the sum of sizes, the sum of squares, and the sum with signs."""
        old, new = self.source.value, self.target.value
        return abs(new) - abs(old), new**2 - old**2, new - old


def rounded(known: Sizes, levels: Sequence[Level], leaning: Interval | None) -> Iterator[list[Level]]:
    """Whole errors near real-valued ones whose sums are in the reported ranges.

    `leaning` is the share of the mean square that the squared mean makes up, where figures say something of it.
    """
    counts = _bounded(known, levels)
    windows = _windows(known) if leaning is None else _windows_of_both(known, levels, leaning)
    generator = np.random.default_rng(known.n)
    for _ in range(_STEPS):
        moves = list(_moves(counts))
        changes = np.array([move.change for move in moves], dtype=np.int64).reshape(len(moves), 3).T
        missing = windows - _sums(counts)
        away = _away(changes, missing)
        if not len(away) or away.min() >= _away(np.zeros((3, 1), dtype=np.int64), missing)[0]:
            break
        _apply(counts, [moves[int(np.argmin(away))]])
    if (_away(np.zeros((3, 1), dtype=np.int64), windows - _sums(counts)) == 0).all():
        yield _levels(counts)
        return
    for chosen in _combinations(moves, changes, windows - _sums(counts), generator):
        changed = dict(counts)
        if _apply(changed, chosen):
            yield _levels(changed)


def _windows(known: Sizes) -> Integers:
    """Between which whole numbers the three sums lie."""
    sums = (known.mean, known.square, known.bias)
    ranges = [whole_range(one.interval, known.n) for one in sums]
    return np.array([[int(max(-_FAR, min(_FAR, end))) for end in ends] for ends in ranges], dtype=np.int64).T


def _windows_of_both(known: Sizes, levels: Sequence[Level], leaning: Interval) -> Integers:
    """The windows where the squared mean is a share of the mean square: near that of the levels themselves."""
    n, square = known.n, float(mean_square(levels, known.n))
    windows = _windows(known)
    slack = n * square * _NEAR + 2
    own = np.array([n * square - slack, n * square + slack]).astype(np.int64)
    least, most = (0.0 if end is None else max(0.0, float(end)) for end in (leaning.lo, leaning.hi))
    signed = np.array([np.ceil(n * (square * least) ** 0.5), np.floor(n * (square * most) ** 0.5)]).astype(np.int64)
    if sum(size * number for size, number in levels) < 0:
        signed = -signed[::-1]
    for place, ends in ((1, own), (2, signed)):
        windows[:, place] = max(windows[0, place], ends[0]), min(windows[1, place], ends[1])
    return windows


def _sums(counts: dict[Bounded, int]) -> Integers:
    values = np.array([one.value for one in counts], dtype=np.int64)
    numbers = np.array(list(counts.values()), dtype=np.int64)
    return np.array([numbers @ np.abs(values), numbers @ values**2, numbers @ values])


def _away(changes: Integers, missing: Integers) -> NDArray[np.float64]:
    """By how much the sums miss their ranges after each change; squares count less, as they are larger."""
    beyond = np.maximum(np.maximum(missing[0][:, None] - changes, changes - missing[1][:, None]), 0).astype(float)
    away: NDArray[np.float64] = beyond[0] + np.sqrt(beyond[1]) + beyond[2]
    return away


def _bounded(known: Sizes, levels: Sequence[Level]) -> dict[Bounded, int]:
    """The errors rounded, each within the bounds that its place in the order of size gives it."""
    items = sorted(levels, key=lambda level: abs(level.size))
    upper = known.n // 2  # items before the upper middle one
    lower = upper if known.n % 2 else upper - 1
    middle = [_size_at(items, place) for place in (lower, upper)]
    if known.median.names and not known.n % 2:
        both = round(2 * float(_centre(known)))
        middle = [min(round(middle[0]), both // 2), both - min(round(middle[0]), both // 2)]
    low, high = (round(x) for x in middle)
    top = round(_size_at(items, known.n - 1))
    counts: dict[Bounded, int] = {}
    place = 0
    for size, number in _whole_levels(items):
        left = number
        while left:
            least, most, until = _place_bounds(known, place, (lower, upper), (low, high), top)
            count = min(left, until - place)
            value = min(max(abs(size), least), most) * (1 if size >= 0 else -1)
            one = Bounded(value, least, most)
            counts[one] = counts.get(one, 0) + count
            place, left = place + count, left - count
    return counts


def _whole_levels(levels: Sequence[Level]) -> Iterator[tuple[int, int]]:
    """Each level as the two whole numbers around it, in such parts that its sum stays the same to half a unit."""
    for size, number in levels:
        below, sign = math.floor(abs(size)), 1 if size >= 0 else -1
        above = round((abs(size) - below) * number)
        yield from ((sign * whole, count) for whole, count in ((below, number - above), (below + 1, above)) if count)


def _centre(known: Sizes) -> Fraction:
    interval = known.median.interval
    return ((interval.lo or Fraction(0)) + (interval.hi or interval.lo or Fraction(0))) / 2


def _size_at(items: Sequence[Level], place: int) -> float:
    seen = 0
    for size, number in items:
        seen += number
        if place < seen:
            return float(abs(size))
    return 0.0


def _place_bounds(
    known: Sizes, place: int, middles: tuple[int, int], sizes: tuple[int, int], top: int
) -> tuple[int, int, int]:
    """The least and the greatest size at a place in the order, and the first place for which others hold."""
    most = top if known.largest.names else 2**31
    last = known.n - 1 if known.largest.names else known.n
    if place >= last:
        return top, top, known.n
    if not known.median.names:
        return 0, most, last
    (lower, upper), (low, high) = middles, sizes
    if place < lower:
        return 0, low, lower
    if place <= upper:
        size = low if place == lower else high
        return size, size, place + 1
    return high, max(high, most), last


def _moves(counts: dict[Bounded, int]) -> Iterator[Move]:
    """Single items by a few units, or to the other side of 0."""
    for one in list(counts):
        for stride in _STRIDES:
            value = one.value + stride
            if one.least <= abs(value) <= one.most:
                yield Move(one, one._replace(value=value))
        if one.value:
            yield Move(one, one._replace(value=-one.value))


def _apply(counts: dict[Bounded, int], moves: Sequence[Move]) -> bool:
    """Make the moves; False where there are not enough items for them."""
    for source, target in moves:
        if not counts.get(source):
            return False
        counts[source] -= 1
        if not counts[source]:
            del counts[source]
        counts[target] = counts.get(target, 0) + 1
    return True


def _combinations(
    moves: Sequence[Move], changes: Integers, missing: Integers, generator: np.random.Generator
) -> Iterator[list[Move]]:
    """Four moves that bring all sums into their ranges."""
    if not moves:
        return
    halves = []
    for _ in range(2):
        rows = generator.integers(0, len(moves), (2, _COMBINED))
        halves.append(Sums(changes[:, rows[0]] + changes[:, rows[1]], rows))
    lookup = Lookup(halves[0], missing)
    matches = 0
    for left, right in lookup.pairs(halves[1].values):
        for a, b in zip(left, right, strict=True):
            yield [moves[int(row)] for row in (*lookup.sums.rows[:, a], *halves[1].rows[:, b])]
            matches += 1
            if matches == _MOST_MATCHES:
                return


def _levels(counts: dict[Bounded, int]) -> list[Level]:
    return [Level(Fraction(one.value), number) for one, number in counts.items()]
