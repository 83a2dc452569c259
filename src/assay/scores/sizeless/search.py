"""Whether some confusion matrix of any size gives all the figures: a matrix, or the proof that there is none.

Figures of degree one bound a cone, which is empty or is not: no search. Others are searched by cutting the cone
into finer ones along the rates that scores are made of, until each is excluded or its middle fits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from math import isqrt

from assay.records import dataclass
from assay.scores.definitions import Matrix
from assay.scores.sizeless.cone import CELLS, Cone, Plane, dot
from assay.scores.sizeless.curves import Curve, enclosing_plane, excluded
from assay.scores.sizeless.requirements import (
    EVERY_CELL,
    Correlation,
    Demand,
    Requirement,
    Support,
    covariance,
    positive_sums,
)

BUDGET = 1_500
"""Cones to examine before giving up: some seconds."""

_POSITIVES, _NEGATIVES, _ALARMS, _SILENCES = (1, 1, 0, 0), (0, 0, 1, 1), (1, 0, 1, 0), (0, 1, 0, 1)
_ALL = (1, 1, 1, 1)
_TP, _TN = (1, 0, 0, 0), (0, 0, 0, 1)
_RATES: tuple[tuple[Plane, Plane], ...] = (
    (_TP, _POSITIVES),
    (_TN, _NEGATIVES),
    (_POSITIVES, _ALL),
    (_TP, _ALARMS),
    (_TN, _SILENCES),
    (_ALARMS, _ALL),
)
"""Sensitivity, specificity, prevalence, the predictive values and the share of predicted positives."""

_OF_CLASSES: tuple[Plane, Plane] = (_POSITIVES, _NEGATIVES)
_OF_PREDICTIONS: tuple[Plane, Plane] = (_ALARMS, _SILENCES)


@dataclass(frozen=True, slots=True)
class Searched:
    """A matrix that fits, or none; without one, `finished` says that there is none."""

    matrix: Matrix | None
    cones: int
    finished: bool = True


@dataclass(frozen=True, slots=True)
class _Case:
    """Matrices with the same empty cells, or without a vanishing denominator, and what is demanded of them."""

    cone: Cone
    positive: tuple[Plane, ...]
    demand: Demand


def search(requirements: Sequence[Requirement], *, budget: int = BUDGET) -> Searched:
    """A matrix of any size that satisfies all requirements."""
    cones, finished = 0, True
    for case in _cases(requirements):
        found = _in_case(case, requirements, budget - cones)
        cones += found.cones
        if found.matrix is not None:
            return Searched(found.matrix, cones)
        finished = finished and found.finished
    return Searched(None, cones, finished)


def _cases(requirements: Sequence[Requirement]) -> Iterator[_Case]:
    """First all matrices on which every score has a positive denominator, then each set of cells where one has not."""
    positive = positive_sums(requirements)
    for demands in product(*(requirement.demands(EVERY_CELL) for requirement in requirements)):
        yield _Case(_balanced(requirements), positive, _together(demands))
    for support in _supports():
        if all(requirement.is_plain(support) for requirement in requirements):
            continue
        cells = tuple((int(c == 0), int(c == 1), int(c == 2), int(c == 3)) for c in support)
        for demands in product(*(requirement.demands(support) for requirement in requirements)):
            yield _Case(Cone.on(support), cells, _together(demands))


def _supports() -> Iterator[Support]:
    chosen = chain.from_iterable(combinations(range(CELLS), size) for size in range(1, CELLS))
    return (frozenset(cells) for cells in chosen)


def _balanced(requirements: Sequence[Requirement]) -> Cone:
    """The whole cone; where no score depends on the prevalence, the part of it with classes of equal size."""
    whole = Cone.on(EVERY_CELL)
    for factors, (one, other) in (((2, 2, 1, 1), _OF_CLASSES), ((2, 1, 2, 1), _OF_PREDICTIONS)):
        if all(requirement.value_like(factors) for requirement in requirements):
            return whole.clipped(_minus(one, other)).clipped(_minus(other, one))
    return whole


def _minus(one: Plane, other: Plane) -> Plane:
    return one[0] - other[0], one[1] - other[1], one[2] - other[2], one[3] - other[3]


def _together(demands: Sequence[Demand]) -> Demand:
    return Demand(
        tuple(plane for demand in demands for plane in demand.planes),
        tuple(curve for demand in demands for curve in demand.curves),
        tuple(bound for demand in demands for bound in demand.correlations),
    )


def _in_case(case: _Case, requirements: Sequence[Requirement], budget: int) -> Searched:
    cone = case.cone
    for plane, _ in case.demand.planes:
        cone = cone.clipped(plane)
        if cone.empty:
            return Searched(None, 0)
    inner = cone.inner_ray()
    strict = [plane for plane, strict in case.demand.planes if strict]
    if any(dot(plane, inner) <= 0 for plane in (*strict, *case.positive)):
        return Searched(None, 0)
    if not case.demand.curves and not case.demand.correlations:
        return Searched(Matrix(*inner), 1)
    return _divided(cone, case, requirements, budget)


def _divided(root: Cone, case: _Case, requirements: Sequence[Requirement], budget: int) -> Searched:
    """Cut the cone in two until each part is excluded or its middle fits."""
    waiting = [root]
    cones, finished = 0, True
    while waiting:
        if cones >= budget:
            return Searched(None, cones, finished=False)
        cones += 1
        cone = _enclosed(waiting.pop(), case)
        if cone is None:
            continue
        middle = Matrix(*cone.inner_ray())
        if all(requirement.holds(middle) for requirement in requirements):
            return Searched(middle, cones)
        halves = _halves(cone)
        finished = finished and bool(halves)
        waiting += halves
    return Searched(None, cones, finished)


def _enclosed(cone: Cone, case: _Case) -> Cone | None:
    """The cone cut by planes that enclose the curves; None when a curve excludes it."""
    for curve in chain(case.demand.curves, _correlation_curves(cone, case.demand.correlations)):
        polars = curve.polars(cone)
        if excluded(curve, polars, cone, case.positive):
            return None
        plane = enclosing_plane(curve, polars, cone)
        if plane is not None:
            cone = cone.clipped(plane)
            if cone.empty or any(all(dot(cells, ray) == 0 for ray in cone.rays) for cells in case.positive):
                return None
    return cone


# --- correlations ------------------------------------------------------------------------------------

_CLASSES = Curve.from_form(lambda tp, fn, fp, tn: (tp + fn) * (fp + tn))
_PREDICTIONS = Curve.from_form(lambda tp, fn, fp, tn: (tp + fp) * (fn + tn))
_COVARIANCE = Curve.from_form(covariance)
_FINE = 1 << 30


def _correlation_curves(cone: Cone, bounds: Sequence[Correlation]) -> Iterator[Curve]:
    """Forms of degree two that hold wherever the correlation does, on this cone.

    With X = p·n and Y = (tp + fp)·(tn + fn): √(X·Y) is at most (a·X + Y/a) / 2 for any a; and where Y / X lies
    between r and s it is at least the chord of the root, (√(r·s)·X + Y) / (√r + √s). Informedness and markedness
    are at most 1, and the square of the correlation is their product, so that Y / X lies between its square and
    one over that.
    """
    if not bounds:
        return
    low, high = _margin_ratios(cone)
    for bound in bounds:
        signed = Curve(_COVARIANCE.rows).plus(_COVARIANCE, bound.sign, 0)
        if not bound.at_least:
            yield from (_at_most(signed, bound, _root(ratio)) for ratio in _middles(low, high))
        elif bound.bound:
            square = bound.bound**2
            yield _PREDICTIONS.plus(_CLASSES, square.denominator, -square.numerator)
            yield _CLASSES.plus(_PREDICTIONS, square.denominator, -square.numerator)
            least, most = max(low, square), 1 / square if high is None else min(high, 1 / square)
            if least <= most:
                yield _at_least(signed, bound, least, most)


def _margin_ratios(cone: Cone) -> tuple[Fraction, Fraction | None]:
    """Bounds of Y / X on the cone: the polar forms have none but positive terms."""
    ys, xs = _PREDICTIONS.polars(cone), _CLASSES.polars(cone)
    pairs = [(y, x) for row_y, row_x in zip(ys, xs, strict=True) for y, x in zip(row_y, row_x, strict=True)]
    if any(x == 0 and y > 0 for y, x in pairs):
        finite = [Fraction(y, x) for y, x in pairs if x]
        return min(finite, default=Fraction(0)), None
    ratios = [Fraction(y, x) for y, x in pairs if x]
    return (min(ratios), max(ratios)) if ratios else (Fraction(0), None)


def _middles(low: Fraction, high: Fraction | None) -> list[Fraction]:
    """Ratios at which to touch the root: the ends, and between them."""
    ends = [end for end in (low, high) if end]
    return [*ends, _root(low * high)] if low and high else ends or [Fraction(1)]


def _root(square: Fraction) -> Fraction:
    """A number near √square, above 0."""
    return Fraction(max(1, isqrt(square.numerator * _FINE * _FINE // square.denominator)), _FINE)


def _below_root(square: Fraction) -> Fraction:
    return Fraction(isqrt(square.numerator * _FINE * _FINE // square.denominator), _FINE)


def _at_most(signed: Curve, bound: Correlation, a: Fraction) -> Curve:
    """2·a·covariance ≤ bound · (a²·X + Y)."""
    whole = bound.bound.denominator * a.denominator**2
    right = _CLASSES.plus(_PREDICTIONS, _times(bound.bound * a * a, whole), _times(bound.bound, whole))
    return Curve(right.plus(signed, 1, -_times(2 * a, whole)).rows, bound.strict)


def _at_least(signed: Curve, bound: Correlation, low: Fraction, high: Fraction) -> Curve:
    """Covariance · (√r + √s) ≥ bound · (√(r·s)·X + Y), with roots rounded so that nothing is lost."""
    r, s = _below_root(low), _below_root(high) + Fraction(1, _FINE)
    whole = bound.bound.denominator * _FINE**2
    right = _CLASSES.plus(_PREDICTIONS, _times(bound.bound * r * s, whole), _times(bound.bound, whole))
    return Curve(signed.plus(right, _times(r + s, whole), -1).rows, bound.strict)


def _times(number: Fraction, whole: int) -> int:
    return int(number * whole)


# --- division ----------------------------------------------------------------------------------------

_STEPS = 1 << 20
_FLOOR = 1e-12
"""A cone whose rates differ by less than this is not cut again."""


def _halves(cone: Cone) -> list[Cone]:
    """The cone cut in the middle of the rate that differs most on it."""
    extents = [(*_extent(cone, rate), rate) for rate in _RATES]
    low, high, rate = max(extents, key=lambda extent: extent[1] - extent[0])
    return _cut(cone, rate, low, high) if high - low > _FLOOR else []


def _extent(cone: Cone, rate: tuple[Plane, Plane]) -> tuple[float, float]:
    """The least and the largest value of a rate; what is 0/0 on a ray takes any value next to it."""
    values = [dot(rate[0], ray) / below for ray in cone.rays if (below := dot(rate[1], ray))]
    return (min(values), max(values)) if values else (0.0, 0.0)


def _cut(cone: Cone, rate: tuple[Plane, Plane], low: float, high: float) -> list[Cone]:
    middle = Fraction(round((low + high) / 2 * _STEPS), _STEPS)
    if not low < middle < high:
        middle = Fraction((low + high) / 2)
    top, bottom = rate
    a, b, c, d = (middle.denominator * x - middle.numerator * y for x, y in zip(top, bottom, strict=True))
    return [half for half in (cone.clipped((a, b, c, d)), cone.clipped((-a, -b, -c, -d))) if not half.empty]
