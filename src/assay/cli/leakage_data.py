"""``assay leakage data`` and ``assay leakage impact``: what tables show of leaks, and what leaks do to scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, a_number, reporting, tell

if TYPE_CHECKING:
    from assay.findings import Report
    from assay.leakage.data.outcome import Outcome, Rows
    from assay.leakage.data.split import Roles, Split
    from assay.leakage.impact.leaks import Leak
    from assay.leakage.impact.models import Model

TargetOption = Annotated[str | None, typer.Option(metavar="COLUMN", help="The outcome.")]
GroupOption = Annotated[list[str] | None, typer.Option("--group", metavar="COLUMN", help="Names groups; repeatable.")]
TimeOption = Annotated[list[str] | None, typer.Option("--time", metavar="COLUMN", help="Tells when; repeatable.")]
IdOption = Annotated[
    list[str] | None, typer.Option("--id", metavar="COLUMN", help="Names rows, no feature; repeatable.")
]
DelimiterOption = Annotated[str | None, typer.Option(help="Of CSV files.", show_default="found")]
SheetOption = Annotated[str | None, typer.Option(help="Of Excel files.", show_default="the first")]


_REPEATS = 2
_WORLDS = 10
"""Panels of the example: with ten, intervals of the differences are about ±0.02."""


class Example(StrEnum):
    """The bundled examples."""

    CIVIL_WAR = "civil-war"


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command("data")(data)
    app.command("impact")(impact)


@reporting()
def data(
    table: Annotated[Path | None, typer.Argument(metavar="TABLE", help="CSV, Parquet, Feather or Excel.")] = None,
    train: Annotated[Path | None, typer.Option(metavar="FILE", help="The training part.")] = None,
    test: Annotated[Path | None, typer.Option(metavar="FILE", help="The test part.")] = None,
    target: TargetOption = None,
    split: Annotated[str | None, typer.Option(metavar="COLUMN", help='Of TABLE: holds "train" and "test".')] = None,
    fold: Annotated[str | None, typer.Option(metavar="COLUMN", help="Of TABLE: numbers the folds.")] = None,
    group: GroupOption = None,
    time: TimeOption = None,
    identifier: IdOption = None,
    images: Annotated[Path | None, typer.Option(metavar="FOLDER", help='Pictures in "train" and "test".')] = None,
    difference: Annotated[
        float | None,
        typer.Option(callback=a_number, min=0, max=1, help="A claimed difference in AUC between two models."),
    ] = None,
    tolerance: Annotated[
        float,
        typer.Option(callback=a_number, min=0, max=1, help="What near copies may differ by, in standard deviations."),
    ] = 1e-3,
    rows: Annotated[Path | None, typer.Option(metavar="FILE", help="Write all rows concerned there (CSV).")] = None,
    delimiter: DelimiterOption = None,
    sheet: SheetOption = None,
    *,
    delivery: Delivery,
) -> int:
    """Did the test set leak into training, as far as the tables show?

    Give --train and --test, or one TABLE with --split or --fold; a TABLE alone is examined as far as that goes.
    """
    from dataclasses import replace

    from assay.findings import Severity
    from assay.leakage.data.images import near_images
    from assay.leakage.data.split import Roles

    roles = Roles(target, tuple(group or ()), tuple(time or ()), tuple(identifier or ()))
    pictures = [near_images(images)] if images else []
    _refuse_confusion(table, train, test, split, fold, bool(images))
    found: tuple[Report, list[Rows]] = _pictures_alone(images, pictures)
    if table or train:
        splits = _splits(table, train, test, split, fold, roles, delimiter, sheet)
        splits = [replace(one, claim=difference) for one in splits]
        found = _checked(splits, tolerance, pictures)
    if rows is not None:
        _write_rows(found[1], rows, force=delivery.force)
    named = {"target": target, "split": split, "fold": fold, "group": group, "time": time, "id": identifier}
    command = _command("data", table=table, train=train, test=test, images=images, **named)
    return delivery.send(replace(found[0], command=command), least=Severity.WARNING)


def _refuse_confusion(
    table: Path | None, train: Path | None, test: Path | None, split: str | None, fold: str | None, images: bool
) -> None:
    from assay.errors import InputError

    if (train is None) != (test is None):
        raise InputError("--train and --test go together", fix="Give both, or one TABLE with --split.")
    if table and train:
        raise InputError("a TABLE and --train are given together", fix="Give one of them.")
    if not (table or train or images):
        raise InputError("no table is given", fix="Give --train and --test, or a TABLE.")
    if (split or fold) and not table:
        raise InputError("--split and --fold are about one TABLE", fix="Name the table.")
    if split and fold:
        raise InputError("--split and --fold are given together", fix="Give one of them.")


def _splits(
    table: Path | None,
    train: Path | None,
    test: Path | None,
    split: str | None,
    fold: str | None,
    roles: Roles,
    delimiter: str | None,
    sheet: str | None,
) -> list[Split]:
    from assay.leakage.data.split import split_by_column, split_of_tables, splits_by_fold, unsplit
    from assay.tables import read_table

    if train and test:
        first, second = (read_table(path, delimiter=delimiter, sheet=sheet) for path in (train, test))
        return [split_of_tables(first, second, roles)]
    whole = read_table(table or Path(), delimiter=delimiter, sheet=sheet)
    if fold:
        return splits_by_fold(whole, fold, roles)
    return [split_by_column(whole, split, roles) if split else unsplit(whole, roles)]


def _checked(splits: Sequence[Split], tolerance: float, pictures: Sequence[Outcome]) -> tuple[Report, list[Rows]]:
    from assay.cli.progress import tracked
    from assay.leakage.data.checking import Check, check_folds, check_split

    def track(checks: Sequence[Check]) -> Iterable[Check]:
        return tracked(checks, len(checks), "checking")

    if len(splits) > 1:
        return check_folds(splits, tolerance=tolerance, extra=pictures, track=track)
    return check_split(splits[0], tolerance=tolerance, extra=pictures, track=track)


def _pictures_alone(folder: Path | None, pictures: Sequence[Outcome]) -> tuple[Report, list[Rows]]:
    from assay.findings import Report
    from assay.leakage.data.checking import QUESTION

    report = Report(
        title=f"Leakage in {folder}",
        question=QUESTION,
        findings=tuple(f for p in pictures for f in p.findings),
        left_out=tuple(text for p in pictures for text in p.left_out),
    )
    return report, [r for p in pictures for r in p.rows]


def _write_rows(rows: Sequence[Rows], path: Path, *, force: bool) -> None:
    import csv
    import io

    from assay.leakage.data.outcome import ROWS_HEADER
    from assay.report import write

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(ROWS_HEADER)
    for some in rows:
        writer.writerows(some.lines())
    write(text.getvalue(), path, force=force)
    tell(f"rows written to {path}")


@reporting()
def impact(
    table: Annotated[Path | None, typer.Argument(metavar="TABLE", help="CSV, Parquet, Feather or Excel.")] = None,
    leak: Annotated[
        list[str] | None,
        typer.Option("--leak", metavar="LEAK", help="Name or code; repeatable.", show_default="duplicates"),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="[name=]logistic|forest|boosting|package.module:Class[@column,…]; repeatable.",
            show_default="logistic, forest",
        ),
    ] = None,
    target: TargetOption = None,
    group: GroupOption = None,
    time: TimeOption = None,
    identifier: IdOption = None,
    proxy: Annotated[
        list[str] | None, typer.Option("--proxy", metavar="COLUMN", help="For --leak proxy; repeatable.")
    ] = None,
    example: Annotated[Example | None, typer.Option(help="Run the bundled case study on generated data.")] = None,
    folds: Annotated[int, typer.Option(min=2, max=20, help="Splits in each repeat.")] = 5,
    repeats: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1_000,
            help="How often the table is split anew, or how many panels the example draws.",
            show_default="2, for the example 10",
        ),
    ] = None,
    resume: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keep finished splits there, and continue from them.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of splits and models.")] = 0,
    delimiter: DelimiterOption = None,
    sheet: SheetOption = None,
    *,
    delivery: Delivery,
) -> int:
    """How much optimism would this leak cause?

    Runs models on the table with and without the leak, on the same splits. A class named by its import path is
    imported, which runs its code.
    """
    from dataclasses import replace

    from assay.findings import Severity
    from assay.leakage.data.split import Roles
    from assay.leakage.impact.leaks import find_leak
    from assay.leakage.impact.models import model_of
    from assay.report import Format

    repeats = repeats or (_WORLDS if example else _REPEATS)
    figures = delivery.wants(Format.HTML)
    if example:
        _refuse_beside_the_example(TABLE=table, leak=leak, model=model, target=target)
        report = _case_study(repeats, seed, resume, figures=figures)
    else:
        roles = Roles(target, tuple(group or ()), tuple(time or ()), tuple(identifier or ()))
        plan = (folds, repeats, seed)
        leaks = list(map(find_leak, leak or ["duplicates"]))
        models = list(map(model_of, model or ["logistic", "forest"]))
        whole = _table(table, roles, delimiter, sheet)
        report = _staged(whole, leaks, models, tuple(proxy or ()), plan, resume, figures=figures)
    command = _command(
        "impact",
        table=table,
        target=target,
        group=group,
        time=time,
        example=example,
        leak=leak,
        model=model,
        folds=None if example else folds,
        repeats=repeats,
        seed=seed,
    )
    return delivery.send(replace(report, command=command), least=Severity.WARNING)


def _refuse_beside_the_example(**given: object) -> None:
    from assay.errors import InputError

    for name, value in given.items():
        if value:
            word = name if name.isupper() else f"--{name}"
            raise InputError(f"{word} and --example are given together", fix="Give one of them.")


def _case_study(worlds: int, seed: int, resume: Path | None, *, figures: bool) -> Report:
    from assay.cli.progress import tracked
    from assay.leakage.impact.checkpoint import Checkpoint
    from assay.leakage.impact.reporting import report_of
    from assay.leakage.impact.studies import run_studies

    checkpoint = Checkpoint(resume, f"assay leakage impact --example civil-war --seed {seed}")
    impacts = run_studies(worlds, seed, checkpoint, lambda jobs: tracked(jobs, len(jobs), "running"))
    return report_of(impacts, "four studies of civil war on generated country-years", figures=figures)


def _table(table: Path | None, roles: Roles, delimiter: str | None, sheet: str | None) -> Split:
    from assay.errors import InputError
    from assay.leakage.data.split import unsplit
    from assay.tables import read_table

    if table is None:
        raise InputError("no table is given", fix="Name a TABLE, or --example civil-war.")
    return unsplit(read_table(table, delimiter=delimiter, sheet=sheet), roles)


def _staged(
    whole: Split,
    leaks: Sequence[Leak],
    models: Sequence[Model],
    proxies: tuple[str, ...],
    plan: tuple[int, int, int],
    resume: Path | None,
    *,
    figures: bool,
) -> Report:
    from dataclasses import replace

    from assay.cli.progress import tracked
    from assay.leakage.impact.checkpoint import Checkpoint
    from assay.leakage.impact.experiment import run
    from assay.leakage.impact.material import material_of
    from assay.leakage.impact.reporting import report_of

    material = replace(material_of(whole), proxies=proxies)
    if proxies:
        material.columns(proxies)  # report a misspelt column before anything runs
    folds, repeats, seed = plan
    checkpoint = Checkpoint(resume, _fingerprint(whole, models, proxies, folds, seed))
    impacts = [
        run(
            material,
            models,
            leak,
            folds=folds,
            repeats=repeats,
            seed=seed,
            checkpoint=checkpoint,
            track=lambda jobs: tracked(jobs, len(jobs), "running"),
        )
        for leak in leaks
    ]
    return report_of(impacts, whole.train_numbers.file, whole.left_out, figures=figures)


def _fingerprint(whole: Split, models: Sequence[Model], proxies: tuple[str, ...], folds: int, seed: int) -> str:
    """What must be unchanged to reuse finished splits: the table, its roles, the models, the folds, the seed."""
    import hashlib

    cells = hashlib.sha256(whole.train.write_csv().encode()).hexdigest()[:16]
    named = " ".join(f"{m.name}={m.kind}@{','.join(m.columns)}" for m in models)
    return f"table {cells}, {whole.roles}, models {named}, proxies {','.join(proxies)}, folds {folds}, seed {seed}"


def _command(name: str, **given: object) -> str:
    """The parts of the command line that affect the result."""
    words = ["assay leakage", name]
    table = given.pop("table", None)
    if table:
        words.append(str(table))
    for option, value in given.items():
        for one in value if isinstance(value, list) else [value]:
            if one is not None:
                words += [f"--{option}", str(one)]
    return " ".join(words)
