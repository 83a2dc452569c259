"""A report as the blocks of a document: what the PDF and the Word file are both made from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum, auto
from textwrap import shorten

from assay.findings import Evidence, EvidenceKind, Finding, Judgement, Report, Severity, Table
from assay.records import dataclass, replace
from assay.report import chapters, questions, wording
from assay.report.page_one import headline_of, points_of
from assay.report.wording import clipped, on_one_line, shown

_LONGEST_TEXT = 4_000
"""A block has to fit on a page; JSON and HTML hold the whole text."""
_MOST_ROWS = 200
_SHORT_TEXT = 400
_MOST_LEFT_OUT = 10
_MOST_PLACES = 3
"""So much of a report in chapters fits on four pages."""


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
    """What a reader on paper needs, in order: all of a report, or few pages of one in chapters."""
    yield Block(Style.TITLE, on_one_line(report.title))
    if report.question:
        yield Block(Style.SMALL, _text(report.question))
    yield from _digest(report) if report.sections else _whole(report)
    yield Block(Style.SMALL, on_one_line(f"{wording.provenance(report)} {report.command}".strip()))


def _digest(report: Report) -> Iterator[Block]:
    """Page one, what is wrong with its gravest proof, and the minor points by rule."""
    yield from _page_one(report)
    for section, found in chapters.chapters_of(report):
        if found:
            yield Block(Style.HEADING, chapters.heading(section, found))
        for same in chapters.groups(found):
            yield from _in_short(same)
    yield from _rest(report, _MOST_LEFT_OUT)
    yield Block(Style.SMALL, "Every finding with all its evidence: -o report.html (or .md, .json).")


def _in_short(same: list[Finding]) -> Iterator[Block]:
    """The findings of one rule: one line for what is minor, else the gravest with its first proof."""
    first, places = same[0], _places(same)
    if first.severity is Severity.NOTE:
        yield Block(Style.ITEM, _short(f"{first.title}. {places}"), on_one_line(first.code))
        return
    times = f" ({len(same)} times)" if len(same) > 1 else ""
    yield Block(Style.SUBHEADING, on_one_line(f"{first.severity.value} {first.code}: {first.title}{times}"))
    yield Block(Style.TEXT, _short(first.message))
    yield Block(Style.SMALL, on_one_line(f"{places} · confidence {first.confidence.value}".lstrip(" ·")))
    proofs = sorted(first.evidence, key=lambda piece: piece.kind is not EvidenceKind.CERTIFICATE)
    for block in list(_evidence(proofs[:1])):
        yield replace(block, text=_short(block.text))


def _places(same: list[Finding]) -> str:
    known = list(dict.fromkeys(str(finding.location) for finding in same if finding.location))
    more = f" and {len(known) - _MOST_PLACES:,} more" if len(known) > _MOST_PLACES else ""
    return ", ".join(known[:_MOST_PLACES]) + more


def _whole(report: Report) -> Iterator[Block | Grid]:
    yield Block(Style.TEXT, wording.summary(report))
    if report.judgements:
        yield Block(Style.HEADING, wording.JUDGEMENTS)
    for judgement in report.judgements:
        yield from _judgement(judgement)
    for heading, findings in wording.by_severity(report.findings):
        yield Block(Style.HEADING, heading)
        for finding in findings:
            yield from _finding(finding)
    if report.tells_findings and report.clean:
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


def _rest(report: Report, most: int | None = None) -> Iterator[Block]:
    if report.suppressed:
        yield Block(Style.HEADING, wording.SUPPRESSED)
        for one in report.suppressed:
            yield Block(Style.ITEM, _text(f"{one.finding.message} ({one.reason})"), on_one_line(one.finding.code))
    if report.left_out:
        yield Block(Style.HEADING, wording.LEFT_OUT)
        yield from (Block(Style.ITEM, _short(thing) if most else _text(thing), "–") for thing in report.left_out[:most])
    if most and len(report.left_out) > most:
        yield Block(Style.ITEM, f"and {len(report.left_out) - most:,} more", "–")


def _short(text: str) -> str:
    return shorten(on_one_line(text), _SHORT_TEXT, placeholder=" …")


def _text(text: str) -> str:
    return clipped(text, _LONGEST_TEXT)
