"""Statistical formulas that several rooms need: intervals of shares and corrections for many tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate


def wilson(count: float, total: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's interval of a share (1927); 0 of 11 is not 0 %. For 0 of 0 it is 0 to 1."""
    if total <= 0:
        return 0.0, 1.0
    z = normal_quantile(level)
    share = count / total
    centre = share + z * z / (2 * total)
    half = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    low, high = (centre - half) / scale, (centre + half) / scale
    return min(share, max(0.0, low)), max(share, min(1.0, high))  # rounding must not move an end past the share


def holm(p: Sequence[float]) -> list[float]:
    """P values corrected by Holm's method (family-wise error rate), in the given order."""
    raised = [(len(p) - rank) * value for rank, value in enumerate(sorted(p))]
    return _in_order(p, list(accumulate(raised, max)))


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """P values corrected by Benjamini and Hochberg's method (false discovery rate), in the given order."""
    raised = [len(p) / rank * value for rank, value in enumerate(sorted(p), 1)]
    return _in_order(p, list(accumulate(reversed(raised), min))[::-1])


def normal_quantile(level: float) -> float:
    """Standard deviations around the mean that contain this share of a normal distribution."""
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


def _in_order(p: Sequence[float], ascending: Sequence[float]) -> list[float]:
    order = sorted(range(len(p)), key=p.__getitem__)
    placed = dict(zip(order, ascending, strict=True))
    return [min(1.0, placed[index]) for index in range(len(p))]
