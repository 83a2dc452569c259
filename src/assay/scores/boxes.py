"""Lattice points that satisfy inequalities of degree two, found or excluded exactly.

Every score that is not a ratio of affine forms is a ratio of polynomials of degree two in (tp, tn), so
a reported interval is a band between two conics. On a box a conic's inequality is implied by one
half-plane and implies another: its linear part at the centre, moved by the least and the largest value
of what remains. Thus polygons enclose the band from outside and from inside, ever more tightly as
boxes shrink (the error falls with the square of the size), and the polygons' lattice points are
counted without visiting them. A band too thin for its boxes is followed along its length.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import gcd
from typing import NamedTuple

from assay.records import dataclass
from assay.scores.polygon import NOTHING, Box, Lattice, Plane, Point, Polygon


class Form(NamedTuple):
    """one + x·X + y·Y + xx·X² + xy·XY + yy·Y² with integer coefficients, required to be at least 0."""

    one: int
    x: int
    y: int
    xx: int = 0
    xy: int = 0
    yy: int = 0

    @property
    def straight(self) -> bool:
        """True when it is a half-plane."""
        return not (self.xx or self.xy or self.yy)

    def at(self, x: int, y: int) -> int:
        """The value at a point."""
        return self.one + x * (self.x + self.xx * x + self.xy * y) + y * (self.y + self.yy * y)

    def combined(self, factor: int, other: Form, other_factor: int) -> Form:
        """The sum of `factor` times this form and `other_factor` times the other."""
        return Form(*[factor * a + other_factor * b for a, b in zip(self, other, strict=True)])

    def plane(self) -> Plane:
        """The half-plane of a straight form, as tight as its lattice points allow."""
        step = gcd(self.x, self.y) or 1
        return self.x // step, self.y // step, -(self.one // step)

    def enclosed(self, box: Box) -> tuple[Plane, Plane]:
        """The half-plane that holds wherever the form does in this box, and the one where the form surely holds.

        With X = 2x - (x0 + x1) and Y likewise, four times the form is a constant and a linear part in X and
        Y plus the remainder xx·X² + xy·XY + yy·Y², whose range on the box is bounded term by term.
        """
        x0, x1, y0, y1 = box
        sx, sy, wx, wy = x0 + x1, y0 + y1, x1 - x0, y1 - y0
        a = 2 * self.x + 2 * self.xx * sx + self.xy * sy
        b = 2 * self.y + 2 * self.yy * sy + self.xy * sx
        square_x, square_y, mixed = self.xx * wx * wx, self.yy * wy * wy, abs(self.xy) * wx * wy
        most = max(square_x, 0) + max(square_y, 0) + mixed
        least = min(square_x, 0) + min(square_y, 0) - mixed
        centre = 4 * self.one + sx * (2 * self.x + self.xx * sx + self.xy * sy) + sy * (2 * self.y + self.yy * sy)
        base = centre - a * sx - b * sy
        step = gcd(2 * a, 2 * b) or 1
        x, y = 2 * a // step, 2 * b // step
        return (x, y, -((base + most) // step)), (x, y, -((base + least) // step))


@dataclass(frozen=True, slots=True)
class Found:
    """What a search came to: a point if there is one, how many if that is known, and the boxes it took.

    Without a point, `finished` separates an exclusion from an exhausted budget.
    """

    point: Point | None
    count: int | None
    boxes: int
    finished: bool = True


ENUMERATED = 256
"""So many candidates are tried one by one rather than enclosed more tightly."""
NARROW = 256
"""That takes a look into each column or row, so there may be only so many of them."""


def search(polygon: Polygon, curves: Sequence[Form], *, max_boxes: int, counting: int) -> Found:
    """Lattice points of the polygon at which every form is at least 0.

    Stops after `max_boxes` without a point; once one is found, at most `counting` boxes go into the count.
    """
    waiting: list[Piece] = [(polygon, curves)]
    point: Point | None = None
    count = boxes = 0
    while waiting:
        if boxes >= (max_boxes if point is None else counting):
            return Found(point, None, boxes, finished=point is not None)
        boxes += 1
        outer, inner, open_curves = _enclose(*waiting.pop())
        found, number = _counted(outer, inner, open_curves, wanted=point is None)
        point = point or found
        if number is None:
            waiting.extend((half, open_curves) for half in _halves(outer))
        else:
            count += number
    return Found(point, count, boxes)


def _counted(
    outer: Polygon, inner: Polygon, curves: Sequence[Form], *, wanted: bool
) -> tuple[Point | None, int | None]:
    """A point at which the forms hold, if one is wanted, and how many there are; None where that stays open."""
    lattice, upright = _along_the_shorter_side(outer)
    number = lattice.count()
    if number <= ENUMERATED and lattice.columns < NARROW:
        fitting = _fitting(lattice, curves, upright=upright)
        return next(iter(fitting), None), len(fitting)
    sure = Lattice.from_polygon(inner)
    return sure.point(0) if wanted else None, number if number == sure.count() else None


Piece = tuple[Polygon, Sequence[Form]]
"""A part of the plane, and the forms that do not hold on all of it."""


def _enclose(polygon: Polygon, curves: Sequence[Form]) -> tuple[Polygon, Polygon, list[Form]]:
    """Polygons around and within the part where the forms hold; enclosed again as long as that halves the box.

    With the forms that do not hold on all of the outer one.
    """
    box = _NO_BOX if polygon.empty else polygon.bounds()
    if _is_empty(box):
        return NOTHING, NOTHING, []
    planes = [curve.enclosed(box) for curve in curves]
    outer = polygon.clipped([around for around, _ in planes])
    if not (outer.empty or _is_over_half(outer, box)):
        return _enclose(outer, curves)
    sure = [within for _, within in planes]
    kept = [not outer.lies_in(plane) for plane in sure]
    return outer, outer.clipped(sure), list(compress(curves, kept))


def _along_the_shorter_side(polygon: Polygon) -> tuple[Lattice, bool]:
    """The lattice points in as few columns as possible, and whether these are columns of the polygon, not rows."""
    x0, x1, y0, y1 = polygon.bounds() if not polygon.empty else _NO_BOX
    upright = x1 - x0 <= y1 - y0
    return Lattice.from_polygon(polygon if upright else polygon.transposed()), upright


def _fitting(lattice: Lattice, curves: Sequence[Form], *, upright: bool) -> list[Point]:
    """The lattice points at which the forms hold, one by one."""
    points = list(lattice.points()) if upright else [(x, y) for y, x in lattice.points()]
    for one, ax, ay, xx, xy, yy in curves:  # written out: a search may spend most of its time here
        points = [(x, y) for x, y in points if one + x * (ax + xx * x + xy * y) + y * (ay + yy * y) >= 0]
    return points


_NO_BOX: Box = (1, 0, 1, 0)


def _is_over_half(polygon: Polygon, box: Box) -> bool:
    return 2 * _size(polygon.bounds()) > _size(box)


def _is_empty(box: Box) -> bool:
    x0, x1, y0, y1 = box
    return x0 > x1 or y0 > y1


def _size(box: Box) -> int:
    return max(0, box[1] - box[0] + 1) * max(0, box[3] - box[2] + 1)


def _halves(polygon: Polygon) -> tuple[Polygon, Polygon]:
    """The polygon cut across the longer side of its box."""
    x0, x1, y0, y1 = polygon.bounds()
    if x1 - x0 >= y1 - y0:
        middle = (x0 + x1) // 2
        return polygon.clipped([(-1, 0, -middle)]), polygon.clipped([(1, 0, middle + 1)])
    middle = (y0 + y1) // 2
    return polygon.clipped([(0, -1, -middle)]), polygon.clipped([(0, 1, middle + 1)])
