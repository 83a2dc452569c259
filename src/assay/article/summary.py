"""The report on a screen: what is missing as one list of questions, instead of a finding for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from assay.article.report import PITFALLS
from assay.article.rules import not_documented
from assay.findings import Finding, Report, Table

_FEW = 3
"""Up to this many missing sub-components are reported one by one; nobody needs a list for them."""
_ASK = "Ask the authors: "


def in_short(report: Report) -> Report:
    """The same report with fewer lines; nothing is dropped that another format does not show, which it says."""
    missing = [f for f in report.findings if f.code == not_documented.code]
    if len(missing) <= _FEW:
        return report
    papers = [list(group) for _, group in groupby(sorted(missing, key=lambda f: f.subject), key=lambda f: f.subject)]
    kept = [f for f in report.findings if f.code != not_documented.code]
    return replace(
        report,
        findings=(*kept, *(_together(paper) for paper in papers)),
        tables=(
            *(_questions(paper, single=len(papers) == 1) for paper in papers),
            *(table for table in report.tables if not table.title.startswith(PITFALLS)),
        ),
        left_out=(*report.left_out, f'"{PITFALLS}" and the place of each question are in the other formats (-f md).'),
    )


def _together(missing: Sequence[Finding]) -> Finding:
    return replace(
        max(missing, key=lambda f: f.confidence.rank),
        message=f"{len(missing)} sub-components are not documented, or only in part",
        location=None,
        evidence=(),
        advice="Say it in the paper; a reader asks the authors the questions below.",
    )


def _questions(missing: Sequence[Finding], *, single: bool) -> Table:
    rows = tuple((f.message.partition(":")[0], f.advice.removeprefix(_ASK)) for f in missing)
    whom = "" if single else f" of {missing[0].subject}"
    return Table(f"Ask the authors{whom}", ("about", "question"), rows)
