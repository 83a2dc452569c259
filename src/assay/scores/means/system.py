"""Means of linear scores as linear statements about whole numbers.

Equal parts enter the mean of a linear score only through the totals of their true positives and
true negatives, so a hundred folds of three kinds are six whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix, Ratio
from assay.scores.exact import Interval
from assay.scores.means.problem import Convention, Part, Reported, shares

LINEAR = frozenset({"acc", "sens", "spec", "bacc", "bm", "prevalence", "ppr", "tp", "fn", "fp", "tn"})
"""Scores that are linear in (tp, tn) once p and n are fixed."""


@dataclass(frozen=True, slots=True)
class Row:
    """A reported mean as constant + Σ coefficient · total, with totals tp, tn, tp, tn, … of the parts in turn."""

    one: Reported
    constant: Fraction
    coefficients: tuple[Fraction, ...]

    @property
    def unit(self) -> Fraction:
        """The mean is the constant plus a whole multiple of this (0 when it does not vary)."""
        scale = math.lcm(*(c.denominator for c in self.coefficients))
        return Fraction(math.gcd(*(int(c * scale) for c in self.coefficients)), scale)

    def extremes(self, limits: Sequence[int]) -> tuple[Fraction, Fraction]:
        """The least and the greatest mean that totals within their limits can give."""
        parts = [c * limit for c, limit in zip(self.coefficients, limits, strict=True)]
        low, high = sum(x for x in parts if x < 0), sum(x for x in parts if x > 0)
        return self.constant + low, self.constant + high

    def scaled(self, limits: Sequence[int]) -> Scaled:
        """The same statement in whole numbers."""
        interval = self.one.mean
        low = None if interval.lo is None else interval.lo - self.constant
        high = None if interval.hi is None else interval.hi - self.constant
        return scaled(self.coefficients, Interval(low, high, interval.lo_open, interval.hi_open), limits)


@dataclass(frozen=True, slots=True)
class Scaled:
    """low ≤ Σ coefficient · total ≤ high, in whole numbers."""

    coefficients: tuple[int, ...]
    low: int
    high: int

    @property
    def hits_a_step(self) -> bool:
        """Whether some whole multiple of the coefficients' greatest common divisor lies between the ends."""
        step = math.gcd(*self.coefficients)
        return self.high // step * step >= self.low if step else self.low <= 0 <= self.high


def scaled(coefficients: Sequence[Fraction], interval: Interval, limits: Sequence[int]) -> Scaled:
    """Σ coefficient · total ∈ interval in whole numbers, ends included; a missing end is the reachable extreme."""
    scale = math.lcm(*(c.denominator for c in coefficients))
    whole = tuple(c.numerator * (scale // c.denominator) for c in coefficients)
    low = sum(min(0, c) * limit for c, limit in zip(whole, limits, strict=True))
    high = sum(max(0, c) * limit for c, limit in zip(whole, limits, strict=True))
    if interval.lo is not None:
        least = scale * interval.lo
        low = max(low, math.floor(least) + 1 if interval.lo_open else math.ceil(least))
    if interval.hi is not None:
        most = scale * interval.hi
        high = min(high, math.ceil(most) - 1 if interval.hi_open else math.floor(most))
    return Scaled(whole, low, high)


@dataclass(frozen=True, slots=True)
class System:
    """Linear statements about the totals of each kind of part; each total runs from 0 to its limit."""

    parts: tuple[Part, ...]
    limits: tuple[int, ...]
    rows: tuple[Row, ...]

    def matrices(self, totals: Sequence[int]) -> tuple[Matrix, ...]:
        """One matrix for each single part: the totals spread evenly over equal parts."""
        found = []
        for index, part in enumerate(self.parts):
            true_positives, true_negatives = totals[2 * index], totals[2 * index + 1]
            for i in range(part.count):
                tp, tn = (true_positives + i) // part.count, (true_negatives + i) // part.count
                found.append(Matrix(tp, part.p - tp, part.n - tn, tn))
        return tuple(found)


def is_linear(one: Reported) -> bool:
    """Whether the mean of this score is linear in the totals."""
    return one.score.name in LINEAR and not one.mean.infinite


@lru_cache(maxsize=10_000)
def form(ratio: Ratio, p: int, n: int) -> tuple[Fraction, Fraction, Fraction] | None:
    """A linear score on p + n items as (constant, factor of tp, factor of tn), None where it is 0/0.

    The rows of the score table are polynomials, so that the matrix with one more true positive may be
    used even where there is no positive at all.
    """
    (start, bottom), (with_tp, _), (with_tn, _) = ratio(0, p, n, 0), ratio(1, p - 1, n, 0), ratio(0, p, n - 1, 1)
    if bottom == 0:
        return None
    return Fraction(start, bottom), Fraction(with_tp - start, bottom), Fraction(with_tn - start, bottom)


def build(parts: Sequence[Part], reported: Sequence[Reported], conventions: Sequence[Convention]) -> System | str:
    """The system under one convention for each score; a sentence where a convention rules the parts out."""
    rows = []
    for one, convention in zip(reported, conventions, strict=True):
        row = _row_under(convention, one, parts)
        if isinstance(row, str):
            return row
        rows.append(row)
    limits = tuple(limit for part in parts for limit in (part.count * part.p, part.count * part.n))
    return System(tuple(parts), limits, tuple(rows))


def _row_under(convention: Convention, one: Reported, parts: Sequence[Part]) -> Row | str:
    """The row of one score; a sentence where the convention leaves it without a mean."""
    forms = [form(one.score.ratio, part.p, part.n) for part in parts]
    counted = [f is not None or convention is not Undefined.SKIP for f in forms]
    if not any(counted):
        return f"{one.name} is 0/0 on every part, so that it has no mean."
    if convention is Undefined.NEVER and None in forms:
        part = parts[forms.index(None)]
        return f"{one.name} is 0/0 on the part with {part.p} positives and {part.n} negatives, so that it has no mean."
    if not isinstance(convention, Undefined):
        forms = [f or form(convention, part.p, part.n) for f, part in zip(forms, parts, strict=True)]
    return _row(one, parts, forms, counted)


def _row(
    one: Reported,
    parts: Sequence[Part],
    forms: Sequence[tuple[Fraction, Fraction, Fraction] | None],
    counted: Sequence[bool],
) -> Row:
    constant, coefficients = Fraction(0), []
    for part, found, share in zip(parts, forms, shares(parts, counted), strict=True):
        start, tp, tn = found or (Fraction(0),) * 3
        if start:
            constant += share * start * part.count
        coefficients += [share * tp if tp else tp, share * tn if tn else tn]
    return Row(one, constant, tuple(coefficients))
