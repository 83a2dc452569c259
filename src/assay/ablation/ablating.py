"""From a plan to its effects: make the runs that are missing, read all of them, measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from assay.ablation.design import Run, runs_of
from assay.ablation.effects import MeasureEffects, effects, measures_in
from assay.ablation.plan import Plan
from assay.ablation.running import execute
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


def ablate(
    plan: Plan,
    store: Path,
    *,
    workers: int = 1,
    retry: bool = False,
    track: Callable[[Iterable[Finished], int], Iterator[Finished]] = lambda finished, _: iter(finished),
) -> Ablation:
    """Make every run of the plan that `store` does not have, and measure what each item does.

    `track` sees each run as it ends, and how many there are; it is for a progress bar.
    """
    runs = runs_of(plan)
    with closing(execute(plan, runs, Store(store, plan), workers=workers, retry=retry)) as ending:
        finished = dict(track(ending, len(runs)))
    results = {run: finished[run] for run in runs}
    if all(outcome.status is not Status.DONE for outcome in results.values()):
        told = Counter(outcome.message for outcome in results.values()).most_common(1)[0][0]
        raise InputError(f"none of the {len(runs)} runs gave metrics ({told})", fix="Try the command by hand.")
    measures, left_out = _measures(plan, measures_in(results))
    return Ablation(plan, results, tuple(effects(plan, results, measures)), tuple(left_out))


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
