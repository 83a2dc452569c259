"""``assay audit``: everything about one result, in one report."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, a_number, reporting
from assay.report import Format

if TYPE_CHECKING:
    from assay.audit.execution import Step, Told

Sources = Annotated[
    list[str] | None,
    typer.Argument(metavar="PATHS...", help="A folder with everything, single files, or (with --online) addresses."),
]
Papers = Annotated[
    list[str] | None,
    typer.Option("--paper", metavar="FILE", help="LaTeX, Word, PDF, HTML, XML or Markdown; an address or DOI."),
]
Repos = Annotated[
    list[str] | None, typer.Option("--repo", metavar="PATH", help="Folder, archive, path@revision, or an address.")
]
Scores = Annotated[list[Path] | None, typer.Option("--scores", metavar="FILE", help="TOML, YAML, JSON or CSV.")]
Checklists = Annotated[list[Path] | None, typer.Option("--checklist", metavar="FILE", help="A filled checklist.")]


@reporting()
def audit(
    paths: Sources = None,
    paper: Papers = None,
    repo: Repos = None,
    scores: Scores = None,
    train: Annotated[Path | None, typer.Option(metavar="FILE", help="The training table.")] = None,
    test: Annotated[Path | None, typer.Option(metavar="FILE", help="The test table.")] = None,
    target: Annotated[str | None, typer.Option(metavar="COLUMN", help="The outcome in the tables.")] = None,
    checklist: Checklists = None,
    limit: Annotated[
        float, typer.Option(callback=a_number, min=1, metavar="SECONDS", help="For each instrument.")
    ] = 300,
    online: Annotated[bool, typer.Option("--online", help="Download what is given as an address.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes at a time.", show_default="all")] = None,
    *,
    delivery: Delivery,
) -> int:
    """Can this result be true, was it fairly measured, could somebody get it again?

    Runs every instrument that has something to look at, compares what they read, and gives one report: a headline, at
    most five points, questions for the authors, a verdict, and the evidence.
    """
    from assay.audit.audit_report import report_of
    from assay.audit.downloads import downloaded
    from assay.audit.execution import run_audit
    from assay.audit.recognition import recognise
    from assay.errors import InputError

    with TemporaryDirectory(prefix="assay-") as folder:
        given, papers, repositories = (
            downloaded(sources or [], Path(folder), online=online) for sources in (paths, paper, repo)
        )
        submission = recognise(
            list(given),
            papers=list(papers),
            repositories=list(repositories),
            scores=scores or (),
            train=train,
            test=test,
            checklists=checklist or (),
            target=target,
            names=given | papers | repositories,
        )
        with _progress() as told:
            done = run_audit(submission, told=told, workers=workers, limit=limit, figures=delivery.wants(Format.HTML))
    if not done.outcomes:
        raise InputError(done.failed[0].message)
    named = {"--paper": paper, "--repo": repo, "--scores": scores, "--train": [train], "--test": [test]}
    words = ["assay", "audit", *map(str, paths or ())]
    for option, values in {**named, "--checklist": checklist, "--target": [target]}.items():
        words += [word for value in values or () if value is not None for word in (option, str(value))]
    return delivery.send(report_of(done, shlex.join(words)))


@contextmanager
def _progress() -> Iterator[Told | None]:
    """Print one line per step on a terminal; otherwise print nothing."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(finished_text="·"), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        lines: dict[str, TaskID] = {}

        def told(step: Step) -> None:
            if step.name not in lines:
                lines[step.name] = progress.add_task(step.name, total=1, start=False)
            if step.state.value == "running":
                progress.start_task(lines[step.name])
            elif step.state.value in {"done", "failed"}:
                suffix = "" if step.state.value == "done" else ": could not be judged"
                progress.update(lines[step.name], completed=1, description=f"{step.name}{suffix}")

        yield told
