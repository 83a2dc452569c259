"""``assay paper``: does the paper say enough?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, reporting, tell

if TYPE_CHECKING:
    from assay.article.assessment import Assessment
    from assay.article.crosswalk import Scheme
    from assay.article.reading import Paper
    from assay.findings import Report

Files = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILES...", help="Papers: .tex, a folder or archive of LaTeX, .docx, .pdf, .html, .xml, .md."
    ),
]
AssessmentOption = Annotated[
    Path | None,
    typer.Option("--assessment", metavar="NEW.yaml", help="Write the proposals to a file that a person edits."),
]
CheckOption = Annotated[
    list[Path] | None,
    typer.Option("--check", metavar="FILE.yaml", help="Judge an assessment that a person edited; repeatable."),
]
CrosswalkOption = Annotated[
    str | None,
    typer.Option(
        metavar="SCHEME",
        help="Export as gundersen-kjensmo, ml-checklist, reforms or discrepancies.",
        show_default=False,
    ),
]


@reporting()
def paper(
    files: Files = None,
    assessment: AssessmentOption = None,
    check: CheckOption = None,
    crosswalk: CrosswalkOption = None,
    scores: Annotated[
        bool, typer.Option("--check-scores", help="Can the scores in its tables be true? (see `assay scores`)")
    ] = False,
    *,
    delivery: Delivery,
) -> int:
    """Does the paper say enough for others to judge and repeat its study?

    Proposes a value for each sub-component of the Article Model, with the words of the paper that earn it. With
    --check, an assessment that a person edited is judged instead; name the paper too and its quotes are looked up.
    Numbers in the text are compared with each other and with the tables; --check-scores tests the tables' scores.
    """
    from assay.article.proposals import unsearched
    from assay.article.reading import read_paper
    from assay.article.report import crosswalk_of, report_of
    from assay.audit.paper_scores import with_numbers
    from assay.cli import CLEAN
    from assay.cli.progress import tracked
    from assay.findings import Severity

    papers = [read_paper(path) for path in tracked(files or (), len(files or ()), "reading")]
    if assessment is not None:
        _write_assessment(papers, assessment)
        return CLEAN
    assessments = _checked(check, papers) if check else _proposed(papers)
    left_out = [note for one in papers for note in (*one.left_out, *(() if check else unsearched(one)))]
    command = _command(files, check, crosswalk, scores=scores)
    if crosswalk is not None:
        report = crosswalk_of([a.record for a in assessments], _scheme(crosswalk), left_out, command)
    else:
        report = with_numbers(report_of(assessments, left_out, command), papers, scores=scores)
    return delivery.send(_silenced(report, check), text=_short_text, least=Severity.WARNING)


def _short_text(report: Report, *, width: int, color: bool) -> str:
    from assay.article.summary import in_short
    from assay.report import Format, render

    return render(in_short(report), Format.TEXT, width=width, color=color)


def _command(files: list[Path] | None, check: list[Path] | None, crosswalk: str | None, *, scores: bool) -> str:
    checked = [f"--check {path}" for path in check or ()]
    scheme = [f"--crosswalk {crosswalk}"] if crosswalk else []
    return " ".join(["assay paper", *map(str, files or ()), *checked, *scheme, *["--check-scores"] * scores])


def _silenced(report: Report, check: list[Path] | None) -> Report:
    """The report without findings that comments in the assessments suppress."""
    from assay.files import read_text
    from assay.suppressions import apply_suppressions, read_suppressions

    return apply_suppressions(
        report, [s for path in check or () for s in read_suppressions(read_text(path), str(path))]
    )


def _proposed(papers: list[Paper]) -> list[Assessment]:
    from assay.article.assessment import Assessment
    from assay.article.proposals import propose, record_of
    from assay.cli.progress import tracked
    from assay.errors import InputError

    if not papers:
        raise InputError("no paper is named", fix="Name a file, as in `assay paper paper.tex`.")
    return [Assessment(record_of(one, propose(one))) for one in tracked(papers, len(papers), "searching")]


def _checked(paths: list[Path], papers: list[Paper]) -> list[Assessment]:
    from dataclasses import replace

    from assay.article.assessment import read_assessment
    from assay.article.proposals import words_of
    from assay.errors import InputError

    if papers and len(papers) != len(paths):
        fix = "Name one paper for each --check, in the same order, or none."
        raise InputError(f"{len(papers)} papers for {len(paths)} assessments", fix=fix)
    texts = [words_of(one) for one in papers] or [""] * len(paths)
    return [replace(read_assessment(path), text=text) for path, text in zip(paths, texts, strict=True)]


def _write_assessment(papers: list[Paper], path: Path) -> None:
    from assay.article.assessment import assessment_form
    from assay.article.proposals import propose
    from assay.errors import InputError
    from assay.files import is_there
    from assay.report import write

    if len(papers) != 1:
        raise InputError(f"{len(papers)} papers for one assessment", fix="Name one paper.")
    if is_there(path):
        fix = "Name another file: what somebody has filled in is never overwritten."
        raise InputError("exists already", where=str(path), fix=fix)
    proposals = propose(papers[0])
    write(assessment_form(papers[0].title or papers[0].path, proposals), path, force=False)
    found = sum(bool(proposal.value) for proposal in proposals)
    tell(f"{found} of {len(proposals)} sub-components found, to be confirmed in {path}")


def _scheme(name: str) -> Scheme:
    from assay.article.crosswalk import Scheme
    from assay.errors import InputError, suggestion

    try:
        return Scheme(name.lower())
    except ValueError:
        known = [scheme.value for scheme in Scheme]
        fix = suggestion(name, known) or f"Known: {', '.join(known)}."
        raise InputError(f'there is no scheme "{name}"', fix=fix) from None
