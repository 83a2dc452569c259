"""A paper as plain facts: sections, sentences, tables and links, each with its place."""

from __future__ import annotations

import re
from enum import StrEnum

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass


class Role(StrEnum):
    """What a section is for, read off its heading."""

    FRONT = "front"
    ABSTRACT = "abstract"
    INTRODUCTION = "introduction"
    RELATED = "related work"
    METHOD = "method"
    DATA = "data"
    EXPERIMENT = "experiment"
    RESULTS = "results"
    DISCUSSION = "discussion"
    CONCLUSION = "conclusion"
    AVAILABILITY = "availability"
    APPENDIX = "appendix"
    BACK = "back"
    """Acknowledgements, funding, contributions."""
    OTHER = "other"


class Source(StrEnum):
    """What a table was written in."""

    LATEX = "latex"
    HTML = "html"
    MARKDOWN = "markdown"
    PDF = "pdf"
    TEXT = "text"
    """Columns of words and figures, such as what a program prints."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading; `level` is 1 for a chapter or section, 2 for what is inside it."""

    heading: str
    role: Role
    level: int
    location: Location


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of running text; `cites` when it refers to other work."""

    text: str
    section: Section
    location: Location
    cites: bool = False


@dataclass(frozen=True, slots=True)
class RawTable:
    """A table as it stands in the source, with its caption; the reader of tables finds a PDF's table on its page."""

    source: Source
    text: str
    caption: str
    location: Location


@dataclass(frozen=True, slots=True)
class Listing:
    """Pseudocode or program text set apart from the running text."""

    kind: str
    """"algorithm" or "code"."""
    text: str
    location: Location


@dataclass(frozen=True, slots=True)
class Word:
    """A word on a page of a PDF, with its box in points from the lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a PDF: its words in reading order, and the lines ruled on it (as left, bottom, right, top)."""

    number: int
    width: float
    height: float
    words: tuple[Word, ...]
    rules: tuple[tuple[float, float, float, float], ...]


@dataclass(frozen=True)
class Paper:
    """All that was read. The bibliography is kept apart, because it is about other work."""

    path: str
    title: str
    sections: tuple[Section, ...]
    sentences: tuple[Sentence, ...]
    bibliography: tuple[str, ...] = ()
    tables: tuple[RawTable, ...] = ()
    listings: tuple[Listing, ...] = ()
    captions: tuple[Sentence, ...] = ()
    links: tuple[tuple[str, Location], ...] = ()
    pages: tuple[Page, ...] = ()
    left_out: tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = f"{len(self.sections)} sections, {len(self.sentences)} sentences, {len(self.tables)} tables"
        return f"<Paper {self.title or self.path!r}: {parts}>"


_ROLES: tuple[tuple[Role, str], ...] = (
    (Role.ABSTRACT, r"abstract|summary|synopsis"),
    (Role.RELATED, r"related|previous work|prior work|background|literature|state of the art"),
    (Role.INTRODUCTION, r"introduction|motivation|overview|problem (?:statement|definition|formulation)"),
    (Role.AVAILABILITY, r"(?:code|data|software|material|resource).{0,30}availab|availab.{0,30}(?:code|data|software)"),
    (Role.BACK, r"acknowledg|funding|conflict|competing|author contribution|ethic|consent|disclosure|abbreviation"),
    (Role.RESULTS, r"results?|findings|evaluation|performance|comparison"),
    (Role.EXPERIMENT, r"experiment|set-?up|implementation|training|simulation|hyper-?param|case stud|reproducib"),
    (Role.DATA, r"data|corpus|corpora|materials|participants|patients|cohort|pre-?processing|subjects|images?$"),
    (Role.DISCUSSION, r"discussion|limitation|threats? to|analysis|ablation"),
    (Role.CONCLUSION, r"conclu|future work|further work|outlook"),
    (Role.APPENDIX, r"appendi|supplement"),
    (Role.METHOD, r"method|approach|model|algorithm|architecture|framework|technique|network|theory|proposed"),
)
_MATCHERS = tuple((role, regex(rf"\b(?:{pattern})", re.IGNORECASE)) for role, pattern in _ROLES)


def role_of(heading: str, above: Role | None = None) -> Role:
    """What a section is for; what its own heading does not tell comes from the section `above` it."""
    if above in {Role.RELATED, Role.APPENDIX, Role.BACK}:
        return above  # whatever it treats, it is about others' work, or apart from the main text
    for role, pattern in _MATCHERS:
        if pattern.search(heading[:200]):
            return role
    return above if above is not None else Role.OTHER
