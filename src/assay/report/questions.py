"""What to ask the authors: first what page one is about, then the rest; the same is asked once for all its places."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Finding, Report, Severity
from assay.records import dataclass
from assay.report.chapters import by_weight
from assay.report.page_one import points_of
from assay.report.wording import counted

TITLE = "Questions for the authors"
_PLACES = 3


@dataclass(frozen=True, slots=True)
class Question:
    """Something to ask, once for all the places that raise it."""

    text: str
    places: tuple[str, ...]
    more: int = 0

    def __str__(self) -> str:
        if not self.places:
            return self.text
        more = f" and {counted(self.more, 'other place')}" if self.more else ""
        return f"{self.text} ({', '.join(self.places)}{more})"


def questions_of(report: Report) -> tuple[Question, ...]:
    """The questions in the order in which they matter; what is only good to know raises none."""
    places: dict[str, dict[str, None]] = {}
    for finding in _in_order(report):
        if finding.question and finding.severity is not Severity.NOTE:
            found = places.setdefault(finding.question, {})
            if finding.location:
                found[str(finding.location)] = None
    return tuple(Question(text, tuple(found)[:_PLACES], max(0, len(found) - _PLACES)) for text, found in places.items())


def _in_order(report: Report) -> Iterator[Finding]:
    for point in points_of(report):
        yield from point.findings
    yield from by_weight(report)


def nothing_to_ask(report: Report) -> str:
    """What stands in place of the questions."""
    return f"Nothing{' new' if report.since else ''} was found that the authors would have to explain."
