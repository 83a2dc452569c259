"""``assay slides``: a whole-slide pipeline in which every choice is recorded."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli import slides_import, slides_meter
from assay.cli.options import Delivery, ForceOption, reporting, tell

if TYPE_CHECKING:
    from assay.slides.configuration import Configuration
    from assay.slides.configuration.bag_steps import BagConfiguration

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="What does an unreported choice in a slide pipeline cost?"
)

_ConfigurationArgument = Annotated[
    str,
    typer.Argument(
        metavar="CONFIG",
        help="A .toml file, or one of: default, small, attention, wang, lee, liu, and the last three with -reduced.",
    ),
]
_ChangeOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change a choice, as patches.size=32; repeatable."),
]
_WorkersOption = Annotated[
    int | None, typer.Option(min=1, max=256, help="Processes; results do not depend on it.", show_default="all cores")
]


@app.command("run")
@reporting(findings=False)
def run(
    config: _ConfigurationArgument,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Slides, or bags of features, with their tables.", show_default="synthetic"
        ),
    ] = None,
    out: Annotated[Path, typer.Option(metavar="RUN", help="Folder of the run; resumed if it was begun.")] = Path("run"),
    cache: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Finished steps, to be shared by runs.", show_default="in RUN")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Another seed for all luck but the split and slides.")] = None,
    change: _ChangeOption = None,
    workers: _WorkersOption = None,
    counts_only: Annotated[
        bool, typer.Option("--counts-only", help="Stop before training, when the patches are counted.")
    ] = False,
    *,
    delivery: Delivery,
) -> int:
    """What comes out of this pipeline on these slides?

    Every step is a table of CONFIG; the run's folder holds the choices, the machine, the seeds, the patch counts,
    every prediction and a manifest. A run that was interrupted goes on where it stopped.
    """
    from assay.cli import CLEAN
    from assay.cli.progress import tracked
    from assay.errors import InputError
    from assay.report import Format
    from assay.slides.bags.run import BagRun, run_bags
    from assay.slides.configuration.bag_steps import BagConfiguration
    from assay.slides.configuration.files import configuration_text
    from assay.slides.evaluation import report_of
    from assay.slides.run import Run
    from assay.slides.run import run as ran

    configuration = _pipeline(config, change, seed)
    text, _ = configuration_text(config)
    figures = delivery.wants(Format.HTML)
    if isinstance(configuration, BagConfiguration):
        if counts_only:
            raise InputError("a configuration on bags cuts no patches", fix="Leave out --counts-only.")
        outcome = run_bags(BagRun(configuration, text, out, data, _processes(workers), tracked))
    else:
        task = Run(configuration, text, out, data, cache, _processes(workers), tracked, figures)
        outcome = ran(task, counts_only=counts_only)
    for sentence in outcome.notes:
        tell(f"note: {sentence}")
    if outcome.evaluation is None:
        tell(f"patches are counted in {out / 'counts.csv'}")
        return CLEAN
    command = f"assay slides run {config} --out {out}"
    return delivery.send(report_of(outcome.evaluation, command, outcome.pictures, figures=figures))


@app.command("make")
def make(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder.")],
    config: Annotated[str, typer.Option(metavar="CONFIG", help="Whose [data.world] describes the slides.")] = "default",
    change: _ChangeOption = None,
    workers: _WorkersOption = None,
) -> int:
    """Make synthetic slides with annotations and tables.

    A toy world: what a choice changes there ranks choices and does not transfer as a number to real slides.
    """
    from assay.cli import CLEAN
    from assay.cli.progress import tracked
    from assay.slides.configuration import read_configuration
    from assay.slides.world import make_world

    world = read_configuration(config, _changes(change, None)).data.world
    made = make_world(folder, world, _processes(workers), tracked)
    patients = len({slide.patient for slide in made})
    tell(f"{len(made)} slides of {patients} patients in {folder}")
    return CLEAN


@app.command("checklist")
def checklist(
    config: _ConfigurationArgument,
    output: Annotated[Path | None, typer.Argument(metavar="FILE", help="A .yaml file.", show_default="screen")] = None,
    force: ForceOption = False,
) -> int:
    """Which items of the checklist does this configuration answer?

    Of the whole-slide checklist; and which of them by an assumption.

    Writes the filled checklist, which `assay checklist check` and `render` read.
    """
    from assay.checklists.files import load
    from assay.cli import CLEAN
    from assay.report import write
    from assay.slides.configuration.answers import CHECKLIST, filled_checklist

    text = filled_checklist(_pipeline(config, None, None), config, load(CHECKLIST).version)
    if output is None:
        typer.echo(text, nl=False)
    else:
        write(text, output, force=force)
        tell(f"written to {output}")
    return CLEAN


@app.command("counts")
@reporting(findings=False)
def counts(
    first: Annotated[Path, typer.Argument(metavar="A", help="Folder of a run, or its counts.csv.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another.")],
    *,
    delivery: Delivery,
) -> int:
    """Do two runs start from the same patches?"""
    from assay.slides.counts import compare_counts

    return delivery.send(compare_counts(first, second, command=f"assay slides counts {first} {second}"))


def _pipeline(name: str, change: list[str] | None, seed: int | None) -> Configuration | BagConfiguration:
    from assay.slides.configuration.files import read_pipeline

    return read_pipeline(name, _changes(change, seed))


def _changes(change: list[str] | None, seed: int | None) -> dict[str, Any]:
    from assay.slides.configuration.files import parsed_change

    changes: dict[str, Any] = dict(map(parsed_change, change or ()))
    return changes if seed is None else changes | {"seed": seed}


def _processes(wanted: int | None) -> int:
    import os

    return wanted or os.cpu_count() or 1


slides_meter.add_to(app)
app.add_typer(slides_import.app, name="import")
