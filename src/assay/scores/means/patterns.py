"""Every confusion matrix of a part, with its scores as whole numbers: the columns of a search over any scores.

A score s enters as ⌊s · 10⁹⌋, computed in whole numbers. What is reported becomes windows for sums
over the parts, widened by what the rounding down can lose, so that no true solution is lost; whatever
falls into all windows is re-verified exactly before it counts.

Values are taken relative to the middle c of the reported mean. Then a part that is left out of a
mean simply adds 0, and Σ(s - c)² is the sum of squared deviations up to a term that the width of the
printed interval bounds: a standard deviation is one more window.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.scores.constraints import Undefined
from assay.scores.definitions import Matrix, Score, Shape
from assay.scores.exact import INFINITY, Exact, Infinite, Interval, compare, decimal, floor_times
from assay.scores.means.problem import Part, Reported
from assay.scores.means.spreads import Spread
from assay.scores.means.system import is_linear
from assay.scores.means.verify import squared_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

SCALE = 10**9
FAR = 2**60
"""Stands for a missing end of a window."""
_SAFE = 2**62


class Reads(Enum):
    """What a quantity of a part depends on (where it is defined)."""

    TP = auto()
    TN = auto()
    SUM = auto()
    """A linear combination of both."""
    BOTH = auto()


@dataclass(frozen=True, slots=True)
class Window:
    """The sum of one quantity over all parts lies between `low` and `high`."""

    label: str
    score: str
    low: int
    high: int
    unit: int
    """The sum is `unit` times the mean of what `label` names, less `shift` and less what rounding lost."""
    shift: int = 0
    lost: int = 0
    reads: Reads = Reads.BOTH
    spread: Spread | None = None
    """For a window of squares, what they and the sum before them, that of the values, must give together."""


@dataclass(frozen=True, slots=True)
class Table:
    """Matrices that a part may have: `vectors` holds a row of quantities for each (tp, fn, fp, tn) in `cells`."""

    cells: Integers
    vectors: Integers
    without: frozenset[str] = frozenset()
    """The scores of which so much is reported that it excludes some matrices of the part at once."""

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


@dataclass(frozen=True, slots=True)
class Measure:
    """How one reported score is turned into quantities: its centre c (times SCALE) and its windows."""

    one: Reported
    centre: int
    unit: int
    """What turns the weights of the parts into whole numbers."""
    weight: int
    """The weights of all parts together, in whole numbers."""
    windows: tuple[Window, ...]
    square_offset: int
    can_skip: bool


def measures(parts: Sequence[Part], reported: Sequence[Reported]) -> list[Measure]:
    """The windows for everything reported of these parts."""
    unit = math.lcm(*(part.weight.denominator for part in parts))
    weight = sum(int(part.weight * unit) * part.count for part in parts)
    count = sum(part.count for part in parts)
    nested = len({part.group for part in parts}) > 1
    return [_measure(one, unit, weight, count, nested) for one in reported]


def _measure(one: Reported, unit: int, weight: int, count: int, nested: bool) -> Measure:
    if one.mean.infinite:
        infinite = Window(f"[1 if {one.name} is infinite]", one.name, 1, FAR, count)
        windows = _marked(one, [infinite, *_extreme_windows(one, count)])
        return Measure(one, 0, unit, weight, windows, 0, not nested)
    centre = _centre(one)
    low = -FAR if one.mean.lo is None else math.ceil(weight * (SCALE * one.mean.lo - centre)) - weight
    high = FAR if one.mean.hi is None else math.floor(weight * (SCALE * one.mean.hi - centre))
    found = [Window(one.name, one.name, low, high, SCALE * weight, weight * centre, weight)]
    offset = 0
    if one.sd is not None:
        variance = squared_interval(one.sd)
        offset = math.floor(SCALE * (variance.lo or 0))
        found.append(_spread_window(one, variance, centre, count, SCALE * (weight // count)))
    return Measure(one, centre, unit, weight, _marked(one, found + _extreme_windows(one, count)), offset, not nested)


def _marked(one: Reported, windows: Sequence[Window]) -> tuple[Window, ...]:
    """The windows, the one of the mean being the first, with what each of them reads."""
    tp, tn = one.score.rises
    reads = Reads.TP if tn == 0 else Reads.TN if tp == 0 else Reads.BOTH
    mean = Reads.SUM if reads is Reads.BOTH and is_linear(one) else reads
    return tuple(replace(w, reads=reads if i else mean) for i, w in enumerate(windows))


def _centre(one: Reported) -> int:
    ends = [end for end in (one.mean.lo, one.mean.hi) if end is not None]
    return math.floor(SCALE * sum(ends, Fraction(0)) / max(1, len(ends)))


def _spread_window(one: Reported, variance: Interval, centre: int, count: int, unit: int) -> Window:
    """Σ((s - c)² - sd²) over the parts that count, for every divisor allowed.

    With m counted parts, mean μ and divisor m - d: Σ(s - c)² = (m - d)·sd² + m·(μ - c)².
    """
    c = Fraction(centre, SCALE)
    least = variance.lo or Fraction(0)
    slack = count * (2 * _reach(one, centre, count) + 4)
    low = math.floor(-SCALE * max(one.ddof) * least) - slack
    label = f"(({one.name} - {decimal(c)})² - {decimal(Fraction(math.floor(SCALE * least), SCALE))})"
    if variance.hi is None or one.mean.lo is None or one.mean.hi is None:
        return Window(label, one.name, low, FAR, SCALE * count, lost=slack)
    shift = max(one.mean.hi - c, c - one.mean.lo) ** 2
    most = count * (variance.hi - least + shift) - min(one.ddof) * variance.hi
    high = math.ceil(SCALE * max(Fraction(0), most)) + slack
    spread = None
    if one.score.high is not None:
        most = count * (variance.hi - least + shift)
        aims = [(-SCALE * d * least - slack, SCALE * (most - d * variance.hi) + slack) for d in one.ddof]
        spread = Spread(
            float(least),
            float(variance.hi),
            one.ddof,
            tuple(range(1, count + 1)) if Undefined.SKIP in one.conventions else (count,),
            unit,
            SCALE,
            math.floor(SCALE * least) / SCALE,
            3 * slack / SCALE + 1e-9,
            tuple((math.floor(a), math.ceil(b)) for a, b in aims),
        )
    return Window(label, one.name, low, high, SCALE * count, lost=slack, spread=spread)


def _reach(one: Reported, centre: int, count: int) -> int:
    """No counted value is further than this from the centre."""
    c = Fraction(centre, SCALE)
    low = Fraction(-1) if one.score.low is None else one.score.low
    high = one.score.high
    if high is None:  # then the sum that the mean allows is a bound
        high = count * max(abs(one.mean.hi or Fraction(0)), abs(c), Fraction(1))
    return 1 + math.ceil(max(abs(low - c), abs(high - c)))


def _extreme_windows(one: Reported, count: int) -> list[Window]:
    return [
        Window(f"[1 if {one.name} is at its {word}]", one.name, 1, FAR, count)
        for word, bound in (("minimum", one.minimum), ("maximum", one.maximum))
        if bound is not None
    ]


def table(part: Part, found: Sequence[Measure], *, side: int | None = None) -> Table:
    """The quantities of every matrix of a part, or of a grid with at most `side` values of tp and of tn.

    A grid of side 2 holds the corners, which suffice to bound linear scores.
    """
    tps, tns = (_spaced(most, side or most + 1) for most in (part.p, part.n))
    tp, tn = (a.ravel() for a in np.meshgrid(tps, tns, indexing="ij"))
    rows = np.arange(len(tp))
    columns: list[Integers] = []
    without: set[str] = set()
    for measure in found:
        weight = int(part.weight * measure.unit)
        # Corners stand for all the matrices between them, so none may go because it alone cannot occur.
        chosen, new = _columns(part, weight, measure, tp[rows], tn[rows], whole=side is None)
        if len(np.unique(chosen)) < len(rows):
            without.add(measure.one.name)
        rows = rows[chosen]
        columns = [column[chosen] for column in columns] + new
    vectors, first = np.unique(np.stack(columns, axis=1), axis=0, return_index=True)
    tp, tn = tp[rows][first], tn[rows][first]
    return Table(np.stack([tp, part.p - tp, part.n - tn, tn], axis=1), vectors, frozenset(without))


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
) -> tuple[Integers, list[Integers]]:
    """Which rows stay (undefined ones once for each convention), and the quantities of one score for them."""
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
    for convention in measure.one.conventions if len(blank) else ():
        if convention is Undefined.SKIP and measure.can_skip:
            blocks.append((blank, [np.zeros(len(blank), dtype=np.int64) for _ in measure.windows]))
        elif not isinstance(convention, Undefined):
            pairs = [
                convention(int(a), part.p - int(a), part.n - int(b), int(b))
                for a, b in zip(tp[blank], tn[blank], strict=True)
            ]
            usable = [i for i, (_, below) in enumerate(pairs) if below]
            fractions = [Fraction(*pairs[i]) for i in usable]
            floors = np.array([math.floor(SCALE * x) for x in fractions], dtype=np.int64)
            values = Values(floors, np.zeros(len(floors), dtype=bool), fractions.__getitem__)
            blocks.append(_block(measure, weight, blank[usable], values, whole=whole))
    chosen = np.concatenate([block[0] for block in blocks])
    return chosen, [np.concatenate(columns) for columns in zip(*(block[1] for block in blocks), strict=True)]


def _block(
    measure: Measure, weight: int, rows: Integers, values: Values, *, whole: bool
) -> tuple[Integers, list[Integers]]:
    """The quantities of the rows; of a whole table only of those whose values may occur at all."""
    one = measure.one
    keep = ~values.infinite | one.mean.infinite
    if whole and not one.mean.infinite and one.mean.hi is not None and one.score.low is not None:
        # the other parts add at least the score's least value, which bounds each single one
        others = measure.weight - weight
        most = (measure.weight * max(one.mean.hi, Fraction(0)) - others * min(one.score.low, Fraction(0))) / weight
        keep &= values.floors <= math.floor(SCALE * most)
    if whole and one.minimum is not None:
        keep &= values.not_below(one.minimum)
    if whole and one.maximum is not None:
        keep &= values.not_above(one.maximum)
    # without an upper end every value beyond the cap does for all others together
    cap = 4 * measure.weight * (abs(measure.centre) + SCALE)
    shifted = weight * (np.minimum(values.floors, cap) - measure.centre)
    columns = [values.infinite.astype(np.int64) if one.mean.infinite else shifted]
    if one.sd is not None:
        away = np.where(keep, values.floors - measure.centre, 0)
        exact = away.astype(object) if np.abs(away).max(initial=0) >= 2**31 else away
        columns.append(np.minimum(exact * exact // SCALE - measure.square_offset, FAR).astype(np.int64))
    columns += [values.inside(bound).astype(np.int64) for bound in (one.minimum, one.maximum) if bound is not None]
    return rows[keep], [column[keep] for column in columns]


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
