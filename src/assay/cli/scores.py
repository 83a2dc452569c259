"""``assay scores``: can these numbers be true?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, FileOption, ForceOption, reporting, tell
from assay.errors import InputError
from assay.files import read_text
from assay.scores.conventions import Rounding, Undefined

if TYPE_CHECKING:
    from assay.scores.check import Result
    from assay.scores.sheets.files import Sheet
    from assay.scores.sheets.results import CheckedRow

_FEW = 20
"""At most this many experiments are examined in depth."""

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Can these numbers be true?")


@app.command("check")
@reporting()
def check(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS|FILES...", help="p=1000 n=6000 acc=0.68 …, or files (TOML, YAML, JSON; CSV, TSV, Excel, -)."
        ),
    ],
    rounding: Annotated[Rounding | None, typer.Option(help="How figures were rounded.", show_default="nearest")] = None,
    undefined: Annotated[Undefined | None, typer.Option(help="What 0/0 was counted as.", show_default="any")] = None,
    rows: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the table with a result per row (CSV, XLSX, Parquet, HTML)."),
    ] = None,
    certificate: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a certificate of what is impossible, for `assay scores verify`."),
    ] = None,
    diagnose: Annotated[bool, typer.Option("--diagnose", help="Diagnose every impossible row of a table.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Verdicts only: no diagnosis, no power, no figures.")] = False,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes for large files.", show_default="all")] = None,
    *,
    delivery: Delivery,
) -> int:
    """Can the reported scores come from the described experiment?

    Words describe one experiment: the sizes of the classes, if they are known, and the scores as printed (0.940 is not
    0.94; 94.0% is fine). Files hold many; the columns of a table are found by their headings.
    """
    from assay.cli.progress import tracked
    from assay.report import Format
    from assay.scores.batch import check_all
    from assay.scores.reading import read_file, read_words
    from assay.scores.reporting import report_of
    from assay.scores.sheets.files import read_sheet
    from assay.scores.sheets.results import check_sheet, unread_cells
    from assay.suppressions import apply_suppressions, read_suppressions

    defaults = _conventions(rounding, undefined, delivery)
    words, tables, studies = _sorted_out(what)
    sheets = [read_sheet(path) for path in tables]
    experiments = [read_words(words, defaults)] if words else []
    for path in studies:
        experiments += read_file(path, defaults)
    results = list(tracked(check_all(experiments, workers=workers), len(experiments), "checking"))
    checked = [
        check_sheet(sheet, defaults, diagnose=diagnose, workers=workers, track=partial(tracked, label="checking"))
        for sheet in sheets
    ]
    if rows is not None:
        _write_rows(sheets, checked, rows, force=delivery.force)
    if certificate is not None:
        _write_certificate(results, certificate, force=delivery.force)
    results += (row.result for row in chain.from_iterable(checked) if row.result is not None)
    in_depth = not quick and len(results) <= _FEW
    report = report_of(
        results,
        command=" ".join(["assay scores check", *what]),
        in_depth=in_depth,
        figures=in_depth and delivery.wants(Format.HTML),
    )
    unread = chain.from_iterable(map(unread_cells, sheets, checked))
    comments = chain.from_iterable(read_suppressions(read_text(path), str(path)) for path in studies)
    return delivery.send(apply_suppressions(replace(report, left_out=(*report.left_out, *unread)), comments))


def _conventions(rounding: Rounding | None, undefined: Undefined | None, delivery: Delivery) -> dict[str, str]:
    """Conventions from the command line, else from the configuration."""
    usual = delivery.config.scores
    settings = {"rounding": rounding or usual.rounding, "undefined": undefined or usual.undefined}
    return {key: value for key, value in settings.items() if value}


def _sorted_out(what: Sequence[str]) -> tuple[list[str], list[Path], list[Path]]:
    """Split the arguments into words of one experiment, tables, and files of experiments."""
    from assay.scores.sheets.files import is_sheet

    words = [word for word in what if "=" in word]
    files = [Path(word) for word in what if "=" not in word]
    return words, [path for path in files if is_sheet(path)], [path for path in files if not is_sheet(path)]


def _write_rows(sheets: Sequence[Sheet], checked: Sequence[Sequence[CheckedRow]], path: Path, *, force: bool) -> None:
    from assay.errors import InputError
    from assay.report import write
    from assay.scores.sheets.results import rendered_rows

    if len(sheets) != 1:
        raise InputError("--rows is for one table", fix="Name one CSV, TSV or Excel file.")
    write(rendered_rows(sheets[0], checked[0], path), path, force=force)
    tell(f"rows written to {path}")


@app.command("read")
@reporting()
def read(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|-", help="Text, Markdown, LaTeX or HTML with scores; - for standard input.")
    ],
    dismiss: Annotated[bool, typer.Option("--dismiss", help="Ignore numbers that are not explained.")] = False,
    *,
    delivery: Delivery,
) -> int:
    """Read scores as people print them, and check each row.

    Prose, pasted tables, Markdown, LaTeX, HTML, classification reports and confusion matrices are read. A row with a
    number that is not explained is not checked.
    """
    import sys

    from assay.reported import read_text as read_scores
    from assay.scores.pasted import (
        LONGEST,
        corrected,
        report_of_pasted,
        rows_of,
        without_settings,
    )

    text = sys.stdin.read() if str(file) == "-" else read_text(file)
    reading = corrected(read_scores(without_settings(text[:LONGEST])), text, (), dismiss=dismiss)
    if not reading.rows and not reading.unread:
        fix = "Name each score next to its value, for example: accuracy 0.94."
        raise InputError("no scores were recognised", where=str(file), fix=fix)
    return delivery.send(report_of_pasted(rows_of(text, reading), command=f"assay scores read {file}"))


def _write_certificate(results: Sequence[Result], path: Path, *, force: bool) -> None:
    from assay.errors import InputError
    from assay.report import write
    from assay.scores.certificate_files import certificate_text

    if len(results) != 1:
        raise InputError("--certificate is for one experiment", fix="Give the words of one, or a file with one.")
    write(certificate_text(results[0]), path, force=force)
    tell(f"certificate written to {path}")


@app.command("verify")
def verify(path: Annotated[Path, typer.Argument(metavar="CERTIFICATE", help="Written by check --certificate.")]) -> int:
    """Verify a certificate: check every case again."""
    from assay.cli import CLEAN, FINDINGS
    from assay.errors import InputError
    from assay.scores import certificate_checks

    try:
        outcomes = list(certificate_checks.verify(read_text(path)))
    except certificate_checks.NotCoveredError as error:
        raise InputError(
            str(error), where=str(path), fix="Only small, listed test sets can be tried one by one."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        what = f"is no certificate ({type(error).__name__})"
        raise InputError(
            what, where=str(path), fix="Write one with `assay scores check … --certificate FILE`."
        ) from None
    for reading, empty, tried in outcomes:
        typer.echo(
            f"{reading}: {'verified, nothing fits' if empty else 'WRONG, something fits'} ({tried:,} sums tried)"
        )
    return CLEAN if all(empty for _, empty, _ in outcomes) else FINDINGS


@app.command("sizes")
def sizes(
    words: Annotated[
        list[str], typer.Argument(metavar="WORDS...", help="acc=0.455 recall=.45 …, optionally p= or n=.")
    ],
    up_to: Annotated[int, typer.Option(min=1, max=100_000, help="Largest test set to consider (p + n).")] = 300,
    limit: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many to show.")] = 50,
    rounding: Annotated[Rounding | None, typer.Option(help="How figures were rounded.", show_default="nearest")] = None,
) -> int:
    """Find the test set sizes that fit these scores."""
    from itertools import islice

    from assay.cli import CLEAN, FINDINGS
    from assay.files import validated
    from assay.findings import Verdict
    from assay.scores.compilation import reported_of_one_set
    from assay.scores.conventions import Undefined
    from assay.scores.reading import words_as_data
    from assay.scores.sizeless.requirements import ScoreRequirement
    from assay.scores.sizeless.solver import solve
    from assay.scores.sizes import fitting_sizes
    from assay.scores.study import ExperimentModel

    data = {**({"rounding": rounding} if rounding else {}), **words_as_data(words)}
    model = validated(ExperimentModel, data, where="")
    constraints = [r.constraint(model.undefined or Undefined.ANY) for r in reported_of_one_set(model)]
    found = list(islice(fitting_sizes(constraints, up_to, p=model.p, n=model.n), limit + 1))
    if not found:
        never = solve([ScoreRequirement(constraint) for constraint in constraints if not constraint.score.whole])
        proven = never.verdict is Verdict.INCONSISTENT
        typer.echo(f"No test set of {'any size' if proven else f'up to {up_to:,} items'} gives these scores.")
        if proven:
            typer.echo(never.reason)
        return FINDINGS
    typer.echo("     p +      n   for example")
    for p, n, matrix in found[:limit]:
        typer.echo(f"{p:6} + {n:6}   " + " ".join(f"{k}={v}" for k, v in matrix._asdict().items()))
    typer.echo(f"(more than {limit}; --limit shows more)" if len(found) > limit else f"No other up to {up_to:,} items.")
    return CLEAN


@app.command("counts")
def counts(
    masks: Annotated[Path, typer.Argument(metavar="MASKS_DIR", help="Folder of mask images.")],
    fov: Annotated[Path | None, typer.Option(help="Fields of view: a folder, or one image for all.")] = None,
    pattern: Annotated[str, typer.Option(help="Which files are masks.")] = "*",
    threshold: Annotated[int | None, typer.Option(help="Pixels of at least this value are foreground.")] = None,
    fov_threshold: Annotated[int | None, typer.Option(help="The same for fields of view.")] = None,
    match: Annotated[str | None, typer.Option(help="Regular expression whose first group pairs the files.")] = None,
    output: FileOption = None,
    force: ForceOption = False,
) -> None:
    """Count the positives and negatives in your own masks."""
    from assay.cli.progress import tracked
    from assay.report import write
    from assay.scores.masks import count_masks

    found = count_masks(
        masks,
        fov,
        pattern=pattern,
        threshold=threshold,
        fov_threshold=fov_threshold,
        match=match,
        track=lambda files: tracked(files, len(files), "counting"),
    )
    for sentence in (*found.warnings, *(f"not counted: {item}" for item in found.left_out)):
        tell(sentence)
    if output is None:
        typer.echo(found.to_csv(), nl=False)
    else:
        write(found.to_csv(), output, force=force)
    tell(f"{len(found.images)} images, p={found.p} n={found.n} in all")


@app.command("setups")
def setups(
    name: Annotated[str | None, typer.Argument(help="A setup, or the beginning of its name.")] = None,
) -> None:
    """List the published test sets that have a name."""
    from assay.scores.setups import find_setup, list_setups

    listed = [s for s in list_setups() if not name or s.name.startswith(name.lower())]
    if name and len(listed) < 2:
        setup = find_setup(listed[0].name if listed and "#" not in name else name)
        typer.echo(f"{setup.name}: {setup.title}\n{setup.source}" + (f"\n{setup.note}" if setup.note else ""))
        for part in setup.parts:
            typer.echo(f"  {part.name:<24} p={part.p} n={part.n}")
        return
    if not listed:
        raise InputError(f'no setup begins with "{name}"', fix="`assay scores setups` names them all.")
    for summary in listed:
        size = f"{summary.p} + {summary.n}" + (f" in {summary.parts} {summary.kind}" if summary.parts > 1 else "")
        typer.echo(f"{summary.name:<34} {size}")


@app.command("list")
def list_scores() -> None:
    """List the supported scores and their names."""
    from assay.scores.definitions import COMPLEMENTS, SCORES

    for score in SCORES.values():
        typer.echo(f"{score.name:<11} {score.label} = {score.formula}")
        if score.synonyms:
            typer.echo(f"{'':<11} also {', '.join(score.synonyms)}")
    for name, (base, label, synonyms) in COMPLEMENTS.items():
        typer.echo(f"{name:<11} {label} = 1 - {base}\n{'':<11} also {', '.join(synonyms)}")
    typer.echo(f"{'f2, f0.5, …':<11} F-beta of the positive class; f2n of the negative class")
