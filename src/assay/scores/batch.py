"""Many experiments at once: in this process when they are few, over the processors when they are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from assay.scores.check import Result, check
from assay.scores.tasks import AnyExperiment
from assay.workers import pool

_WORTH_A_PROCESS = 400
"""Below this many experiments starting processes costs more than it saves."""
_CHUNK = 50


def check_all(experiments: Sequence[AnyExperiment], *, workers: int | None = None) -> Iterator[Result]:
    """The results in the order of the experiments; `workers` defaults to the number of processors."""
    wanted = workers or min(os.cpu_count() or 1, 1 + len(experiments) // _WORTH_A_PROCESS)
    if wanted < 2 or len(experiments) < 2:
        yield from map(check, experiments)
        return
    with pool(wanted) as processes:
        yield from processes.map(check, experiments, chunksize=_CHUNK)
