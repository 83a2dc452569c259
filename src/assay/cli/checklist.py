"""``assay checklist``: what must be reported?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Delivery, ForceOption, reporting, tell

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What must be reported?")

Against = Annotated[
    list[Path] | None,
    typer.Option("--against", metavar="REPORT", help="JSON report of another instrument to hold answers against."),
]


@app.command("list")
def list_() -> int:
    """Which checklists come with Assay?"""
    from assay.checklists.files import load, shipped
    from assay.cli import CLEAN

    for name in shipped():
        checklist = load(name)
        typer.echo(f"{name:20} {len(checklist):3} items  {checklist.title}")
    return CLEAN


@app.command("new")
def new(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A checklist's name (see list), or the path of your own.")
    ],
    output: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to write it; the screen if left out.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="A Markdown form instead of YAML.")] = False,
    report: Annotated[
        list[Path] | None,
        typer.Option("--from", metavar="REPORT", help="JSON report of another instrument that proposes answers."),
    ] = None,
) -> int:
    """Make a file to fill in. An existing file is never overwritten."""
    from assay.checklists.files import load
    from assay.checklists.proposals import propose, read_known
    from assay.checklists.template import markdown_form, yaml_form
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.files import is_there
    from assay.report import write

    checklist = load(name)
    proposed = propose(checklist, (known for path in report or () for known in read_known(path)))
    as_markdown = markdown or (output is not None and output.suffix.lower() in {".md", ".markdown"})
    text = (markdown_form if as_markdown else yaml_form)(checklist, proposed)
    if output is None:
        typer.echo(text, nl=False)
    else:
        if is_there(output):
            fix = "Name another file; `assay checklist update` adds what is new to a filled one."
            raise InputError("exists already", where=str(output), fix=fix)
        write(text, output, force=False)
        told = f", {len(proposed)} answers proposed" if proposed else ""
        tell(f"{len(checklist)} items to answer in {output}{told}")
    return CLEAN


@app.command("update")
def update(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A filled checklist.")],
) -> int:
    """Add the items that a newer checklist has to a filled file.

    Nothing that stands in it is changed.
    """
    from assay.checklists.filled import read_filled
    from assay.checklists.template import missing_items
    from assay.cli import CLEAN
    from assay.files import read_text
    from assay.report import write

    filled = read_filled(path)
    before = read_text(path)
    after = missing_items(filled, before, path)
    if after != before:
        write(after, path, force=True)
    added = sum(a.location is None or a.location.line is None for a in filled.answers)
    tell(f"{added or 'no'} items added to {path}")
    return CLEAN


@app.command("check")
@reporting()
def check(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Filled checklists, YAML or Markdown.")],
    against: Against = None,
    *,
    delivery: Delivery,
) -> int:
    """What is missing, unfounded or contradicted in a filled checklist?"""
    from assay.checklists.filled import read_filled
    from assay.checklists.proposals import read_known
    from assay.checklists.report import report_of
    from assay.files import read_text
    from assay.suppressions import apply_suppressions, read_suppressions

    known = [k for path in against or () for k in read_known(path)]
    report = report_of([read_filled(path) for path in files], known, command=_command("check", files))
    comments = [s for path in files if path.suffix != ".md" for s in read_suppressions(read_text(path), str(path))]
    return delivery.send(apply_suppressions(report, comments))


@app.command("render")
def render(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="A filled checklist.")],
    output: Annotated[Path, typer.Argument(metavar="DOCUMENT", help="Ends in .md, .html, .tex, .docx or .pdf.")],
    force: ForceOption = False,
) -> int:
    """Turn a filled checklist into a document to attach."""
    from assay.checklists.filled import read_filled
    from assay.checklists.rendering import Document
    from assay.checklists.rendering import render as rendered
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.report import write

    try:
        document = Document(output.suffix.lower().lstrip("."))
    except ValueError:
        known = ", ".join(f".{d.value}" for d in Document)
        raise InputError(f'cannot tell the format from "{output.name}"', fix=f"End it in {known}.") from None
    write(rendered(read_filled(path), document), output, force=force)
    tell(f"written to {output}")
    return CLEAN


@app.command("compare")
@reporting(findings=False)
def compare(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Filled checklists of one kind.")],
    *,
    delivery: Delivery,
) -> int:
    """How do several assessments compare, and how far do they agree?"""
    from assay.checklists.comparison import compare as compared
    from assay.checklists.filled import read_filled
    from assay.errors import InputError
    from assay.findings import Report

    if len(files) < 2:
        raise InputError("one assessment has nothing to be compared with", fix="Name two or more files.")
    filled = [read_filled(path) for path in files]
    report = Report(
        f"{filled[0].checklist.title}: {len(filled)} assessments",
        "How do they compare?",
        tables=tuple(compared(filled)),
        command=_command("compare", files),
    )
    return delivery.send(report)


def _command(name: str, files: list[Path]) -> str:
    return " ".join([f"assay checklist {name}", *map(str, files)])
