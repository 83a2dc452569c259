"""Finding residuals that give every reported figure, and verifying that they do."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from assay.records import dataclass
from assay.scores.exact import Exact, Interval, Root
from assay.scores.regression.figures import Figures, Known
from assay.scores.regression.integer_search import TooManyStatesError, all_errors
from assay.scores.regression.levels import fitted
from assay.scores.regression.relations import Sizes
from assay.scores.regression.residuals import (
    Level,
    evenest,
    in_order,
    mean_square,
    places,
    signed,
    steepest,
    with_mean_square,
)
from assay.scores.regression.rounded_sums import rounded

_STEPS = 100
_MANY = 1_000
"""The unit of whole errors where nothing says how large they are."""
_ATTEMPTS = 12
"""Real-valued solutions that are rounded in search of whole errors."""


class Witness(NamedTuple):
    """Residuals in rising order, and a variance of the targets (divided by n) that goes with them."""

    residuals: tuple[Level, ...]
    variance: Fraction | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A witness; or `none_exists` where every possibility was looked at."""

    witness: Witness | None = None
    none_exists: bool = False


def build(known: Sizes, figures: Figures, *, integer: bool) -> Outcome:
    """Verified residuals, if some are found."""
    try:
        for residuals in _whole(known, figures) if integer else _candidates(known, figures):
            witness = Witness(in_order(residuals), _variance(residuals, known, figures))
            if _fits(witness, known, figures):
                return Outcome(witness)
    except _AllSeen:
        return Outcome(none_exists=True)
    return Outcome()


class _AllSeen(Exception):  # noqa: N818  # it is no error
    """Every list of whole errors was looked at."""


def _leans(figures: Figures) -> bool:
    return "me" in figures or "ev" in figures


def _candidates(known: Sizes, figures: Figures) -> Iterator[list[Level]]:
    for levels in _real(known):
        bias = _bias(known, figures, mean_square(levels, known.n)) if _leans(figures) else None
        yield levels if bias is None else signed(levels, known.n * bias)
    yield from fitted(known, figures)


def _whole(known: Sizes, figures: Figures) -> Iterator[list[Level]]:
    """Whole residuals: all of them where they are few, else near real-valued ones."""
    try:
        yield from all_errors(known, with_signs=_leans(figures))
    except TooManyStatesError:
        unit = 1 if any(one.names for one in known.reported) else _MANY
        for levels in islice(fitted(known, figures), _ATTEMPTS):
            enlarged = [level._replace(size=unit * level.size) for level in levels]
            yield from rounded(known, enlarged, _leaning(figures))
    else:
        raise _AllSeen


def _leaning(figures: Figures) -> Interval | None:
    """The share of the mean square that the squared mean makes up: 1 - (1 - explained variance) / (1 - R²)."""
    if not ("r2" in figures and "ev" in figures):
        return None
    parts = (figures[short].interval.one_minus() for short in ("ev", "r2"))
    (low, high), (least, most) = (_inside(part) for part in parts)
    return Interval(1 - high / least, 1 - low / most) if least > 0 else None


def values(witness: Witness, n: int) -> dict[str, Exact]:
    """The scores of these residuals."""
    residuals, variance = witness
    bias = sum((x * count for x, count in residuals), Fraction(0)) / n
    square = mean_square(residuals, n)
    found: dict[str, Exact] = {
        "mae": sum((abs(x) * count for x, count in residuals), Fraction(0)) / n,
        "mse": square,
        "rmse": Root(1, square),
        "max_error": max(abs(x) for x, _ in residuals),
        "medae": _median([Level(abs(x), count) for x, count in residuals], n),
        "me": bias,
    }
    if variance:
        found |= {"r2": 1 - square / variance, "ev": 1 - (square - bias**2) / variance}
    return found


def _median(levels: list[Level], n: int) -> Fraction:
    ranks, seen, found = {(n + 1) // 2, n // 2 + 1}, 0, []
    for size, count in sorted(levels):
        found += [size for rank in ranks if seen < rank <= seen + count]
        seen += count
    return sum(found, Fraction(0)) / len(found)


def _fits(witness: Witness, known: Sizes, figures: Figures) -> bool:
    """The final word on every witness."""
    if sum(count for _, count in witness.residuals) != known.n:
        return False
    if witness.variance is not None and witness.variance not in known.variance.interval:
        return False
    found = values(witness, known.n)
    return all(short in found and found[short] in said.interval for short, said in figures.known.items())


def _real(known: Sizes) -> Iterator[list[Level]]:
    """Sizes with mean, mean square, largest and median as reported."""
    for median in _samples(known.median):
        low, high = Fraction(0), Fraction(1)
        found = _attempt(known, median, low)[1] or _attempt(known, median, high)[1]
        for _ in range(_STEPS):
            if found:
                yield found
                break
            middle = (low + high) / 2
            side, found = _attempt(known, median, middle)
            low, high = (middle, high) if side < 0 else (low, middle)


def _attempt(known: Sizes, median: Fraction | None, share: Fraction) -> tuple[int, list[Level] | None]:
    """Residuals for means and largest sizes `share` of the way through what is known.

    Or none, and -1 when they come out too small, 1 when too large.
    """
    n, square, (mean, largest) = known.n, known.square.interval, _mean_and_largest(known, share)
    parts = places(n, largest, median)
    if not all(p.possible for p in parts):
        return -1, None
    least = sum(p.number * p.least for p in parts)
    if n * mean < least:
        return -1, None
    even = evenest(parts, n * mean)
    if even is None:
        return 1, None
    steep = steepest(parts, n * mean)
    if square.lo is not None and mean_square(steep, n) < square.lo:
        return -1, None
    if square.hi is not None and mean_square(even, n) > square.hi:
        return 1, None
    lo, hi = square.lo or Fraction(0), square.hi if square.hi is not None else mean_square(steep, n)
    return 0, with_mean_square(even, steep, *_inside(Interval(lo, hi, square.lo_open, square.hi_open)), n)


def _mean_and_largest(known: Sizes, share: Fraction) -> tuple[Fraction, Fraction | None]:
    """A possible mean and largest size; a mean that is not reported is sought below the root of the mean square."""
    n = known.n
    ends = _ends(known.mean)
    if not known.mean.names:
        square, largest = known.square.interval.hi, known.largest.interval.hi
        above = math.isqrt(math.ceil(square)) + 1 if square is not None else 1
        ends = Fraction(0), Fraction(above) if largest is None else largest
    mean = ends[0] + (ends[1] - ends[0]) * share
    if not known.largest.names:
        return mean, None
    lo, hi = _ends(known.largest)
    largest = min(max(lo + (hi - lo) * share, mean), hi, n * ends[1])
    return max(min(mean, largest), largest / n), largest


def _ends(known: Known) -> tuple[Fraction, Fraction]:
    """Closed ends of what is known."""
    interval = known.interval
    lo = interval.lo if interval.lo is not None else min(Fraction(0), (interval.hi or Fraction(0)) - 1)
    hi = interval.hi if interval.hi is not None else 2 * abs(lo) + 1
    return _inside(Interval(lo, hi, interval.lo_open, interval.hi_open))


def _inside(interval: Interval) -> tuple[Fraction, Fraction]:
    """The ends, moved inwards a little where they are open."""
    lo, hi = interval.lo or Fraction(0), interval.hi or Fraction(0)
    edge = (hi - lo) / 1000
    return lo + edge * interval.lo_open, hi - edge * interval.hi_open


def _samples(known: Known) -> list[Fraction | None]:
    if not known.names:
        return [None]
    lo, hi = _ends(known)
    return [lo, (lo + hi) / 2, hi]


def _bias(known: Sizes, figures: Figures, square: Fraction) -> Fraction:
    """The mean residual to aim at, for this mean square."""
    if known.bias.names:
        return _middle(known.bias)
    unexplained = _likely_variance(known, figures, square) * (1 - _middle(figures["ev"]))
    return _root(max(Fraction(0), square - unexplained))


def _likely_variance(known: Sizes, figures: Figures, square: Fraction) -> Fraction:
    """The variance of the targets that goes best with R²."""
    lo, hi = _ends(known.variance)
    share = 1 - _middle(figures["r2"]) if "r2" in figures else Fraction(0)
    return min(max(square / share, lo), hi) if share > 0 else (lo + hi) / 2


def _root(x: Fraction) -> Fraction:
    """√x to nine decimals."""
    return Fraction(math.isqrt(math.floor(x * 10**18)), 10**9)


def _middle(known: Known) -> Fraction:
    lo, hi = _ends(known)
    return (lo + hi) / 2


def _wholes(part: Fraction, share: Interval) -> tuple[Fraction | None, Fraction | None]:
    """The least and the greatest number of which `part` is such a share; None where there is no bound."""
    least = part / share.hi if share.hi is not None and share.hi > 0 else None
    most = part / share.lo if share.lo is not None and share.lo > 0 else None
    return least, most


def _variance(residuals: list[Level], known: Sizes, figures: Figures) -> Fraction | None:
    """A variance of the targets that turns the mean squares into the reported R² and explained variance."""
    if not ("r2" in figures or "ev" in figures):
        return None
    n, lo, hi = known.n, known.variance.interval.lo or Fraction(0), known.variance.interval.hi
    bias = sum((x * count for x, count in residuals), Fraction(0)) / n
    square = mean_square(residuals, n)
    for short, unexplained in (("r2", square), ("ev", square - bias**2)):
        if short not in figures:
            continue
        least, most = _wholes(unexplained, figures[short].interval.one_minus())
        lo = lo if least is None else max(lo, least)
        hi = min((end for end in (hi, most) if end is not None), default=None)
    return (lo + hi) / 2 if hi is not None else lo + 1
