"""Papers: what they leave out, and numbers that do not agree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.answers import Answer, AnyPath, existing
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.article.assessment import Assessment
    from assay.article.reading import Paper


@dataclass(frozen=True, repr=False)
class PaperAnswer(Answer):
    """What a paper says, and what is wrong or missing in it."""

    paper: Paper
    assessment: Assessment
    """The proposed grades of the Article Model, with the words that earn them."""


def read_paper(path: AnyPath, *, check_scores: bool = True) -> PaperAnswer:
    """Does the paper say enough, and can its numbers be true? LaTeX, Markdown, HTML, XML, Word or PDF."""
    from assay.article.assessment import Assessment
    from assay.article.proposals import propose, record_of, unsearched
    from assay.article.reading import read_paper as read
    from assay.article.report import report_of
    from assay.audit.paper_scores import with_numbers

    paper = read(existing(path, "path"))
    assessment = Assessment(record_of(paper, propose(paper)))
    report = report_of([assessment], (*paper.left_out, *unsearched(paper)))
    return PaperAnswer(report=with_numbers(report, [paper], scores=check_scores), paper=paper, assessment=assessment)
