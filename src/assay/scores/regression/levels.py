"""Residuals for any mixture of figures: a few levels of sizes, moved by Newton's method until every figure is met.

The largest and the median size are fixed first, or kept within their digits, which bounds all other sizes; signs are
drawn so that about the reported mean residual comes out. What is found is rounded to fractions and counts only once it
is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from assay.records import dataclass
from assay.scores import newton
from assay.scores.exact import Interval
from assay.scores.regression.figures import Figures
from assay.scores.regression.relations import Sizes
from assay.scores.regression.residuals import Level

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_STARTS = 160
_FEW = 2
"""Items outside of the middle two on each side that are few enough to be left unordered."""
_LEVELS = 8
"""Levels in each group of places that share their bounds."""
_DIGITS = 10**12
_LEANS = (0.0, 0.2, 0.5, 0.75, 0.9, 1.0)
"""Shares of residuals above 0 among which is chosen where nothing is reported of them."""


class Totals(NamedTuple):
    """Of all residuals: mean size, mean square, mean; and the variance of the targets."""

    size: float
    square: float
    bias: float
    variance: float


@dataclass(frozen=True, slots=True)
class Layout:
    """Levels of residuals: how many items share each, their signs, and the bounds of their sizes."""

    counts: Floats
    signs: Floats
    low: Floats
    high: Floats
    middle: Floats
    """The share of each level in the median."""

    def totals(self, numbers: Floats) -> Totals:
        """What the sizes, and the logarithm of a variance behind them, come to."""
        sizes, share = numbers[:-1], self.counts / self.counts.sum()
        return Totals(
            float(share @ sizes),
            float(share @ sizes**2),
            float(share @ (self.signs * sizes)),
            float(np.exp(numbers[-1])),
        )

    def slopes(self, numbers: Floats) -> tuple[Floats, Floats, Floats]:
        """How mean size, mean square and mean change with the numbers."""
        sizes, share = numbers[:-1], self.counts / self.counts.sum()
        return np.append(share, 0.0), np.append(2 * share * sizes, 0.0), np.append(share * self.signs, 0.0)


def fitted(known: Sizes, figures: Figures) -> Iterator[list[Level]]:
    """Residuals that give every figure in floating point, from several starts."""
    unit = _unit(known, figures)
    windows = {
        short: _scaled(said.interval, unit, _POWERS[short]) for short, said in figures.known.items() if short in _POWERS
    }
    variance = _scaled(known.variance.interval, unit, 2)
    generator = np.random.default_rng(known.n)
    for _ in range(_STARTS):
        layout = _layout(known, windows, unit, generator)
        numbers = None if layout is None else _solution(layout, windows, variance, generator)
        if layout is not None and numbers is not None:
            sizes = (Fraction(round(float(x) * _DIGITS), _DIGITS) * unit for x in numbers[:-1])
            yield [
                Level(size * int(sign), int(count))
                for size, sign, count in zip(sizes, layout.signs, layout.counts, strict=True)
            ]


_POWERS = {"mae": 1, "medae": 1, "rmse": 1, "me": 1, "mse": 2, "r2": 0, "ev": 0}
"""How each figure grows with the unit of the residuals."""
_SCALES = ("rmse", "mae", "mse", "max_error", "medae", "me")


def _unit(known: Sizes, figures: Figures) -> Fraction:
    """A power of ten near the size of the errors: what is reported of them, in this unit, is near 1."""
    errors = [(figures[short].interval, 2 if short == "mse" else 1) for short in _SCALES]
    for interval, root in [*errors, (known.variance.interval, 2)]:
        ends = [abs(float(end)) for end in (interval.lo, interval.hi) if end]
        if ends and max(ends) > 0:
            return Fraction(Fraction(10) ** round(float(np.log10(max(ends))) / root))
    return Fraction(1)


def _scaled(interval: Interval, unit: Fraction, power: int) -> newton.Ends:
    low, high = (None if end is None else float(end / unit**power) for end in (interval.lo, interval.hi))
    return -np.inf if low is None else low, np.inf if high is None else high


def _layout(
    known: Sizes, windows: Mapping[str, newton.Ends], unit: Fraction, generator: np.random.Generator
) -> Layout | None:
    """Levels for one choice of the largest and the median size and of the signs; None where these contradict."""
    fixed = bool(generator.integers(2))
    largest, median = (
        _chosen(_scaled(one.interval, unit, 1), fixed, generator) if one.names else None
        for one in (known.largest, known.median)
    )
    apart = float(generator.choice([0.0, 1.0]) * generator.random()) if known.n > 2 else 1.0
    groups = _groups(known.n, largest, median, apart * (median[0] if median else 0.0))
    if not all(group.possible for group in groups):
        return None
    levels = [(group, count) for group in groups for count in _split(group.number)]
    lean = _lean(windows, generator)
    return Layout(
        np.array([float(count) for _, count in levels]),
        np.where(generator.random(len(levels)) < lean, 1.0, -1.0),
        np.array([group.least for group, _ in levels]),
        np.array([group.most for group, _ in levels]),
        np.array([group.weight for group, _ in levels]),
    )


def _lean(windows: Mapping[str, newton.Ends], generator: np.random.Generator) -> float:
    """The share of residuals above 0."""
    if "me" not in windows:
        return float(generator.choice(_LEANS)) if "ev" in windows else 1.0
    bias = _middle(windows["me"])
    if "mae" in windows and generator.integers(2):
        return (1 + bias / max(_middle(windows["mae"]), 1e-12)) / 2
    share = float(generator.choice(_LEANS[2:]))
    return share if bias > 0 else 1 - share


class Group(NamedTuple):
    """Items, neighbours in the order of size, whose sizes share their bounds; `weight` is their share in the median."""

    number: int
    least: float
    most: float
    weight: float = 0.0

    @property
    def possible(self) -> bool:
        """Whether there are sizes for so many items within the bounds."""
        return not (self.number < 0 or self.least > self.most)


def _groups(n: int, largest: newton.Ends | None, median: newton.Ends | None, apart: float) -> list[Group]:
    """The bounds of n sizes in rising order, given those of the largest and of the median one.

    Of an even number the two in the middle average the median, and each may be this far `apart` from it.
    """
    top = largest or (np.inf, np.inf)
    groups = [group for group in _around_the_median(n, median, top, apart) if group.number]
    if largest is not None:
        last = groups.pop()
        lone = Group(1, max(largest[0], last.least if last.weight else 0.0), largest[1], last.weight)
        groups += [last._replace(number=last.number - 1), lone]
    return [group for group in groups if group.number]


def _around_the_median(n: int, median: newton.Ends | None, top: newton.Ends, apart: float) -> list[Group]:
    if median is None:
        return [Group(n, 0.0, top[0])]
    if n % 2:
        half = (n - 1) // 2
        return [Group(half, 0.0, median[0]), Group(1, *median, 1.0), Group(half, median[1], top[0])]
    half, low, high = n // 2 - 1, max(0.0, median[0] - apart), min(median[1] + apart, top[1])
    middle = [Group(1, low, median[1], 0.5), Group(1, median[0], high, 0.5)]
    # Of few items the outer ones may come out within the middle two: then the check of every witness rejects them.
    below, above = (median[1], median[0]) if half <= _FEW else (low, high)
    return [Group(half, 0.0, below), *middle, Group(half, above, max(above, top[0]))]


def _chosen(ends: newton.Ends, fixed: bool, generator: np.random.Generator) -> newton.Ends:
    """One number well inside of the ends, twice, or about the ends themselves."""
    low, high = ends
    if not np.isfinite(low) or not np.isfinite(high):
        low = max(low, 0.0) if np.isfinite(low) else 0.0
        high = high if np.isfinite(high) else 2 * low + 1
    shares = [generator.uniform(0.01, 0.99)] * 2 if fixed else [0.02, 0.98]
    return max(0.0, low + (high - low) * shares[0]), max(0.0, low + (high - low) * shares[1])


def _split(number: int) -> list[int]:
    """So many items as a few levels, the first ones small: they adjust what the large ones leave over."""
    if number <= 2 * _LEVELS:
        return [1] * number
    counts = [1] * _LEVELS
    rest = number - _LEVELS
    while rest > 0:
        counts.append(min(rest, max(1, -(-rest // 3))))
        rest -= counts[-1]
    return counts


def _solution(
    layout: Layout, windows: Mapping[str, newton.Ends], variance: newton.Ends, generator: np.random.Generator
) -> Floats | None:
    scale = _start_scale(windows)
    top = np.minimum(layout.high, layout.low + 4 * scale)
    sizes = layout.low + (top - layout.low) * generator.random(len(layout.low)) ** generator.choice(
        [0.5, 1.0, 2.0, 4.0]
    )
    least, most = max(variance[0], 1e-12), max(variance[1], 2e-12)
    start = min(max(scale**2 * float(np.exp(generator.uniform(-1, 3))), least), most)
    numbers = np.append(sizes, np.log(start))

    def rows(found: Floats) -> tuple[Floats, Floats]:
        pairs = [
            (newton.aim(value, windows[short]), value, slope)
            for short, value, slope in _figures(layout, found)
            if short in windows
        ]
        missed = np.array([(goal - value) / half for (goal, half), value, _ in pairs])
        slopes = np.array([slope / half for (_, half), _, slope in pairs]).reshape(len(pairs), len(found))
        return missed, slopes

    low = np.append(layout.low, np.log(least))
    high = np.append(layout.high, np.log(most) if np.isfinite(most) else np.inf)
    if not len(rows(numbers)[0]):
        return numbers
    return newton.meet(numbers, rows, low, high, longest=max(2 * scale, 1.0))


def _start_scale(windows: Mapping[str, newton.Ends]) -> float:
    for short in ("mae", "rmse", "mse", "me"):
        if short in windows:
            return max(abs(_middle(windows[short])), 1e-6)
    return 1.0


def _middle(ends: newton.Ends) -> float:
    finite = [end for end in ends if np.isfinite(end)]
    return sum(finite) / max(1, len(finite))


def _figures(layout: Layout, numbers: Floats) -> Iterator[tuple[str, float, Floats]]:
    """The figures of these levels, and how they change with every number."""
    size, square, bias, variance = layout.totals(numbers)
    by_size, by_square, by_bias = layout.slopes(numbers)
    by_variance = np.append(np.zeros(len(numbers) - 1), 1.0)
    yield "mae", size, by_size
    yield "medae", float(layout.middle @ numbers[:-1]), np.append(layout.middle, 0.0)
    yield "mse", square, by_square
    root = max(float(np.sqrt(square)), 1e-12)
    yield "rmse", root, by_square / (2 * root)
    yield "me", bias, by_bias
    yield "r2", 1 - square / variance, (square * by_variance - by_square) / variance
    rest = square - bias**2
    yield "ev", 1 - rest / variance, (rest * by_variance - by_square + 2 * bias * by_bias) / variance
