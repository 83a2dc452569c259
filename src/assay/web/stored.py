"""Reports that were stored or sent as JSON, as the objects that pages are made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.findings import (
    Confidence,
    Evidence,
    EvidenceKind,
    Figure,
    Finding,
    Judgement,
    Location,
    Report,
    Section,
    Severity,
    Table,
    Verdict,
)
from assay.report import Format

Plain = Mapping[str, Any]


def ending_of(format_: Format) -> str:
    """How the file of a report in this format ends."""
    return "txt" if format_ is Format.TEXT else format_.value


def report_from(data: Plain) -> Report:
    """The report that `Report.to_dict` gave."""
    return Report(
        title=data["title"],
        question=data["question"],
        judgements=tuple(judgement_from(j) for j in data["judgements"]),
        findings=tuple(finding_from(f) for f in data["findings"]),
        tables=tuple(table_from(t) for t in data["tables"]),
        figures=tuple(Figure(f["title"], f["svg"], f["alt"]) for f in data["figures"]),
        left_out=tuple(data["left_out"]),
        command=data["command"],
        sections=tuple(Section(**section) for section in data.get("sections", ())),
        fine=tuple(data.get("fine", ())),
    )


def finding_from(data: Plain) -> Finding:
    """One finding."""
    return Finding(
        code=data["code"],
        title=data["title"],
        severity=Severity(data["severity"]),
        confidence=Confidence(data["confidence"]),
        message=data["message"],
        subject=data["subject"],
        location=_location(data["location"]),
        evidence=_evidence(data["evidence"]),
        advice=data["advice"],
        section=data.get("section", ""),
        question=data.get("question", ""),
    )


def judgement_from(data: Plain) -> Judgement:
    """One verdict with its evidence."""
    return Judgement(data["subject"], Verdict(data["verdict"]), data["statement"], _evidence(data["evidence"]))


def table_from(data: Plain) -> Table:
    """One table."""
    return Table(data["title"], tuple(data["columns"]), tuple(tuple(row) for row in data["rows"]))


def _evidence(pieces: list[Plain]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            EvidenceKind(piece["kind"]),
            piece["text"],
            _location(piece["location"]),
            tuple((name, value) for name, value in piece["values"]),
        )
        for piece in pieces
    )


def _location(data: Plain | None) -> Location | None:
    return None if data is None else Location(**data)
