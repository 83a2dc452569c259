"""Empirical ROC curves as witnesses, and the bounds that points on a curve put on its area.

Sorting the items by score, highest first, cuts them into blocks of equal score; a block of a positives and
b negatives takes the curve a up and b to the right. Between two points of the curve, dx apart in false and
dy in true positives, the part of the area that is not settled can be any multiple of one half pair from 0
(all negatives first) to dx·dy (all positives first): every corner cut by a tie adds one half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Spot(NamedTuple):
    """A point of the curve, in items."""

    fp: int
    tp: int

    def before(self, other: Spot) -> bool:
        """Whether a curve can go from here to there."""
        return self.fp <= other.fp and self.tp <= other.tp


class Block(NamedTuple):
    """Items that share one score."""

    positives: int
    negatives: int

    def __str__(self) -> str:
        parts = [f"{self.positives}+"] * bool(self.positives) + [f"{self.negatives}-"] * bool(self.negatives)
        return "=".join(parts)


def chain(p: int, n: int, spots: Iterable[Spot]) -> list[Spot] | None:
    """The spots in the order of the curve, with its two ends; None when no curve passes through all."""
    ordered = [Spot(0, 0), *sorted(spots), Spot(n, p)]
    return ordered if all(a.before(b) for a, b in pairwise(ordered)) else None


def half_pairs(spots: Sequence[Spot]) -> tuple[int, int]:
    """The least and the greatest area under curves through these spots, counted in half pairs."""
    least = sum(2 * (b.fp - a.fp) * a.tp for a, b in pairwise(spots))
    return least, least + sum(2 * (b.fp - a.fp) * (b.tp - a.tp) for a, b in pairwise(spots))


def curve(spots: Sequence[Spot], area: int) -> list[Block]:
    """Blocks of a curve through the spots whose area is so many half pairs (within the bounds)."""
    extra = area - half_pairs(spots)[0]
    blocks: list[Block] = []
    for a, b in pairwise(spots):
        dx, dy = b.fp - a.fp, b.tp - a.tp
        taken = min(extra, 2 * dx * dy)
        extra -= taken
        blocks += _step(dx, dy, taken)
    return [block for block in blocks if any(block)]


def _step(dx: int, dy: int, taken: int) -> list[Block]:
    """From corner to corner of a dx by dy rectangle, with `taken` half pairs of it under the curve."""
    pairs, half = divmod(taken, 2)
    up, right = divmod(pairs, dx) if dx else (dy, 0)
    return [
        Block(up, 0),
        Block(0, dx - right - half),
        Block(half, half),
        Block(dy - up - half if right == 0 and not half else 1 - half, 0),
        Block(0, right),
        Block(0 if right == 0 and not half else dy - up - 1, 0),
    ]


def area_of(blocks: Iterable[Block]) -> int:
    """The area under the curve in half pairs: a negative counts two for each positive above it, one for a tie."""
    above = total = 0
    for positives, negatives in blocks:
        total += negatives * (2 * above + positives)
        above += positives
    return total


def stops(blocks: Iterable[Block]) -> set[Spot]:
    """The operating points that thresholds between blocks give."""
    spot = Spot(0, 0)
    found = {spot}
    for positives, negatives in blocks:
        spot = Spot(spot.fp + negatives, spot.tp + positives)
        found.add(spot)
    return found
