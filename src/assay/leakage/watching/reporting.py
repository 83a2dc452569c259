"""The report about what was seen at run time."""

from __future__ import annotations

import linecache
from collections.abc import Iterator

from assay.findings import Report, Table
from assay.leakage.code.analysis import Analysis
from assay.leakage.code.policies.policy import Policy
from assay.leakage.rules.taxonomy_instrument import leakage
from assay.leakage.watching.journal import Journal
from assay.leakage.watching.judging import judge
from assay.leakage.watching.places import Place
from assay.suppressions import Suppression, apply_suppressions, read_suppressions


def report_of(journal: Journal, policy: Policy) -> Report:
    """Findings by the same rules as those of the analysis of code, and what was not seen."""
    judged = judge(journal, policy)
    findings = leakage.run(Analysis(judged.leaks))
    seen = (journal.fits, len(journal.made), len(journal.evaluations), len(findings))
    report = Report(
        title="Leakage seen at run time",
        question=leakage.question,
        findings=tuple(findings),
        tables=(Table("What was seen", ("fits", "transformations", "evaluations", "findings"), (seen,)),),
        left_out=(*journal.gaps(), *judged.undecided),
    )
    return apply_suppressions(report, _suppressions(journal, report))


def _suppressions(journal: Journal, report: Report) -> Iterator[Suppression]:
    """The comments on the lines that findings point at; the rest of the program is none of our business."""
    pointed = {finding.location for finding in report.findings}
    lines = {(at.path, at.cell, at.line) for at in pointed if at}
    files = {(p.file, p.location.path, p.location.cell) for p in _places(journal) if p.location in pointed}
    for file, path, cell in files:
        comments = read_suppressions("".join(linecache.getlines(file)), path, python=True, cell=cell)
        yield from (comment for comment in comments if (path, cell, comment.applies_to) in lines)


def _places(journal: Journal) -> Iterator[Place]:
    for event in journal.evaluations:
        yield from (event.place, event.fit.place)
    yield from (event.fit.place for event in journal.made)
