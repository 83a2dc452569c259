"""What the errors of n predictions have to do with each other.

Let a, s, m, h be the mean, mean square, largest and median size of n residuals.

* a ≤ m ≤ n·a. For such a and m, s takes exactly the values from (m² + (na - m)²/(n - 1))/n, one residual
  of size m and the others equal, to (j·m² + (na - jm)²)/n with j = ⌊na/m⌋, as many of size m as fit. The
  lower end grows with both a and m, and so does the upper one, so intervals are settled at their corners.
  Without m this is a² ≤ s ≤ n·a².
* At least H = ⌊n/2⌋ + 1 sizes are h or more (for an even n the two middle ones average h, which costs as
  much): na ≥ H·h, and s ≥ (H·h² + (na - H·h)²/(n - H))/n because sizes on each side of h are best equal.
* R² = 1 - s/v and explained variance = R² + b²/v, where v is the variance of the targets (divided by n)
  and b the mean residual, |b| ≤ a.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assay.records import dataclass
from assay.scores.exact import Interval, decimal
from assay.scores.regression.figures import ANYTHING, Figures, Known

ZERO = Fraction(0)
Conflict = tuple[str, tuple[str, ...]]
"""A sentence, and the names of the figures that exclude each other."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is known of the residuals of n items: mean, mean square, largest and median size, mean value."""

    n: int
    mean: Known
    square: Known
    largest: Known
    median: Known
    bias: Known
    variance: Known
    """Of the targets, divided by n."""

    @property
    def reported(self) -> tuple[Known, ...]:
        """All that may say how large the residuals are."""
        return self.mean, self.square, self.largest, self.median, self.bias, self.variance


def sizes(n: int, figures: Figures, variance: Known) -> Sizes | Conflict:
    """All that the figures say about each quantity, or two of them that contradict each other."""
    squares = list(_mean_squares(figures, variance))
    for i, one in enumerate(squares):
        for other in squares[:i]:
            if one.interval.intersect(other.interval).empty:
                return f"{other.words}, but {one.words}.", tuple(dict.fromkeys((*other.names, *one.names)))
    square = _not_negative(squares)
    return Sizes(n, figures["mae"], square, figures["max_error"], figures["medae"], figures["me"], variance)


def _not_negative(known: list[Known]) -> Known:
    all_of = Known(Interval(ZERO, None))
    for one in known:
        all_of = all_of.met(one)
    return all_of


def _mean_squares(figures: Figures, variance: Known) -> Iterator[Known]:
    """The mean square as each figure gives it."""
    if "mse" in figures:
        yield figures["mse"]
    if "rmse" in figures:
        said = figures["rmse"]
        square = _product(said.interval, said.interval)
        yield Known(square, said.names, f"{said.words} means a mean square in {square}")
    if "r2" in figures and variance.names:
        said = figures["r2"]
        square = _product(said.interval.one_minus(), variance.interval)
        words = f"{said.words} of targets with a variance in {variance.interval} means a mean square in {square}"
        yield Known(square, (*said.names, *variance.names), words)


def _product(x: Interval, y: Interval) -> Interval:
    """x·y for numbers ≥ 0."""
    a, b = x.lo or ZERO, y.lo or ZERO
    lo_open = _unattained((a, x.lo_open), (b, y.lo_open))
    if x.hi is None or y.hi is None:
        return Interval(a * b, None, lo_open)
    return Interval(a * b, x.hi * y.hi, lo_open, _unattained((x.hi, x.hi_open), (y.hi, y.hi_open)))


def _unattained(*ends: tuple[Fraction, bool]) -> bool:
    """Whether the product of two ends is itself outside; a zero that is inside settles it."""
    return any(open_ for _, open_ in ends) and not any(end == 0 and not open_ for end, open_ in ends)


def conflicts(known: Sizes, figures: Figures) -> Iterator[Conflict]:
    """Every relation that the figures break."""
    yield from _mean_and_largest(known)
    yield from _square(known)
    yield from _median(known)
    yield from _bias(known, figures)


def _lo(known: Known) -> Fraction:
    return known.interval.lo if known.interval.lo is not None and known.interval.lo > 0 else ZERO


def _exceeds(known: Known, bound: Fraction | None) -> bool:
    """Whether all the interval lies above the bound."""
    lo, open_ = known.interval.lo, known.interval.lo_open
    return bound is not None and lo is not None and (lo > bound or (lo == bound and open_))


def _falls_short(known: Known, bound: Fraction) -> bool:
    """Whether all the interval lies below the bound."""
    hi, open_ = known.interval.hi, known.interval.hi_open
    return hi is not None and (hi < bound or (hi == bound and open_))


def _names(*known: Known) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for k in known for name in k.names))


def _given(*known: Known) -> str:
    return " and ".join(k.words for k in known if k.words)


def _mean_and_largest(known: Sizes) -> Iterator[Conflict]:
    mean, largest, n = known.mean, known.largest, known.n
    if _falls_short(largest, _lo(mean)):
        words = f"{mean.words}, but {largest.words}: the mean of the errors cannot exceed the largest."
        yield words, _names(mean, largest)
    if mean.interval.hi is not None and _exceeds(largest, n * mean.interval.hi):
        most = _short(n * mean.interval.hi)
        words = f"{largest.words}, but {mean.words}: {n} errors with that mean add up to no more than {most}."
        yield words, _names(mean, largest)


def least_square(n: int, mean: Fraction, largest: Fraction) -> Fraction:
    """The smallest mean square for at least this mean and this largest size."""
    mean = max(mean, largest / n)
    largest = max(largest, mean)
    return (largest**2 + ((n * mean - largest) ** 2 / (n - 1) if n > 1 else 0)) / n


def most_square(n: int, mean: Fraction | None, largest: Fraction | None) -> Fraction | None:
    """The greatest mean square for at most this mean and this largest size."""
    if mean is None and largest is None:
        return None
    mean = min(x for x in (mean, largest) if x is not None)
    largest = n * mean if largest is None else min(largest, n * mean)
    full = n * mean // largest if largest else 0
    return (full * largest**2 + (n * mean - full * largest) ** 2) / n


def _square(known: Sizes) -> Iterator[Conflict]:
    """The mean square against mean and largest size: each alone first, for the shorter proof."""
    n, square = known.n, known.square
    for mean, largest in ((known.mean, ANYTHING), (ANYTHING, known.largest), (known.mean, known.largest)):
        if mean.names or largest.names:
            names = _names(mean, largest, square)
            start = f"{_given(mean, largest)} with {n} items means a mean square of"
            least = least_square(n, _lo(mean), _lo(largest))
            if _falls_short(square, least):
                yield f"{start} at least {_short(least)}, but {square.words}.", names
            most = most_square(n, mean.interval.hi, largest.interval.hi)
            if most is not None and _exceeds(square, most):
                yield f"{start} at most {_short(most)}, but {square.words}.", names


def _median(known: Sizes) -> Iterator[Conflict]:
    if known.median.names:
        yield from _too_small_for_median(known)
        yield from _too_large_for_median(known)


def _too_small_for_median(known: Sizes) -> Iterator[Conflict]:
    n, mean, median, largest, square = known.n, known.mean, known.median, known.largest, known.square
    half, h = n // 2 + 1, _lo(median)
    if _falls_short(mean, half * h / n):
        big = f"at least {half} of {n} errors are that large (for an even number, on average)"
        words = f"{median.words}: {big}, so the mean is {_short(half * h / n)} or more, but {mean.words}."
        yield words, _names(median, mean)
    if _falls_short(largest, h):
        words = f"{median.words}, but {largest.words}: half of the errors would be larger than the largest."
        yield words, _names(median, largest)
    least = _least_square_by_median(known, h)
    if _falls_short(square, least):
        start = f"{_given(median, mean)} with {n} items means a mean square of"
        yield f"{start} at least {_short(least)}, but {square.words}.", _names(median, mean, square)


def _too_large_for_median(known: Sizes) -> Iterator[Conflict]:
    n, mean, median, largest, square = known.n, known.mean, known.median, known.largest, known.square
    half, top, m = n // 2 + 1, median.interval.hi, largest.interval.hi
    if top is None or (n > half and (m is None or top > m)):
        return
    above = largest if n > half else ANYTHING  # of one or two errors the median is the mean
    most = (half * top + (n - half) * (m or ZERO)) / n
    if _exceeds(mean, most):
        start = f"{_given(median, above)} with {n} items means a mean of"
        yield f"{start} at most {_short(most)}, but {mean.words}.", _names(median, above, mean)
    if n == 1 and (_exceeds(largest, top) or _exceeds(square, top**2)):
        words = f"{median.words}: with one item every other figure is about the same error, but"
        other = largest if _exceeds(largest, top) else square
        yield f"{words} {other.words}.", _names(median, other)


def _least_square_by_median(known: Sizes, h: Fraction) -> Fraction:
    n, half = known.n, known.n // 2 + 1
    mean, top = _lo(known.mean), known.median.interval.hi
    nearest = max(h, mean if top is None else min(mean, top))
    mean = max(mean, half * nearest / n)
    return (half * nearest**2 + ((n * mean - half * nearest) ** 2 / (n - half) if n > half else 0)) / n


def _bias(known: Sizes, figures: Figures) -> Iterator[Conflict]:
    mean, bias, square = known.mean, known.bias, known.square
    least = max(ZERO, bias.interval.lo or ZERO, -(bias.interval.hi or ZERO))
    if _falls_short(mean, least):
        words = f"{bias.words}, but {mean.words}: a mean is never farther from 0 than the mean size."
        yield words, _names(bias, mean)
    if _falls_short(known.largest, least):
        words = f"{bias.words}, but {known.largest.words}: a mean is never farther from 0 than the largest size."
        yield words, _names(bias, known.largest)
    if known.n == 1 and bias.names:
        yield from _one_error(known)
    if _falls_short(square, least**2):
        words = f"{bias.words} means a mean square of at least {_short(least**2)}, but {square.words}."
        yield words, _names(bias, square)
    if "ev" in figures:
        yield from _explained(known, figures["ev"], figures["r2"], least)


def _one_error(known: Sizes) -> Iterator[Conflict]:
    """With one item the mean error, up to its sign, is the only error there is."""
    ends = known.bias.interval.lo, known.bias.interval.hi
    if ends[0] is None or ends[1] is None:
        return
    most = max(abs(ends[0]), abs(ends[1]))
    for other, bound in ((known.mean, most), (known.largest, most), (known.median, most), (known.square, most**2)):
        if _exceeds(other, bound):
            yield f"{known.bias.words} is the only error, but {other.words}.", _names(known.bias, other)


def _explained(known: Sizes, explained: Known, r2: Known, least_bias: Fraction) -> Iterator[Conflict]:
    """Explained variance is R² plus b²/v."""
    if r2.interval.lo is not None and _falls_short(explained, r2.interval.lo):
        words = f"{explained.words}, but {r2.words}: explained variance is never below R²."
        yield words, _names(explained, r2)
    variance, mean, square = known.variance, known.mean, known.square
    if not variance.names:
        return
    unexplained = _product(explained.interval.one_minus(), variance.interval)
    start = f"{explained.words} of targets with a variance in {variance.interval}"
    least = (unexplained.lo or ZERO) + least_bias**2
    if _falls_short(square, least):
        words = f"{start} means a mean square of at least {_short(least)}, but {square.words}."
        yield words, _names(explained, variance, known.bias, square)
    if unexplained.hi is not None and mean.interval.hi is not None:
        most = unexplained.hi + mean.interval.hi**2
        if _exceeds(square, most):
            words = f"{start} and {mean.words} (no smaller than the bias) means a mean square of at most {_short(most)}"
            yield f"{words}, but {square.words}.", _names(explained, variance, mean, square)


def _short(x: Fraction) -> str:
    """In full when short, else to six digits."""
    full = decimal(x)
    return full if "/" not in full and len(full) <= 12 else f"{float(x):.6g}"
