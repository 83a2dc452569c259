"""Lattice points that satisfy inequalities of degree two, found or excluded exactly.

Every score that is not a ratio of affine forms is a ratio of polynomials of degree two in (tp, tn), so
a reported interval is a band between two conics. On a box a conic's inequality is implied by one
half-plane and implies another: its linear part at the centre, moved by the least and the largest value
of what remains. Thus polygons enclose the band from outside and from inside, ever more tightly as
boxes shrink (the error falls with the square of the size), and the polygons' lattice points are
counted without visiting them. A band too thin for its boxes is followed along its length.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import NamedTuple

from assay.records import dataclass
from assay.scores.polygon import Box, Lattice, Plane, Point, Polygon


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


ENUMERATED = 48
"""So many candidates are tried one by one rather than enclosed more tightly."""
NARROW = 256
"""That takes a look into each column or row, so there may be only so many of them."""


def search(polygon: Polygon, curves: Sequence[Form], *, max_boxes: int, counting: int) -> Found:
    """Lattice points of the polygon at which every form is at least 0.

    Stops after `max_boxes` without a point; once one is found, at most `counting` boxes go into the count.
    """
    waiting = [polygon]
    point: Point | None = None
    count = boxes = 0
    while waiting:
        if boxes >= (max_boxes if point is None else counting):
            return Found(point, None, boxes, finished=point is not None)
        boxes += 1
        outer, inner = _enclose(waiting.pop(), curves)
        number = Lattice.from_polygon(outer).count()
        if number == 0:
            continue
        if number <= ENUMERATED and _narrow(outer):
            fitting = list(_points(outer))
            for curve in curves:
                fitting = [(x, y) for x, y in fitting if curve.at(x, y) >= 0]
            count += len(fitting)
            point = point or next(iter(fitting), None)
            continue
        sure = Lattice.from_polygon(inner)
        point = point or sure.point(0)
        if number == sure.count():
            count += number
        else:
            waiting.extend(_halves(outer))
    return Found(point, count, boxes)


def _enclose(polygon: Polygon, curves: Sequence[Form]) -> tuple[Polygon, Polygon]:
    """Polygons around and within the part where the forms hold; enclosed again as long as that halves the box."""
    while not polygon.empty:
        box = polygon.bounds()
        if _is_empty(box):
            break
        around, within = _planes(curves, box)
        outer = polygon.clipped(around)
        if outer.empty or _is_over_half(outer, box):
            return outer, outer.clipped(within)
        polygon = outer
    return polygon, polygon


def _planes(curves: Sequence[Form], box: Box) -> tuple[list[Plane], list[Plane]]:
    """The half-planes that hold wherever the forms do in this box, and those where the forms surely hold."""
    planes = [curve.enclosed(box) for curve in curves]
    return [around for around, _ in planes], [within for _, within in planes]


def _is_over_half(polygon: Polygon, box: Box) -> bool:
    return 2 * _size(polygon.bounds()) > _size(box)


def _is_empty(box: Box) -> bool:
    x0, x1, y0, y1 = box
    return x0 > x1 or y0 > y1


def _narrow(polygon: Polygon) -> bool:
    x0, x1, y0, y1 = polygon.bounds()
    return min(x1 - x0, y1 - y0) < NARROW


def _points(polygon: Polygon) -> Iterator[Point]:
    """The lattice points, found along the shorter side."""
    x0, x1, y0, y1 = polygon.bounds()
    if x1 - x0 <= y1 - y0:
        yield from Lattice.from_polygon(polygon).points()
    else:
        for y, x in Lattice.from_polygon(polygon.transposed()).points():
            yield x, y


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
