"""Filled checklists → a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assay.checklists.filled import Filled
from assay.checklists.rules import Assessment, Known, checklists
from assay.findings import Report, Table, Value


def report_of(assessments: Sequence[Filled], known: Iterable[Known] = (), command: str = "") -> Report:
    """What is amiss in the filled checklists, and how far each has come."""
    findings = tuple(known)
    rows = tuple(_progress(filled) for filled in assessments)
    outdated = tuple(
        f"{f.path} was made from version {f.version} of {f.checklist.name}; this is version {f.checklist.version}: "
        "`assay checklist update` adds what is new."
        for f in assessments
        if f.outdated
    )
    return Report(
        "Checklist" if len(assessments) == 1 else "Checklists",
        checklists.question,
        findings=tuple(f for filled in assessments for f in checklists.run(Assessment(filled, findings))),
        tables=(Table("How far it has come", ("of", "items", "answered", "not applicable", "open"), rows),),
        left_out=outdated,
        command=command,
    )


def _progress(filled: Filled) -> tuple[Value, ...]:
    answered = sum(answer.given and answer.applies for answer in filled.answers)
    inapplicable = sum(not answer.applies for answer in filled.answers)
    items = len(filled.answers)
    return (filled.subject or filled.path, items, answered, inapplicable, items - answered - inapplicable)
