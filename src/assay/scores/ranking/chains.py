"""Which matrices of the operating points lie on one curve, and what that leaves for its area.

Thresholds on the same scores give points that rise together: a chain. For each order in which the points
can follow each other, the least and the greatest possible area are shortest-path problems over the
candidate matrices, solved exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.scores.ranking.curve import Spot, half_pairs
from assay.scores.ranking.points import Run

Integers = NDArray[np.int64]

MOST_SPOTS = 1500
MOST_CHAINS = 400_000
"""Partial chains looked at before the search for a meeting one gives up."""
_BLENDS = ((1, 0), (0, 1), (1, 1), (1, 3), (3, 1), (1, 10), (10, 1))
"""Weights of (small least area, large greatest area); the first two settle the bounds."""


@dataclass(frozen=True)
class Bounds:
    """The least and the greatest area over all chains, in half pairs, with a chain that attains each."""

    least: int
    lowest: list[Spot]
    most: int
    highest: list[Spot]


class Meeting(NamedTuple):
    """A chain that was looked for: found, proven absent (`searched` through all of them), or neither."""

    chain: list[Spot] | None
    searched: bool


class _Partial(NamedTuple):
    """A chain up to a spot, with the least and greatest area under it so far."""

    least: int
    most: int
    before: _Partial | None
    spot: Spot

    def extended(self, to: Spot) -> _Partial:
        dx = to.fp - self.spot.fp
        return _Partial(self.least + 2 * dx * self.spot.tp, self.most + 2 * dx * to.tp, self, to)

    def spots(self) -> list[Spot]:
        return [*(self.before.spots() if self.before else ()), self.spot]


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


def meeting(p: int, n: int, candidates: Sequence[Integers], window: range) -> Meeting:
    """A chain through the candidates whose areas overlap the window: first the likely ones, then all of them."""
    orders = list(_orders(candidates))
    for order in orders:
        for found in _paths(p, n, [candidates[i] for i in order]):
            if _overlaps(half_pairs(found), window):
                return Meeting(found, searched=False)
    return _search(p, n, [[candidates[i] for i in order] for order in orders], window)


def _overlaps(areas: tuple[int, int], window: range) -> bool:
    return areas[0] <= window[-1] and areas[1] >= window[0]


def _search(p: int, n: int, orders: Sequence[Sequence[Integers]], window: range) -> Meeting:
    """Every chain, layer by layer; of those that reach a spot only the ones that no other dominates.

    A chain dominates another at the same spot when its least area is no larger and its greatest no smaller:
    whatever follows adds the same to both.
    """
    looked_at = Counter[str]()
    for layers in orders:
        arrived = _through([*layers, np.array([[n, p]])], Spot(n, p), window, looked_at)
        if arrived is None:
            return Meeting(None, searched=False)
        found = next((chain for chain in arrived if _overlaps((chain.least, chain.most), window)), None)
        if found:
            return Meeting(found.spots(), searched=True)
    return Meeting(None, searched=True)


def _through(
    layers: Sequence[Integers], end: Spot, window: range, looked_at: Counter[str]
) -> Sequence[_Partial] | None:
    """The chains that reach the end through one spot of each layer; None where there are too many."""
    reached: dict[Spot, list[_Partial]] = {Spot(0, 0): [_Partial(0, 0, None, Spot(0, 0))]}
    for layer in layers:
        following: dict[Spot, list[_Partial]] = {}
        for here in (Spot(fp, tp) for fp, tp in layer.tolist()):
            arriving = _arriving(reached, here)
            looked_at["chains"] += len(arriving)
            if looked_at["chains"] > MOST_CHAINS:
                return None
            following[here] = _continued(arriving, here, end.tp * (end.fp - here.fp), window)
        reached = following
    return reached[end]


def _arriving(reached: Mapping[Spot, list[_Partial]], here: Spot) -> list[_Partial]:
    """The chains that a spot can continue."""
    return [chain for spot, chains in reached.items() if spot.before(here) for chain in chains]


def _continued(chains: Sequence[_Partial], here: Spot, beyond: int, window: range) -> list[_Partial]:
    """The chains up to here that may still meet the window, with so many pairs beyond."""
    extended = [chain.extended(here) for chain in chains]
    useful = [chain for chain in extended if _overlaps((chain.least, chain.most + 2 * beyond), window)]
    return _undominated(useful)


def _undominated(chains: list[_Partial]) -> list[_Partial]:
    kept: list[_Partial] = []
    for chain in sorted(chains, key=lambda c: (c.least, -c.most)):
        if not kept or chain.most > kept[-1].most:
            kept.append(chain)
    return kept


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
