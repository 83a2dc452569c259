"""Every random choice of a run from one number, whatever the order in which things happen."""

from __future__ import annotations

import zlib

import numpy as np


def generator(run: int, step: int, *names: str) -> np.random.Generator:
    """The generator of a step: from the run's seed plus the step's own, and the names of what it works on."""
    return np.random.default_rng([run + step, *(zlib.crc32(name.encode()) for name in names)])
