"""Lattice points of a convex polygon, counted without visiting them.

The confusion matrices of p positives and n negatives are the lattice points (tp, tn) of a box. A
score whose numerator and denominator are affine in (tp, tn) cuts that box by half-planes with integer
coefficients, so "which matrices fit" is "which lattice points lie in a convex polygon". A floor-sum
(Euclid's algorithm on the slope of an edge) counts them in a time that does not depend on the size
of the test set. Everything is done in integers: a vertex is kept as (X, Y, W), the point (X/W, Y/W).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.records import dataclass

Plane = tuple[int, int, int]
"""(a, b, c): the half-plane a·x + b·y ≥ c."""
Vertex = tuple[int, int, int]
"""(X, Y, W) with W > 0: the point (X/W, Y/W)."""
Box = tuple[int, int, int, int]
"""(x0, x1, y0, y1), ends included."""
Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Polygon:
    """A bounded convex polygon, perhaps only a segment, a point or nothing.

    `vertices` go round it; `edges[i]` is the half-plane whose border leads from vertex i to the next.
    """

    vertices: tuple[Vertex, ...]
    edges: tuple[Plane, ...]

    @classmethod
    def of_box(cls, box: Box) -> Polygon:
        """The box itself."""
        x0, x1, y0, y1 = box
        return cls(
            ((x0, y0, 1), (x1, y0, 1), (x1, y1, 1), (x0, y1, 1)),
            ((0, 1, y0), (-1, 0, -x1), (0, -1, -y1), (1, 0, x0)),
        )

    @property
    def empty(self) -> bool:
        """True when not even a real point is inside."""
        return not self.vertices

    def clipped(self, planes: Iterable[Plane]) -> Polygon:
        """The part that lies in all the half-planes as well."""
        vertices, edges = self.vertices, self.edges
        for plane in planes:
            a, b, c = plane
            sides = [a * x + b * y - c * w for x, y, w in vertices]
            if not sides or max(sides) < 0:
                return NOTHING
            if min(sides) < 0:
                vertices, edges = _cut(vertices, edges, plane, sides)
        return self if vertices is self.vertices else Polygon(vertices, edges)

    def lies_in(self, plane: Plane) -> bool:
        """Whether all of it is in the half-plane."""
        a, b, c = plane
        return all(a * x + b * y >= c * w for x, y, w in self.vertices)

    def bounds(self) -> Box:
        """The smallest box around the lattice points that could be inside; x0 > x1 or y0 > y1 when there are none."""
        return (
            min([-(-x // w) for x, _, w in self.vertices]),
            max([x // w for x, _, w in self.vertices]),
            min([-(-y // w) for _, y, w in self.vertices]),
            max([y // w for _, y, w in self.vertices]),
        )

    def transposed(self) -> Polygon:
        """The mirror image with x and y exchanged."""
        return Polygon(tuple((y, x, w) for x, y, w in self.vertices), tuple((b, a, c) for a, b, c in self.edges))


NOTHING = Polygon((), ())


def _cut(
    vertices: tuple[Vertex, ...], edges: tuple[Plane, ...], plane: Plane, sides: list[int]
) -> tuple[tuple[Vertex, ...], tuple[Plane, ...]]:
    """Clip by one half-plane; the sign of `sides` says on which side of its border each vertex lies.

    New vertices come from the lines of edges, not from old vertices, so that numbers do not grow from cut to cut.
    """
    kept: list[Vertex] = []
    borders: list[Plane] = []
    for vertex, edge, side, following in zip(vertices, edges, sides, sides[1:] + sides[:1], strict=True):
        if side >= 0:
            kept.append(vertex)
            borders.append(plane if side == 0 > following else edge)
        if (side > 0 > following) or (side < 0 < following):
            kept.append(_crossing(edge, plane))
            borders.append(plane if side > 0 else edge)
    return tuple(kept), tuple(borders)


def _crossing(one: Plane, other: Plane) -> Vertex:
    (a, b, c), (d, e, f) = one, other
    w = a * e - d * b
    x, y = c * e - f * b, a * f - d * c
    return (x, y, w) if w > 0 else (-x, -y, -w)


@dataclass(frozen=True, slots=True)
class Lattice:
    """The lattice points of a polygon, ordered by x and then by y.

    A `run` (first, last, a, c, m) says: in the columns first…last this edge adds ⌊(a·x - c) / m⌋ to the
    number of points. Runs of lower and of upper edges each cover every column but the first.
    """

    box: Box
    edges: tuple[Plane, ...]
    runs: tuple[tuple[int, int, int, int, int], ...]

    @classmethod
    def from_polygon(cls, polygon: Polygon) -> Lattice:
        """The lattice points of this polygon."""
        if polygon.empty:
            return cls((1, 0, 1, 0), (), ())
        box = polygon.bounds()
        floors = [x // w for x, _, w in polygon.vertices]
        runs = []
        for (a, b, c), start, end in zip(polygon.edges, floors, floors[1:] + floors[:1], strict=True):
            first, last = max(min(start, end), box[0]) + 1, max(start, end)
            if b and first <= last:
                runs.append((first, last, a, c, abs(b)))
        return cls(box, tuple(edge for edge in polygon.edges if edge[1]), tuple(runs))

    @property
    def columns(self) -> int:
        """How many columns the points lie in, at the most."""
        return self.box[1] - self.box[0] + 1

    def column(self, x: int) -> tuple[int, int]:
        """The lowest and highest y of the points in column x (which must be in the box); none when lowest > highest."""
        _, _, low, high = self.box
        for a, b, c in self.edges:  # comparisons instead of max and min: a search spends most of its time here
            if b > 0:
                border = -((a * x - c) // b)
                low = max(low, border)
            else:
                border = (a * x - c) // -b
                high = min(high, border)
        return low, high

    def count(self, last: int | None = None) -> int:
        """How many points there are, or how many up to column `last`."""
        x0, x1, y0, y1 = self.box
        if last is not None:
            x1 = min(x1, last)
        if x0 > x1 or y0 > y1:
            return 0
        low, high = self.column(x0)
        total = max(0, high - low + 1) + x1 - x0
        for start, end, a, c, m in self.runs:
            if start <= x1:
                total += floor_sum(min(end, x1) - start + 1, m, a, a * start - c)
        return total

    def point(self, k: int) -> Point | None:
        """The k-th point, counted from 0: stride out from the left until k points are passed, then bisect back."""
        x0, x1, _, _ = self.box
        passed, before, reached, stride = x0 - 1, 0, x0, 1
        while (count := self.count(reached)) <= k:
            if reached >= x1:
                return None
            passed, before = reached, count
            reached, stride = min(x1, reached + stride), 2 * stride
        while reached - passed > 1:
            middle = (passed + reached) // 2
            count = self.count(middle)
            if count <= k:
                passed, before = middle, count
            else:
                reached = middle
        return reached, self.column(reached)[0] + k - before

    def points(self) -> Iterator[Point]:
        """All points in order; meant for small numbers of them."""
        x0, x1, y0, y1 = self.box
        if y0 > y1:
            return
        if x1 - x0 >= _SCANNED:
            yield from (point for k in range(self.count()) if (point := self.point(k)) is not None)
            return
        for x in range(x0, x1 + 1):
            low, high = self.column(x)
            for y in range(low, high + 1):
                yield x, y


_SCANNED = 1024
"""Up to so many columns it is quicker to look into each than to compute where the next point is."""


def floor_sum(n: int, m: int, a: int, b: int) -> int:
    """Σ ⌊(a·i + b) / m⌋ over i = 0 … n-1, for m > 0, by swapping slope and modulus as in Euclid's algorithm."""
    total = 0
    while n > 0:
        q, a = divmod(a, m)
        r, b = divmod(b, m)
        total += q * (n * (n - 1) // 2) + r * n
        n, b = divmod(a * n + b, m)
        a, m = m, a
    return total
