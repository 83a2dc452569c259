"""What a reported figure demands of a confusion matrix of unknown size.

Where a score's denominator is positive, its interval is a pair of inequalities: of degree one for ratios of sums of
cells, of degree two for most others. Whether it is positive depends only on which cells are 0, so each choice of
empty cells is a case of its own; there a score may be infinite, or 0/0 and replaced by what people print for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import isqrt
from typing import Protocol

from assay.records import dataclass
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix, Ratio, Score
from assay.scores.exact import Interval
from assay.scores.regions import ratio_interval
from assay.scores.sizeless.cone import CELLS, Plane, Ray
from assay.scores.sizeless.curves import Curve

Support = frozenset[int]
"""The cells that are positive: 0 for tp, 1 for fn, 2 for fp, 3 for tn."""

EVERY_CELL: Support = frozenset(range(CELLS))


@dataclass(frozen=True, slots=True)
class Correlation:
    """sign · (tp·tn - fp·fn) compared with `bound` · √(p·n·(tp + fp)·(tn + fn)), for a bound of 0 or more."""

    sign: int
    bound: Fraction
    at_least: bool
    strict: bool = False


@dataclass(frozen=True, slots=True)
class Demand:
    """Inequalities that hold together: planes, curves, and those of a correlation."""

    planes: tuple[tuple[Plane, bool], ...] = ()
    curves: tuple[Curve, ...] = ()
    correlations: tuple[Correlation, ...] = ()


NOTHING = Demand()


class Requirement(Protocol):
    """A reported figure."""

    @property
    def name(self) -> str:
        """As the report calls it."""

    @property
    def printed(self) -> str:
        """As it was printed."""

    @property
    def label(self) -> str:
        """What it is."""

    @property
    def short(self) -> str:
        """The short name of the score."""

    @property
    def range(self) -> tuple[Fraction | None, Fraction | None]:
        """The least and the largest value that the score can have."""

    @property
    def interval(self) -> Interval:
        """What the printed digits leave open."""

    def holds(self, matrix: Matrix) -> bool:
        """Whether this matrix gives the figure."""

    def demands(self, support: Support) -> Sequence[Demand]:
        """The alternatives on matrices whose positive cells are these; none if no such matrix fits."""

    def is_plain(self, support: Support) -> bool:
        """Whether the score has a positive denominator there."""

    def within(self, interval: Interval) -> Requirement:
        """The same score with another interval."""

    def value_like(self, factors: Ray) -> bool:
        """Whether multiplying the cells by these factors leaves the score as it is."""


@dataclass(frozen=True, slots=True)
class ScoreRequirement:
    """A score of the confusion matrix."""

    constraint: Constraint

    @property
    def name(self) -> str:
        """As the report calls it."""
        return self.constraint.name or self.constraint.score.name

    @property
    def printed(self) -> str:
        """As it was printed."""
        return self.constraint.printed or str(self.constraint.interval)

    @property
    def label(self) -> str:
        """What it is."""
        return self.constraint.score.label

    @property
    def short(self) -> str:
        """The short name of the score."""
        return self.constraint.score.name

    @property
    def range(self) -> tuple[Fraction | None, Fraction | None]:
        """The least and the largest value that the score can have."""
        return self.constraint.score.low, self.constraint.score.high

    @property
    def interval(self) -> Interval:
        """What the printed digits leave open."""
        return self.constraint.interval

    def holds(self, matrix: Matrix) -> bool:
        """Whether this matrix gives the figure."""
        return self.constraint.holds(matrix)

    def is_plain(self, support: Support) -> bool:
        """Whether the score has a positive denominator there."""
        return self.constraint.score.ratio(*_sample(support))[1] > 0

    def within(self, interval: Interval) -> ScoreRequirement:
        """The same score with another interval; 0/0 does not count there."""
        return ScoreRequirement(Constraint(self.constraint.score, interval, (), self.name))

    def value_like(self, factors: Ray) -> bool:
        """Whether multiplying the cells by these factors leaves the score as it is."""
        matrix = Matrix(2, 3, 5, 7)
        changed = Matrix(*(factor * cell for factor, cell in zip(factors, matrix, strict=True)))
        return self.constraint.score.value(matrix) == self.constraint.score.value(changed)

    def demands(self, support: Support) -> Sequence[Demand]:
        """The alternatives on matrices whose positive cells are these."""
        constraint, sample = self.constraint, Matrix(*_sample(support))
        if self.is_plain(support):
            return tuple(_finite(constraint.score, constraint.interval))
        if constraint.score.value(sample) is not None:
            return (NOTHING,) if constraint.holds(sample) else ()
        return tuple(_substituted(constraint, sample))


def _substituted(constraint: Constraint, sample: Matrix) -> Iterator[Demand]:
    """Where the score is 0/0, one of the values that people print must fit.

    A value that is the same for two matrices of these cells is a constant.
    """
    other = Matrix(*(cell * factor for cell, factor in zip(sample, (3, 5, 7, 11), strict=True)))
    for substitute in constraint.substitutes:
        (top, bottom), (other_top, other_bottom) = substitute(*sample), substitute(*other)
        if not bottom:
            continue
        if top * other_bottom == other_top * bottom:
            if Fraction(top, bottom) in constraint.interval:
                yield NOTHING
                return
        elif not constraint.interval.infinite:
            yield _bounded(substitute, 1, constraint.interval)


def _finite(score: Score, interval: Interval) -> Iterator[Demand]:
    ratio = ratio_interval(score.shape, interval)
    if ratio is None:
        return
    degree = _degree(score.ratio)
    if degree <= 2:
        yield _bounded(score.ratio, degree, ratio)
    else:
        yield from _correlated(score, interval)


def _degree(ratio: Ratio) -> int:
    """How numerator and denominator grow with the matrix."""
    bottom, doubled = ratio(2, 3, 5, 7)[1], ratio(4, 6, 10, 14)[1]
    return {1: 0, 2: 1, 4: 2}.get(doubled // bottom, 4)


def _bounded(ratio: Ratio, degree: int, interval: Interval) -> Demand:
    """That the ratio lies in the interval, where its denominator is positive."""
    planes: list[tuple[Plane, bool]] = []
    curves: list[Curve] = []
    for bound, sign, strict in ((interval.lo, 1, interval.lo_open), (interval.hi, -1, interval.hi_open)):
        if bound is None:
            continue
        form = _difference(ratio, sign * bound.denominator, -sign * bound.numerator)
        if degree == 1:
            planes.append((_plane(form), strict))
        else:
            curves.append(Curve.from_form(form, strict=strict))
    return Demand(tuple(planes), tuple(curves))


def _difference(ratio: Ratio, up: int, down: int) -> Callable[[int, int, int, int], int]:
    def form(tp: int, fn: int, fp: int, tn: int) -> int:
        top, bottom = ratio(tp, fn, fp, tn)
        return up * top + down * bottom

    return form


def _plane(form: Callable[[int, int, int, int], int]) -> Plane:
    return form(1, 0, 0, 0), form(0, 1, 0, 0), form(0, 0, 1, 0), form(0, 0, 0, 1)


def covariance(tp: int, fn: int, fp: int, tn: int) -> int:
    """The numerator of Matthews' correlation coefficient."""
    return tp * tn - fp * fn


def _correlated(score: Score, interval: Interval) -> Iterator[Demand]:
    """A correlation on either side of 0; its square is the square of the covariance over the four margins."""
    if isqrt(abs(score.ratio(2, 3, 5, 7)[0])) != abs(covariance(2, 3, 5, 7)):
        raise AssertionError(f"{score.name} is no correlation of the two margins")
    lo, hi = interval.lo, interval.hi
    for sign, least, most, least_open, most_open in (
        (1, lo, hi, interval.lo_open, interval.hi_open),
        (-1, None if hi is None else -hi, None if lo is None else -lo, interval.hi_open, interval.lo_open),
    ):
        if most is not None and most < 0:
            continue
        bounds = [Correlation(sign, most, at_least=False, strict=most_open)] if most is not None else []
        if least is not None and least >= 0:
            bounds.append(Correlation(sign, least, at_least=True, strict=least_open))
        signed = Curve.from_form(lambda tp, fn, fp, tn, sign=sign: sign * covariance(tp, fn, fp, tn))  # type: ignore[misc]
        yield Demand((), (signed,), tuple(bounds))


def _sample(support: Support) -> Ray:
    return int(0 in support), int(1 in support), int(2 in support), int(3 in support)


@dataclass(frozen=True, slots=True)
class AreaRequirement:
    """The area under a ROC curve that passes through the matrix's point: between two staircases.

    The point (1 - specificity, sensitivity) leaves an area from sens·spec to 1 - (1 - sens)·(1 - spec).
    """

    name: str
    printed: str
    interval: Interval
    label: str = "area under the ROC curve"
    short: str = "auc"
    range: tuple[Fraction | None, Fraction | None] = (Fraction(0), Fraction(1))

    def holds(self, matrix: Matrix) -> bool:
        """Whether some ranking with this matrix as a threshold has the area; without both classes there is none."""
        pairs = matrix.p * matrix.n
        if not pairs:
            return True
        least, most = Fraction(matrix.tp * matrix.tn, pairs), 1 - Fraction(matrix.fn * matrix.fp, pairs)
        return not self.interval.intersect(Interval(least, most)).empty

    def is_plain(self, support: Support) -> bool:
        """Whether both classes occur."""
        return bool(support & {0, 1}) and bool(support & {2, 3})

    def within(self, interval: Interval) -> AreaRequirement:
        """The same area with another interval."""
        return AreaRequirement(self.name, self.printed, interval)

    def value_like(self, factors: Ray) -> bool:
        """Each class counts for itself."""
        return factors[0] == factors[1] and factors[2] == factors[3]

    def demands(self, support: Support) -> Sequence[Demand]:
        """The alternatives on matrices whose positive cells are these."""
        if not self.is_plain(support):
            return (NOTHING,)
        curves = []
        lo, hi = self.interval.lo, self.interval.hi
        if hi is not None:
            below = _difference(lambda tp, fn, fp, tn: (tp * tn, (tp + fn) * (fp + tn)), -hi.denominator, hi.numerator)
            curves.append(Curve.from_form(below, strict=self.interval.hi_open))
        if lo is not None:
            rest = 1 - lo
            above = _difference(
                lambda tp, fn, fp, tn: (fn * fp, (tp + fn) * (fp + tn)), -rest.denominator, rest.numerator
            )
            curves.append(Curve.from_form(above, strict=self.interval.lo_open))
        return (Demand((), tuple(curves)),)


def positive_sums(requirements: Sequence[Requirement]) -> tuple[Plane, ...]:
    """The smallest sums of cells that are positive wherever every score has a positive denominator."""
    found: list[Support] = []
    for size in range(1, CELLS):
        for cells in map(frozenset, combinations(range(CELLS), size)):
            needed = any(not requirement.is_plain(EVERY_CELL - cells) for requirement in requirements)
            if needed and not any(smaller <= cells for smaller in found):
                found.append(cells)
    return tuple(_sample(cells) for cells in found)
