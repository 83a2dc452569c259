"""Where to look: the part of the plane to enlarge, found by ever finer grids."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assay.scores.plots.fields import Array, Field, Spot, grid, worst
from assay.scores.plots.strips import Window

_MEETING_REACH, _MISSING_REACH = 1.6, 3.0
"""A window holds the points where no score is off by more than so many times what is inevitable. Where bands miss each
other this takes in the bands themselves: each is off the other by twice what both are off the middle between them."""
_THINNEST = 1 / 6
"""The least share of a window, along the score, that a band with its surroundings should take."""
_STEPS = 3
"""So many whole numbers on either side of the middle are always in view."""
_ROUNDS = 90


def focus(fields: Sequence[Field], p: int, n: int, anchor: Spot | None = None) -> tuple[Window, Spot]:
    """The part of the plane to enlarge, and its most interesting point: the anchor, or where the bands (nearly) meet.

    The window shrinks to what is near the best point of a grid, then a finer grid is laid over it.
    """
    box = window = Window(0, p, 0, n)
    spot = anchor or (p / 2, n / 2)
    for _ in range(_ROUNDS):
        tp, tn = grid(window)
        excess = worst(fields, tp, tn)
        best = 1.0 if anchor else float(excess.min())
        if not np.isfinite(best):
            break
        if anchor is None:
            spot = _best_spot(tp, tn, excess)
        reach = _reach(best)
        smaller = _around(tp, tn, excess <= reach, spot)
        if _too_thin(fields, window, reach, meeting=best <= 1):
            smaller = smaller.intersection(_halved(window, spot))
        smaller = _at_least(smaller, spot, box)
        if _hardly_smaller(smaller, window):
            break
        window = smaller
    return _with_all(fields, window, spot, box), spot


def _reach(best: float) -> float:
    """How much scores may be off at the points of a window, if they are off by so much at the best one."""
    return _MEETING_REACH if best <= 1 else _MISSING_REACH * best


def _best_spot(tp: Array, tn: Array, excess: Array) -> Spot:
    place = np.unravel_index(excess.argmin(), excess.shape)
    return float(tp[place]), float(tn[place])


def _hardly_smaller(smaller: Window, window: Window) -> bool:
    return smaller.width >= 0.85 * window.width and smaller.height >= 0.85 * window.height


def _with_all(fields: Sequence[Field], window: Window, spot: Spot, box: Window) -> Window:
    """The window, extended to the nearest piece of each band that is not in it."""
    for field in fields:
        pieces = field.spots(box)
        if len(pieces) and not field.visible(window):
            distance = np.abs((pieces - spot) / (box.width or 1, box.height or 1)).max(axis=1)
            x, y = pieces[distance.argmin()]
            dx, dy = abs(x - spot[0]) / 8, abs(y - spot[1]) / 8
            extended = Window(
                min(window.x0, x - dx), max(window.x1, x + dx), min(window.y0, y - dy), max(window.y1, y + dy)
            )
            window = extended.intersection(box)
    return window


def _around(tp: Array, tn: Array, near: NDArray[np.bool_], spot: Spot) -> Window:
    """The smallest window with all near points and the spot, and a cell around."""
    dx, dy = tp[0, 1] - tp[0, 0], tn[1, 0] - tn[0, 0]
    xs, ys = np.append(tp[near], spot[0]), np.append(tn[near], spot[1])
    around = Window(float(xs.min() - dx), float(xs.max() + dx), float(ys.min() - dy), float(ys.max() + dy))
    return around.intersection(Window(tp[0, 0], tp[0, -1], tn[0, 0], tn[-1, 0]))


def _too_thin(fields: Sequence[Field], window: Window, reach: float, *, meeting: bool) -> bool:
    """Where bands meet, the thinnest should be seen as a band; where they do not, the farthest must stay in view."""
    shares = []
    for field in fields:
        low, high = field.span(window)
        if high > low:
            shares.append(2 * reach * field.half_width() / (high - low))
    return bool(shares) and (min(shares) if meeting else max(shares)) < _THINNEST


def _halved(window: Window, spot: Spot) -> Window:
    return Window(
        spot[0] - window.width / 4, spot[0] + window.width / 4, spot[1] - window.height / 4, spot[1] + window.height / 4
    )


def _at_least(window: Window, spot: Spot, box: Window) -> Window:
    x, y = round(spot[0]), round(spot[1])
    return Window(
        max(box.x0, min(window.x0, x - _STEPS)),
        min(box.x1, max(window.x1, x + _STEPS)),
        max(box.y0, min(window.y0, y - _STEPS)),
        min(box.y1, max(window.y1, y + _STEPS)),
    )
