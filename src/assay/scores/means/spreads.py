"""What a standard deviation demands of two sums together, that of the values and that of their squares.

A window for the squares alone must allow for every divisor and for every mean within its digits, so that most
of what falls into it does not fit after all. With both sums at hand the variance itself is known, up to
what rounding down has lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The variance of m values lies between the ends, its divisor being m less one of `ddof`."""

    low: float
    high: float
    ddof: tuple[int, ...]
    counted: tuple[int, ...]
    """How many parts may be counted: fewer than there are where some are left out of the mean."""
    unit: int
    """What one in the score itself is in the sum of values."""
    scale: int
    """The same for the sum of squares."""
    offset: float
    """What is taken from each square."""
    lost: float
    """More than what rounding can have lost."""
    aims: tuple[tuple[int, int], ...]
    """For each divisor alone, between which ends the sum of squares will be found if every part is counted."""

    def fits(self, values: Integers, squares: Integers) -> NDArray[np.bool_]:
        """Which pairs of sums leave a variance that was reported."""
        total, square = values / self.unit, squares / self.scale
        fitting = np.zeros(len(values), dtype=bool)
        for count in self.counted:
            deviation = square + count * self.offset - total**2 / count
            for divisor in {count - ddof for ddof in self.ddof} - {0}:
                least, most = divisor * self.low - self.lost, divisor * self.high + self.lost
                fitting |= (deviation >= least) & (deviation <= most)
        return fitting
