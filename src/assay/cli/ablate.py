"""``assay ablate``: what does an unreported choice cost?"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, reporting

if TYPE_CHECKING:
    from assay.ablation.plan import Plan
    from assay.ablation.series import Finished

RunsOption = Annotated[
    Path | None,
    typer.Option("--runs", metavar="DIR", help="Keep finished runs there.", show_default="beside the plan"),
]
WorkersOption = Annotated[int | None, typer.Option(min=1, max=1024, help="Runs at a time.", show_default="all cores")]
RetryOption = Annotated[bool, typer.Option("--retry", help="Make the runs again that failed before.")]
SchedulerOption = Annotated[
    str, typer.Option(metavar="tcp://…", help="Run on this Dask cluster; its workers must see the plan's folder.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would be run and what it would cost; run nothing.")
]


@reporting(findings=False)
def ablate(
    plan: Annotated[Path, typer.Argument(metavar="PLAN", help="TOML: base configuration, command, menu, seeds.")],
    runs: RunsOption = None,
    workers: WorkersOption = None,
    retry: RetryOption = False,
    dry_run: DryRunOption = False,
    scheduler: SchedulerOption = "",
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="PATH", help="Runs made elsewhere: a CSV, or MLflow's folder. Runs nothing."),
    ] = None,
    *,
    delivery: Delivery,
) -> int:
    """How far does each choice that was not reported move the result?

    Runs the command that PLAN names, with your rights, once for each alternative and seed: read the plan first.
    Stopped at any moment, it goes on where it was.
    """
    from assay.ablation.plan import read_plan

    if source is not None:
        return _report_imported(read_plan(plan), source, f"assay ablate {plan} --from {source}", delivery)
    return carry_out(
        read_plan(plan),
        runs or plan.with_suffix(".runs"),
        workers=workers,
        retry=retry,
        dry_run=dry_run,
        scheduler=scheduler,
        command=f"assay ablate {plan}",
        delivery=delivery,
    )


def _report_imported(plan: Plan, source: Path, command: str, delivery: Delivery) -> int:
    """Report on runs that were made elsewhere."""
    from assay.ablation.imported import imported_runs
    from assay.ablation.report import report_of
    from assay.ablation.series import summed_up
    from assay.report import Format

    found = imported_runs(plan, source)
    made = summed_up(found.plan, found.results, found.left_out)
    return delivery.send(report_of(made, command=command, figures=delivery.wants(Format.HTML)))


def carry_out(
    plan: Plan,
    runs: Path,
    *,
    workers: int | None,
    retry: bool,
    dry_run: bool,
    command: str,
    delivery: Delivery,
    scheduler: str = "",
    notes: Sequence[str] = (),
) -> int:
    """Make the runs of a plan and deliver the report; with `dry_run`, only count them.

    The exit code is 1 when a run failed, because the report then lacks a part of what the plan asks for.
    """
    from assay.ablation.report import report_of
    from assay.ablation.series import ablate as ablated
    from assay.cli import CLEAN, FINDINGS
    from assay.report import Format

    if dry_run:
        _announce(plan, runs, workers or _cores())
        return CLEAN
    with _termination_as_interrupt():
        cores = workers or _cores()
        found = ablated(plan, runs, workers=cores, retry=retry, scheduler=scheduler, track=_tracked())
    code = delivery.send(report_of(found, command=command, figures=delivery.wants(Format.HTML), notes=notes))
    return FINDINGS if found.failed and code == CLEAN else code


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end the series as Ctrl-C does, so that running commands end with it.

    A signal that is ignored stays ignored: `nohup` relies on it.
    """
    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [number for name in names if signal.getsignal(number := signal.Signals[name]) is signal.SIG_DFL]
    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        numbers = []
    for number in numbers:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _tracked() -> Callable[[Iterable[Finished], int], Iterator[Finished]]:
    from assay.cli.progress import tracked

    return lambda finished, total: tracked(finished, total, "running")


def _announce(plan: Plan, runs: Path, workers: int) -> None:
    from textwrap import fill

    from assay.ablation.cost import cost_of
    from assay.ablation.design import runs_of
    from assay.ablation.store import Store
    from assay.report.wording import on_one_line

    wanted = runs_of(plan)
    cost = cost_of(wanted, Store(runs, plan), plan.timeout)
    for item in plan.items:
        others = "; ".join(one.name for one in item.alternatives)
        typer.echo(on_one_line(item.label))
        for line in (f"as stated: {item.stated}", f"or: {others}"):
            shown = on_one_line(line)
            typer.echo(fill(shown, 80, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False))
    typer.echo(f"{len(wanted)} runs with {len(plan.seeds)} seeds, {cost.finished} of them finished already.")
    typer.echo(fill(cost.sentence(min(workers, max(1, cost.missing))), 80))
