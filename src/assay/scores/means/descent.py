"""Exhaustive search for whole numbers that satisfy linear statements.

Depth first, one unknown after the other. What the statements leave for the next unknown follows
from the extremes of those to come; a branch dies early when a remaining sum, which can only move in
steps of a greatest common divisor, has no step inside its interval. Branches that leave the same
remainders are searched once: when the positives are settled, only their sum matters to the negatives.
Unknowns that every statement treats alike are one unknown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from assay.scores.means.system import Scaled


class OutOfNodesError(Exception):
    """The search was cut short: nothing follows."""


@dataclass(slots=True)
class _Column:
    """What every statement knows about one unknown and those after it."""

    limit: int
    coefficients: list[int]
    rest_low: list[int]
    rest_high: list[int]
    steps: list[int]
    open_rows: list[int] = field(default_factory=list)


class Descent:
    """A search; `nodes` counts its steps."""

    def __init__(self, rows: Sequence[Scaled], limits: Sequence[int], most_nodes: int) -> None:
        self.nodes = 0
        self._most_nodes = most_nodes
        self._limits = limits
        alike: dict[tuple[int, ...], list[int]] = {}
        for place in range(len(limits)):
            alike.setdefault(tuple(row.coefficients[place] for row in rows), []).append(place)
        # true positives (even places) come first; among each class the unknown with the widest range comes last
        self._unknowns = sorted(alike.values(), key=lambda places: (places[0] % 2, sum(limits[i] for i in places)))
        self._rows = rows
        self._columns = self._prepare()
        self._dead: set[tuple[int, ...]] = set()

    def run(self) -> list[int] | None:
        """Totals that satisfy every row, or None when there are none; raises OutOfNodesError when cut short."""
        lows, highs = [row.low for row in self._rows], [row.high for row in self._rows]
        found = self._descend(0, lows, highs)
        if found is None:
            return None
        totals = [0] * len(self._limits)
        for places, value in zip(self._unknowns, found, strict=True):
            room = sum(self._limits[i] for i in places)
            filled = 0
            for i in places:
                totals[i] = (filled + self._limits[i]) * value // max(room, 1) - filled * value // max(room, 1)
                filled += self._limits[i]
        return totals

    def _prepare(self) -> list[_Column]:
        columns: list[_Column] = []
        low, high, step = [0] * len(self._rows), [0] * len(self._rows), [0] * len(self._rows)
        for places in reversed(self._unknowns):
            coefficients, limit = self._together(places)
            rest_low, rest_high = low, high
            low = [a + min(0, c) * limit for a, c in zip(low, coefficients, strict=True)]
            high = [b + max(0, c) * limit for b, c in zip(high, coefficients, strict=True)]
            step = [math.gcd(s, c) for s, c in zip(step, coefficients, strict=True)]
            open_rows = [j for j, s in enumerate(step) if s]
            columns.append(_Column(limit, coefficients, rest_low, rest_high, step, open_rows))
        return columns[::-1]

    def _together(self, places: Sequence[int]) -> tuple[list[int], int]:
        """The coefficients that these unknowns share, and the limit of their sum."""
        return [row.coefficients[places[0]] for row in self._rows], sum(self._limits[i] for i in places)

    def _descend(self, depth: int, lows: list[int], highs: list[int]) -> list[int] | None:
        """Values for the unknowns from `depth` on, given what is left for each row."""
        self.nodes += 1
        if self.nodes > self._most_nodes:
            raise OutOfNodesError
        if depth == len(self._columns):
            return []
        column = self._columns[depth]
        state = (depth, *(x for j in column.open_rows for x in (lows[j], highs[j])))
        if state in self._dead:
            return None
        for value in self._candidates(column, lows, highs):
            moved = [value * c for c in column.coefficients]
            rest = self._descend(
                depth + 1,
                [a - m for a, m in zip(lows, moved, strict=True)],
                [b - m for b, m in zip(highs, moved, strict=True)],
            )
            if rest is not None:
                return [value, *rest]
        self._dead.add(state)
        return None

    @staticmethod
    def _candidates(column: _Column, lows: list[int], highs: list[int]) -> Iterator[int]:
        """Values that leave every row within reach of the unknowns to come, from the middle outwards."""
        least, most = 0, column.limit
        for j, c in enumerate(column.coefficients):
            step = column.steps[j]
            if step and highs[j] // step * step < lows[j]:
                return
            low, high = lows[j] - column.rest_high[j], highs[j] - column.rest_low[j]
            if c > 0:
                least, most = max(least, -(-low // c)), min(most, high // c)
            elif c < 0:
                least, most = max(least, -(high // -c)), min(most, -low // -c)
            elif low > 0 or high < 0:
                return
        yield from _from_the_middle(least, most)


def _from_the_middle(least: int, most: int) -> Iterator[int]:
    middle = (least + most) // 2
    for distance in range(most - least + 1):
        for value in {middle - distance, middle + distance}:
            if least <= value <= most:
                yield value
