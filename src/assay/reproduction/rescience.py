"""Metadata of a ReScience C article about one attempt: what the study knows is filled in, the rest is marked.

The fields are those of the journal's template (metadata.yaml). A title begins with [Re] when the paper was
reproduced at least in part and with [¬Re] when it was not.
"""

from __future__ import annotations

import json

from assay.report.wording import on_one_line
from assay.reproduction.attempted import GOOD, Tried, chosen
from assay.reproduction.study import Study

ASK = "# for the author: "
_AFTER_ACCEPTANCE = """
# After acceptance, with the editor
review:
  - url:
contributors:
  - name:
    orcid:
    role: editor
  - name:
    orcid:
    role: reviewer
  - name:
    orcid:
    role: reviewer
dates:
  - received:
  - accepted:
  - published:
article:
  - number:
  - doi:
  - url:
journal:
  - name: "ReScience C"
  - issn: 2430-3658
  - volume:
  - issue:
"""


def metadata(study: Study, paper: str, attempt: str = "") -> str:
    """The YAML file for an article about an attempt at a paper; the last attempt if none is named."""
    one = chosen(study, paper, attempt)
    lines = [
        f"title: {_text(_title(one))}",
        *_authors(one),
        "affiliations:",
        "  - code: 1",
        f"    name: {ASK}institution",
        f"    address: {ASK}town, country",
        f"keywords: reproducibility, replication {ASK}add the programming language",
        "code:",
        f"  - url: {ASK}the repository of your code; needed for a replication",
        "  - doi:",
        "  - swh:",
        "data:",
        f"  - url: {ASK}leave empty if there are none",
        "  - doi:",
        "replication:",
        f"  - cite: {_text(_citation(one))} {ASK}complete it",
        "  - bib:",
        f"  - url: {ASK}a version that all can read",
        f"  - doi: {one.paper.doi}".rstrip(),
        f"abstract: {_text(_abstract(study, one))} {ASK}a draft",
        "bibliography: bibliography.bib",
        "type: Replication",
        f"domain: {ASK}one scientific domain",
        f"language: {ASK}the main programming language",
    ]
    return "\n".join(lines) + "\n" + _AFTER_ACCEPTANCE


def _title(one: Tried) -> str:
    return f"[{'Re' if one.outcome in GOOD else '¬Re'}] {one.paper.title or one.paper.id}"


def _authors(one: Tried) -> list[str]:
    lines = ["authors:"]
    for place, person in enumerate(one.attempt.people or ("",)):
        name = _text(person) if person else f"{ASK}name"
        contact = ",*" if place == 0 else ""
        lines += [
            f"  - name: {name}",
            "    orcid:",
            f"    email: {ASK}needed for the contact author" if contact else "    email:",
            f'    affiliations: "1{contact}"',
        ]
    return lines


def _citation(one: Tried) -> str:
    paper = one.paper
    parts = (", ".join(paper.authors), paper.title, paper.venue, str(paper.year or ""))
    return ", ".join(filter(None, parts))


def _abstract(study: Study, one: Tried) -> str:
    """What the records say, as a start."""
    tally, attempt = one.tally, one.attempt
    said = [f'We tried to reproduce "{one.paper.title or one.paper.id}".']
    if tally.experiments:
        said.append(
            f"Of {tally.experiments} experiments we ran {tally.run}: {tally.identical} gave identical results, "
            f"{tally.consistent} consistent ones and {tally.different} different ones."
            + (f" {tally.undecided} could not be decided." if tally.undecided else "")
        )
    said.append(f"By the rule of the study the outcome is {one.outcome}.")
    if attempt.hours is not None:
        said.append(f"It took {attempt.hours} of {attempt.budget} hours.")
    if attempt.reasons:
        said.append(f"Experiments were left out because of: {', '.join(attempt.reasons)}.")
    if study.title:
        said.append(f'The attempt is part of "{study.title}".')
    return " ".join(said)


def _text(text: str) -> str:
    """A string that YAML reads back: JSON's are, once what may not stand in a stream is spelled out."""
    return json.dumps(on_one_line(text), ensure_ascii=False)
