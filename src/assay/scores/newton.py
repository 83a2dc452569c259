"""Real numbers within bounds that meet several figures at once: damped Newton steps.

Nothing here is exact, and nothing needs to be: what is found is a proposal, which is verified before it counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Rows = Callable[["Floats"], tuple["Floats", "Floats"]]
"""By how much every figure is missed, in half widths of its window, and how that shrinks with each number."""
Ends = tuple[float, float]

_STEPS = 50
_DAMPING = 1e-4
_HEAVIEST = 1e6
_MIDST = 0.25
_CLOSE = 0.15
_INSIDE = 0.75
"""Shares of half a window: where its midst ends, what may be missed of that, and what may be missed at the worst."""


def meet(numbers: Floats, rows: Rows, low: Floats, high: Floats, longest: float) -> Floats | None:
    """Numbers near the given ones that meet every figure; None where the steps, none above `longest`, do not arrive."""
    damping = _DAMPING
    missed, slopes = rows(numbers)
    for _ in range(_STEPS):
        if not np.isfinite(missed).all() or damping > _HEAVIEST:
            break
        if np.abs(missed).max(initial=0.0) < _CLOSE:
            return numbers
        moved = _moved(numbers, missed, slopes, (low, high), damping=damping, longest=longest)
        nearer, new_slopes = rows(moved)
        if _length(nearer) < _length(missed):
            numbers, missed, slopes, damping = moved, nearer, new_slopes, damping / 8
        else:
            damping *= 5
    return numbers if np.abs(missed).max(initial=0.0) < _INSIDE else None


def aim(value: float, ends: Ends) -> tuple[float, float]:
    """Where a figure should go, and half the width of its window; a window with one end is met at once behind that end.

    Any place around the middle is as good: figures that depend on each other cannot all be in the middle.
    """
    low, high = ends
    if np.isfinite(low) and np.isfinite(high):
        middle, half = (low + high) / 2, max((high - low) / 2, 1e-9)
        return min(max(value, middle - _MIDST * half), middle + _MIDST * half), half
    return min(max(value, low), high), 1e-3


def _moved(
    numbers: Floats, missed: Floats, slopes: Floats, ends: tuple[Floats, Floats], *, damping: float, longest: float
) -> Floats:
    """The numbers after one step, which never leaves their bounds."""
    low, high = ends
    step = _shortest(slopes, missed, damping)
    outwards = ((numbers <= low) & (step < 0)) | ((numbers >= high) & (step > 0))
    if outwards.any():
        step = _shortest(slopes * ~outwards, missed, damping)
    shortened = step * min(1.0, longest / max(float(np.abs(step).max(initial=0.0)), 1e-12))
    moved: Floats = np.clip(numbers + shortened, low, high)
    return moved


def _length(missed: Floats) -> float:
    """The norm of what is missed; infinite where it is not a number."""
    total = float(missed @ missed)
    return total if np.isfinite(total) else np.inf


def _shortest(slopes: Floats, missed: Floats, damping: float) -> Floats:
    """The smallest change of all numbers that repairs what is missed, shortened by damping."""
    normal = slopes @ slopes.T
    normal[np.diag_indices_from(normal)] += damping * np.trace(normal) / len(missed) + 1e-12
    step: Floats = np.linalg.lstsq(normal, missed, rcond=None)[0] @ slopes
    return step
