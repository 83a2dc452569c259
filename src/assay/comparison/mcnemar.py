"""McNemar's test: of the rows where one model is right and the other wrong, has either more."""

from __future__ import annotations

import numpy as np
from scipy.stats import binom

from assay.comparison.arrays import Bools
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Discordance:
    """How many rows only the first, and only the second model gets right."""

    first: int
    second: int

    def p(self, *, mid: bool, one_sided: bool = False) -> float:
        """The exact p-value, or the mid-p value, which counts half of the observed split (Fagerland et al. 2013).

        One-sided, it is about the first model being better.
        """
        number = self.first + self.second
        fewer = self.second if one_sided else min(self.first, self.second)
        tail = float(binom.cdf(fewer, number, 0.5))
        here = float(binom.pmf(fewer, number, 0.5))
        if one_sided:
            return tail - here / 2 if mid else tail
        return 1.0 if self.first == self.second and mid else min(1.0, 2 * tail - (here if mid else 0.0))


def discordance(y: Bools, first: Bools, second: Bools) -> Discordance:
    """Where two models' calls differ, who was right how often."""
    right, also = first == y, second == y
    return Discordance(int(np.count_nonzero(right & ~also)), int(np.count_nonzero(~right & also)))
