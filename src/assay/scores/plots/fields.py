"""Scores as functions on the plane, in floating point.

Nothing is decided here. They show where a picture is worth drawing, and where to write a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.scores.constraints import Constraint
from assay.scores.definitions import COUNTS, Shape
from assay.scores.plots.strips import Window

Array = NDArray[np.float64]
Spot = tuple[float, float]

CELLS = 40
"""Fine enough to see where a smooth function goes."""


@dataclass(frozen=True)
class Field:
    """A score on the plane; `level` is its value, or a rising function of it where the value may be infinite."""

    constraint: Constraint
    p: int
    n: int

    @property
    def _may_be_infinite(self) -> bool:
        return self.constraint.score.high is None and self.constraint.score.name not in COUNTS

    def level(self, tp: Any, tn: Any) -> Array:
        """The height of the field at these points; nan where the score is 0/0."""
        score = self.constraint.score
        tp, tn = np.asarray(tp, dtype=float), np.asarray(tn, dtype=float)
        parts = score.ratio(tp, self.p - tp, self.n - tn, tn)  # the formulas hold for arrays as well
        top, bottom = (np.asarray(part, dtype=float) + 0 * tp for part in parts)
        with np.errstate(divide="ignore", invalid="ignore"):
            if score.shape is Shape.INVERSE_ROOT:
                level: Array = np.sqrt(bottom) / (np.sqrt(top) + np.sqrt(bottom))
                return level
            level = top / (top + bottom) if self._may_be_infinite else top / bottom
            return np.sign(level) * np.sqrt(np.abs(level)) if score.shape is Shape.ROOT else level

    @property
    def defined(self) -> bool:
        """Whether the score has a value anywhere in the box."""
        return not bool(np.isnan(self.level(*grid(Window(0, self.p, 0, self.n)))).all())

    @cached_property
    def bounds(self) -> tuple[float, float]:
        """Between which levels the band lies."""
        interval = self.constraint.interval
        if interval.infinite:
            return 1.0, 1.0
        return self._bound(interval.lo, -np.inf), self._bound(interval.hi, np.inf)

    def _bound(self, bound: Fraction | None, otherwise: float) -> float:
        if bound is None:
            return otherwise
        return float(bound / (1 + bound)) if self._may_be_infinite and bound > -1 else float(bound)

    def span(self, window: Window) -> tuple[float, float]:
        """The least and the greatest level in the window, nan for none: scores are monotone, so corners suffice."""
        corners = self.level(*zip(*product(window[:2], window[2:]), strict=True))
        known = corners[~np.isnan(corners)]
        return (float(known.min()), float(known.max())) if known.size else (np.nan, np.nan)

    def half_width(self) -> float:
        """Half the width of the band; where it has no end, something to measure distances with."""
        lo, hi = self.bounds
        if np.isfinite(hi - lo):
            return max((hi - lo) / 2, 1e-9 * max(1.0, abs(lo)))
        low, high = self.span(Window(0, self.p, 0, self.n))
        return max(high - low, 1e-9) / 40

    def excess(self, tp: Any, tn: Any) -> Array:
        """How far the score is off the middle of its band, in half widths: at most 1 within the band."""
        level, (lo, hi), half = self.level(tp, tn), self.bounds, self.half_width()
        off = 1 + np.maximum(lo - level, level - hi) / half
        return np.where(np.isnan(off), np.inf, np.maximum(off, 0.0))

    def visible(self, window: Window) -> bool:
        """Whether some of the band is in the window."""
        (low, high), (lo, hi) = self.span(window), self.bounds
        return lo <= high and low <= hi

    def covers(self, view: Window) -> bool:
        """Whether all of the view lies in the band, as far as there are matrices."""
        window = view.intersection(Window(0, self.p, 0, self.n))
        (low, high), (lo, hi) = self.span(window), self.bounds
        return lo <= low and high <= hi

    def cut(self, levels: Array, places: Array) -> Spot | None:
        """From where to where a line lies in the band, if it does; `levels` are those at its places."""
        (lo, hi), (rising, where) = self.bounds, _rising(levels, places)
        if not rising.size or rising[-1] < lo or rising[0] > hi:
            return None
        if rising[0] == rising[-1]:
            return float(places.min()), float(places.max())
        ends = np.interp((lo, hi), rising, where)
        return float(ends.min()), float(ends.max())

    def spots(self, window: Window) -> Array:
        """Points along the middle of what is visible of the band."""
        if not self.visible(window):
            return np.empty((0, 2))
        (low, high), (lo, hi) = self.span(window), self.bounds
        middle = (max(lo, low) + min(hi, high)) / 2
        tp, tn = grid(window)
        levels = self.level(tp, tn)
        along_tn = [(x, y) for x, y in zip(tp[0], _crossings(levels.T, tn[:, 0], middle), strict=True)]
        along_tp = [(x, y) for x, y in zip(_crossings(levels, tp[0], middle), tn[:, 0], strict=True)]
        spots: Array = np.array(along_tn + along_tp)
        return spots[~np.isnan(spots).any(axis=1)]


def grid(window: Window, cells: int = CELLS) -> tuple[Array, Array]:
    """The points (tp, tn) of a grid over a window, as two arrays."""
    tp, tn = np.meshgrid(np.linspace(window.x0, window.x1, cells + 1), np.linspace(window.y0, window.y1, cells + 1))
    return tp, tn


def _rising(line: Array, places: Array) -> tuple[Array, Array]:
    """The known levels along a line, from the lowest on, with their places."""
    known = ~np.isnan(line)
    levels, where = line[known], places[known]
    return (levels[::-1], where[::-1]) if levels.size and levels[0] > levels[-1] else (levels, where)


def _crossings(lines: Array, places: Array, level: float) -> list[float]:
    """For each line of monotone levels, the place where it has this one; nan where it has not."""
    found = []
    for line in lines:
        levels, where = _rising(line, places)
        inside = levels.size > 0 and levels[0] < levels[-1] and levels[0] <= level <= levels[-1]
        found.append(float(np.interp(level, levels, where)) if inside else np.nan)
    return found


def worst(fields: Sequence[Field], tp: Any, tn: Any) -> Array:
    """The largest excess of all fields: at most 1 where all bands meet."""
    largest: Array = np.max([field.excess(tp, tn) for field in fields], axis=0)
    return largest
