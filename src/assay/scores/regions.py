"""What reported scores say about (tp, tn) once the numbers of positives and negatives are known.

A score in an interval is a pair of inequalities: half-planes where the score is a ratio of affine
forms, conics otherwise. Where a denominator is 0 the score is infinite or 0/0 instead. That happens
only at corners and on whole sides of the box 0 ≤ tp ≤ p, 0 ≤ tn ≤ n, so these are peeled off: on each
part of the box every score is of one kind. The parts are disjoint, and so are the alternatives within
a part, hence counts add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import isqrt

from assay.records import dataclass
from assay.scores.boxes import Form, Found, search
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix, Ratio, Shape
from assay.scores.exact import Interval
from assay.scores.polygon import Box, Lattice, Plane, Point, Polygon


@dataclass(frozen=True, slots=True)
class Region:
    """Inequalities that hold together: half-planes, and forms of degree two that are at least 0."""

    planes: tuple[Plane, ...] = ()
    curves: tuple[Form, ...] = ()

    @classmethod
    def from_forms(cls, forms: Iterable[Form]) -> Region:
        """Where all the forms are at least 0."""
        planes, curves = [], []
        for form in forms:
            if form.straight:
                planes.append(form.plane())
            else:
                curves.append(form)
        return cls(tuple(planes), tuple(curves))


Alternatives = tuple[Region, ...]
"""Disjoint ways to satisfy a statement."""

NEVER: Alternatives = ()
ALWAYS: Alternatives = (Region(),)


def matrix_at(point: Point, p: int, n: int) -> Matrix:
    """The confusion matrix with these true positives and true negatives."""
    tp, tn = point
    return Matrix(tp, p - tp, n - tn, tn)


@dataclass(frozen=True, slots=True)
class Statement:
    """What one constraint says about the matrices of p positives and n negatives.

    `finite` are the alternatives where the denominator is positive, which `everywhere` says is the whole box.
    """

    constraint: Constraint
    p: int
    n: int
    finite: Alternatives
    everywhere: bool

    @classmethod
    def from_constraint(cls, constraint: Constraint, p: int, n: int) -> Statement:
        """The constraint for these sizes."""
        if constraint.score.affine and constraint.score.shape is Shape.RATIO and not constraint.interval.infinite:
            return cls._affine(constraint, p, n)
        finite = tuple(Region.from_forms(forms) for forms in finite_forms(constraint, p, n))
        ratio = constraint.score.ratio
        everywhere = all(ratio(tp, p - tp, n - tn, tn)[1] for tp in (0, p) for tn in (0, n))
        return cls(constraint, p, n, finite, everywhere)

    @classmethod
    def _affine(cls, constraint: Constraint, p: int, n: int) -> Statement:
        """The same, in less time, for the scores that are met most: quotients of affine forms."""
        ratio, interval = constraint.score.ratio, constraint.interval
        (top, bottom), at_x, at_y = ratio(0, p, n, 0), ratio(1, p - 1, n, 0), ratio(0, p, n - 1, 1)
        x, below_x, y, below_y = at_x[0] - top, at_x[1] - bottom, at_y[0] - top, at_y[1] - bottom
        planes = []
        for bound, sign, strict in ((interval.lo, 1, interval.lo_open), (interval.hi, -1, interval.hi_open)):
            if bound is not None:
                up, down = sign * bound.denominator, -sign * bound.numerator
                form = Form(up * top + down * bottom - strict, up * x + down * below_x, up * y + down * below_y)
                planes.append(form.plane())
        corners = (bottom, bottom + below_x * p, bottom + below_y * n, bottom + below_x * p + below_y * n)
        return cls(constraint, p, n, (Region(tuple(planes)),), all(corners))

    def is_finite(self, tp: int, tn: int) -> bool:
        """Whether the score has a positive denominator there."""
        return self.constraint.score.ratio(tp, self.p - tp, self.n - tn, tn)[1] > 0

    def on_part(self, tp: int, tn: int) -> Alternatives:
        """The alternatives on the part of the box that this point belongs to."""
        if self.everywhere or self.is_finite(tp, tn):
            return self.finite
        matrix = matrix_at((tp, tn), self.p, self.n)
        if self.constraint.score.value(matrix) is None:
            return self._undefined(matrix)
        return ALWAYS if self.constraint.holds(matrix) else NEVER

    def _undefined(self, sample: Matrix) -> Alternatives:
        """Where the score is 0/0, one of its substitutes must fit.

        Constants are settled by the sample. At most one substitute of a score varies over a part (the recall of
        the class that occurs), so that no matrix counts twice.
        """
        interval, varying = self.constraint.interval, NEVER
        for substitute in self.constraint.substitutes:
            top, bottom = polynomials(substitute, self.p, self.n)
            if not any(top[1:] + bottom[1:]):
                if bottom.one and Fraction(top.one, bottom.one) in interval:
                    return ALWAYS
            elif bottom.at(sample.tp, sample.tn) and not interval.infinite:
                varying = (Region.from_forms(_within(top, bottom, interval)),)
        return varying


def finite_forms(constraint: Constraint, p: int, n: int) -> Iterator[tuple[Form, ...]]:
    """The disjoint alternatives, each a set of forms to be at least 0, where the score's denominator is positive."""
    score = constraint.score
    ratio = ratio_interval(score.shape, constraint.interval)
    if ratio is None:
        return
    if score.shape is not Shape.ROOT or score.low == 0:
        yield tuple(_within(*polynomials(score.ratio, p, n), ratio))
        return

    # A signed root: its numerator is m·|m| with m affine, a polynomial on either side of m = 0.
    def rooted(tp: int, fn: int, fp: int, tn: int) -> tuple[int, int]:
        numerator, denominator = score.ratio(tp, fn, fp, tn)
        return (isqrt(numerator) if numerator >= 0 else -isqrt(-numerator)), denominator

    m, bottom = polynomials(rooted, p, n)
    square = Form(m.one**2, 2 * m.one * m.x, 2 * m.one * m.y, m.x**2, 2 * m.x * m.y, m.y**2)
    if ratio.hi is None or ratio.hi >= 0:
        yield m, *_within(square, bottom, ratio)
    if ratio.lo is None or ratio.lo < 0:
        negative = Form(*(-coefficient for coefficient in square))
        yield Form(-1 - m.one, -m.x, -m.y), *_within(negative, bottom, ratio)


def ratio_interval(shape: Shape, interval: Interval) -> Interval | None:
    """The finite ratios for which a score of this shape lies in the interval; None when there are none."""
    if interval.infinite:
        return None
    lo, hi = interval.lo, interval.hi
    if shape is Shape.RATIO:
        return interval
    if shape is Shape.ROOT:
        squared = [None if bound is None else bound * abs(bound) for bound in (lo, hi)]
        return Interval(squared[0], squared[1], interval.lo_open, interval.hi_open)
    return _inverse_root_ratios(interval)


def _inverse_root_ratios(interval: Interval) -> Interval | None:
    """The ratios r with 1/(1 + √r) in the interval; that is in (0, 1] and falls with r."""
    lo, hi = interval.lo, interval.hi
    if (lo is not None and lo > 1) or (hi is not None and hi <= 0):
        return None
    least = None if hi is None or hi > 1 else ((1 - hi) / hi) ** 2
    most = None if lo is None or lo <= 0 else ((1 - lo) / lo) ** 2
    return Interval(least, most, interval.hi_open, interval.lo_open)


def polynomials(ratio: Ratio, p: int, n: int) -> tuple[Form, Form]:
    """Numerator and denominator as the polynomials in (tp, tn), of degree two at most, that they are."""
    places = ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2))
    values = [ratio(tp, p - tp, n - tn, tn) for tp, tn in places]
    return _through([top for top, _ in values]), _through([bottom for _, bottom in values])


def _through(values: Sequence[int]) -> Form:
    """The polynomial with these values at (0, 0), (1, 0), (0, 1), (1, 1), (2, 0) and (0, 2)."""
    one, x, y, xy, x2, y2 = values
    xx, yy = (x2 - 2 * x + one) // 2, (y2 - 2 * y + one) // 2
    return Form(one, x - one - xx, y - one - yy, xx, xy - x - y + one, yy)


def _within(top: Form, bottom: Form, ratio: Interval) -> Iterator[Form]:
    """That top / bottom lies in the interval, for a positive bottom."""
    if ratio.lo is not None:
        yield _at_least(top, bottom, ratio.lo, 1, strict=ratio.lo_open)
    if ratio.hi is not None:
        yield _at_least(top, bottom, ratio.hi, -1, strict=ratio.hi_open)


def _at_least(top: Form, bottom: Form, bound: Fraction, sign: int, *, strict: bool) -> Form:
    """That sign · (top / bottom - bound) ≥ 0; in integers, greater than 0 means at least 1."""
    form = top.combined(sign * bound.denominator, bottom, -sign * bound.numerator)
    return form._replace(one=form.one - 1) if strict else form


def explore(p: int, n: int, statements: Sequence[Statement], *, max_boxes: int = 20_000, counting: int = 50) -> Found:
    """A matrix of p positives and n negatives that satisfies every statement, and how many there are.

    With `counting` 0 the first matrix ends the search; otherwise so many boxes may go into the count.
    """
    point: Point | None = None
    count: int | None = 0
    boxes, finished = 0, True
    for box, regions in _cases(p, n, statements):
        limit = max_boxes if point is None else counting
        found = _in_part(box, regions, max(0, limit - boxes), max(0, counting - boxes))
        boxes += found.boxes
        finished = finished and found.finished
        point = point or found.point
        count = None if count is None or found.count is None else count + found.count
        if point is not None and (not counting or count is None):
            return Found(point, None, boxes)
    return Found(point, count, boxes, finished)


def _cases(p: int, n: int, statements: Sequence[Statement]) -> Iterator[tuple[Box, tuple[Region, ...]]]:
    """Every part of the box with one alternative of each statement."""
    for box in _parts(p, n, statements):
        for regions in product(*(statement.on_part(box[0], box[2]) for statement in statements)):
            yield box, regions


def _parts(p: int, n: int, statements: Sequence[Statement]) -> Iterator[Box]:
    """The box without the sides and corners where a denominator is 0, then those sides and corners."""
    partial = [statement for statement in statements if not statement.everywhere]

    def special(*points: Point) -> bool:
        return any(not statement.is_finite(tp, tn) for statement in partial for tp, tn in points)

    columns = _peeled(p, [tp for tp in sorted({0, p}) if special((tp, 0), (tp, n))])
    for x0, x1 in columns:
        rows = _peeled(n, [tn for tn in sorted({0, n}) if special((x0, tn), (x1, tn))])
        yield from ((x0, x1, y0, y1) for y0, y1 in rows)


def _peeled(size: int, ends: Sequence[int]) -> list[tuple[int, int]]:
    """The range 0 … size without these ends, then the ends."""
    first, last = int(0 in ends), size - (size in ends)
    return ([(first, last)] if first <= last else []) + [(end, end) for end in ends]


def _in_part(box: Box, regions: Sequence[Region], max_boxes: int, counting: int) -> Found:
    polygon = Polygon.of_box(box)
    for region in regions:
        polygon = polygon.clipped(region.planes)
        if polygon.empty:
            return Found(None, 0, 0)
    curves = [curve for region in regions for curve in region.curves]
    if curves:
        return search(polygon, curves, max_boxes=max_boxes, counting=counting)
    lattice = Lattice.from_polygon(polygon)
    return Found(lattice.point(0), lattice.count(), 0)
