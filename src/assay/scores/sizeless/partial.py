"""Test sets of which only part of the size is known: the total, one class, or a range of totals.

Every division that the figures leave is tried, smallest first, which decides where there are few enough. With one
class known the other may be of any size: then each possible column of the matrix is a polygon of the other two counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, count, islice
from math import ceil, floor

from assay.findings import Verdict
from assay.records import dataclass
from assay.scores import single
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.constraints import Constraint
from assay.scores.definitions import Matrix, Shape
from assay.scores.phrases import claims, many
from assay.scores.polygon import Lattice, Plane, Polygon
from assay.scores.regions import Statement, explore, matrix_at
from assay.scores.sizes import SHARES_OF_ALL, is_ratio_of_sums, prevalence_range, walls_of
from assay.scores.tasks import KnownSizes

MOST_DIVISIONS = 20_000
"""So many divisions into classes are tried."""
_SHOWN = 6
_FURTHER = 300
"""So many divisions are tried beyond the first that fits, to list more of them."""
_NEARBY = 60
_BOXES = 2_000
_VAST = 10**9
"""The largest count of the unknown class that the polygons cover."""


Division = tuple[int, int]
"""Positives and negatives."""


def solve_partial(constraints: Sequence[Constraint], known: KnownSizes, example: Matrix | None) -> Answer:
    """Whether some division that agrees with what is known gives the figures; `example` fits when sizes are free."""
    alone = _no_whole_count(constraints, known)
    if alone is not None:
        return alone
    prevalence = prevalence_range(constraints) or (Fraction(0), Fraction(1))
    left = _divisions_left(known, prevalence)
    few = left is not None and left <= MOST_DIVISIONS
    tried = _tried(islice(_divisions(known, prevalence), MOST_DIVISIONS), constraints)
    if not few and example is not None:
        tried = chain(_tried(_near(known, example), constraints), tried)
    found, more, finished = _first_that_fit(tried)
    if found:
        return _consistent(found, smallest=few or known.totals is None, more=more)
    if few and finished:
        return _none(constraints, known, f"each of the {many(left or 0, 'division')} into classes that they leave")
    if left is None and _none_of_any_size(constraints, known):
        each = "every number of correct items of that class, with up to a billion items of the other,"
        return _none(constraints, known, each)
    return undecided(f"{MOST_DIVISIONS:,} divisions into two classes were tried: none fits, others were not tried.")


def _first_that_fit(tried: Iterable[_Outcome]) -> tuple[list[Matrix], bool, bool]:
    """The first few matrices that fit, whether there may be more, and whether every division was decided."""
    found: list[Matrix] = []
    finished, further = True, _FURTHER
    for outcome in tried:
        finished = finished and outcome.finished
        found += [outcome.matrix] if outcome.matrix else []
        further -= bool(found)
        if len(found) > _SHOWN or not further:
            return found, True, finished
    return found, False, finished


def _no_whole_count(constraints: Sequence[Constraint], known: KnownSizes) -> Answer | None:
    """Why a score that depends on the known number alone would need a count that is not whole."""
    for constraint in constraints:
        p, n = _all_that_counts(constraint, known)
        if p + n:
            found = single.solve(p, n, [constraint])
            if found.verdict is Verdict.INCONSISTENT:
                figures = {name: value for name, value in found.figures if name.startswith("count")}
                return inconsistent(found.reason, figures, found.conflict)
    return None


def _all_that_counts(constraint: Constraint, known: KnownSizes) -> Division:
    """Class counts to test a score with that does not depend on what is unknown; 0 + 0 if it does."""
    if constraint.score.name in SHARES_OF_ALL and known.totals and known.totals[0] == known.totals[1]:
        return known.totals[0], 0
    rises_with_tp, rises_with_tn = constraint.score.rises
    if rises_with_tp and not rises_with_tn:
        return known.p or 0, 0
    if rises_with_tn and not rises_with_tp:
        return 0, known.n or 0
    return 0, 0


def _none(constraints: Sequence[Constraint], known: KnownSizes, tried: str) -> Answer:
    names = tuple(constraint.name or constraint.score.name for constraint in constraints)
    return inconsistent(f"{claims(constraints)} on {known.words}: {tried} is excluded by exact arithmetic.", {}, names)


def _consistent(found: Sequence[Matrix], *, smallest: bool, more: bool) -> Answer:
    divisions = list(dict.fromkeys((matrix.p, matrix.n) for matrix in found))
    listed = ", ".join(f"{p} + {n}" for p, n in divisions[:_SHOWN]) + (", …" if more else "")
    said = "that fit, smallest first" if smallest else "that fit, for example"
    answer = consistent(found[0], reason=f"Positives and negatives {said}: {listed}.")
    return Answer(answer.verdict, answer.witness, None, answer.reason, tuple(found[0]._asdict().items()))


def _divisions_left(known: KnownSizes, prevalence: tuple[Fraction, Fraction]) -> int | None:
    """How many divisions the prevalence leaves; None when there is no end."""
    if known.totals is None:
        limits = _other_class(known, prevalence)
        return None if limits[1] is None else max(0, limits[1] - limits[0] + 1)
    least, most = known.totals
    if most - least > MOST_DIVISIONS:
        return most - least
    return sum(max(0, floor(prevalence[1] * t) - ceil(prevalence[0] * t) + 1) for t in range(least, most + 1))


def _divisions(known: KnownSizes, prevalence: tuple[Fraction, Fraction]) -> Iterator[Division]:
    if known.totals is None:
        first, last = _other_class(known, prevalence)
        others = chain(count(max(first, 1)) if last is None else range(max(first, 1), last + 1))
        for other in others if first else chain(islice(others, MOST_DIVISIONS - 1), [0]):
            yield (known.p, other) if known.p is not None else (other, known.n or 0)
        return
    for total in range(known.totals[0], known.totals[1] + 1):
        for p in range(ceil(prevalence[0] * total), floor(prevalence[1] * total) + 1):
            yield p, total - p


def _other_class(known: KnownSizes, prevalence: tuple[Fraction, Fraction]) -> tuple[int, int | None]:
    """The least and the largest size of the class that is not known; None for no largest."""
    least, most = prevalence if known.p is not None else (1 - prevalence[1], 1 - prevalence[0])
    size = known.p if known.p is not None else known.n or 0
    if size == 0:
        return (1, None) if least == 0 else (1, 0)
    first = ceil(size * (1 - most) / most) if most else 0
    return first, floor(size * (1 - least) / least) if least else None


def _near(known: KnownSizes, example: Matrix) -> Iterator[Division]:
    """Divisions like the one of an example, nearest first."""
    share = Fraction(example.p, sum(example))
    if known.totals is None:
        return
    for total in range(known.totals[0], min(known.totals[1], known.totals[0] + _NEARBY) + 1):
        middle = round(share * total)
        for step in range(2 * _NEARBY):
            p = middle + (step // 2 + 1 if step % 2 else -(step // 2))
            if 0 <= p <= total:
                yield p, total - p


@dataclass(frozen=True, slots=True)
class _Outcome:
    """A matrix of one division, or none; without one, `finished` says that there is none."""

    matrix: Matrix | None
    finished: bool = True


def _tried(divisions: Iterator[Division], constraints: Sequence[Constraint]) -> Iterator[_Outcome]:
    for p, n in divisions:
        if p + n == 0:
            continue
        statements = [Statement.from_constraint(constraint, p, n) for constraint in constraints]
        found = explore(p, n, statements, max_boxes=_BOXES, counting=0)
        matrix = None if found.point is None else matrix_at(found.point, p, n)
        if matrix is not None and not all(constraint.holds(matrix) for constraint in constraints):
            raise AssertionError(f"{matrix} was found but does not satisfy {constraints}")
        yield _Outcome(matrix, found.finished)


# --- one class known ---------------------------------------------------------------------------------


def _none_of_any_size(constraints: Sequence[Constraint], known: KnownSizes) -> bool:
    """Whether no number of items of the other class fits, by polygons of its two counts.

    For ratios of sums of cells alone, and where no printed figure could stand for 0/0.
    """
    plain = all(is_ratio_of_sums(one.score) and one.score.shape is Shape.RATIO for one in constraints)
    if not plain or any(_may_stand_for_nothing(one) for one in constraints):
        return False
    size = known.p if known.p is not None else known.n or 0
    if size > MOST_DIVISIONS:
        return False
    walls = [wall for one in constraints for wall in walls_of(one)]
    return all(_column_is_empty(walls, correct, size, of_positives=known.p is not None) for correct in range(size + 1))


def _may_stand_for_nothing(constraint: Constraint) -> bool:
    pairs = [substitute(1, 0, 0, 0) for substitute in constraint.substitutes]
    shares = [Fraction(top, bottom) for top, bottom in pairs if bottom]
    return constraint.interval.infinite or any(share in constraint.interval for share in shares)


def _column_is_empty(
    walls: Sequence[tuple[int, int, int, int]], correct: int, size: int, *, of_positives: bool
) -> bool:
    """Whether no pair of counts of the other class completes so many correct ones of the known class."""
    planes: list[Plane] = []
    for tp, fn, fp, tn in walls:
        if of_positives:
            planes.append((fp, tn, -(tp * correct + fn * (size - correct))))
        else:
            planes.append((tp, fn, -(tn * correct + fp * (size - correct))))
    polygon = Polygon.of_box((0, _VAST, 0, _VAST)).clipped(planes)
    return polygon.empty or Lattice.from_polygon(polygon).count() == 0
