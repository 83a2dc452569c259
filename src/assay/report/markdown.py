"""The report as Markdown (CommonMark with GitHub's tables), for issues, wikis and Pandoc.

Audited text is never markup: outside code every character that could mean something is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from assay.findings import (
    Evidence,
    EvidenceKind,
    Figure,
    Finding,
    Judgement,
    Location,
    Report,
    Suppressed,
    Table,
    Value,
)
from assay.patterns import regex
from assay.report import chapters, questions, wording
from assay.report.page_one import headline_of, points_of
from assay.report.wording import clipped, on_one_line, shown, visible

LONGEST_TEXT = 4_000
MOST_ROWS = 200
MOST_VALUES_ACROSS = 6

_MEANINGFUL = regex(r"([\\`*_{}\[\]<>#|~!&$@])|(?<=\w)(:)(?=//)|(?<=www)(\.)", re.IGNORECASE)
_LINE_START = regex(r"(?:(\d+)(?=[.)](?:\s|$))|(?=[-+=](?![\d.])))")


def render(report: Report) -> str:
    """The report as one Markdown document."""
    return "\n\n".join(_blocks(report)) + "\n"


def escaped(text: str) -> str:
    """Text that a Markdown reader shows as it is, whatever it contains; line breaks stay line breaks."""
    safe = _MEANINGFUL.sub(lambda m: f"\\{m[0]}", visible(text))
    lines = (_start_escaped(line.strip()) for line in safe.split("\n"))
    return "\\\n".join(line for line in lines if line)


def _start_escaped(line: str) -> str:
    """Without what would make the line an item of a list, the underline of a heading or a rule; numbers stay."""
    return f"{start[1] or ''}\\{line[start.end() :]}" if (start := _LINE_START.match(line)) else line


def code(text: str) -> str:
    """A code span, whatever backticks the text has."""
    inner = on_one_line(text)
    ticks = "`" * (_longest_run(inner) + 1)
    gap = " " if inner[:1] in "` " or inner[-1:] in "` " else ""
    return f"{ticks}{gap}{inner}{gap}{ticks}"


def fence(text: str, language: str = "") -> str:
    """A code block, whatever backticks the text has."""
    ticks = "`" * max(3, _longest_run(text) + 1)
    return f"{ticks}{language}\n{visible(text)}\n{ticks}"


def evidence_blocks(evidence: Iterable[Evidence], here: Location | None = None) -> Iterator[str]:
    """Each piece of evidence as Markdown blocks; its place is named when it is not `here`."""
    for kind, pieces in wording.in_parts(evidence):
        if kind is EvidenceKind.STEP:
            yield f"**{wording.LABEL[kind]}**"
            yield "\n".join(f"{number}. {_step(step)}" for number, step in enumerate(pieces, 1))
        elif kind is EvidenceKind.QUOTE:
            yield from _quote(pieces[0], here)
        else:
            yield from _statement(pieces[0])


def _blocks(report: Report) -> Iterator[str]:
    yield f"# {_line(report.title)}"
    if report.question:
        yield f"*{_line(report.question)}*"
    if report.sections:
        yield from _chapters(report)
    elif told := wording.summary(report):
        yield told
    if report.judgements:
        yield f"## {wording.JUDGEMENTS}"
        for judgement in report.judgements:
            yield from _judgement(judgement)
    if report.tells_findings:
        yield f"## {chapters.EVIDENCE if report.sections else wording.FINDINGS}"
    if report.tells_findings and report.clean:
        yield wording.nothing_found(report)
    for heading, findings in wording.by_severity(report.findings):
        yield f"### {heading}"
        for finding in findings:
            yield from _finding(finding)
    yield from _illustrations(report)
    yield from _unseen(report)
    yield "---"
    yield wording.provenance(report) + (f" {code(report.command)}" if report.command else "")


def _chapters(report: Report) -> Iterator[str]:
    """Page one, the questions, the verdict, and each chapter as a list with one line for each rule."""
    if report.since:
        yield f"**{_line(report.since)}**"
    yield f"**{_line(headline_of(report))}**"
    points = points_of(report)
    if points:
        yield "\n".join(f"{n}. {_line(p.statement)}  \n   {_line(p.evidence)}" for n, p in enumerate(points, 1))
    yield f"## {questions.TITLE}"
    asked = questions.questions_of(report)
    yield "\n".join(f"{n}. {_line(str(q))}" for n, q in enumerate(asked, 1)) or questions.nothing_to_ask(report)
    yield f"## {chapters.VERDICT}"
    lines = chapters.verdict_of(report)
    yield "\n".join(f"- **{line.label} ({line.count}):** {_line(line.statement)}" for line in lines)
    for section, findings in chapters.chapters_of(report):
        yield f"## {_line(chapters.heading(section, findings))}"
        yield _line(section.examined if findings else chapters.nothing_in(section, report))
        if findings:
            yield "\n".join(_item(finding, alike) for finding, alike in chapters.by_rule(findings))


def _item(finding: Finding, alike: int) -> str:
    place = f" {_place(finding.location)}" if finding.location else ""
    said = _line(clipped(finding.message, LONGEST_TEXT))
    more = f" (and {alike - 1:,} more of this kind)" if alike > 1 else ""
    return f"- {finding.severity.value} **{_line(finding.code)}**{place}: {said}{more}"


def _illustrations(report: Report) -> Iterator[str]:
    if report.tables:
        yield f"## {wording.TABLES}"
        for table in report.tables:
            yield from _table(table)
    if report.figures:
        yield f"## {wording.FIGURES}"
        for figure in report.figures:
            yield from _figure(figure)


def _unseen(report: Report) -> Iterator[str]:
    """What a reader must not overlook: what was silenced, and what was never looked at."""
    if report.suppressed:
        yield f"## {wording.SUPPRESSED}"
        yield "\n".join(map(_suppressed, report.suppressed))
    if report.left_out:
        yield f"## {wording.LEFT_OUT}"
        yield "\n".join(f"- {_line(thing)}" for thing in report.left_out)


def _judgement(judgement: Judgement) -> Iterator[str]:
    yield f"### {judgement.verdict.value.upper()}: {_line(judgement.subject)}"
    yield escaped(clipped(judgement.statement, LONGEST_TEXT))
    yield from evidence_blocks(judgement.evidence)


def _finding(finding: Finding) -> Iterator[str]:
    yield f"#### {finding.severity.value} {_line(finding.code)}: {_line(finding.title)}"
    about = [f"confidence {finding.confidence.value}", _line(finding.subject)]
    yield " · ".join(part for part in [_place(finding.location), *about] if part)
    yield escaped(clipped(finding.message, LONGEST_TEXT))
    yield from evidence_blocks(finding.evidence, finding.location)
    if finding.advice:
        yield f"**Advice:** {escaped(clipped(finding.advice, LONGEST_TEXT))}"


def _quote(piece: Evidence, here: Location | None) -> Iterator[str]:
    if piece.location and piece.location != here:
        yield f"{_place(piece.location)}:"
    yield fence(clipped(piece.text, LONGEST_TEXT))


def _statement(piece: Evidence) -> Iterator[str]:
    label = wording.LABEL.get(piece.kind)
    words = escaped(clipped(piece.text, LONGEST_TEXT))
    said = " ".join(part for part in [f"**{label}:**" if label else "", words] if part)
    if said:
        yield said
    if 0 < len(piece.values) <= MOST_VALUES_ACROSS:
        yield _grid([name for name, _ in piece.values], [[value for _, value in piece.values]])
    elif piece.values:
        yield _grid(["name", "value"], piece.values)


def _step(step: Evidence) -> str:
    return " ".join(part for part in [_place(step.location), _line(clipped(step.text, LONGEST_TEXT))] if part)


def _table(table: Table) -> Iterator[str]:
    yield f"**{_line(table.title)}**"
    yield _grid(table.columns, table.rows[:MOST_ROWS])
    if len(table.rows) > MOST_ROWS:
        yield wording.rows_cut(len(table.rows) - MOST_ROWS)


def _grid(columns: Sequence[str], rows: Sequence[Sequence[Value]]) -> str:
    rule = ["---:" if numeric else "---" for numeric in wording.numeric_columns(rows, len(columns))]
    cells = [[_line(name) for name in columns], rule, *([_line(shown(cell)) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def _figure(figure: Figure) -> Iterator[str]:
    """The words that stand for the picture: most readers of Markdown refuse one that is not a file of its own."""
    yield f"**{_line(figure.title)}**"
    yield f"{_line(figure.alt)} *(The HTML report shows it.)*"


def _suppressed(one: Suppressed) -> str:
    finding = one.finding
    place = f" {_place(finding.location)}" if finding.location else ""
    said = _line(clipped(finding.message, LONGEST_TEXT))
    reason = _line(clipped(one.reason, LONGEST_TEXT))
    return f"- **{_line(finding.code)} {_line(finding.title)}**{place}: {said} *Reason:* {reason}"


def _place(location: Location | None) -> str:
    return code(str(location)) if location else ""


def _line(text: str) -> str:
    return escaped(on_one_line(text))


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)
