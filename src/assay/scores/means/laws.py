"""By which chances matrices are drawn when there are too many to look at all of them.

The nearer to the reported means, the likelier; and tilted (an exponential family) so that the expected
sums are the reported ones. A draw from the right law hits the windows orders of magnitude more often
than one that is near on the whole, but beside the mark. Nothing here is exact, and nothing needs to be:
a law only proposes matrices, which are verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.means.patterns import Table
from assay.scores.means.windows import FAR

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Floats = NDArray[np.float64]

_STEPS = 12
_LONGEST = 8.0
"""The tilt is sought within this distance, in units of the spread: beyond it hardly any matrix has a chance."""


class Laws:
    """Chances for the rows of tables from which `counts` parts draw, by temperature: the lower, the nearer."""

    def __init__(self, tables: Sequence[Table], counts: Sequence[int], ends: Integers) -> None:
        self._counts = counts
        parts = sum(counts)
        mean = sum((c * t.vectors.mean(axis=0) for t, c in zip(tables, counts, strict=True)), np.zeros(ends.shape[1]))
        low, high = (np.where(np.abs(end) < FAR, end, sign * np.inf) for end, sign in zip(ends, (-1, 1), strict=True))
        bounded = np.isfinite(low) & np.isfinite(high)
        # what is open on one side is only pulled as far as the end it has
        target = np.where(bounded, (np.where(bounded, low, 0) + np.where(bounded, high, 0)) / 2, mean.clip(low, high))
        away = [t.vectors - target / parts for t in tables]
        spread = np.sqrt(sum((c * (a**2).mean(axis=0) for a, c in zip(away, counts, strict=True)), 0 * mean) / parts)
        self._away = [a / np.maximum(spread, 1e-9) for a in away]
        self._distances = [(a[:, bounded] ** 2).mean(axis=1) if bounded.any() else np.zeros(len(a)) for a in self._away]

    def at(self, temperature: float) -> list[Floats]:
        """The chances of the rows of each table."""
        base = [-(d - d.min()) / (2 * temperature**2) for d in self._distances]
        tilt = np.zeros(self._away[0].shape[1])
        worst = np.inf
        best = [self._chances(a, b, tilt) for a, b in zip(self._away, base, strict=True)]
        for _ in range(_STEPS):
            chances = [self._chances(a, b, tilt) for a, b in zip(self._away, base, strict=True)]
            means = [chance @ a for chance, a in zip(chances, self._away, strict=True)]
            missed = sum((c * m for c, m in zip(self._counts, means, strict=True)), 0 * tilt)
            if not np.abs(missed).max() < worst:
                break
            best, worst = chances, np.abs(missed).max()
            tilt = self._step(tilt, missed, chances, means)
        return best

    @staticmethod
    def _chances(away: Floats, base: Floats, tilt: Floats) -> Floats:
        exponent = base + away @ tilt
        chance = np.exp(exponent - exponent.max())
        chances: Floats = chance / chance.sum()
        return chances

    def _step(self, tilt: Floats, missed: Floats, chances: Sequence[Floats], means: Sequence[Floats]) -> Floats:
        """Newton's step towards the tilt whose expected sums are the reported ones."""
        spread = 1e-3 * np.eye(len(tilt))
        for away, chance, mean, count in zip(self._away, chances, means, self._counts, strict=True):
            spread += count * ((away * chance[:, None]).T @ away - np.outer(mean, mean))
        moved = tilt - np.linalg.solve(spread, missed)
        length = float(np.linalg.norm(moved))
        nearer: Floats = moved * min(1.0, _LONGEST / max(length, 1e-9))
        return nearer
