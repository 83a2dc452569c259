"""Answers that a paper, or the findings of an audit, propose to a checklist; a person accepts or rejects them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.findings import Location

if TYPE_CHECKING:
    from assay.checklists.definition import Checklist, Item

SCHEMES = {"reforms": "reforms", "ml-reproducibility": "ml-checklist", "gundersen-kjensmo": "gundersen-kjensmo"}
"""Checklists that an assessment by the Article Model answers, and the scheme under which it does."""

Proposals = dict[str, dict[str, str]]
"""For an item its `answer`, `evidence` and who proposes it (`by`)."""


def proposals_in(path: Path, checklist_name: str) -> Proposals:
    """What a paper says that answers items of the checklist, each with its words.

    A question to be answered in words gets the paper's words, one to be answered by yes gets a yes only where all
    that belongs to it is documented.
    """
    from assay.article.crosswalk import Scheme, seen_through
    from assay.article.proposals import propose, record_of
    from assay.article.reading import read_paper
    from assay.checklists.files import load

    checklist = load(checklist_name)
    paper = read_paper(path)
    table = seen_through(Scheme(SCHEMES[checklist_name]), record_of(paper, propose(paper)))
    found: Proposals = {}
    for row in table.rows:
        key, answer, _, quote, where = (str(cell) for cell in row)
        item = checklist.item(key) or _titled(key.partition(": ")[2], checklist)
        if item is not None and quote:
            place = where.removeprefix(str(path)).lstrip(":")
            found |= _proposal(item, answer, quote, place)
    return found


def _proposal(item: Item, answer: str, quote: str, place: str) -> Proposals:
    """The paper's words where words are asked for, else a yes where the paper documents everything."""
    from assay.checklists.definition import Answers

    by = "the paper, as Assay reads it"
    if item.answer is Answers.TEXT and answer in {"yes", "partly"}:
        return {item.id: {"answer": quote, "evidence": place, "by": by}}
    if item.answer is not Answers.TEXT and answer == "yes":
        return {item.id: {"answer": "yes", "evidence": f"“{quote}” {place}", "by": by}}
    return {}


def _titled(title: str, checklist: Checklist) -> Item | None:
    return next((item for item in checklist if item.title.lower() == title), None)


def proposals_from_findings(findings: Iterable[Mapping[str, Any]], checklist_name: str) -> Proposals:
    """What an audit's findings say against a good answer."""
    from assay.checklists.files import load
    from assay.checklists.proposals import propose
    from assay.checklists.rules import Known

    known = [
        Known(finding["code"], finding["message"], Location(**finding["location"]) if finding["location"] else None)
        for finding in findings
    ]
    proposed = propose(load(checklist_name), known)
    return {
        item: {"answer": one.text, "evidence": one.evidence, "by": "an audit by Assay"}
        for item, one in proposed.items()
    }
