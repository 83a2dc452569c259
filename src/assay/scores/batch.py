"""Many experiments at once: in this process when they are few, over the processors when they are many."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from assay.extras import missing_package
from assay.scores.answers import undecided
from assay.scores.check import Hypothesis, Result, check
from assay.scores.tasks import AnyExperiment
from assay.workers import pool

_WORTH_A_PROCESS = 400
"""Below this many experiments starting processes costs more than it saves."""
_CHUNK = 50


def check_all(experiments: Sequence[AnyExperiment], *, workers: int | None = None) -> Iterator[Result]:
    """The results in the order of the experiments; `workers` defaults to the number of processors."""
    if len(experiments) < 2:
        yield from map(check, experiments)
        return
    wanted = workers or min(os.cpu_count() or 1, 1 + len(experiments) // _WORTH_A_PROCESS)
    if wanted < 2:
        yield from map(_one_of_many, experiments)
        return
    with pool(wanted) as processes:
        yield from processes.map(_one_of_many, experiments, chunksize=_CHUNK)


def _one_of_many(experiment: AnyExperiment) -> Result:
    """An experiment that needs a missing package is undecided: the others can still be judged."""
    try:
        return check(experiment)
    except ImportError as error:
        missing = missing_package(error, ("scores", "check"))
        if missing is None:
            raise
        return Result(experiment, (Hypothesis("this experiment", undecided(f"{missing}.")),))
