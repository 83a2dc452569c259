"""Which matrices of the operating points lie on one curve, and what that leaves for its area.

Thresholds on the same scores give points that rise together: a chain. For each order in which the points
can follow each other, the least and the greatest possible area are shortest-path problems over the
candidate matrices, solved exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.scores.ranking.curve import Spot, half_pairs
from assay.scores.ranking.points import Run

Integers = NDArray[np.int64]

MOST_SPOTS = 1500
_BLENDS = ((1, 0), (0, 1), (1, 1), (1, 3), (3, 1), (1, 10), (10, 1))
"""Weights of (small least area, large greatest area); the first two settle the bounds."""


@dataclass(frozen=True)
class Bounds:
    """The least and the greatest area over all chains, in half pairs, with a chain that attains each."""

    least: int
    lowest: list[Spot]
    most: int
    highest: list[Spot]


def spots(n: int, runs: Sequence[Run]) -> Integers | None:
    """The candidate points as rows (fp, tp); None when there are too many to compare pair by pair."""
    if sum(run.high - run.low + 1 for run in runs) > MOST_SPOTS:
        return None
    return np.array([(n - tn, run.tp) for run in runs for tn in range(run.low, run.high + 1)], dtype=np.int64)


def bounds(p: int, n: int, candidates: Sequence[Integers]) -> Bounds | None:
    """Bounds over all chains in every order; None when no curve passes through all points."""
    every = [c for order in _orders(candidates) for c in _paths(p, n, [candidates[i] for i in order])]
    if not every:
        return None
    lowest = min(every, key=lambda c: half_pairs(c)[0])
    highest = max(every, key=lambda c: half_pairs(c)[1])
    return Bounds(half_pairs(lowest)[0], lowest, half_pairs(highest)[1], highest)


def meeting(p: int, n: int, candidates: Sequence[Integers], least: int, most: int) -> list[Spot] | None:
    """A chain whose areas overlap the window from `least` to `most`, if one of the likely ones does."""
    for order in _orders(candidates):
        for found in _paths(p, n, [candidates[i] for i in order]):
            low, high = half_pairs(found)
            if low <= most and high >= least:
                return found
    return None


def _orders(candidates: Sequence[Integers]) -> Iterator[tuple[int, ...]]:
    """The orders in which each point can precede the next."""

    def extend(done: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(done) == len(candidates):
            yield done
        for i in range(len(candidates)):
            if i not in done and all(_can_precede(candidates[j], candidates[i]) for j in done):
                yield from extend((*done, i))

    yield from extend(())


def _can_precede(first: Integers, second: Integers) -> bool:
    return bool((first.min(axis=0) <= second.max(axis=0)).all())


def _paths(p: int, n: int, layers: Sequence[Integers]) -> Iterator[list[Spot]]:
    """The best chain through the layers for each blend of the two aims."""
    ends = np.array([[0, 0]]), np.array([[n, p]])
    for blend in _BLENDS:
        path = _best([ends[0], *layers, ends[1]], *blend)
        if path is None:
            return
        yield path


def _best(layers: Sequence[Integers], low: int, high: int) -> list[Spot] | None:
    """The chain with the smallest low · (least area) - high · (greatest area), layer by layer."""
    costs, back = np.zeros(1, dtype=np.int64), []
    never = np.iinfo(np.int64).max // 4
    for one, two in pairwise(layers):
        dx = two[None, :, 0] - one[:, None, 0]
        dy = two[None, :, 1] - one[:, None, 1]
        step = dx * (low * one[:, None, 1] - high * two[None, :, 1])
        total = np.where((dx >= 0) & (dy >= 0), costs[:, None] + step, never)
        back.append(total.argmin(axis=0))
        costs = np.minimum(total.min(axis=0), never)
    if costs[0] >= never // 2:
        return None
    at, path = 0, []
    for layer, came in zip(reversed(layers), [*reversed(back), None], strict=True):
        path.append(Spot(int(layer[at, 0]), int(layer[at, 1])))
        at = int(came[at]) if came is not None else 0
    return path[::-1]
