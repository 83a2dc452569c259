"""How often DeLong's 95 % interval of an AUC holds the truth when one class has few rows.

Measured with binormal scores and 500 rows of the other class, 4,000 repeats each (`bench/auc_coverage.py`,
2026-11-18). With many rows of both classes it is 0.95.
"""

from __future__ import annotations

from bisect import bisect_right

ENOUGH = 30
"""Rows of the rarer class from which on the interval holds about what it promises, but for areas near 1."""
_ROWS = (5, 8, 11, 15, 20, 30, 50)
_AREAS = (0.7, 0.8, 0.9, 0.95)
_HELD = (
    (0.840, 0.809, 0.738, 0.659),
    (0.888, 0.859, 0.806, 0.735),
    (0.901, 0.896, 0.832, 0.772),
    (0.913, 0.910, 0.863, 0.810),
    (0.935, 0.912, 0.884, 0.846),
    (0.936, 0.929, 0.905, 0.873),
    (0.944, 0.933, 0.919, 0.896),
)


def measured_coverage(rarer: int, area: float) -> tuple[float, int, float]:
    """The coverage measured at the nearest case that is no easier: (coverage, rows of the rarer class, AUC)."""
    row = max(bisect_right(_ROWS, rarer) - 1, 0)
    column = min(bisect_right(_AREAS, max(area, 1 - area)), len(_AREAS) - 1)
    return _HELD[row][column], _ROWS[row], _AREAS[column]
