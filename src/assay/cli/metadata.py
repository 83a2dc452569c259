"""``assay metadata``: what do metadata files say, and how do others read what Assay found?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, FileOption, ForceOption, reporting, tell

if TYPE_CHECKING:
    from assay.metadata.description import Description

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What do metadata files say?")

_SHEET = "model-info-sheet"
Source = Annotated[Path, typer.Argument(metavar="SOURCE", help="A metadata file, or a folder that holds some.")]
Sources = Annotated[
    list[Path],
    typer.Argument(metavar="SOURCES...", help="CITATION.cff, CodeMeta, RO-Crate, Croissant, model cards; folders."),
]


class Target(StrEnum):
    """Formats that can be written."""

    CFF = "cff"
    CODEMETA = "codemeta"
    CRATE = "ro-crate"


@app.command("read")
@reporting(findings=False)
def read(what: Sources, *, delivery: Delivery) -> int:
    """What do these metadata files say, side by side?

    About titles, authors, licences, parts and scores.
    """
    from assay.metadata.files import metadata_in
    from assay.metadata.overview import report_of

    told = [description for path in what for description in metadata_in(path)]
    command = " ".join(["assay metadata read", *map(str, what)])
    return delivery.send(report_of(told, command=command))


@app.command("convert")
def convert(
    source: Source,
    to: Annotated[Target, typer.Option("--to", help="The format to write.")],
    report: Annotated[
        list[Path] | None,
        typer.Option("--report", metavar="FILE", help="A report file to list in the RO-Crate; repeatable."),
    ] = None,
    licence: Annotated[str, typer.Option("--licence", help="The licence of the reports, for the RO-Crate.")] = "",
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """How do other programs read this?

    As CITATION.cff, CodeMeta, or an RO-Crate of the audit with its reports.
    """
    from assay.errors import InputError
    from assay.files import read_bytes
    from assay.metadata.citation import write_citation
    from assay.metadata.linked import write_codemeta, write_crate

    if report and to is not Target.CRATE:
        raise InputError("--report is for --to ro-crate", fix="Leave it out: the other formats list no files.")
    about = _merged(source)
    if to is Target.CFF:
        return _deliver(write_citation(about), output, force)
    if to is Target.CODEMETA:
        return _deliver(write_codemeta(about), output, force)
    reports = {path.name: read_bytes(path) for path in report or []}
    return _deliver(write_crate(about, reports, on=_today(), licence=licence), output, force)


@app.command("sheet")
def sheet(
    what: Sources,
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """Which questions of the model info sheet does metadata answer?

    Reads a model card and the metadata of datasets. Gives a sheet in which their answers are proposed, to be
    confirmed by a person.
    """
    from assay.checklists.files import load
    from assay.checklists.template import Proposal, markdown_form, yaml_form
    from assay.files import read_text
    from assay.metadata.files import metadata_in
    from assay.metadata.model_card import sections_of, sheet_answers

    checklist = load(_SHEET)
    proposed: dict[str, Proposal] = {}
    for about in (description for path in what for description in metadata_in(path)):
        sections = sections_of(read_text(Path(about.source))) if about.source.lower().endswith(".md") else {}
        for item, text in sheet_answers(about, sections).items():
            proposed.setdefault(item, Proposal(text, about.source, "assay metadata"))
    form = markdown_form if output and output.suffix.lower() in {".md", ".markdown"} else yaml_form
    tell(f"{len(proposed)} answers proposed, {len(checklist) - len(proposed)} left to a person")
    return _deliver(form(checklist, proposed), output, force)


@app.command("card")
def card(
    filled: Annotated[Path, typer.Argument(metavar="SHEET", help="A filled model info sheet.")],
    about: Annotated[
        Path | None, typer.Option("--about", metavar="SOURCE", help="Metadata of the model: licence, data, scores.")
    ] = None,
    output: FileOption = None,
    force: ForceOption = False,
) -> int:
    """How does a filled model info sheet read as a model card?"""
    from assay.checklists.filled import read_filled
    from assay.metadata.description import Description, Kind
    from assay.metadata.model_card import write_model_card

    sheet_ = read_filled(filled)
    described = _merged(about) if about else Description(sheet_.subject, Kind.MODEL)
    questions = {answer.item.id: answer.item.title for answer in sheet_.answers}
    answers = {answer.item.id: answer.text for answer in sheet_.answers if answer.given and not answer.proposed}
    return _deliver(write_model_card(described, questions, answers), output, force)


def _merged(path: Path) -> Description:
    """The files of a folder merged; the first file that states a value wins."""
    from dataclasses import fields, replace

    from assay.metadata.files import metadata_in

    first, *others = metadata_in(path)
    for other in others:
        missing = {f.name: getattr(other, f.name) for f in fields(first) if not getattr(first, f.name)}
        first = replace(first, **missing)
    return first


def _today() -> str:
    from datetime import UTC, datetime

    return datetime.now(UTC).date().isoformat()


def _deliver(text: str, output: Path | None, force: bool) -> int:
    from assay.cli import CLEAN
    from assay.report import write

    if output is None:
        typer.echo(text, nl=False)
    else:
        write(text, output, force=force)
        tell(f"written to {output}")
    return CLEAN
