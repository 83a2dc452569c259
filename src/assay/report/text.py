"""The report for a terminal: plain words first, colour only on top of them."""

from __future__ import annotations

from collections.abc import Iterable

from assay.findings import Evidence, EvidenceKind, Finding, Judgement, Location, Report, Suppressed, Table, Value
from assay.report import digest, wording
from assay.report.sheet import Sheet
from assay.report.wording import clipped, on_one_line, shown

LONGEST_TEXT = 2_000
MOST_ROWS = 50
NARROWEST_COLUMN = 8

STYLE = {
    "error": "bold red",
    "warning": "bold yellow",
    "note": "bold cyan",
    "inconsistent": "bold red",
    "conditional": "bold yellow",
    "undecided": "bold magenta",
    "consistent": "bold green",
}


def render(report: Report, *, width: int, color: bool) -> str:
    """The report as lines of at most `width` columns; one in chapters as a digest of them."""
    if report.sections:
        return digest.render(report, width=width, color=color)
    sheet = Sheet(width, color=color)
    sheet.block((on_one_line(report.title), "bold"))
    sheet.block((_text(report.question), "italic"))
    if told := wording.summary(report):
        sheet.blank()
        sheet.block(told)
    if report.judgements:
        _heading(sheet, wording.JUDGEMENTS)
    for judgement in report.judgements:
        _judgement(sheet, judgement)
    if report.tells_findings:
        _heading(sheet, wording.FINDINGS)
    if report.tells_findings and report.clean:
        sheet.block(wording.nothing_found(report))
    for heading, findings in wording.by_severity(report.findings):
        sheet.block((heading, "bold"))
        sheet.blank()
        for finding in findings:
            _finding(sheet, finding)
    _illustrations(sheet, report)
    _unseen(sheet, report)
    sheet.blank()
    sheet.block((wording.provenance(report), "dim"))
    if report.command:
        sheet.block((_text(report.command), "dim"), first="  ", rest="    ")
    return sheet.text()


def _heading(sheet: Sheet, words: str) -> None:
    sheet.blank()
    sheet.block((f"{words}\n{'─' * len(words)}", "bold"))


def _judgement(sheet: Sheet, judgement: Judgement) -> None:
    verdict = judgement.verdict.value
    sheet.block((verdict.upper(), STYLE[verdict]), "  ", (on_one_line(judgement.subject), "bold"), rest="  ")
    sheet.block(_text(judgement.statement), first="  ")
    _evidence(sheet, judgement.evidence)
    sheet.blank()


def _finding(sheet: Sheet, finding: Finding) -> None:
    severity = finding.severity.value
    code = f"{severity} {on_one_line(finding.code)}"
    sheet.block((code, STYLE[severity]), "  ", (on_one_line(finding.title), "bold"), rest="  ")
    about = [_place(finding.location), f"confidence {finding.confidence.value}", on_one_line(finding.subject)]
    sheet.block((" · ".join(part for part in about if part), "dim"), first="  ")
    sheet.block(_text(finding.message), first="  ")
    _evidence(sheet, finding.evidence, finding.location)
    if finding.advice:
        sheet.block(("Advice: ", "bold"), _text(finding.advice), first="  ")
    sheet.blank()


def _evidence(sheet: Sheet, evidence: Iterable[Evidence], here: Location | None = None) -> None:
    """Each piece under its label; the place of a quote is named when it is not `here`."""
    for kind, pieces in wording.in_parts(evidence):
        if kind is EvidenceKind.STEP:
            sheet.block((f"{wording.LABEL[kind]}:", "bold"), first="  ")
            for number, step in enumerate(pieces, 1):
                where = (f"{_place(step.location)}  ", "dim") if step.location else ""
                sheet.block(where, _text(step.text), first=f"  {number:3}. ", rest=" " * 7)
        elif kind is EvidenceKind.QUOTE:
            _quote(sheet, pieces[0], here)
        else:
            _statement(sheet, pieces[0])


def _quote(sheet: Sheet, piece: Evidence, here: Location | None) -> None:
    if piece.location and piece.location != here:
        sheet.block((f"{_place(piece.location)}:", "dim"), first="  ")
    sheet.block(_text(piece.text), first="    │ ")


def _statement(sheet: Sheet, piece: Evidence) -> None:
    label = wording.LABEL.get(piece.kind, "")
    words = _text(piece.text)
    if label or words:
        sheet.block((f"{label}: " if label and words else f"{label}:" if label else "", "bold"), words, first="  ")
    _values(sheet, piece.values)


def _values(sheet: Sheet, values: Iterable[tuple[str, Value]]) -> None:
    named = [(on_one_line(name), shown(value)) for name, value in values]
    longest = min(max((len(name) for name, _ in named), default=0), sheet.width // 2)
    for name, value in named:
        sheet.block((f"{name.ljust(longest)}  ", "dim"), value, first="    ", rest=" " * 6)


def _illustrations(sheet: Sheet, report: Report) -> None:
    """Tables in full, figures by the words that stand for them."""
    if report.tables:
        _heading(sheet, wording.TABLES)
    for table in report.tables:
        _table(sheet, table)
    if report.figures:
        _heading(sheet, wording.FIGURES)
    for figure in report.figures:
        sheet.block((on_one_line(figure.title), "bold"))
        sheet.block(_text(figure.alt), first="  ")


def _table(sheet: Sheet, table: Table) -> None:
    sheet.block((on_one_line(table.title), "bold"))
    rows = table.rows[:MOST_ROWS]
    cells = [[shown(cell) for cell in row] for row in rows]
    names = [on_one_line(name) for name in table.columns]
    if len(table.columns) * NARROWEST_COLUMN <= sheet.width and sheet.has_room(names, cells):
        sheet.grid(names, cells, wording.numeric_columns(rows, len(table.columns)))
    else:
        for number, row in enumerate(rows, 1):
            sheet.block((f"row {number}", "bold"), first="  ")
            _values(sheet, zip(table.columns, row, strict=True))
    if len(table.rows) > MOST_ROWS:
        sheet.block(wording.rows_cut(len(table.rows) - MOST_ROWS), first="  ")
    sheet.blank()


def _unseen(sheet: Sheet, report: Report) -> None:
    """What a reader must not overlook: what was silenced, and what was never looked at."""
    if report.suppressed:
        _heading(sheet, wording.SUPPRESSED)
    for one in report.suppressed:
        _suppressed(sheet, one)
    if report.left_out:
        _heading(sheet, wording.LEFT_OUT)
    for thing in report.left_out:
        sheet.block(_text(thing), first="- ", rest="  ")


def _suppressed(sheet: Sheet, one: Suppressed) -> None:
    finding = one.finding
    heading = [on_one_line(finding.code), on_one_line(finding.title), _place(finding.location)]
    sheet.block(("  ".join(part for part in heading if part), "bold"), first="- ", rest="  ")
    sheet.block(_text(finding.message), first="  ")
    sheet.block(("Reason: ", "bold"), _text(one.reason), first="  ")


def _text(text: str) -> str:
    return clipped(text, LONGEST_TEXT)


def _place(location: Location | None) -> str:
    return on_one_line(str(location)) if location else ""
