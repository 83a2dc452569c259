"""How often DeLong's 95 % interval of an AUC holds the true AUC when one class has few rows.

    python bench/auc_coverage.py [repeats]

Scores are normal in both classes (binormal); the other class has 500 rows. The table in
`assay.comparison.coverage` comes from here.
"""

from __future__ import annotations

import sys
from statistics import NormalDist

import numpy as np

POSITIVES = (5, 8, 11, 15, 20, 30, 50)
AREAS = (0.7, 0.8, 0.9, 0.95)
NEGATIVES = 500


def coverage(positives: int, area: float, repeats: int, draw: np.random.Generator) -> float:
    shift = NormalDist().inv_cdf(area) * 2**0.5
    held = 0
    for _ in range(repeats):
        high, low = draw.normal(shift, 1, positives), np.sort(draw.normal(size=NEGATIVES))
        beats = np.searchsorted(low, high) / NEGATIVES
        beaten = 1 - np.searchsorted(np.sort(high), low) / positives
        value = beats.mean()
        error = np.sqrt(beats.var(ddof=1) / positives + beaten.var(ddof=1) / NEGATIVES)
        held += abs(value - area) <= 1.959964 * error
    return held / repeats


def main() -> None:
    repeats = int((sys.argv[1:] or ["20000"])[0])
    draw = np.random.default_rng(0)
    for positives in POSITIVES:
        shown = [f"{coverage(positives, area, repeats, draw):.3f}" for area in AREAS]
        print(f"{positives:4} positives: " + "  ".join(f"AUC {a}: {c}" for a, c in zip(AREAS, shown, strict=True)))


if __name__ == "__main__":
    main()
