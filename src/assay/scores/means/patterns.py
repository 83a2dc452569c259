"""Every confusion matrix of a part, with its scores as whole numbers: the columns of a search over any scores.

The quantities are those whose sums the `windows` bound, computed in whole numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix, Ratio, Score, Shape
from assay.scores.exact import INFINITY, Exact, Infinite, Interval, compare, floor_times
from assay.scores.means.problem import Part
from assay.scores.means.sentences import rounded
from assay.scores.means.windows import FAR, SCALE, Measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

_SAFE = 2**62


class Exclusion(NamedTuple):
    """A score of which so much is reported that it excludes some matrices at once, and what it leaves."""

    score: str
    left: str
    """"ppv is at most 0.184"."""


@dataclass(frozen=True, slots=True)
class Table:
    """Matrices that a part may have: `vectors` holds a row of quantities for each (tp, fn, fp, tn) in `cells`."""

    cells: Integers
    vectors: Integers
    without: frozenset[Exclusion] = frozenset()
    """Why some matrices of the part are not in the table."""

    def __len__(self) -> int:
        return len(self.cells)

    def __getitem__(self, rows: NDArray[np.intp]) -> Table:
        return Table(self.cells[rows], self.vectors[rows], self.without)

    def matrix(self, row: int) -> Matrix:
        """The confusion matrix of a row."""
        return Matrix(*(int(x) for x in self.cells[row]))


def together(tables: Sequence[Table]) -> Table:
    """The rows of all the tables."""
    cells, vectors = (np.concatenate([getattr(table, name) for table in tables]) for name in ("cells", "vectors"))
    return Table(cells, vectors, frozenset().union(*(table.without for table in tables)))


def table(part: Part, found: Sequence[Measure], *, side: int | None = None) -> Table:
    """The quantities of every matrix of a part, or of a grid with at most `side` values of tp and of tn.

    A grid of side 2 holds the corners, which suffice to bound linear scores. Of matrices with the same quantities one
    is enough, except where a score is 0/0: what that counts as must be the same on all parts, so that one matrix cannot
    stand for another that has the quantities alone, or by another convention.
    """
    tps, tns = (_spaced(most, side or most + 1) for most in (part.p, part.n))
    tp, tn = (a.ravel() for a in np.meshgrid(tps, tns, indexing="ij"))
    rows = np.arange(len(tp))
    columns: list[Integers] = []
    undefined = np.zeros(len(rows), dtype=bool)
    without: set[Exclusion] = set()
    for measure in found:
        weight = int(part.weight * measure.unit)
        # Corners stand for all the matrices between them, so none may go because it alone cannot occur.
        chosen, new, blank = _columns(part, weight, measure, tp[rows], tn[rows], whole=side is None)
        if len(np.unique(chosen)) < len(rows):
            without |= set(_exclusions(part, weight, measure))
        rows, undefined = rows[chosen], undefined[chosen] | blank
        columns = [column[chosen] for column in columns] + new
    vectors = np.stack(columns, axis=1)
    _, first = np.unique(np.column_stack([vectors, np.where(undefined, rows + 1, 0)]), axis=0, return_index=True)
    tp, tn = tp[rows][first], tn[rows][first]
    return Table(np.stack([tp, part.p - tp, part.n - tn, tn], axis=1), vectors[first], frozenset(without))


def _spaced(most: int, side: int) -> Integers:
    """At most `side` whole numbers from 0 to `most`, evenly spread, both ends among them."""
    steps = min(side - 1, most)
    return np.array([most * i // steps for i in range(steps + 1)] if steps else [0], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Values:
    """Values of a score: ⌊value · SCALE⌋, which of them are infinite, and each exactly on demand."""

    floors: Integers
    infinite: NDArray[np.bool_]
    exact: Callable[[int], Exact]

    def compare(self, bound: Fraction) -> Integers:
        """-1, 0 or 1 for each value below, at or above the bound; exact where rounding leaves it open."""
        scaled = SCALE * bound
        signs = np.where(self.floors > math.floor(scaled), 1, -1)
        for row in np.nonzero(self.floors == math.floor(scaled))[0]:
            signs[row] = compare(self.exact(int(row)), bound)
        return signs

    def inside(self, interval: Interval) -> NDArray[np.bool_]:
        """Which values lie in the interval."""
        if interval.infinite:
            return self.infinite
        return self.not_below(interval) & self.not_above(interval)

    def not_below(self, interval: Interval) -> NDArray[np.bool_]:
        """Which values are not below the interval."""
        if interval.infinite:
            return self.infinite
        if interval.lo is None:
            return np.ones(len(self.floors), dtype=bool)
        return self.infinite | (self.compare(interval.lo) >= interval.lo_open)

    def not_above(self, interval: Interval) -> NDArray[np.bool_]:
        """Which values are not above the interval."""
        if interval.infinite:
            return np.ones(len(self.floors), dtype=bool)
        if interval.hi is None:
            return ~self.infinite
        return ~self.infinite & (self.compare(interval.hi) <= -interval.hi_open)


def _columns(
    part: Part, weight: int, measure: Measure, tp: Integers, tn: Integers, *, whole: bool
) -> tuple[Integers, list[Integers], NDArray[np.bool_]]:
    """Which rows stay (undefined ones once for each convention), the quantities of one score, and where it is 0/0."""
    score = measure.one.score
    top, bottom = _ratios(score, part, tp, tn)
    blank = np.nonzero((top == 0) & (bottom == 0))[0]
    rows = np.nonzero((top != 0) | (bottom != 0))[0]
    top, bottom = top[rows], bottom[rows]

    def exact(row: int) -> Exact:
        value = score.of_ratio(int(top[row]), int(bottom[row]))
        return INFINITY if value is None else value

    infinite = (bottom == 0) & (score.shape is not Shape.INVERSE_ROOT)
    defined = Values(_floors(score, top, bottom), infinite.astype(bool), exact)
    blocks = [_block(measure, weight, rows, defined, whole=whole)]
    if len(blank):
        blocks += _blank_blocks(part, weight, measure, (tp[blank], tn[blank], blank), whole=whole)
    chosen = np.concatenate([block[0] for block in blocks])
    columns = [np.concatenate(pieces) for pieces in zip(*(block[1] for block in blocks), strict=True)]
    return chosen, columns, np.arange(len(chosen)) >= len(blocks[0][0])


def _blank_blocks(
    part: Part, weight: int, measure: Measure, blank: tuple[Integers, Integers, Integers], *, whole: bool
) -> Iterator[tuple[Integers, list[Integers]]]:
    """The rows where the score is 0/0 (their hits, and their places), once for each convention."""
    tp, tn, places = blank
    for convention in measure.one.conventions:
        if convention is Undefined.SKIP and measure.can_skip:
            yield places, [np.full(len(places), w.skipped) for w in measure.windows]
        elif not isinstance(convention, Undefined):
            usable, values = _conventional(convention, part, tp, tn)
            yield _block(measure, weight, places[usable], values, whole=whole)


def _conventional(convention: Ratio, part: Part, tp: Integers, tn: Integers) -> tuple[list[int], Values]:
    """Where a convention gives a number for 0/0, and these numbers."""
    pairs = [convention(int(a), part.p - int(a), part.n - int(b), int(b)) for a, b in zip(tp, tn, strict=True)]
    usable = [i for i, (_, below) in enumerate(pairs) if below]
    fractions = [Fraction(*pairs[i]) for i in usable]
    floors = np.array([math.floor(SCALE * x) for x in fractions], dtype=np.int64)
    return usable, Values(floors, np.zeros(len(floors), dtype=bool), fractions.__getitem__)


def _block(
    measure: Measure, weight: int, rows: Integers, values: Values, *, whole: bool
) -> tuple[Integers, list[Integers]]:
    """The quantities of the rows; of a whole table only of those whose values may occur at all."""
    one = measure.one
    keep = ~values.infinite | one.mean.infinite
    if whole:
        keep &= _may_occur(measure, weight, values)
    # without an upper end every value beyond the cap does for all others together
    cap = 4 * measure.weight * (abs(measure.centre) + SCALE)
    shifted = weight * (np.minimum(values.floors, cap) - measure.centre)
    columns = [values.infinite.astype(np.int64) if one.mean.infinite else shifted]
    if one.sd is not None:
        away = np.where(keep, values.floors - measure.centre, 0)
        exact = away.astype(object) if np.abs(away).max(initial=0) >= 2**31 else away
        columns.append(np.minimum(exact * exact // SCALE - measure.square_offset, FAR).astype(np.int64))
    columns += [values.inside(bound).astype(np.int64) for bound in (one.minimum, one.maximum) if bound is not None]
    if one.median is not None:
        columns += [side(one.median).astype(np.int64) for side in (values.not_above, values.not_below)]
    return rows[keep], [column[keep] for column in columns]


def _may_occur(measure: Measure, weight: int, values: Values) -> NDArray[np.bool_]:
    """Which values the mean and the extremes leave possible."""
    keep, one, most = np.ones(len(values.floors), dtype=bool), measure.one, _most(measure, weight)
    if most is not None:
        keep &= values.floors <= math.floor(SCALE * most)
    if one.minimum is not None:
        keep &= values.not_below(one.minimum)
    if one.maximum is not None:
        keep &= values.not_above(one.maximum)
    return keep


def _most(measure: Measure, weight: int) -> Fraction | None:
    """The largest value that a part of this weight may have: the others add at least the score's least value."""
    one = measure.one
    if one.mean.infinite or one.mean.hi is None or one.score.low is None:
        return None
    others = measure.weight - weight
    return (measure.weight * max(one.mean.hi, Fraction(0)) - others * min(one.score.low, Fraction(0))) / weight


def _exclusions(part: Part, weight: int, measure: Measure) -> Iterator[Exclusion]:
    """What a table leaves of the values of one score."""
    one, most = measure.one, _most(measure, weight)
    if most is not None and (one.score.high is None or most < one.score.high):
        yield Exclusion(one.name, f"{one.score.name} is at most {rounded(most, up=True)} on {part.p} + {part.n} items")
    if one.minimum is not None or one.maximum is not None:
        yield Exclusion(one.name, f"{one.score.name} is within its reported extremes")
    if Undefined.NEVER in one.conventions and one.may_be_undefined(part):
        yield Exclusion(one.name, f"{one.score.name} is never 0/0")
    if not one.mean.infinite and one.score.high is None:
        yield Exclusion(one.name, f"{one.score.name} is finite")


def _ratios(score: Score, part: Part, tp: Integers, tn: Integers) -> tuple[Any, Any]:
    """Numerators and denominators for all matrices at once; Python's integers where 64 bits might not do."""
    if (part.p + part.n) ** 4 >= _SAFE:
        tp, tn = tp.astype(object), tn.astype(object)
    top, bottom = score.ratio(tp, part.p - tp, part.n - tn, tn)  # type: ignore[arg-type]  # arithmetic works on arrays
    return np.broadcast_to(top, tp.shape), np.broadcast_to(bottom, tp.shape)


def _floors(score: Score, top: Any, bottom: Any) -> Integers:
    """⌊value · SCALE⌋ of each ratio, exactly; FAR for an infinite one."""
    if not len(top):
        return np.zeros(0, dtype=np.int64)
    if score.shape is Shape.RATIO:
        if int(np.abs(top).max()) * SCALE >= _SAFE:
            top = top.astype(object)
        finite = np.where(bottom == 0, 1, bottom)
        return np.where(bottom == 0, FAR, np.minimum(top * SCALE // finite, FAR)).astype(np.int64)
    return np.array([_floor(score, int(a), int(b)) for a, b in zip(top, bottom, strict=True)], dtype=np.int64)


def _floor(score: Score, top: int, bottom: int) -> int:
    if score.shape is Shape.ROOT and bottom:
        square, rest = divmod(abs(top) * SCALE**2, bottom)
        root = math.isqrt(square)
        if top >= 0:
            return root
        return -root if rest == 0 and root * root == square else -root - 1
    value = score.of_ratio(top, bottom)
    return FAR if value is None or isinstance(value, Infinite) else floor_times(value, SCALE)
