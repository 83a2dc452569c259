"""What is reported as windows for sums over the parts, in whole numbers.

A score s enters as ⌊s · 10⁹⌋. A window is widened by what the rounding down can lose, so that no true solution
is lost; whatever falls into all windows is re-verified exactly before it counts.

Values are taken relative to the middle c of the reported mean. Then a part that is left out of a
mean simply adds 0, and Σ(s - c)² is the sum of squared deviations up to a term that the width of the
printed interval bounds: a standard deviation is one more window.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from fractions import Fraction

from assay.records import dataclass
from assay.scores.conventions import Undefined
from assay.scores.enclosures import squared_interval
from assay.scores.exact import Interval, decimal
from assay.scores.means.problem import Part, Reported
from assay.scores.means.spreads import Spread
from assay.scores.means.system import is_linear

SCALE = 10**9
FAR = 2**60
"""Stands for a missing end of a window."""


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
    skipped: int = 0
    """What a part adds that is left out of the mean."""
    spread: Spread | None = None
    """For a window of squares, what they and the sum before them, that of the values, must give together."""


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
    found = [
        Window(f"[1 if {one.name} is at its {word}]", one.name, 1, FAR, count)
        for word, bound in (("minimum", one.minimum), ("maximum", one.maximum))
        if bound is not None
    ]
    if one.median is not None:
        # Half of the parts are not above the median and half not below; a part that is left out may be either.
        found += [
            Window(f"[1 if {one.name} is not {side} its median]", one.name, (count + 1) // 2, FAR, count, skipped=1)
            for side in ("above", "below")
        ]
    return found
