"""What is reported of the folds: a mean, and perhaps the spread and the extremes of one quantity over them."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.scores.enclosures import Enclosure, inside, scaled, spread_inside, squared, total
from assay.scores.exact import Interval
from assay.scores.multiclass.quantities import Quantity

Floats = NDArray[np.float64]
DIVISORS = (0, 1)
"""Taken from the number of folds for a standard deviation: reports use both."""

_BEYOND = 2.0
"""Larger than any score that is averaged over classes."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A quantity whose mean over the folds is in its interval."""

    quantity: Quantity
    sd: Interval | None = None
    minimum: Interval | None = None
    maximum: Interval | None = None
    median: Interval | None = None

    @property
    def single(self) -> bool:
        """Whether nothing but the mean is reported."""
        return not any((self.sd, self.minimum, self.maximum, self.median))

    def holds(self, values: Sequence[Enclosure]) -> bool:
        """Whether these values of the folds give the figure."""
        outcomes = [inside(scaled(total(values), Fraction(1, len(values))), self.quantity.interval)]
        if self.sd is not None:
            outcomes.append(spread_inside(values, [squared(v) for v in values], self.sd, DIVISORS))
        if self.minimum is not None:
            outcomes.append(inside(min(values), self.minimum))
        if self.maximum is not None:
            outcomes.append(inside(max(values), self.maximum))
        if self.median is not None:
            # Ends that rise together: the median of the enclosures' ends encloses the median.
            lows, highs = (statistics.median(ends) for ends in zip(*values, strict=True))
            outcomes.append(inside((lows, highs), self.median))
        return False not in outcomes

    def miss(self, others: Floats, new: Floats) -> Floats:
        """How far the figure is off when some folds, one a row, take each of the new values, in floating point."""
        count = len(others) + len(new)
        mean = (others.sum() + new.sum(axis=0)) / count
        off = _outside(mean, self.quantity.interval)
        if self.sd is not None and count > 1:
            squares = np.maximum(0, (others**2).sum() + (new**2).sum(axis=0) - count * mean**2)
            off = off + np.min([_outside(np.sqrt(squares / (count - d)), self.sd) for d in DIVISORS], axis=0)
        if self.minimum is not None:
            off = off + _outside(np.minimum(new.min(axis=0), others.min(initial=np.inf)), self.minimum)
        if self.maximum is not None:
            off = off + _outside(np.maximum(new.max(axis=0), others.max(initial=-np.inf)), self.maximum)
        if self.median is not None:
            still = np.broadcast_to(others[:, None], (len(others), new.shape[1]))
            off = off + _outside(np.median(np.concatenate([still, new]), axis=0), self.median)
        return off


def _outside(values: Floats, interval: Interval) -> Floats:
    below = 0 if interval.lo is None else np.maximum(0, float(interval.lo) - values)
    above = 0 if interval.hi is None else np.maximum(0, values - float(interval.hi))
    return np.asarray(below + above, dtype=float) + np.zeros_like(values)


def ends(interval: Interval) -> tuple[float, float]:
    """The ends of what a figure leaves open, in floating point; an open end lies beyond every score."""
    low, high = (None if end is None else float(end) for end in (interval.lo, interval.hi))
    return -_BEYOND if low is None else low, _BEYOND if high is None else high
