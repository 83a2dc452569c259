"""Joining two lists of drawn vectors to pairs whose sums lie in given windows, among billions of pairs.

Space is cut into cells as wide as the windows; each vector of one list looks into the cell in which its partner would
lie. Where the windows leave too few pairs, they are widened: the nearest pairs are then a better place to draw from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_FEW = 1_000
"""With fewer pairs the windows are widened."""
_WIDER, _WIDEST = 1.6, 1e8
_SPREAD = 2.5
"""Over how many standard deviations values are about evenly spread."""
_NARROWEST = 1e-9


class Window(NamedTuple):
    """What one coordinate of both vectors adds up to."""

    left: Floats | Integers
    right: Floats | Integers
    low: float
    high: float
    whole: bool = False
    """Whether the coordinate is a whole number that has to be met exactly."""


def joined(windows: list[Window], draw: np.random.Generator, most: int) -> tuple[Integers, Integers]:
    """Places in both lists whose vectors add up to something in, or near, every window: at most so many."""
    factor = _promising(windows, most)
    cells = _cells(windows, factor, draw)
    while cells.pairs > most and factor > 1:
        factor = max(1.0, factor / _WIDER)
        cells = _cells(windows, factor, draw)
    while cells.pairs < min(_FEW, most) and factor < _WIDEST:
        factor *= _WIDER
        cells = _cells(windows, factor, draw)
    return cells.places(draw, most)


def _promising(windows: list[Window], wanted: int) -> float:
    """How much wider than asked the windows have to be for about so many pairs, if the sums are spread evenly."""
    pairs = float(len(windows[0].left) * len(windows[0].right))
    spreads = np.array([_SPREAD * (w.left.std() + w.right.std()) + _NARROWEST for w in windows])
    shares = np.array([1.0 if w.whole else max(w.high - w.low, _NARROWEST) for w in windows]) / spreads
    whole = np.array([w.whole for w in windows])
    factor = 1.0
    while factor < _WIDEST and pairs * np.minimum(1, np.where(whole, shares, shares * factor)).prod() < wanted:
        factor *= _WIDER
    return factor


class _Cells(NamedTuple):
    """The right list by cells, and where in it the partners of each vector of the left list begin and end."""

    order: Integers
    first: Integers
    many: Integers

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return int(self.many.sum())

    def places(self, draw: np.random.Generator, most: int) -> tuple[Integers, Integers]:
        """The pairs, or some of them where there are more than `most`."""
        kept = np.flatnonzero(self.many)
        if self.pairs > most:
            kept = draw.permutation(kept)[: max(1, int(len(kept) * most / self.pairs))]
        many, first = self.many[kept], self.first[kept]
        within = np.arange(many.sum()) - np.repeat(many.cumsum() - many, many)
        return np.repeat(kept, many), self.order[within + np.repeat(first, many)]


def _cells(windows: list[Window], factor: float, draw: np.random.Generator) -> _Cells:
    wanted = np.zeros(len(windows[0].left), dtype=np.int64)
    offered = np.zeros(len(windows[0].right), dtype=np.int64)
    for window in windows:
        middle = (window.low + window.high) / 2
        size = 1.0 if window.whole else max(_NARROWEST, (window.high - window.low) * factor)
        start = 0.5 if window.whole else draw.random()
        mixer = draw.integers(1, 1 << 62) | 1  # two cells may get one number: the exact check tells them apart
        wanted += np.floor((middle - window.left) / size + start).astype(np.int64) * mixer
        offered += np.floor(window.right / size + start).astype(np.int64) * mixer
    order = offered.argsort(kind="stable")
    first, last = (np.searchsorted(offered[order], wanted, side) for side in ("left", "right"))
    return _Cells(order, np.asarray(first), np.asarray(last - first))
