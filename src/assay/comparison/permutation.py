"""Is one ranking better than another? Answered by exchanging the two models' ranks, row by row.

If two models were equally good, each row's pair of ranks could as well be exchanged (Bandos, Rockette & Gur,
Statistics in Medicine 24, 2005). Unlike a standard error, that needs no spread, so it also serves a model that
separates the classes perfectly.
"""

from __future__ import annotations

import numpy as np

from assay.comparison.arrays import Bools, Floats

PERMUTATIONS = 2_000
_SEED = 1


def permutation_p(y: Bools, first: Floats, second: Floats, *, one_sided: bool) -> float:
    """Share of exchanges that give at least the observed difference, the observed order included."""
    ranks = np.stack([_ranks(first), _ranks(second)])
    observed = _area(y, ranks[0]) - _area(y, ranks[1])
    draw = np.random.default_rng(_SEED)
    reached = 1
    for _ in range(PERMUTATIONS):
        exchanged = draw.random(y.size) < 0.5
        left, right = np.where(exchanged, ranks[1], ranks[0]), np.where(exchanged, ranks[0], ranks[1])
        found = _area(y, left) - _area(y, right)
        reached += found >= observed - 1e-12 if one_sided else abs(found) >= abs(observed) - 1e-12
    return reached / (PERMUTATIONS + 1)


def _ranks(scores: Floats) -> Floats:
    from scipy.stats import rankdata

    return np.asarray(rankdata(scores), dtype=np.float64)


def _area(y: Bools, scores: Floats) -> float:
    positives = int(np.count_nonzero(y))
    negatives = y.size - positives
    return float((_ranks(scores)[y].sum() - positives * (positives + 1) / 2) / (positives * negatives))
