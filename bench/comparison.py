"""How long do comparisons take? DeLong's test on a million rows, and the smoothed bootstrap on rare events.

    python bench/comparison.py

The second is the size of the forecast of civil war that Kapoor & Narayanan tested: 13,748 rows with 11 positives, five
models, 2,000 resamples, each smoothed again. R's pROC 1.18.0 took more than five CPU minutes and 1.9 GB for it. The
data here are made, so that anybody can run this.
"""

from __future__ import annotations

import resource
import time

import numpy as np
from startup import machine

from assay.comparison.analysis import compare
from assay.comparison.curves import ranked
from assay.comparison.delong import delong
from assay.comparison.predictions import Predictions
from assay.comparison.results import Settings

DELONG_TARGET, BOOTSTRAP_TARGET = 2.0, 10.0
"""Seconds."""


def made(positives: int, negatives: int, models: int, ties: bool) -> Predictions:
    rng = np.random.default_rng(1)
    y = np.repeat([True, False], [positives, negatives])
    shared = rng.normal(size=y.size)
    scores = {f"model {i}": shared + rng.normal(size=y.size) + y for i in range(models)}
    return Predictions(y, {name: np.round(s, 3) if ties else s for name, s in scores.items()})


def timed(label: str, target: float | None, work: object) -> None:
    assert callable(work)
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    verdict = "" if target is None else f"   target {target:g} s: {'met' if wall <= target else 'MISSED'}"
    print(f"{label:<62}{wall:>8.2f}{cpu:>8.2f}{verdict}")


def main() -> None:
    print(f"{machine()}\n\n{'seconds':<62}{'wall':>8}{'CPU':>8}")
    for ties in (False, True):
        large = made(100_000, 900_000, 2, ties)
        words = f"DeLong, 2 models, 1,000,000 rows{', with ties' if ties else ''}"
        timed(words, DELONG_TARGET, lambda p=large: delong(p.y, [ranked(s) for s in p.scores.values()]))
    rare = made(11, 13_737, 5, ties=False)
    smoothed = Settings(measures=("auc", "auc_smooth"))
    timed(
        "smoothed bootstrap, 5 models, 13,748 rows, 2,000 resamples", BOOTSTRAP_TARGET, lambda: compare(rare, smoothed)
    )
    timed("the same with every score", None, lambda: compare(rare, Settings()))
    middle = made(10_000, 90_000, 2, ties=False)
    timed("bootstrap, 2 models, 100,000 rows, 1,000 resamples", None, lambda: compare(middle, Settings(resamples=1000)))
    print(f"\nlargest memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
