"""A report as the blocks of a document: what the PDF and the Word file are both made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, auto

from assay.findings import Evidence, EvidenceKind, Finding, Judgement, Report, Table
from assay.records import dataclass
from assay.report import chapters, questions, wording
from assay.report.page_one import headline_of, points_of
from assay.report.wording import clipped, on_one_line, shown

_LONGEST_TEXT = 4_000
"""A block has to fit on a page; JSON and HTML hold the whole text."""
_MOST_ROWS = 200


class Style(Enum):
    """How a block of text looks."""

    TITLE = auto()
    HEADING = auto()
    SUBHEADING = auto()
    LEAD = auto()
    TEXT = auto()
    SMALL = auto()
    ITEM = auto()
    QUOTE = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph; `label` stands before it in bold."""

    style: Style
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of words."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    cut: int = 0
    """Rows that were left out."""


def blocks_of(report: Report) -> Iterator[Block | Grid]:
    """Everything that a reader on paper needs, in order."""
    yield Block(Style.TITLE, on_one_line(report.title))
    if report.question:
        yield Block(Style.SMALL, _text(report.question))
    if report.sections:
        yield from _page_one(report)
    else:
        yield Block(Style.TEXT, wording.summary(report))
    if report.judgements:
        yield Block(Style.HEADING, wording.JUDGEMENTS)
        for judgement in report.judgements:
            yield from _judgement(judgement)
    for heading, findings in _by_chapter(report):
        yield Block(Style.HEADING, heading)
        for finding in findings:
            yield from _finding(finding)
    if report.tells_findings and report.clean and not report.sections:
        yield Block(Style.TEXT, wording.nothing_found(report))
    for table in report.tables:
        yield _grid(table)
    yield from _rest(report)


def _page_one(report: Report) -> Iterator[Block]:
    if report.since:
        yield Block(Style.TEXT, on_one_line(report.since))
    yield Block(Style.LEAD, headline_of(report))
    for number, point in enumerate(points_of(report), 1):
        yield Block(Style.ITEM, _text(f"{point.statement} ({point.evidence})"), f"{number}.")
    yield Block(Style.HEADING, questions.TITLE)
    asked = [str(question) for question in questions.questions_of(report)]
    for number, question in enumerate(asked or [questions.nothing_to_ask(report)], 1):
        yield Block(Style.ITEM, _text(question), f"{number}." if asked else "")
    yield Block(Style.HEADING, chapters.VERDICT)
    for line in chapters.verdict_of(report):
        yield Block(Style.TEXT, _text(line.statement), f"{line.label} ({line.count}):")


def _by_chapter(report: Report) -> Iterator[tuple[str, list[Finding]]]:
    if report.sections:
        yield from (
            (chapters.heading(section, found), found) for section, found in chapters.chapters_of(report) if found
        )
    else:
        yield from wording.by_severity(report.findings)


def _judgement(judgement: Judgement) -> Iterator[Block]:
    yield Block(Style.SUBHEADING, f"{judgement.verdict.value.upper()}: {on_one_line(judgement.subject)}")
    yield Block(Style.TEXT, _text(judgement.statement))
    yield from _evidence(judgement.evidence)


def _finding(finding: Finding) -> Iterator[Block]:
    yield Block(Style.SUBHEADING, on_one_line(f"{finding.severity.value} {finding.code}: {finding.title}"))
    place = str(finding.location) if finding.location else ""
    about = (place, finding.subject, f"confidence {finding.confidence.value}")
    yield Block(Style.SMALL, on_one_line(" · ".join(part for part in about if part)))
    yield Block(Style.TEXT, _text(finding.message))
    yield from _evidence(finding.evidence)
    if finding.advice:
        yield Block(Style.TEXT, _text(finding.advice), "Advice:")


def _evidence(evidence: Iterable[Evidence]) -> Iterator[Block]:
    for piece in evidence:
        place = f"{piece.location}: " if piece.location else ""
        if piece.kind is EvidenceKind.QUOTE:
            yield Block(Style.QUOTE, clipped(piece.text, _LONGEST_TEXT), on_one_line(place))
        elif piece.text or piece.values:
            named = "; ".join(f"{name} = {shown(value)}" for name, value in piece.values)
            sentences = ". ".join(filter(None, (place + piece.text.rstrip("."), named)))
            label = wording.LABEL.get(piece.kind, "")
            yield Block(Style.TEXT, _text(sentences), f"{label}:" if label else "")


def _grid(table: Table) -> Grid:
    rows = tuple(tuple(shown(cell) for cell in row) for row in table.rows[:_MOST_ROWS])
    columns = tuple(map(on_one_line, table.columns))
    return Grid(on_one_line(table.title), columns, rows, max(0, len(table.rows) - _MOST_ROWS))


def _rest(report: Report) -> Iterator[Block]:
    if report.suppressed:
        yield Block(Style.HEADING, wording.SUPPRESSED)
        for one in report.suppressed:
            yield Block(Style.ITEM, _text(f"{one.finding.message} ({one.reason})"), on_one_line(one.finding.code))
    if report.left_out:
        yield Block(Style.HEADING, wording.LEFT_OUT)
        yield from (Block(Style.ITEM, _text(thing), "–") for thing in report.left_out)
    yield Block(Style.SMALL, on_one_line(f"{wording.provenance(report)} {report.command}".strip()))


def _text(text: str) -> str:
    return clipped(text, _LONGEST_TEXT)
