"""From a plan to its effects: make the runs that are missing, read all of them, measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from math import inf
from pathlib import Path

from assay.ablation.cluster import execute_on_cluster
from assay.ablation.design import Run, runs_of
from assay.ablation.effects import MeasureEffects, effects, measures_in
from assay.ablation.execution import execute
from assay.ablation.plan import Plan
from assay.ablation.store import Outcome, Status, Store
from assay.errors import InputError, suggestion
from assay.records import dataclass

MOST_MEASURES = 20
"""How many metrics are reported when the plan names none."""

Finished = tuple[Run, Outcome]


@dataclass(frozen=True)
class Ablation:
    """What came of a plan."""

    plan: Plan
    results: dict[Run, Outcome]
    effects: tuple[MeasureEffects, ...]
    left_out: tuple[str, ...] = ()

    @property
    def failed(self) -> list[Finished]:
        """Every run that gave no metrics."""
        return [(run, outcome) for run, outcome in self.results.items() if outcome.status is not Status.DONE]


Tracker = Callable[[Iterable[Finished], int], Iterator[Finished]]
Maker = Callable[[Sequence[Run]], dict[Run, Outcome]]
"""Makes runs, or takes them from the store."""
LEAST_SEEDS = 5
"""No series stops with fewer: the interval of three seeds is too unsteady to decide by."""


def ablate(
    plan: Plan,
    store: Path,
    *,
    workers: int = 1,
    retry: bool = False,
    scheduler: str = "",
    track: Tracker = lambda finished, _: iter(finished),
) -> Ablation:
    """Make every run of the plan that `store` does not have, and measure what each item does.

    `scheduler` is the address of a Dask cluster to run on instead of this machine. `track` sees each run as it ends,
    and how many there are; it is for a progress bar.
    """
    if not plan.command:
        fix = "Add a command to the plan, or give finished runs with --from."
        raise InputError("the plan names no command", where=plan.title, fix=fix)
    kept = Store(store, plan)

    def make(runs: Sequence[Run]) -> dict[Run, Outcome]:
        if scheduler:
            ending = execute_on_cluster(scheduler, plan, runs, kept, retry=retry)
        else:
            ending = execute(plan, runs, kept, workers=workers, retry=retry)
        with closing(ending):
            return dict(track(ending, len(runs)))

    if plan.enough is None:
        return summed_up(plan, make(runs_of(plan)))
    return _until_enough(plan, plan.enough, make)


def _until_enough(plan: Plan, enough: float, make: Maker) -> Ablation:
    """Seed after seed, until the interval of every change reaches no further than `enough`."""
    finished: dict[Run, Outcome] = {}
    number, reach = 0, inf
    while number < len(plan.seeds) and reach > enough:
        number = max(number + 1, min(LEAST_SEEDS, len(plan.seeds)))
        begun = replace(plan, seeds=plan.seeds[:number], joint=0)
        finished |= make([run for run in runs_of(begun) if run not in finished])
        reach = _widest_reach(begun, finished)
    final = replace(plan, seeds=plan.seeds[:number])
    finished |= make([run for run in runs_of(final) if run not in finished])
    known = f"every change is known to ±{reach:.2g}" if reach < inf else "no interval is known"
    verdict = "enough" if reach <= enough else f"±{enough:g} was asked for, and no seeds are left"
    return summed_up(final, finished, [f"{number} of {len(plan.seeds)} seeds: {known} ({verdict})"])


def _widest_reach(plan: Plan, results: dict[Run, Outcome]) -> float:
    """How far the interval of a change reaches at most; infinite while one has none."""
    measures, _ = _measures(plan, measures_in(results))
    changes = [
        estimate
        for found in effects(plan, results, measures)
        for item in found.items
        for _, estimate in item.alternatives
    ]
    ends = ((change.low, change.high) for change in changes)
    return max((inf if low is None or high is None else (high - low) / 2 for low, high in ends), default=inf)


def summed_up(plan: Plan, results: dict[Run, Outcome], notes: Sequence[str] = ()) -> Ablation:
    """The effects that the runs of a plan show."""
    ordered = {run: results[run] for run in runs_of(plan) if run in results}
    if all(outcome.status is not Status.DONE for outcome in ordered.values()):
        why = Counter(outcome.message for outcome in ordered.values()).most_common(1)
        words = f" ({why[0][0]})" if why else ""
        raise InputError(f"none of the {len(ordered)} runs gave metrics{words}", fix="Try the command by hand.")
    measures, left_out = _measures(plan, measures_in(ordered))
    return Ablation(plan, ordered, tuple(effects(plan, ordered, measures)), (*notes, *left_out))


def stored_effects(plan: Plan, store: Path) -> tuple[MeasureEffects, ...]:
    """The effects that the finished runs of a plan show; nothing is run."""
    kept = Store(store, plan)
    results = {run: outcome for run in runs_of(plan) if (outcome := kept.get(kept.key(run))) is not None}
    if not any(outcome.status is Status.DONE for outcome in results.values()):
        fix = "Make them first with `assay ablate`, or name their folder with --runs."
        raise InputError("holds no finished run of this plan", where=str(store), fix=fix)
    measures, _ = _measures(plan, measures_in(results))
    return tuple(one for one in effects(plan, results, measures) if one.items)


def _measures(plan: Plan, known: list[str]) -> tuple[list[str], list[str]]:
    for name in plan.measures:
        if name not in known:
            fix = suggestion(name, known) or f"The runs gave {', '.join(known[:12])}."
            raise InputError(f'no run gave the measure "{name}"', where=plan.title, fix=fix)
    chosen = list(plan.measures or known[:MOST_MEASURES])
    cut = len(known) - len(chosen) if not plan.measures else 0
    return chosen, [f"{cut} further metrics: name those that matter in the plan (measures = …)"] if cut else []
