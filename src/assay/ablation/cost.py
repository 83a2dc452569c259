"""What the runs of a plan that are still missing will cost, judged by those that have finished."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from assay.ablation.design import Run
from assay.ablation.store import Store
from assay.records import dataclass

_UNITS = ((86_400, "days"), (3_600, "hours"), (60, "minutes"))


@dataclass(frozen=True, slots=True)
class Cost:
    """How many runs are missing, and how long the finished ones took on average."""

    finished: int
    missing: int
    mean_seconds: float | None
    """None while no run has finished."""
    longest_seconds: float
    """The time limit of one run."""

    def sentence(self, workers: int) -> str:
        """The estimate in words; without a finished run only a limit is known."""
        if not self.missing:
            return "Nothing is left to run."
        at_a_time = f"{workers} at a time" if workers > 1 else "one at a time"
        if self.mean_seconds is None:
            limit = duration(self.missing * self.longest_seconds / workers)
            return f"Cost: unknown until a run has finished; at most {limit}, {at_a_time}."
        total = duration(self.missing * self.mean_seconds / workers)
        known = f"{self.finished} finished {'run' if self.finished == 1 else 'runs'}"
        each = duration(self.mean_seconds)
        return f"Cost: about {total} for {self.missing} runs, {at_a_time}; {known} took {each} each."


def cost_of(runs: Sequence[Run], store: Store, timeout: float) -> Cost:
    """The cost of the runs that `store` does not have."""
    known = [outcome for run in runs if (outcome := store.get(store.key(run))) is not None]
    mean = fmean(outcome.seconds for outcome in known) if known else None
    return Cost(len(known), len(runs) - len(known), mean, timeout)


def duration(seconds: float) -> str:
    """A duration in the largest unit of which there are at least two."""
    for size, unit in _UNITS:
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.2g} s" if seconds < 1 else f"{seconds:.3g} s"
