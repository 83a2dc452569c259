"""Many experiments at once: in this process when they are few, over the processors when they are many."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from assay.scores.check import Result, check
from assay.scores.tasks import AnyExperiment

_WORTH_A_PROCESS = 400
"""Below this many experiments starting processes costs more than it saves."""
_CHUNK = 50


def check_all(experiments: Sequence[AnyExperiment], *, workers: int | None = None) -> Iterator[Result]:
    """The results in the order of the experiments; `workers` defaults to the number of processors."""
    wanted = workers or min(os.cpu_count() or 1, 1 + len(experiments) // _WORTH_A_PROCESS)
    if wanted < 2 or len(experiments) < 2:
        yield from map(check, experiments)
        return
    # Fresh processes: a forked copy of a process with threads in it may hang.
    with ProcessPoolExecutor(wanted, multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(check, experiments, chunksize=_CHUNK)
