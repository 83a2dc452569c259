"""Which sections a README has: by headings, by what stands below them, and by what it says without a heading.

One scorer for every kind: a heading weighs 2, 1 or nothing, what stands below it 1 more, and 2 make a section.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.document import CodeBlock, Document, Grid, Heading, Part, Passage
from assay.repository.readme.results import is_placeholder, is_results
from assay.repository.readme.words import OTHER, Kind, Where, words
from assay.tree.text import uncased

_WORD = regex(r"[^\W_]+")
_NUMBERING = regex(r"^(?:(?:step|part|section|chapter)? ?\d{1,2}(?:\.\d{1,2}){0,3} |[ivx]{1,4} |[a-d] )+")
_SENTENCE = 6
"""A heading of more words is a sentence, or a title, whose words prove little."""
_LONGEST = 4000
"""How many characters of one block are searched."""
_SHORT = 100
_ROWS = 50
_ENOUGH = 2
_NO_COMMANDS = frozenset({"mermaid", "dot", "plantuml", "graphviz", "json", "yaml", "yml"})
"""Languages of blocks that are no commands."""
_COMMAND = regex(r"\b(?:python\d?|bash|sh) [\w./-]{1,100}\.(?:py|sh)\b")


class Recognition(StrEnum):
    """How a section was recognised."""

    HEADING = "heading"
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class Section:
    """A place about one thing; `evidence` is the heading, or the words that decided."""

    kind: Kind
    heading: str
    location: Location
    how: Recognition
    evidence: str


def find_sections(document: Document) -> tuple[Section, ...]:
    """Every section of every kind, in the order of the text; by content only where no heading decides."""
    found: list[Section] = []
    for kind in Kind:
        found += list(_headed(document, kind)) or list(_by_content(document, kind))
    return tuple(sorted(found, key=lambda s: s.location.line or 0))


@lru_cache(maxsize=1024)
def normalised(heading: str) -> str:
    """A heading in lower case without numbers in front, emoji and punctuation."""
    return _NUMBERING.sub("", " ".join(_WORD.findall(heading.lower())))


def _headed(document: Document, kind: Kind) -> Iterator[Section]:
    title = _title(document)
    for index, part in enumerate(document.parts):
        if part.heading is None or part.heading is title:
            continue
        weight = heading_weight(part.heading.text, kind)
        below = _with_subparts(document, index)
        if not weight or _is_announced(below):
            continue
        score = weight + any(True for each in below for _ in _content(each, kind))
        if score >= _ENOUGH:
            how = Recognition.HEADING if weight >= _ENOUGH else Recognition.CONTENT
            yield Section(kind, part.heading.text, Location(document.path, part.heading.line), how, part.heading.text)


def heading_weight(heading: str, kind: Kind) -> int:
    """What a heading says for a kind: 2 decides, 1 needs support, 0 says nothing."""
    plain, known = normalised(heading), words(kind, Where.HEADING)
    without = known.never.sub(" ", plain)
    if known.firm.search(without):
        return 2 if len(plain.split()) <= _SENTENCE else 1
    return 1 if known.weak.search(plain) or without != plain else 0


def _by_content(document: Document, kind: Kind) -> Iterator[Section]:
    for part in _about_this_code(document):
        for line, said in _content(part, kind):
            heading = part.heading.text if part.heading else ""
            yield Section(kind, heading, Location(document.path, line), Recognition.CONTENT, said)
            break


def _about_this_code(document: Document) -> Iterator[Part]:
    """The parts that are neither news nor about the work of others; their subheadings go with them."""
    beside = 0
    for part in document.parts:
        level = part.heading.level if part.heading else 0
        if beside and level > beside:
            continue
        other = part.heading and words(OTHER, Where.HEADING).firm.search(normalised(part.heading.text))
        beside = level if other else 0
        if not beside:
            yield part


def _content(part: Part, kind: Kind) -> Iterator[tuple[int, str]]:
    """Line and words of what belongs into a section of this kind."""
    for block in part.blocks:
        if isinstance(block, Grid):
            if said := _in_grid(block, kind, part.heading):
                yield block.line, said
        elif isinstance(block, Passage | CodeBlock):
            text = block.text[:_LONGEST]
            spot = _spot(block, text, kind)
            if spot is not None:
                yield block.line + text.count("\n", 0, spot), _line_around(text, spot)


def _spot(block: Passage | CodeBlock, text: str, kind: Kind) -> int | None:
    """Where a block has what belongs into a section of this kind; commands count wherever they stand."""
    plain = uncased(text).replace("\\\n", "  ")
    code = block if isinstance(block, CodeBlock) else None
    if code is not None and code.language in _NO_COMMANDS:
        return None
    found = words(kind, Where.TEXT).weak.search(plain) if code is None or code.inline else None
    if found is None and (code is not None or _COMMAND.search(text)):
        found = words(kind, Where.CODE).weak.search(plain)
    return None if found is None else found.start()


def _in_grid(grid: Grid, kind: Kind, heading: Heading | None) -> str:
    """The words of a table that belong into a section of this kind."""
    if kind is Kind.RESULTS:
        scores = not is_placeholder(grid) and is_results(grid, heading.text if heading else "")
        return " | ".join(grid.header)[:200] if scores else ""
    rows = (" | ".join(row) for row in grid.rows[:_ROWS])
    text = words(kind, Where.TEXT).weak
    return next((row[:200] for row in rows if text.search(uncased(row))), "")


def _is_announced(parts: tuple[Part, ...]) -> bool:
    """Whether all that stands below a heading is that it will be written: "TBD", "coming soon"."""
    blocks = [block for part in parts for block in part.blocks]
    said = " ".join(block.text for block in blocks if isinstance(block, Passage)).strip()
    few = len(said) < _SHORT and len(blocks) <= len(parts) + 1
    return few and words(OTHER, Where.TEXT).weak.fullmatch(uncased(said)) is not None


def _title(document: Document) -> Heading | None:
    """The first heading, if it names the work and not a section."""
    headings = document.headings
    alone = len(headings) == 1 and document.parts[0].heading is None  # something stands above it
    if not headings or alone or any(h.level < headings[0].level for h in headings[1:]):
        return None
    plain = normalised(headings[0].text)
    short = len(plain.split()) <= 2 and any(words(kind, Where.HEADING).firm.fullmatch(plain) for kind in Kind)
    return None if short else headings[0]


def _with_subparts(document: Document, index: int) -> tuple[Part, ...]:
    """A part and those under its subheadings."""
    parts = document.parts
    heading = parts[index].heading
    level = heading.level if heading else 0
    end = index + 1
    while end < len(parts) and (inner := parts[end].heading) and inner.level > level:
        end += 1
    return parts[index:end]


def _line_around(text: str, spot: int) -> str:
    start = text.rfind("\n", 0, spot) + 1
    end = text.find("\n", spot)
    return text[start : end if end >= 0 else len(text)].strip()[:200]
