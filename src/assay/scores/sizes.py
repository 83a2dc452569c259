"""Test sets that fit when a report does not say how large its test set was.

Two cheap tests rule out most sizes before a pair of them is examined. One score alone may do it:
sensitivity .450 needs a number of positives of which some whole count is a share of .450, whatever the
negatives. And most scores are ratios of sums of cells, so that together they leave a cone of matrices,
which has a smallest and a largest prevalence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from fractions import Fraction
from itertools import chain, combinations
from math import ceil, floor

from assay.records import dataclass
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix, Score, Shape
from assay.scores.regions import Statement, explore, matrix_at

SHARES_OF_ALL = frozenset({"acc", "ppr"})
"""Scores whose values depend on p + n only: any whole number of all items, over all items."""

Cells = tuple[int, int, int, int]
"""Factors of tp, fn, fp and tn."""


def fitting_sizes(
    constraints: Sequence[Constraint], limit: int, *, p: int | None = None, n: int | None = None
) -> Iterator[tuple[int, int, Matrix]]:
    """Every (p, n) with 1 ≤ p + n ≤ limit that some matrix fits, with that matrix.

    Smallest first: ordered by p + n and then by p. `p` or `n` fixes what is known.
    """
    prevalence = prevalence_range(constraints)
    if prevalence is None:
        return
    totals, positives, negatives = _sieves(constraints)
    possible = filter(totals.__contains__, range(max(1, (p or 0) + (n or 0)), limit + 1))
    for some, rest in chain.from_iterable(_divisions(total, prevalence, p, n) for total in possible):
        matrix = _fitting(some, rest, constraints) if some in positives and rest in negatives else None
        if matrix is not None:
            yield some, rest, matrix


def _divisions(
    total: int, prevalence: tuple[Fraction, Fraction], p: int | None, n: int | None
) -> Iterator[tuple[int, int]]:
    """The positives and negatives into which so many items may be divided."""
    fewest, most = ceil(prevalence[0] * total), floor(prevalence[1] * total)
    known = [size for size in (p, None if n is None else total - n) if size is not None]
    for some in range(max(fewest, *known, fewest), min(most, *known, most) + 1):
        yield some, total - some


def _sieves(constraints: Sequence[Constraint]) -> tuple[_Sieve, _Sieve, _Sieve]:
    """What scores that hang on one size alone say of the total, of the positives and of the negatives."""
    totals = [c for c in constraints if c.score.name in SHARES_OF_ALL]
    positives, negatives = (
        [c for c in constraints if c.score.rises[one] and not c.score.rises[1 - one]] for one in (0, 1)
    )
    return _Sieve(totals, (1, 0)), _Sieve(positives, (1, 0)), _Sieve(negatives, (0, 1))


@dataclass(frozen=True, slots=True)
class _Sieve:
    """Sizes that constraints allow which hang on that size alone; tested on a set of one class only."""

    constraints: Sequence[Constraint]
    one_class: tuple[int, int]
    known: dict[int, bool] = field(default_factory=dict)

    def __contains__(self, size: int) -> bool:
        if size not in self.known:
            p, n = size * self.one_class[0], size * self.one_class[1]
            self.known[size] = all(_fitting(p, n, [constraint]) for constraint in self.constraints)
        return self.known[size]


def _fitting(p: int, n: int, constraints: Sequence[Constraint]) -> Matrix | None:
    """A matrix that satisfies the constraints, checked against them; sets that can be listed are always decided."""
    point = explore(p, n, [Statement.from_constraint(constraint, p, n) for constraint in constraints], counting=0).point
    if point is None:
        return None
    matrix = matrix_at(point, p, n)
    return matrix if all(constraint.holds(matrix) for constraint in constraints) else None


def prevalence_range(constraints: Sequence[Constraint]) -> tuple[Fraction, Fraction] | None:
    """The smallest and largest share of positives that the scores leave, whatever the size; None if they exclude all.

    Scores that are not ratios of sums of cells are passed over, so that the range may be too wide, never too narrow.
    """
    walls: list[Cells] = [(1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]
    for constraint in constraints:
        if is_ratio_of_sums(constraint.score):
            walls += walls_of(constraint)
    shares = [Fraction(ray[0] + ray[1], sum(ray)) for ray in _rays(walls)]
    return (min(shares), max(shares)) if shares else None


def is_ratio_of_sums(score: Score) -> bool:
    """Numerator and denominator double with all cells: homogeneous of degree one, hence sums of multiples of cells."""
    top, bottom = score.ratio(2, 3, 5, 7)
    return score.shape is Shape.RATIO and score.ratio(4, 6, 10, 14) == (2 * top, 2 * bottom)


def walls_of(constraint: Constraint) -> Iterator[Cells]:
    """The interval as sums of cells that are at least 0; where the score is 0/0 they are 0, so nothing is lost."""
    unit_matrices = ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))
    parts = [constraint.score.ratio(*cells) for cells in unit_matrices]
    for bound, sign in ((constraint.interval.lo, 1), (constraint.interval.hi, -1)):
        if bound is not None:
            a, b, c, d = (sign * (bound.denominator * top - bound.numerator * bottom) for top, bottom in parts)
            yield a, b, c, d


def _rays(walls: Sequence[Cells]) -> Iterator[Cells]:
    """The edges of the cone within the walls: each lies in three of them."""
    for three in combinations(walls, 3):
        ray = _orthogonal(*three)
        if sum(ray) < 0:
            ray = (-ray[0], -ray[1], -ray[2], -ray[3])
        if any(ray) and all(sum(a * x for a, x in zip(wall, ray, strict=True)) >= 0 for wall in walls):
            yield ray


def _orthogonal(u: Cells, v: Cells, w: Cells) -> Cells:
    """The vector at right angles to three others (their generalised cross product)."""

    def minor(i: int, j: int, k: int) -> int:
        return (
            u[i] * (v[j] * w[k] - v[k] * w[j]) - u[j] * (v[i] * w[k] - v[k] * w[i]) + u[k] * (v[i] * w[j] - v[j] * w[i])
        )

    return minor(1, 2, 3), -minor(0, 2, 3), minor(0, 1, 3), -minor(0, 1, 2)
