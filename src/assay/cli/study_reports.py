"""``assay study report|summary|rescience|compare``: what came of it, as tables, pictures, pages and verdicts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, FileOption, ForceOption, a_number, reporting, tell
from assay.cli.study_store import shown, study_at

if TYPE_CHECKING:
    from assay.findings import Report
    from assay.reproduction.result_tables import ResultTable

StudyArgument = Annotated[
    str, typer.Argument(metavar="STUDY", help="A folder with study.toml and its tables, or a store (study.db, URL).")
]
WIDEST_ON_SCREEN = 9
"""Tables with more columns than this are written only in formats that have room for them."""


def add_to(app: typer.Typer) -> None:
    """Add the commands to the group."""
    app.command("report")(report)
    app.command("summary")(summary)
    app.command("rescience")(rescience)
    app.command("compare")(compare)
    app.command("measures")(measures)


@reporting(findings=False)
def measures(*, delivery: Delivery) -> int:
    """What can a claim be about? Its measures and selectors."""
    from assay.findings import Report, Table
    from assay.reproduction.measures import EXTRA_SELECTORS, MEASURES
    from assay.reproduction.records import SELECTORS

    named = tuple((name, measure.meaning, ", ".join(measure.needs) or None) for name, measure in MEASURES.items())
    selectors = {name: selector.meaning for name, selector in SELECTORS.items()}
    tables = (
        Table("Measures", ("measure", "value", "needs"), named),
        Table("Selectors: which attempts are meant", ("selector", "chooses"), tuple(selectors.items())),
        Table("Selectors of single measures", ("selector", "names"), tuple(EXTRA_SELECTORS.items())),
    )
    title = "Measures and selectors of claims"
    return delivery.send(Report(title=title, question="What can a claim be about?", tables=tables))


@reporting(findings=False)
def report(
    study: StudyArgument,
    figures: Annotated[
        Path | None, typer.Option("--figures", metavar="FOLDER", help="Write every picture there, as SVG.")
    ] = None,
    tables: Annotated[
        Path | None, typer.Option("--tables", metavar="FOLDER", help="Write every table there, as CSV.")
    ] = None,
    *,
    delivery: Delivery,
) -> int:
    """What was tried, and what came of it?

    Outcomes, discrepancies and documentation as tables and pictures.
    """
    from assay.report import Format
    from assay.report.csv import table as as_csv
    from assay.reproduction.tables import report_study

    drawn = figures is not None or delivery.wants(Format.HTML)
    made = replace(report_study(study_at(study), figures=drawn), command=f"assay study report {shown(study)}")
    if figures:
        _write_each(figures, ((f.title, f.svg) for f in made.figures), ".svg", force=delivery.force)
    if tables:
        _write_each(tables, ((t.title, as_csv(t)) for t in made.tables), ".csv", force=delivery.force)
    return delivery.send(made, text=_on_screen)


def summary(
    study: StudyArgument,
    format_: Annotated[
        str | None, typer.Option("--format", "-f", metavar="text|md|html|tex", help="How to write the page.")
    ] = None,
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """What does a study come to, on one page?"""
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.report import Format, write
    from assay.reproduction.summary import summarised
    from assay.reproduction.summary_page import rendered

    wanted = format_ or (output.suffix.lower().removeprefix(".") if output else "text") or "text"
    known = {"text": Format.TEXT, "txt": Format.TEXT, "md": Format.MD, "html": Format.HTML, "tex": Format.TEX}
    if wanted not in known:
        raise InputError(f'a summary has no form "{wanted}"', fix="Choose text, md, html or tex.")
    page = rendered(summarised(study_at(study)), known[wanted])
    if output:
        write(page, output, force=force)
        tell(f"summary written to {output}")
    else:
        typer.echo(page, nl=False)
    return CLEAN


def rescience(
    study: StudyArgument,
    paper: Annotated[str, typer.Argument(metavar="PAPER", help="The id of a paper of the study.")],
    attempt: Annotated[str, typer.Option(metavar="ID", help="Which attempt, if there are several.")] = "",
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """What does a ReScience C article need to say of itself?

    The metadata.yaml of its template, as far as known.
    """
    from assay.cli import CLEAN
    from assay.report import write
    from assay.reproduction.rescience import ASK, metadata

    made = metadata(study_at(study), paper, attempt)
    if output:
        write(made, output, force=force)
        left = made.count(ASK)
        tell(f'metadata written to {output}; {left} lines say "{ASK.strip(" #:")}"')
    else:
        typer.echo(made, nl=False)
    return CLEAN


@reporting()
def compare(
    original: Annotated[Path, typer.Argument(metavar="ORIGINAL", help="The published results: CSV, TOML, XLSX …")],
    reproduced: Annotated[Path, typer.Argument(metavar="REPRODUCED", help="Those of the reproduction.")],
    by: Annotated[
        str, typer.Option(metavar="COLUMNS", help="Columns that name rows, as method,dataset.", show_default="words")
    ] = "",
    margin: Annotated[
        float | None,
        typer.Option(
            callback=a_number, min=0, metavar="X", help="A difference that would not matter, for equivalence."
        ),
    ] = None,
    sizes: Annotated[
        str, typer.Option(metavar="P,N", help="Positives and negatives of the test set, where no columns p and n say.")
    ] = "",
    *,
    delivery: Delivery,
) -> int:
    """Did the reproduction give the same numbers?

    Two tables of results are joined by the names of rows and columns. Where test sizes or spreads are known,
    differences have intervals; where p and n are known, each row is also asked whether any confusion matrix gives it.
    """
    from assay.report import Format
    from assay.reproduction.comparison import compare_results
    from assay.reproduction.comparison_report import report_comparison
    from assay.reproduction.result_tables import read_pair, with_sizes

    columns = tuple(name.strip() for name in by.split(",") if name.strip())
    one, other = read_pair(original, reproduced, columns)
    if sizes:
        positives, negatives = _sizes(sizes)
        one, other = with_sizes(one, positives, negatives), with_sizes(other, positives, negatives)
    made = report_comparison(
        compare_results(one, other, margin=margin),
        figures=delivery.wants(Format.HTML),
        command=f"assay study compare {original} {reproduced}",
    )
    return delivery.send(_with_score_checks(made, (("original", one), ("reproduced", other))), text=_on_screen)


def _sizes(text: str) -> tuple[int, int]:
    from assay.errors import InputError

    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(part.isdecimal() and 0 < int(part) <= 10**12 for part in parts):
        raise InputError(f'"{text[:40]}" are no sizes', where="--sizes", fix="Write positives and negatives, as 49,80.")
    return int(parts[0]), int(parts[1])


def _with_score_checks(made: Report, tables: tuple[tuple[str, ResultTable], ...]) -> Report:
    """The report with a verdict on each row whose scores and class sizes allow a test."""
    from assay.errors import InputError
    from assay.scores.batch import check_all
    from assay.scores.reading import read_words
    from assay.scores.reporting import report_of

    experiments, untested = [], []
    for which, table in tables:
        for name, words in _score_words(which, table):
            try:
                experiments.append(read_words([f"name={name}", *words]))
            except InputError as error:  # a figure that no such score can have is no reason not to compare the rest
                untested.append(f"{name}: whether its scores can be true ({error.what})")
    tested = report_of(list(check_all(experiments, workers=1)))
    return replace(
        made,
        judgements=tested.judgements,
        findings=tested.findings,
        left_out=(*made.left_out, *untested, *tested.left_out),
    )


def _score_words(which: str, table: ResultTable) -> Iterator[tuple[str, list[str]]]:
    """Rows that the score tests can check: at least two known scores, and known class sizes."""
    from assay.reproduction.outcomes import Measured
    from assay.scores.definitions import known_names

    known = {name.casefold(): name for name in known_names()}
    for row in table.rows:
        printed = {
            known[metric.casefold()]: cell.value.replace("−", "-").replace(" ", "")
            for metric, cell in row.cells.items()
            if isinstance(cell, Measured) and cell.spread is None and metric.casefold() in known
        }
        if row.sizes.positives and row.sizes.negatives and len(printed) > 1:
            sizes = [f"p={row.sizes.positives}", f"n={row.sizes.negatives}"]
            yield f"{which}: {row.label}", [*sizes, *(f"{name}={value}" for name, value in printed.items())]


def _on_screen(report: Report, *, width: int, color: bool) -> str:
    """The report without tables too wide for a terminal; it names them."""
    from assay.report.text import render

    wide = [table.title for table in report.tables if len(table.columns) > WIDEST_ON_SCREEN]
    kept = tuple(table for table in report.tables if table.title not in wide)
    note = f"too wide for a terminal, in every other format: {'; '.join(wide)}"
    left_out = (*report.left_out, note) if wide else report.left_out
    return render(replace(report, tables=kept, figures=(), left_out=left_out), width=width, color=color)


def _write_each(folder: Path, named: Iterator[tuple[str, str]], ending: str, *, force: bool) -> None:
    """Write each item to a file named after its title."""
    import re

    from assay.errors import InputError
    from assay.report import write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made ({error.strerror})", where=str(folder), fix="Choose another place.") from None
    pairs = list(named)
    for title, content in pairs:
        name = re.sub(r"[^a-z0-9.]+", "-", title.lower()).strip("-.")
        write(content, folder / f"{name}{ending}", force=force)
    tell(f"{len(pairs)} files written to {folder}")
