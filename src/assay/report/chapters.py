"""What a report in chapters says in short: a verdict in six lines, the findings of each chapter, the questions.

All of it follows from the findings that the report has, so that it stays true when some are chosen or left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.findings import Confidence, Finding, Report, Section, Severity, Verdict
from assay.records import dataclass

VERDICT, EVIDENCE = "Verdict", "Evidence"
_NAMED = 2


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the verdict: what it counts, how many there are, and the gravest of them in words."""

    key: str
    label: str
    count: int
    statement: str


def verdict_of(report: Report) -> tuple[Line, ...]:
    """What is proven wrong, likely wrong, minor, missing, fine, and not checked: each finding in exactly one line."""
    notes = [f for f in report.findings if f.severity is Severity.NOTE]
    grave = [f for f in report.findings if f.severity is not Severity.NOTE]
    proven = [f for f in grave if _is_proven(f)]
    likely = likely_wrong(report)
    missing = [f for f in grave if not _is_proven(f) and f not in likely]
    undecided = [f"{j.subject}: undecided" for j in report.judgements if j.verdict is Verdict.UNDECIDED]
    unjudged = (*report.left_out, *undecided)
    none = "nothing new" if report.since else "nothing"
    return (
        Line("proven", "Proven wrong", len(proven), _gist((f.message for f in proven), none)),
        Line("likely", "Likely wrong", len(likely), _gist((f.title for f in likely), none)),
        Line("missing", "Missing", len(missing), _gist((f.title for f in missing), none)),
        Line("minor", "Minor points", len(notes), _gist((f.title for f in notes), none)),
        Line("fine", "Fine", len(report.fine), _gist(report.fine, "nothing was confirmed")),
        Line("unjudged", "Not checked", len(unjudged), _gist(unjudged, "nothing")),
    )


def likely_wrong(report: Report) -> list[Finding]:
    """Warnings and errors that are not proven, but for those about something that is only missing."""
    absent = {section.key for section in report.sections if section.missing}
    grave = (f for f in report.findings if f.severity is not Severity.NOTE)
    return [f for f in grave if not _is_proven(f) and f.section not in absent]


def _is_proven(finding: Finding) -> bool:
    return finding.confidence is Confidence.PROVEN and finding.severity is Severity.ERROR


def _gist(sentences: Iterable[str], none: str) -> str:
    """The first of them, and how many others there are."""
    told = list(dict.fromkeys(sentence.rstrip(".") for sentence in sentences))
    more = len(told) - _NAMED
    return ("; ".join(told[:_NAMED]) or none) + (f"; and {more} more" if more > 0 else "")


def chapters_of(report: Report) -> Iterator[tuple[Section, list[Finding]]]:
    """Each chapter with its findings, gravest first; what belongs to none stands in the last."""
    known = {section.key for section in report.sections}
    last = report.sections[-1].key if report.sections else ""
    for section in report.sections:
        yield section, [f for f in report.findings if (f.section if f.section in known else last) == section.key]


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
