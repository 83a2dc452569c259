"""A report in chapters for a terminal: the verdict, what matters most in each chapter, what to ask. Short on purpose.

Evidence stays in the other formats: who needs it wants a page to scroll, not a screen that runs away.
"""

from __future__ import annotations

from assay.findings import Finding, Report
from assay.report import chapters, wording
from assay.report.sheet import Sheet
from assay.report.wording import clipped, on_one_line

FINDINGS_SHOWN = 3
QUESTIONS_SHOWN = 4
LONGEST_TEXT = 2_000
_LABEL = 14
_CODE = 8
_STYLE = {"proven": "bold red", "likely": "bold yellow", "missing": "bold cyan", "fine": "bold green"}
_SEVERITY = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def render(report: Report, *, width: int, color: bool) -> str:
    """The digest as lines of at most `width` columns."""
    sheet = Sheet(width, color=color)
    sheet.block((on_one_line(report.title), "bold"))
    sheet.block((on_one_line(report.question), "italic"))
    if report.since:
        sheet.block((report.since, "bold"))
    sheet.blank()
    for line in chapters.verdict_of(report):
        count = f"{line.count:,}: " if line.count else ""
        label = (line.label, _STYLE.get(line.key, "bold magenta"))
        sheet.entry(label, _short(f"{count}{line.statement}", 2 * (width - _LABEL) - 12), _LABEL)
    empty = []
    for section, findings in chapters.chapters_of(report):
        if not findings and not section.examined:
            empty.append(section.title.lower())
            continue
        sheet.blank()
        rules = chapters.by_rule(findings)
        shown = f"; {FINDINGS_SHOWN} of {len(rules)} rules shown" if len(rules) > FINDINGS_SHOWN else ""
        many = f": {wording.counted(len(findings), 'finding')}{shown}" if findings else ""
        sheet.block((section.title, "bold"), (many, "dim"))
        if not findings:
            sheet.block(on_one_line(chapters.nothing_in(section, report)), first="  ")
        for finding, alike in rules[:FINDINGS_SHOWN]:
            _finding(sheet, finding, alike)
    if empty:
        sheet.blank()
        sheet.block(f"Nothing was given that could tell of: {', '.join(empty)}.")
    _questions(sheet, report)
    sheet.blank()
    sheet.block(("All of it, with the evidence: -o report.html (or .md, .json)", "dim"))
    return sheet.text()


def _finding(sheet: Sheet, finding: Finding, alike: int) -> None:
    """Two lines at most: which rule, what it says, and where."""
    place = on_one_line(str(finding.location)) if finding.location else on_one_line(finding.subject)
    place += f" (and {alike - 1:,} alike)" if alike > 1 else ""
    room = 2 * (sheet.width - _CODE) - len(place) - 12
    said = _short(on_one_line(finding.message), max(room, 40))
    sheet.entry((f"  {on_one_line(finding.code)}", _SEVERITY[finding.severity.value]), f"{said}  {place}", _CODE)


def _questions(sheet: Sheet, report: Report) -> None:
    asked = chapters.questions_of(report)
    sheet.blank()
    shown = f": {QUESTIONS_SHOWN} of {len(asked)} shown" if len(asked) > QUESTIONS_SHOWN else ""
    sheet.block((chapters.QUESTIONS, "bold"), (shown, "dim"))
    if not asked:
        sheet.block(chapters.nothing_to_ask(report), first="  ")
    for number, question in enumerate(asked[:QUESTIONS_SHOWN], 1):
        sheet.block(_short(on_one_line(str(question)), 2 * (sheet.width - 8)), first=f"  {number}. ", rest="     ")


def _short(text: str, room: int) -> str:
    words = clipped(text, LONGEST_TEXT)
    return words if len(words) <= room else f"{words[: max(room - 2, 10)].rsplit(' ', 1)[0]} …"
