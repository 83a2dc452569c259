"""``assay slides evaluate`` and ``ablate``: how good are predictions, and what does an unreported choice cost?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli.ablate import DryRunOption, RetryOption, RunsOption, WorkersOption, carry_out
from assay.cli.options import Delivery, a_number, reporting

if TYPE_CHECKING:
    from assay.ablation.plan import Plan
    from assay.slides.configuration import Configuration
    from assay.slides.configuration.bag_steps import BagConfiguration
    from assay.slides.menu import Gap, Menu

MEASURES = ("patch_accuracy", "slide_auc", "froc", "kappa")
"""One measure for each level, prefixed with the name of the set."""
BAG_MEASURES = ("auc", "accuracy")
"""Measures of a configuration on bags."""
_TOY = "synthetic slides: effects rank choices in one toy world and do not transfer as numbers"


def add_to(app: typer.Typer) -> None:
    """Add the commands to ``assay slides``."""
    app.command("evaluate")(evaluate)
    app.command("ablate")(ablate)


@reporting(findings=False)
def evaluate(
    predictions: Annotated[
        Path,
        typer.Argument(
            metavar="PREDICTIONS",
            help="Folder with slides.csv, patches.csv, lesions.csv, patients.csv; with --task, with cases.csv.",
        ),
    ],
    task: Annotated[
        str,
        typer.Option(metavar="TASK", help="camelyon, binary, classes, grades or segmentation."),
    ] = "camelyon",
    order: Annotated[
        str,
        typer.Option(metavar="A,B,…", help="Grades from the lowest to the highest.", show_default="by number"),
    ] = "",
    sets: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME", help="Only this set; repeatable.", show_default="all")
    ] = None,
    threshold: Annotated[
        float, typer.Option(callback=a_number, help="From which score on a patch or slide is called tumour.")
    ] = 0.5,
    resamples: Annotated[
        int, typer.Option(min=0, max=100_000, help="Bootstrap resamples of patients; 0: none.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same intervals.")] = 0,
    metrics: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the numbers alone there, as JSON.")
    ] = None,
    *,
    delivery: Delivery,
) -> int:
    """How good are these predictions, measured over what?

    Patch, slide, lesion and patient measures by the rules of the Camelyon challenges; with --task, any two classes,
    many classes, grades (ISUP, Gleason) or masks, also by centre and scanner. Needs no slide reader.
    """
    import json

    from assay.errors import InputError, suggestion
    from assay.report import Format, write
    from assay.slides.evaluation import Settings, Task, evaluate_task, report_of
    from assay.slides.evaluation import evaluate as evaluated

    if task not in {one.value for one in Task}:
        fix = suggestion(task, [one.value for one in Task]) or f"Known: {', '.join(one.value for one in Task)}."
        raise InputError(f'there is no task "{task}"', fix=fix)
    if Task(task) is Task.CAMELYON:
        found = evaluated(predictions, sets=sets or (), threshold=threshold, resamples=resamples, seed=seed)
    else:
        grades = tuple(word.strip() for word in order.split(",") if word.strip())
        found = evaluate_task(predictions, Task(task), Settings(threshold, grades, resamples, seed), sets=sets or ())
    if metrics is not None:
        write(json.dumps(found.metrics(), indent=2, allow_nan=False) + "\n", metrics, force=delivery.force)
    command = f"assay slides evaluate {predictions}" + (f" --task {task}" if task != "camelyon" else "")
    return delivery.send(report_of(found, command, figures=delivery.wants(Format.HTML)))


@reporting(findings=False)
def ablate(
    config: Annotated[str, typer.Argument(metavar="CONFIG", help="A .toml file, or a shipped one: small, default, …")],
    unspecified: Annotated[
        list[str] | None,
        typer.Option("--unspecified", metavar="ITEM", help="Checklist item that was not reported, or all; repeatable."),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="CHECKLIST", help="A filled whole-slide checklist: vary what it calls partial or missing."
        ),
    ] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Slides with their tables.", show_default="synthetic slides")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, max=1000, help="How many seeds.")] = 5,
    pair: Annotated[
        list[str] | None, typer.Option(metavar="A,B", help="Vary two items together too; repeatable.")
    ] = None,
    joint: Annotated[int, typer.Option(min=0, max=100_000, help="Fill all gaps at random so many times.")] = 0,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Which measures; repeatable.", show_default="one for each level, test set"),
    ] = None,
    menu: Annotated[Path | None, typer.Option(metavar="FILE", help="Alternatives of your own.")] = None,
    runs: RunsOption = None,
    workers: WorkersOption = None,
    retry: RetryOption = False,
    dry_run: DryRunOption = False,
    *,
    delivery: Delivery,
) -> int:
    """What does a choice that was not reported cost?

    Holds what a paper states, varies what it leaves out over a menu fixed beforehand, and tells how far each
    missing item moves the result, next to how far seeds alone move it.
    """
    from assay.cli.progress import tracked
    from assay.slides.configuration.files import read_pipeline
    from assay.slides.menu import gaps, read_menu
    from assay.slides.synthetic import make_data

    configuration = read_pipeline(config)
    known = read_menu(menu, configuration)
    items = _items(unspecified or [], record, configuration, known)
    found = gaps(known, [item for item in items if item in known.ids], configuration)
    folder = (runs or Path(f"{Path(config).stem}.runs")).resolve()
    slides = (data or folder / "slides").resolve()
    if data is None and not dry_run:
        make_data(slides, configuration, workers or 1, tracked)
    plan = _plan(config, configuration, found, seeds, joint, _pairs(pair or [], found), measure or [])
    places = {"{data}": str(slides), "{cache}": str(folder / "steps")}
    return carry_out(
        _placed(plan, places, data),
        folder,
        workers=workers,
        retry=retry,
        dry_run=dry_run,
        command=_command(config, items, record, seeds),
        delivery=delivery,
        notes=_notes(items, known, found, data),
    )


def _items(
    unspecified: list[str], record: Path | None, configuration: Configuration | BagConfiguration, menu: Menu
) -> list[str]:
    """The open checklist items: those named, those of a record, or those that the configuration assumes."""
    from assay.errors import InputError, suggestion
    from assay.slides.menu import open_items

    named = [word.strip() for told in unspecified for word in told.split(",") if word.strip()]
    for name in named:
        if name != "all" and name not in menu.ids:
            fix = suggestion(name, menu.ids) or f"The menu has {', '.join(menu.ids)}, and all."
            raise InputError(f'there are no alternatives for item "{name}"', fix=fix)
    found = [*(menu.ids if "all" in named else named), *(_open_in(record) if record else ())]
    found = list(dict.fromkeys(found or open_items(configuration)))
    if not any(item in menu.ids for item in found):
        fix = "Name items: --unspecified 7, or all; or mark choices as assumed in the configuration."
        raise InputError("nothing is left open that could be varied", fix=fix)
    return found


def _open_in(record: Path) -> list[str]:
    """Items of a filled checklist that apply and are incomplete."""
    from assay.checklists.filled import read_filled
    from assay.errors import InputError

    filled = read_filled(record)
    if filled.checklist.name != "whole-slide":
        fix = "`assay checklist new whole-slide` makes the right one."
        raise InputError(f"fills {filled.checklist.title}", where=str(record), fix=fix)
    return [answer.item.id for answer in filled.answers if answer.applies and answer.text != "complete"]


def _pairs(told: list[str], found: Sequence[Gap]) -> tuple[tuple[str, str], ...]:
    """Pairs of items, by the labels of the plan."""
    from assay.errors import InputError

    labels = {gap.item: gap.label for gap in found}
    pairs = []
    for words in told:
        one, _, other = (word.strip() for word in words.partition(","))
        if one not in labels or other not in labels:
            fix = f"Write two of the items that are varied: {', '.join(labels)}."
            raise InputError(f'"{words}" is no pair', fix=fix)
        pairs.append((labels[one], labels[other]))
    return tuple(pairs)


def _plan(
    config: str,
    configuration: Configuration | BagConfiguration,
    found: Sequence[Gap],
    seeds: int,
    joint: int,
    pairs: tuple[tuple[str, str], ...],
    measures: list[str],
) -> Plan:
    """The plan: the full configuration as base, the gaps as items, ``assay slides run`` as command."""
    from assay import __version__
    from assay.ablation.configuration import Configuration as Base
    from assay.ablation.configuration import FileFormat
    from assay.ablation.plan import ItemModel, Plan, checked, item_of, pairs_of
    from assay.slides.configuration.bag_steps import BagConfiguration
    from assay.slides.configuration.files import pipeline_of

    values: dict[str, Any] = configuration.model_dump(mode="json", exclude_none=True)
    values["metrics"]["resamples"] = 0  # intervals come from seeds here
    base = Base(config, FileFormat.TOML, values)
    models = [
        ItemModel.model_validate(
            {"label": gap.label, "alternatives": [{"name": n, "set": changes} for n, changes in gap.alternatives]}
        )
        for gap in found
        if gap.alternatives
    ]
    for gap in found:
        for name, changes in gap.alternatives:
            pipeline_of(base.changed(changes).values, f"{config}, {gap.label}: {name}")
    items = tuple(item for model in models if (item := item_of(model, base, where=config)).alternatives)
    scored = "test" if "test" in configuration.metrics.sets else configuration.metrics.sets[-1]
    run = ("run", "{config}", "--data", "{data}", "--cache", "{cache}", "--out", "{out}/run", "--seed", "{seed}")
    usual = BAG_MEASURES if isinstance(configuration, BagConfiguration) else MEASURES
    plan = Plan(
        title=f"What {config} leaves open",
        base=base,
        command=("{python}", "-m", "assay", "slides", *run, "--workers", "1"),
        items=items,
        seeds=tuple(range(seeds)),
        folder=Path.cwd(),
        metrics_file="{out}/run/metrics.json",
        measures=tuple(measures) or tuple(f"{scored}.{name}" for name in usual),
        pairs=pairs_of(pairs, items, where=config),
        joint=joint,
        first_alone=True,
        salt=f"assay {__version__}",
    )
    return checked(plan, where=config)


def _placed(plan: Plan, places: dict[str, str], data: Path | None) -> Plan:
    """The plan with its folders; the user's own slide tables become inputs of the results."""
    from dataclasses import replace

    tables = () if data is None else tuple(sorted(path.resolve() for path in data.glob("*.csv")))
    return replace(plan, places=places, depends=tables)


def _notes(items: Sequence[str], menu: Menu, found: Sequence[Gap], data: Path | None) -> list[str]:
    told = [] if data else [_TOY]
    told += [f"item {item}: open, but nothing of it can be varied here" for item in items if item not in menu.ids]
    for gap in found:
        if gap.held:
            told.append(f"{gap.label}: held as stated, so not tried: {'; '.join(gap.held)}")
    return told


def _command(config: str, items: Sequence[str], record: Path | None, seeds: int) -> str:
    named = f"--record {record}" if record else f"--unspecified {','.join(items)}"
    return f"assay slides ablate {config} {named} --seeds {seeds}"
