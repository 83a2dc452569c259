"""The bands of scores in the plane of confusion matrices, as exact polygons where they are straight.

A band is the set of points (tp, tn) where a score lies in its reported interval. It is drawn with its
ends included, and with real numbers of items between the whole ones: the picture illustrates, the
answer proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain
from typing import NamedTuple

from assay.scores.constraints import Constraint
from assay.scores.definitions import Ratio
from assay.scores.exact import Interval
from assay.scores.polygon import NOTHING, Plane, Point, Polygon
from assay.scores.regions import matrix_at, polynomials, ratio_interval

Strip = tuple[Plane, ...]
"""A part of a band: the points that lie in all these half-planes."""


class Window(NamedTuple):
    """A rectangle of the plane: tp from x0 to x1, tn from y0 to y1."""

    x0: float
    x1: float
    y0: float
    y1: float

    @property
    def width(self) -> float:
        """Along tp."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Along tn."""
        return self.y1 - self.y0

    def planes(self) -> Strip:
        """As half-planes with whole coefficients."""
        x0, x1, y0, y1 = (Fraction(end) for end in self)
        return (
            (x0.denominator, 0, x0.numerator),
            (-x1.denominator, 0, -x1.numerator),
            (0, y0.denominator, y0.numerator),
            (0, -y1.denominator, -y1.numerator),
        )

    def intersection(self, other: Window) -> Window:
        """What two windows that overlap have in common."""
        return Window(max(self.x0, other.x0), min(self.x1, other.x1), max(self.y0, other.y0), min(self.y1, other.y1))


def strips(constraint: Constraint, p: int, n: int) -> tuple[Strip, ...] | None:
    """The straight parts that make up the band of a constraint; None when its border is curved."""
    score, interval = constraint.score, constraint.interval
    parts: list[Strip] = []
    ratio = ratio_interval(score.shape, interval)
    if interval.empty:
        return ()
    if ratio is None:
        parts = _sides(constraint, p, n)
    elif _never_defined(score.ratio, p, n):
        parts = [_strip(substitute, interval, p, n) for substitute in constraint.substitutes]
    elif score.affine:
        parts = [_strip(score.ratio, ratio, p, n)]
    elif p and n:
        return None
    elif constraint.holds(matrix_at((p // 2, n // 2), p, n)):  # such scores are constant where a class is missing
        parts = [()]
    return tuple(part for part in parts if not outline([part], p, n).empty)


def _sides(constraint: Constraint, p: int, n: int) -> list[Strip]:
    """The sides of the box on which the score is as reported: only there the ratio behind a score can be infinite.

    What holds in the middle of a side holds along it. Counts are doubled so that the middle is whole.
    """
    middles: dict[Strip, Point] = {
        ((-1, 0, 0),): (0, n),
        ((1, 0, p),): (2 * p, n),
        ((0, -1, 0),): (p, 0),
        ((0, 1, n),): (p, 2 * n),
    }
    values = {side: constraint.score.value(matrix_at(middle, 2 * p, 2 * n)) for side, middle in middles.items()}
    return [side for side, value in values.items() if value is not None and value in constraint.interval]


def _never_defined(ratio: Ratio, p: int, n: int) -> bool:
    """Whether the denominator is 0 in the whole box, as for a sensitivity without positives."""
    return not any(polynomials(ratio, p, n)[1])


def _strip(ratio: Ratio, interval: Interval, p: int, n: int) -> Strip:
    """Where numerator / denominator lies between the bounds."""
    top, bottom = polynomials(ratio, p, n)
    planes = []
    for bound, sign in ((interval.lo, 1), (interval.hi, -1)):
        if bound is not None:
            form = top.combined(sign * bound.denominator, bottom, -sign * bound.numerator)
            planes.append((form.x, form.y, -form.one))
    return tuple(planes)


def outline(parts: Iterable[Strip], p: int, n: int) -> Polygon:
    """The points of the box that lie in all the given parts."""
    return Polygon.of_box((0, p, 0, n)).clipped(chain.from_iterable(parts))


def meeting(bands: Sequence[tuple[Strip, ...] | None], p: int, n: int) -> Polygon | None:
    """What straight bands have in common; None when a curved one is among them, or one in several pieces."""
    if any(band == () for band in bands):
        return NOTHING
    single = [band[0] for band in bands if band is not None and len(band) == 1]
    return outline(single, p, n) if len(single) == len(bands) else None
