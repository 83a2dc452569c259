"""Whole errors of few items: every combination of sizes and signs, by the sums they lead to.

Sizes are taken from the largest down. What matters of those taken so far is how many they are, their sum, the sum of
their squares and the sum with signs; choices that agree in all four are one state. States that the sizes to come cannot
bring into the reported ranges are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from assay.records import dataclass
from assay.scores.exact import Interval
from assay.scores.regression.relations import Sizes
from assay.scores.regression.residuals import Level

_MOST_STATES = 60_000
_MOST_SHAPES = 400
"""Choices of the largest and of the middle sizes that are gone through."""
_MOST_LISTS = 4_000
_LARGEST = 5_000


class TooManyStatesError(Exception):
    """The search was cut short: nothing follows."""


class State(NamedTuple):
    """So many items with these sums: of sizes, of squares, and with signs."""

    items: int
    total: int
    squares: int
    signed: int


@dataclass(frozen=True, slots=True)
class Shape:
    """The largest size, and the sizes of the two items in the middle (the same item twice for an odd number)."""

    largest: int
    exact: bool
    """Whether some item has the largest size, or none is larger."""
    middle: tuple[int, int] | None


def whole_range(interval: Interval, factor: int) -> tuple[float, float]:
    """The least and the greatest whole number in factor · interval; infinite where there is none."""
    low, high = interval.lo, interval.hi
    least = (
        -math.inf if low is None else (math.floor(low * factor) + 1 if interval.lo_open else math.ceil(low * factor))
    )
    most = (
        math.inf if high is None else (math.ceil(high * factor) - 1 if interval.hi_open else math.floor(high * factor))
    )
    return least, most


def all_errors(known: Sizes, *, with_signs: bool) -> Iterator[list[Level]]:
    """One list of whole errors for every combination of sums that the figures allow.

    Raises TooManyStatesError where there are too many; when it ends without that, there are no others.
    """
    search = _Search(known, with_signs)
    count = 0
    for shape in search.shapes():
        for errors in search.run(shape):
            count += 1
            if count > _MOST_LISTS:
                raise TooManyStatesError
            yield errors


class _Search:
    def __init__(self, known: Sizes, with_signs: bool) -> None:
        self.n, self.known, self.with_signs = known.n, known, with_signs
        self.total = whole_range(known.mean.interval, known.n)
        self.squares = whole_range(known.square.interval, known.n)
        self.signed = whole_range(known.bias.interval, known.n) if with_signs else (-math.inf, math.inf)
        self.states = 0

    def shapes(self) -> Iterator[Shape]:
        """Every choice of largest and middle sizes."""
        least, most = whole_range(self.known.largest.interval, 1)
        exact = bool(self.known.largest.names)
        bound = min(self.total[1], math.isqrt(int(self.squares[1])) if self.squares[1] < math.inf else math.inf, most)
        if bound == math.inf or bound > _LARGEST:
            raise TooManyStatesError
        tops = range(max(0, int(least)), int(bound) + 1) if exact else [int(bound)]
        middles = list(self._middles(int(bound))) if self.known.median.names else [None]
        if len(tops) * len(middles) > _MOST_SHAPES:
            raise TooManyStatesError
        for top, middle in product(tops, middles):
            if middle is None or middle[1] <= top:
                yield Shape(top, exact, middle)

    def _middles(self, bound: int) -> Iterator[tuple[int, int]]:
        if self.n % 2:
            least, most = whole_range(self.known.median.interval, 1)
            yield from ((x, x) for x in range(max(0, int(least)), min(int(min(most, bound)), bound) + 1))
            return
        least, most = whole_range(self.known.median.interval, 2)
        for both in range(max(0, int(least)), int(min(most, 2 * bound)) + 1):
            yield from ((x, both - x) for x in range(max(0, both - bound), both // 2 + 1))

    def run(self, shape: Shape) -> Iterator[list[Level]]:
        """All final states of one shape, each with one way to get there."""
        start = State(0, 0, 0, 0)
        layers: list[tuple[int, dict[State, tuple[State, int, int]]]] = []
        states: list[State] = [start]
        for size in range(shape.largest, -1, -1):
            found = self._layer(states, shape, size)
            layers.append((size, found))
            states = list(found)
        for state in states:
            yield _path(layers, state)

    def _layer(self, states: Sequence[State], shape: Shape, size: int) -> dict[State, tuple[State, int, int]]:
        """The hopeful states after the items of this size, each with one way to get there."""
        found: dict[State, tuple[State, int, int]] = {}
        least, most = self._bounds(shape, size)
        for state in states:
            for up, down in self._choices(state, size, least, most):
                self.states += 1
                if self.states > _MOST_STATES:
                    raise TooManyStatesError
                new = self._after(state, size, up, down)
                if new not in found and self._hopeful(new, size):
                    found[new] = (state, up, down)
        return found

    def _bounds(self, shape: Shape, size: int) -> tuple[int, int]:
        """How many items may be at least this size."""
        least, most = (1 if shape.exact else 0), self.n
        if size == 0:
            least = self.n
        if shape.middle is not None:
            low, high = shape.middle
            upper = (self.n + 1) // 2 if self.n % 2 else self.n // 2  # items from the upper middle one up
            lower = upper if self.n % 2 else upper + 1
            if size > high:
                most = min(most, upper - 1)
            elif size > low:
                least, most = max(least, upper), min(most, upper)
            else:
                least = max(least, lower)
        return least, most

    def _choices(self, state: State, size: int, least: int, most: int) -> Iterator[tuple[int, int]]:
        """How many items of this size follow, above 0 and below."""
        for count in range(max(0, least - state.items), most - state.items + 1):
            if state.total + count * size > self.total[1] or state.squares + count * size**2 > self.squares[1]:
                return
            downs = range(count + 1) if self.with_signs and size else (0,)
            yield from ((count - down, down) for down in downs)

    @staticmethod
    def _after(state: State, size: int, up: int, down: int) -> State:
        count = up + down
        return State(
            state.items + count,
            state.total + count * size,
            state.squares + count * size**2,
            state.signed + (up - down) * size,
        )

    def _hopeful(self, state: State, size: int) -> bool:
        """Whether smaller sizes can still bring all sums into their ranges."""
        left, next_size = self.n - state.items, max(0, size - 1)
        room = left * next_size
        if state.total + room < self.total[0] or state.squares + room * next_size < self.squares[0]:
            return False
        return state.signed + room >= self.signed[0] and state.signed - room <= self.signed[1]


def _path(layers: list[tuple[int, dict[State, tuple[State, int, int]]]], state: State) -> list[Level]:
    levels: list[Level] = []
    for size, found in reversed(layers):
        state, up, down = found[state]
        levels += [Level(Fraction(value), count) for value, count in ((size, up), (-size, down)) if count]
    return levels
