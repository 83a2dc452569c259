"""Wilcoxon's signed-rank test, and its Bayesian counterpart with a region of practical equivalence.

Benavoli, Corani, Demšar & Zaffalon, Time for a change: a tutorial for comparing multiple classifiers through
Bayesian analysis, JMLR 18 (2017), section 4.2: the differences get Dirichlet weights, with one more observation at
zero as the prior.
"""

from __future__ import annotations

import numpy as np

from assay.comparison.arrays import Floats
from assay.records import dataclass

_PRIOR_STRENGTH = 0.5
"""Weight of the observation at zero (the paper's choice)."""
_DRAWS = 20_000
_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Posterior:
    """How likely the first is better, both are practically equal, and the second is better."""

    first: float
    equal: float
    second: float


def signed_rank_p(first: Floats, second: Floats, *, one_sided: bool, sign: int = 1) -> float:
    """Wilcoxon's p-value for paired values; one-sided, it is about the first being larger (smaller for sign -1)."""
    from scipy.stats import wilcoxon

    differences = sign * (first - second)
    if not differences.any():
        return 1.0
    return float(wilcoxon(differences, alternative="greater" if one_sided else "two-sided").pvalue)


def bayesian_signed_rank(differences: Floats, rope: float, seed: int) -> Posterior:
    """The posterior of the differences (first minus second, more is better), within `rope` counted as equal."""
    values = np.append(0.0, differences)
    sums = values[:, None] + values[None, :]
    above, below = (sums > 2 * rope).astype(np.float64), (sums < -2 * rope).astype(np.float64)
    draw = np.random.default_rng(seed)
    strength = np.append(_PRIOR_STRENGTH, np.ones(differences.size))
    wins = np.zeros(3)
    done = 0
    while done < _DRAWS:
        size = min(_DRAWS - done, max(1, _CELLS // values.size))
        weights = draw.dirichlet(strength, size)
        first, second = (np.einsum("bi,ij,bj->b", weights, side, weights, optimize=True) for side in (above, below))
        shares = np.stack([first, 1 - first - second, second])
        best = shares == shares.max(axis=0)
        wins += (best / best.sum(axis=0)).sum(axis=1)
        done += size
    return Posterior(*(float(share) for share in wins / _DRAWS))
