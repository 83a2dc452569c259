"""``assay corpus``: one instrument over thousands of subjects, and what they add up to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, FileOption, ForceOption, a_number, reporting, tell
from assay.corpus.instruments import Name as Instrument
from assay.repository.profiles import Profile

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from assay.corpus.batches import Tally
    from assay.corpus.executors import Place
    from assay.corpus.results import Answer
    from assay.corpus.subject import Task
    from assay.corpus.subject_list import Listing

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What do thousands of subjects add up to?")


class Shape(StrEnum):
    """Output formats for query results."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


_Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a run.")]


@app.command("run")
def run(
    list_: Annotated[Path, typer.Argument(metavar="LIST", help="Subjects: CSV, TSV, Parquet or JSON lines.")],
    instrument: Annotated[Instrument, typer.Option(help="What each subject is examined with.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where results go; a run that is there goes on.")],
    subject: Annotated[str | None, typer.Option(metavar="COLUMN", help="Column that names the subject.")] = None,
    group: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMN", help="Column to carry along; repeatable.", show_default="all others"),
    ] = None,
    workers: Annotated[int | None, typer.Option(min=1, max=1024, help="Processes.", show_default="all cores")] = None,
    scheduler: Annotated[str | None, typer.Option(metavar="tcp://…", help="Use this Dask cluster instead.")] = None,
    slurm: Annotated[
        str | None, typer.Option(metavar="jobs=10,…", help="Ask Slurm for Dask workers: jobs, cores, memory, …")
    ] = None,
    online: Annotated[bool, typer.Option("--online", help="Fetch repositories from their addresses.")] = False,
    pause: Annotated[float, typer.Option(callback=a_number, min=0.0, help="Seconds between requests to a host.")] = 1.0,
    cache: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Where fetched repositories are kept.")] = None,
    time_limit: Annotated[float, typer.Option(callback=a_number, min=0.1, help="Seconds for one subject.")] = 300.0,
    memory_limit: Annotated[int, typer.Option(min=16, help="Megabytes that one subject may take.")] = 2000,
    batch: Annotated[
        int | None, typer.Option(min=1, max=100_000, help="Subjects in a part.", show_default="by instrument")
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Examine again what failed before.")] = False,
    profile: Annotated[Profile, typer.Option(help="How factors of repositories are scored.")] = Profile.DEFAULT,
    check_scores: Annotated[
        bool, typer.Option("--check-scores", help="Test the scores in the tables of papers, too.")
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resampling in reports.")] = 0,
) -> int:
    """Examine every subject of a list, however many there are.

    Results are Parquet tables that grow by whole parts: a run that was stopped, by whatever, goes on where it was when
    the same command is given again. A subject that hangs, crashes or eats memory is recorded as failed, by itself.
    """
    from contextlib import closing

    from assay.cli import CLEAN
    from assay.corpus import batches
    from assay.corpus.subject import Task

    options = {"profile": profile.value} if instrument is Instrument.REPO else {}
    if check_scores and instrument is Instrument.PAPER:
        options |= {"check-scores": "yes"}
    if online:
        options |= {"online": "yes", "pause": f"{pause:g}", **({"cache": str(cache.resolve())} if cache else {})}
    task = Task(instrument.value, tuple(sorted(options.items())), time_limit, memory_limit)
    listing = _listing(list_, instrument, subject, group)
    with closing(_Progress(listing.rows)) as progress, _said_when_interrupted():
        tally = batches.run(
            listing,
            task,
            out,
            _place(workers, scheduler, slurm),
            seed=seed,
            batch=batch,
            retry=retry,
            told=progress.at,
        )
    _tell(tally, listing, task, out)
    return CLEAN


@contextmanager
def _said_when_interrupted() -> Iterator[None]:
    """On Ctrl-C, say that finished work is kept."""
    from assay.errors import InputError

    try:
        yield
    except KeyboardInterrupt:
        raise InputError("interrupted", fix="Give the same command again: what is done is kept.") from None


def _listing(path: Path, instrument: Instrument, subject: str | None, group: list[str] | None) -> Listing:
    """The list of subjects; in rows of scores, every column must be a setting, a score or a group."""
    from assay.corpus.subject_list import read_listing

    itself = instrument is Instrument.SCORES
    listing = read_listing(path, subject=subject, groups=group, itself=itself)
    if itself:
        from assay.corpus.instruments.scores import refuse_unknown

        refuse_unknown([c for c in listing.columns if c not in listing.groups], str(path))
    return listing


def _place(workers: int | None, scheduler: str | None, slurm: str | None) -> AbstractContextManager[Place]:
    """The executor: this machine, unless a cluster is named."""
    import os

    from assay.corpus import executors
    from assay.errors import InputError

    if sum(given is not None for given in (workers, scheduler, slurm)) > 1:
        raise InputError("--workers, --scheduler and --slurm exclude each other", fix="Keep one of them.")
    if scheduler is not None:
        return executors.on_cluster(scheduler)
    if slurm is not None:
        return executors.on_slurm(slurm)
    return executors.on_this_machine(workers or os.cpu_count() or 1)


def _tell(tally: Tally, listing: Listing, task: Task, out: Path) -> None:
    subjects = "subject" if tally.total == 1 else "subjects"
    told = f"{tally.total:,} {subjects}: {tally.done:,} examined, {tally.failed:,} failed"
    typer.echo(f"{told}, {tally.before:,} recorded before" if tally.before else told)
    tell(f"results of {listing.path.name} ({task.instrument}) are in {out}")


class _Progress:
    """A progress bar on the terminal, over the subjects of a part."""

    def __init__(self, total: int) -> None:
        from assay.cli.progress import tracked

        self._seen = 0
        self._ticks: Iterator[int] = tracked(range(total), total, "examining")

    def at(self, tally: Tally) -> None:
        """Update the bar to `done` recorded subjects."""
        for _ in range(tally.before + tally.done + tally.failed - self._seen):
            next(self._ticks, None)
        self._seen = tally.before + tally.done + tally.failed

    def close(self) -> None:
        """Remove the bar."""
        if hasattr(self._ticks, "close"):
            self._ticks.close()


@app.command("report")
@reporting(findings=False)
def report(
    folder: _Folder,
    group: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="Column that tells groups apart.", show_default="first")
    ] = None,
    clusters: Annotated[int, typer.Option(min=2, max=10, help="Number of clusters.")] = 2,
    notebook: Annotated[Path | None, typer.Option(metavar="FILE.ipynb", help="Write a notebook to go on from.")] = None,
    *,
    delivery: Delivery,
) -> int:
    """How common is each finding, and do groups differ?

    Also which kinds of subjects there are, by clusters of their findings.
    """
    from dataclasses import replace

    from assay.corpus import open_results
    from assay.report import Format, write

    found = open_results(folder)
    made = found.report(group=group, clusters=clusters, figures=delivery.wants(Format.HTML))
    if notebook is not None:
        from assay.corpus.notebook import notebook_of

        write(notebook_of(found, group), notebook, force=delivery.force)
        tell(f"notebook written to {notebook}")
    return delivery.send(replace(made, command=f"assay corpus report {folder}"))


@app.command("query")
def query(
    folder: _Folder,
    sql: Annotated[str, typer.Argument(metavar="SQL", help="One SELECT: subjects, facts, findings, verdicts, …")],
    format_: Annotated[Shape, typer.Option("--format", "-f", help="How to write the answer.")] = Shape.TEXT,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many rows to show as text.")] = 50,
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """What do the results say, in SQL?

    DuckDB answers one SELECT, and changes nothing.
    """
    from assay.cli import CLEAN
    from assay.corpus import open_results
    from assay.report import write

    text = _written(open_results(folder).query(sql), format_, limit)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write(text, output, force=force)
    return CLEAN


def _written(answer: Answer, shape: Shape, limit: int) -> str:
    from assay.corpus.answers import as_csv, as_json, as_text

    if shape is Shape.TEXT:
        return as_text(answer, limit)
    return as_csv(answer) if shape is Shape.CSV else as_json(answer)
