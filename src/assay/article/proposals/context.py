"""How a sentence speaks: about the authors' own work or others', denying, promising, and in which part of the paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from assay.article.reading.paper import Paper, Role, Section, Sentence
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass


class Voice(StrEnum):
    """Whose work a sentence is about."""

    OWN = "own"
    OTHERS = "others"
    UNCLEAR = "unclear"


_OWN = regex(
    r"\b(?:we|our|ours|us|my|this (?:paper|work|study|thesis|article|report|package|section)|"
    r"the proposed|proposed (?:method|model|approach|techniques?)|the present (?:study|work|paper))\b|"
    r"\bI\b(?! ?\.)|\bhere,",
    re.IGNORECASE,
)
_OTHERS = regex(
    r"^(?:\[cite\]|in \[cite\]|[A-Z][\w'-]+(?: et al\.?| and [A-Z][\w'-]+)(?:,? ?[(\[]| \[cite\]))|\bet al\b|"
    r"\b(?:they|their (?!own)|the (?:original )?authors|previous(?:ly)? (?:work|stud|approach|method)\w*|"
    r"prior (?:work|stud)\w*|existing (?:work|method|approach|stud)\w*|other (?:authors|researchers|works)|"
    r"earlier work|has been used|have been used)\b",
    re.IGNORECASE,
)
_STANDS_FOR = {Role.OTHER: Role.METHOD, Role.FRONT: Role.ABSTRACT}
"""A heading of the authors' own making is nearly always about the method; what comes before any is a summary."""
_OWN_SECTIONS = frozenset(
    {Role.ABSTRACT, Role.METHOD, Role.DATA, Role.EXPERIMENT, Role.RESULTS, Role.AVAILABILITY, Role.APPENDIX}
)
_DENIED_BEFORE = regex(
    r"(?:\b(?:no|not|never|without|neither|nor|cannot|lack(?:s|ing|ed)?|absence|unable|fail\w*|none)|n't)\b"
    r"(?! only\b)[^.;:,]{0,40}$",
    re.IGNORECASE,
)
_DENIED_INSIDE = regex(
    r"\b(?:not|never)(?: \w+)? (?:available|provided|given|stated|reported|released|shared|published|specified|"
    r"described|mentioned|used|known|clear|included)\b|\b(?:do|does|did) not\b|\bunavailable\b",
    re.IGNORECASE,
)
_DENIED_AFTER = regex(
    r"^[^.;:,]{0,40}\b(?:is|are|was|were|has been|have been) "
    r"(?:not|never|missing|lacking|unknown|unspecified|unavailable|unclear)\b",
    re.IGNORECASE,
)
_PLANNED = regex(
    r"\b(?:will|shall|plans? to|planned|intend to|in (?:the )?future|future (?:work|research|studies)|could be|may be|"
    r"might be|would be|we leave|upon (?:publication|acceptance)|once published)\b",
    re.IGNORECASE,
)
_REACH = 60
_MOST_APART, _LONGEST_LINE, _PAIR = 5_000, 300, 2


class Apart(StrEnum):
    """What stands apart from the running text."""

    HEADING = "heading"
    CAPTION = "caption"
    ROW = "row of a table"


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence with what its surroundings tell about it. A `role` of None: the paper has no sections to go by."""

    sentence: Sentence
    role: Role | None
    voice: Voice
    future: bool
    """It stands in a section on future work."""
    linked: str
    """The links that belong to it."""
    apart: Apart | None = None
    """What it is when it is no sentence of the running text."""


def said_in(paper: Paper) -> list[Said]:
    """Every sentence that may count as evidence; acknowledgements and the bibliography are not among them."""
    known = any(s.section.role not in {Role.FRONT, Role.OTHER, Role.ABSTRACT} for s in paper.sentences)
    links: dict[object, list[str]] = {}
    for address, place in paper.links:
        links.setdefault(place, []).append(address)
    told = []
    for sentence in paper.sentences:
        role = _STANDS_FOR.get(sentence.section.role, sentence.section.role) if known else None
        future = re.search(r"\bfuture\b|\bfurther work\b", sentence.section.heading, re.IGNORECASE) is not None
        here = " ".join([sentence.text, *links.get(sentence.location, ())])
        told.append(Said(sentence, role, voice_of(sentence, role), future, here))
    return told


def said_apart(paper: Paper) -> list[Said]:
    """What stands apart from the running text: headings, captions, rows of tables.

    Papers put their settings, software and partitions there. What is in related work stays out.
    """
    found: list[tuple[Apart, Sentence]] = [
        (Apart.HEADING, Sentence(section.heading, section, section.location)) for section in paper.sections
    ]
    found += [(Apart.CAPTION, caption) for caption in paper.captions]
    found += [(Apart.ROW, Sentence(text, _section_at(paper, place), place)) for text, place in _lines_apart(paper)]
    own = [(kind, s) for kind, s in found if s.section.role not in {Role.RELATED, Role.BACK} and not s.cites]
    return [Said(s, None, Voice.OWN, False, s.text, kind) for kind, s in own[:_MOST_APART] if s.text.strip()]


def _lines_apart(paper: Paper) -> Iterator[tuple[str, Location]]:
    """A row of a name and a value reads as a sentence: "Learning rate: 0.001"."""
    from assay.article.tables import grids_of

    for grid in grids_of(paper):
        for row in grid.rows:
            words = list(dict.fromkeys(cell.text for cell in row if cell.text))
            if len(words) == _PAIR:
                yield ": ".join(words)[:_LONGEST_LINE], grid.location


def _section_at(paper: Paper, place: Location) -> Section:
    """The section that a place stands in: the last one that begins before it in the same file."""
    before = [
        s for s in paper.sections if s.location.path == place.path and (s.location.line or 0) <= (place.line or 0)
    ]
    return before[-1] if before else Section("", Role.OTHER, 1, place)


def voice_of(sentence: Sentence, role: Role | None) -> Voice:
    """Whose work the sentence is about, judged by its words, its citations and its section."""
    own = _OWN.search(sentence.text) is not None
    others = _OTHERS.search(sentence.text) is not None
    if own:
        return Voice.UNCLEAR if others else Voice.OWN
    if others or role is Role.RELATED:
        return Voice.OTHERS
    if role not in _OWN_SECTIONS:
        return Voice.OTHERS if sentence.cites else Voice.UNCLEAR
    return Voice.UNCLEAR if sentence.cites else Voice.OWN


def denied(text: str, start: int, end: int) -> bool:
    """Whether the words around a match, or in it, say that it is not so."""
    return (
        _DENIED_BEFORE.search(text[max(0, start - _REACH) : start]) is not None
        or _DENIED_INSIDE.search(text[start:end]) is not None
        or _DENIED_AFTER.match(text[end : end + _REACH]) is not None
    )


def planned(said: Said, start: int, end: int) -> bool:
    """Whether a match is a promise or a thought about the future."""
    return said.future or _PLANNED.search(said.sentence.text[max(0, start - _REACH // 2) : end]) is not None
