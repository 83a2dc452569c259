"""Inequalities of degree two on a cone: excluded, enclosed by a plane, or left to a finer cone.

A form Q of degree two has a polar form B with Q(x) = B(x, x). On a cone every x is a sum of extreme rays with factors
of 0 or more, so that Q(x) is a sum of B(u, v) over pairs of rays: if no pair is positive, Q is not positive either.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement
from math import ceil

from assay.records import dataclass
from assay.scores.sizeless.cone import CELLS, Cone, Plane, Ray, dot

Rows = tuple[Plane, Plane, Plane, Plane]

_SCALE = 1 << 44
"""Planes that enclose curves get coefficients of about so many steps: fine enough, and rays stay short."""


@dataclass(frozen=True, slots=True)
class Curve:
    """x·(rows·x) / 2 ≥ 0, or > 0 if strict; `rows` is symmetric, so that u·(rows·v) is twice the polar form."""

    rows: Rows
    strict: bool = False

    @classmethod
    def from_form(cls, form: Callable[[int, int, int, int], int], *, strict: bool = False) -> Curve:
        """The form that these values of a polynomial of degree two determine."""
        single = [form(*_sum(i)) for i in range(CELLS)]
        rows = [
            [2 * single[i] if i == j else form(*_sum(i, j)) - single[i] - single[j] for j in range(CELLS)]
            for i in range(CELLS)
        ]
        a, b, c, d = ((row[0], row[1], row[2], row[3]) for row in rows)
        return cls((a, b, c, d), strict)

    def plane_at(self, ray: Sequence[int]) -> Plane:
        """Rows · ray."""
        a, b, c, d = (dot(row, ray) for row in self.rows)
        return a, b, c, d

    def polars(self, cone: Cone) -> list[list[int]]:
        """Twice the polar form for each pair of rays, half of them: row i holds those with rays up to i."""
        images = [self.plane_at(ray) for ray in cone.rays]
        return [[dot(images[i], cone.rays[j]) for j in range(i + 1)] for i in range(len(images))]

    def plus(self, other: Curve, factor: int = 1, other_factor: int = 1) -> Curve:
        """The sum of multiples of two forms."""
        a, b, c, d = (_combined(x, y, factor, other_factor) for x, y in zip(self.rows, other.rows, strict=True))
        return Curve((a, b, c, d), self.strict)


def _combined(one: Plane, other: Plane, factor: int, other_factor: int) -> Plane:
    a, b, c, d = (factor * x + other_factor * y for x, y in zip(one, other, strict=True))
    return a, b, c, d


def _sum(*cells: int) -> Ray:
    """The matrix with ones in these cells."""
    return int(0 in cells), int(1 in cells), int(2 in cells), int(3 in cells)


def excluded(curve: Curve, polars: Sequence[Sequence[int]], cone: Cone, positive: Sequence[Plane]) -> bool:
    """Whether the inequality fails all over the cone, as far as the sums in `positive` are positive.

    With no positive polar the form can only be 0, and that only on sums of rays on which it is 0 itself. A sum of
    cells that has to be positive, such as a denominator, may be 0 on all of these.
    """
    if any(value > 0 for row in polars for value in row):
        return False
    if curve.strict:
        return True
    zeros = [ray for ray, row in zip(cone.rays, polars, strict=True) if row[-1] == 0]
    return not zeros or any(all(dot(cells, ray) == 0 for ray in zeros) for cells in positive)


def enclosing_plane(curve: Curve, polars: Sequence[Sequence[int]], cone: Cone) -> Plane | None:
    """A plane that holds wherever the form is at least 0 on this cone; None if none was found that cuts it.

    It is the tangent in the middle of the cone, moved out by the largest remainder. That is worked out in floats and
    then verified in integers: L(u)·|v| + L(v)·|u| ≥ 2·B(u, v) for each pair of rays makes L(x)·|x| ≥ Q(x).
    """
    totals = [sum(ray) for ray in cone.rays]
    size = max(max(map(abs, row)) for row in curve.rows) or 1
    plane = _tangent([[factor / size for factor in row] for row in curve.rows], cone)
    values = [dot(plane, ray) for ray in cone.rays]
    if min(values) >= 0:
        return None
    pairs = combinations_with_replacement(range(len(values)), 2)
    sound = all(size * (values[j] * totals[i] + values[i] * totals[j]) >= _SCALE * polars[j][i] for i, j in pairs)
    return plane if sound else None


def _tangent(rows: Sequence[Sequence[float]], cone: Cone) -> Plane:
    """The tangent in the middle of the cone, moved out by the largest remainder, as far as floats tell."""
    points = [[cell / sum(ray) for cell in ray] for ray in cone.rays]
    centre = [sum(cells) / len(points) for cells in zip(*points, strict=True)]
    slope = _image(rows, centre)
    away = [[cell - middle for cell, middle in zip(point, centre, strict=True)] for point in points]
    images = [_image(rows, distance) for distance in away]
    pairs = combinations_with_replacement(range(len(points)), 2)
    most = max(_product(images[j], away[i]) for i, j in pairs) / 2
    at_centre = _product(slope, centre) / 2
    a, b, c, d = (ceil((steep - at_centre + most) * _SCALE) + 16 for steep in slope)
    return a, b, c, d


def _image(rows: Sequence[Sequence[float]], point: Sequence[float]) -> list[float]:
    return [_product(row, point) for row in rows]


def _product(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
