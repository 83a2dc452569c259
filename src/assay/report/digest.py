"""Page one of a report in chapters, for a terminal: the headline, what matters most, the verdict, what to ask.

It fits on one screen. Evidence stays in the other formats: a reader who needs it wants a page to scroll.
"""

from __future__ import annotations

from assay.findings import Report
from assay.report import chapters, questions
from assay.report.page_one import Point, headline_of, points_of
from assay.report.sheet import Sheet
from assay.report.wording import clipped, on_one_line

QUESTIONS_SHOWN = 3
LONGEST_TEXT = 2_000
_LABEL = 14
_STYLE = {"proven": "bold red", "likely": "bold yellow", "missing": "bold yellow", "minor": "bold cyan"}
_SEVERITY = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def render(report: Report, *, width: int, color: bool) -> str:
    """The digest as lines of at most `width` columns."""
    sheet = Sheet(width, color=color)
    sheet.block((on_one_line(report.title), "bold"))
    if report.since:
        sheet.block((report.since, "bold"))
    sheet.blank()
    sheet.block((on_one_line(headline_of(report)), "bold"))
    points = points_of(report)
    if points:
        sheet.blank()
    for number, point in enumerate(points, 1):
        _point(sheet, number, point)
    sheet.blank()
    for line in chapters.verdict_of(report):
        count = f"{line.count:,}: " if line.count else ""
        label = (line.label, _STYLE.get(line.key, "bold green" if line.key == "fine" else "bold magenta"))
        sheet.entry(label, _short(f"{count}{line.statement}", width - _LABEL - 1), _LABEL)
    _questions(sheet, report)
    sheet.blank()
    sheet.block(("All findings with their evidence: -o report.html (or .pdf, .docx, .md, .json)", "dim"))
    return sheet.text()


def _point(sheet: Sheet, number: int, point: Point) -> None:
    """At most two lines for what it says, and one for what shows it."""
    said = _short(point.statement, 2 * (sheet.width - 6))
    sheet.block((f"{number}. ", _SEVERITY[point.severity.value]), said, first=" ", rest="    ")
    sheet.block((_short(point.evidence, sheet.width - 5), "dim"), first="    ", rest="    ")


def _questions(sheet: Sheet, report: Report) -> None:
    asked = questions.questions_of(report)
    sheet.blank()
    shown = f": {QUESTIONS_SHOWN} of {len(asked)} shown" if len(asked) > QUESTIONS_SHOWN else ""
    sheet.block((questions.TITLE, "bold"), (shown, "dim"))
    if not asked:
        sheet.block(questions.nothing_to_ask(report), first="  ")
    for number, question in enumerate(asked[:QUESTIONS_SHOWN], 1):
        sheet.block(_short(on_one_line(str(question)), 2 * (sheet.width - 8)), first=f"  {number}. ", rest="     ")


def _short(text: str, room: int) -> str:
    words = clipped(text, LONGEST_TEXT)
    return words if len(words) <= room else f"{words[: max(room - 2, 10)].rsplit(' ', 1)[0]} …"
