"""What a report in chapters says in short: a verdict in six lines, the findings of each chapter, the questions.

All of it follows from the findings that the report has, so that it stays true when some are chosen or left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.findings import Confidence, Finding, Report, Section, Severity, Verdict
from assay.records import dataclass

VERDICT, EVIDENCE = "Verdict", "Evidence"
_NAMED = 2


_LABELS = {"proven": "Proven wrong", "likely": "Likely wrong", "missing": "Missing", "minor": "Minor points"}
"""The lines of the verdict that count findings."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the verdict: what it counts, how many there are, and the gravest of them in words."""

    key: str
    label: str
    count: int
    statement: str


def verdict_of(report: Report) -> tuple[Line, ...]:
    """What is proven wrong, likely wrong, minor, missing, fine, and not checked: each finding in exactly one line."""
    absent = {section.key for section in report.sections if section.missing}
    by_line: dict[str, list[str]] = {key: [] for key in _LABELS}
    for finding in by_weight(report):
        key = _line_of(finding, absent)
        by_line[key].append(finding.message if key == "proven" else finding.title)
    undecided = [f"{j.subject}: undecided" for j in report.judgements if j.verdict is Verdict.UNDECIDED]
    unjudged = (*report.left_out, *undecided)
    none = "nothing new" if report.since else "nothing"
    return (
        *(Line(key, _LABELS[key], len(found), _gist(found, none)) for key, found in by_line.items()),
        Line("fine", "Fine", len(report.fine), _gist(report.fine, "nothing was confirmed")),
        Line("unjudged", "Not checked", len(unjudged), _gist(unjudged, "nothing")),
    )


def likely_wrong(report: Report) -> list[Finding]:
    """Warnings and errors that are not proven, but for those about something that is only missing."""
    absent = {section.key for section in report.sections if section.missing}
    return [finding for finding in report.findings if _line_of(finding, absent) == "likely"]


def _line_of(finding: Finding, absent: set[str]) -> str:
    """The line of the verdict that counts a finding."""
    if finding.severity is Severity.NOTE:
        return "minor"
    if _is_proven(finding):
        return "proven"
    return "missing" if finding.section in absent else "likely"


def _is_proven(finding: Finding) -> bool:
    return finding.confidence is Confidence.PROVEN and finding.severity is Severity.ERROR


def _gist(sentences: Iterable[str], none: str) -> str:
    """The first of them, and how many others there are."""
    different = list(dict.fromkeys(sentence.rstrip(".") for sentence in sentences))
    more = len(different) - _NAMED
    return ("; ".join(different[:_NAMED]) or none) + (f"; and {more} more" if more > 0 else "")


def chapters_of(report: Report) -> Iterator[tuple[Section, list[Finding]]]:
    """Each chapter with its findings, gravest first; what belongs to none stands in the last."""
    known = {section.key for section in report.sections}
    last = report.sections[-1].key if report.sections else ""
    for section in report.sections:
        yield section, [f for f in report.findings if (f.section if f.section in known else last) == section.key]


def by_weight(report: Report) -> Iterator[Finding]:
    """All findings, chapter by chapter; in each, those that may stand on page one come first."""
    for section, findings in chapters_of(report):
        leading = {code for cause in section.causes for code in cause.rules}
        yield from sorted(findings, key=lambda finding: (finding.code not in leading, finding.severity.rank))


def nothing_in(section: Section, report: Report) -> str:
    """What a chapter without findings says: that nothing was found, or that there was nothing to look at."""
    if not section.examined:
        return "Nothing was given that could tell."
    return f"Nothing{' new' if report.since else ''} was found. {section.examined}"


def by_rule(findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
    """The gravest finding of each rule, and how many the rule has: a digest shows what differs."""
    return [(found[0], len(found)) for found in groups(findings)]


def groups(findings: Iterable[Finding]) -> list[list[Finding]]:
    """The findings of each rule together, in the order of the gravest of each."""
    alike: dict[str, list[Finding]] = {}
    for finding in findings:
        alike.setdefault(finding.code, []).append(finding)
    return list(alike.values())


def heading(section: Section, findings: list[Finding]) -> str:
    """The title with how many findings there are."""
    return f"{section.title} ({len(findings):,})" if findings else section.title
