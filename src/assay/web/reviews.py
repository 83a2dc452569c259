"""What a reader decides about the findings of an audit: which are relevant, and how they are worded in the export."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from assay.audit.chapters import chapters
from assay.findings import Finding, Report, Suppressed
from assay.records import dataclass
from assay.web.stored import finding_from, report_from

LONGEST = 2_000
_UNSTATED = "marked as not relevant"


@dataclass(frozen=True, slots=True)
class Review:
    """A reader's decision about one finding; `message` is empty where the wording stays."""

    relevant: bool = True
    reason: str = ""
    message: str = ""

    @property
    def changes(self) -> bool:
        """Whether it says anything at all."""
        return not self.relevant or bool(self.message)


def review_of(body: Mapping[str, Any]) -> Review:
    """The review that is stored with a finding."""
    stored = body.get("review") or {}
    return Review(bool(stored.get("relevant", True)), str(stored.get("reason", "")), str(stored.get("message", "")))


def reworded(body: Mapping[str, Any]) -> Finding:
    """A stored finding in the words of its review."""
    finding, review = finding_from(body), review_of(body)
    return replace(finding, message=review.message) if review.message else finding


def reviewed_report(told: Mapping[str, Any], bodies: Iterable[Mapping[str, Any]]) -> Report:
    """The stored report as its reader decided: irrelevant findings stand apart, with the reason."""
    every = [(reworded(body), review_of(body)) for body in bodies]
    report = report_from({**told, "findings": []})
    causes = {section.key: section.causes for section in chapters()}
    return replace(
        report,
        findings=tuple(finding for finding, review in every if review.relevant),
        suppressed=tuple(
            Suppressed(finding, review.reason or _UNSTATED) for finding, review in every if not review.relevant
        ),
        sections=tuple(replace(section, causes=causes.get(section.key, ())) for section in report.sections),
    )
