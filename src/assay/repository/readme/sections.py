"""Which sections a README has: by headings, by misspelt headings, and by what stands in it without a heading."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from functools import lru_cache, partial

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.commands import training_commands
from assay.repository.readme.document import CodeBlock, Document, Grid, Heading, Part, Passage, Style
from assay.repository.readme.pictures import pictures_of_results, told_pictures
from assay.repository.readme.results import is_results
from assay.repository.readme.vocabulary import NO_MISSPELLING, PATTERNS, Kind
from assay.tree.text import uncased

_WORD = regex(r"[^\W_]+")
_NUMBERING = regex(r"^(?:(?:step|part|section|chapter)? ?\d{1,2}(?:\.\d{1,2}){0,3} |[ivx]{1,4} |[a-d] )+")
_SENTENCE = 6
"""A heading of so many words is a sentence, or a title, whose words prove little."""
_ADDRESSING = regex(r"^(?![^\n]{0,300}\?$)[^\n]{0,300}(?:\b(?:can|must|should) be\b|\byou\b|\bplease\b|https?:)")
"""What a sentence has that tells the reader something, and a title or a question has not."""
_LONGEST = 4000
"""How many characters of one block are searched."""
_COMMAND = regex(r"\b(?:python\d?|bash|sh) [\w./-]{1,100}\.(?:py|sh)\b")
_FOLDER = regex(r"`?[\w.-]{1,80}/(?:[\w./-]{0,80})`?:?")
"""A bold name in a list of what lies where; what is said of it tells, not the name."""
_CITING = regex(r"cit(?:e|ing|ation)\b")
_BESIDE = regex(
    r"\b(?:news|updates?|change ?log|release notes|history|third party|related (?:works?|projects?)|"
    r"other implementations?|"
    r"acknowledge?ments?|contribut\w+|licen[cs]e|to ?do|faq)\b"
)
"""Headings of what is not about running this code."""
_OF_THE_PAPER = frozenset({Kind.RESULTS, Kind.HARDWARE})
"""What an abstract says of these is said of the paper, not of this code."""
_PYTEST = regex(r"\b(?:pytest|unittest|nosetests|tox)\b")


class Recognition(StrEnum):
    """How a section was recognised."""

    HEADING = "heading"
    SPELLING = "misspelt heading"
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class Section:
    """A place that speaks about one thing; `evidence` is the heading, or the words that told."""

    kind: Kind
    heading: str
    location: Location
    how: Recognition
    evidence: str


def find_sections(document: Document, code: Code) -> tuple[Section, ...]:
    """Every section of every kind, in the order of the text; by content only where no heading tells.

    A command whose script fits or optimises something is content about training, whatever the script is called.
    """
    found: list[Section] = []
    for kind in Kind:
        headed = list(_headed(document, kind))
        found += headed or list(_by_content(document, kind))
    if all(section.kind is not Kind.TRAIN for section in found):
        found += _training(document, code)
    if all(section.kind is not Kind.RESULTS for section in found):
        found += _shown(document)
    return tuple(sorted(found, key=lambda s: s.location.line or 0))


def _training(document: Document, code: Code) -> Iterator[Section]:
    for part, line, words in training_commands(document, code):
        heading = part.heading.text if part.heading else ""
        yield Section(Kind.TRAIN, heading, Location(document.path, line), Recognition.CONTENT, words)
        return


def _shown(document: Document) -> Iterator[Section]:
    """The first picture of results in a part about this code: its name says so, or a sentence beside it."""
    own = {id(part) for part in _about_this_code(document)}
    starts = [*(part.heading.line if part.heading else 0 for part in document.parts), sys.maxsize]
    named = list(pictures_of_results(document))
    for part, start, end in zip(document.parts, starts, starts[1:], strict=False):
        if id(part) not in own:
            continue
        within = [(line, words) for line, words in named if start <= line < end]
        for line, words in (*within, *told_pictures(document, part, end)):
            heading = part.heading.text if part.heading else ""
            yield Section(Kind.RESULTS, heading, Location(document.path, line), Recognition.CONTENT, words)
            return


@lru_cache(maxsize=1024)
def normalised(heading: str) -> str:
    """A heading in lower case without numbers in front, emoji and punctuation."""
    return _NUMBERING.sub("", " ".join(_WORD.findall(heading.lower())))


def _headed(document: Document, kind: Kind) -> Iterator[Section]:
    title = _title(document)
    for index, part in enumerate(document.parts):
        if part.heading is None or part.heading is title:
            continue
        if part.heading.style is not Style.MARKED and _FOLDER.fullmatch(part.heading.text):
            continue
        if kind is not Kind.CITATION and _CITING.match(normalised(part.heading.text)):
            continue
        if kind is Kind.EVALUATE and _tests_code(part):
            continue
        how = _recognised(normalised(part.heading.text), kind, partial(_supports, document, index, kind))
        if how is not None:
            place = Location(document.path, part.heading.line)
            yield Section(kind, part.heading.text, place, how, part.heading.text)


def _tests_code(part: Part) -> bool:
    """Whether a part is about tests of the code, not of a model."""
    texts = [block.text for block in part.code] + [passage.text for passage in part.passages]
    return any(_PYTEST.search(text[:_LONGEST]) for text in texts)


def _recognised(heading: str, kind: Kind, supported: Callable[[], bool]) -> Recognition | None:
    patterns = PATTERNS[kind]
    if patterns.foreign.search(heading):
        return Recognition.HEADING
    without = patterns.never.sub(" ", heading)
    if patterns.firm.search(without):
        long = len(heading.split()) > _SENTENCE
        return Recognition.HEADING if not long or supported() else None
    if any(_misspelt(word, patterns.words.spelt) for word in without.split()):
        return Recognition.SPELLING
    if (patterns.weak.search(heading) or without != heading) and supported():
        return Recognition.CONTENT
    return None


def _title(document: Document) -> Heading | None:
    """The first heading, if it names the work and not a section."""
    headings = document.headings
    if len(headings) < 2 or any(h.level < headings[0].level for h in headings[1:]):
        return None
    words = normalised(headings[0].text)
    short = len(words.split()) <= 2 and any(
        p.firm.fullmatch(words) or p.foreign.fullmatch(words) for p in PATTERNS.values()
    )
    return None if short else headings[0]


def _supports(document: Document, index: int, kind: Kind) -> bool:
    """Whether what stands under a heading, subheadings included, is what such a section has."""
    parts = document.parts
    heading = parts[index].heading
    level = heading.level if heading else 0
    end = index + 1
    while end < len(parts) and (inner := parts[end].heading) and inner.level > level:
        end += 1
    return any(True for part in parts[index:end] for _ in _telling(part, kind))


def _by_content(document: Document, kind: Kind) -> Iterator[Section]:
    for part in _about_this_code(document):
        for line, words in _telling(part, kind):
            heading = part.heading.text if part.heading else ""
            yield Section(kind, heading, Location(document.path, line), Recognition.CONTENT, words)
            break


def _about_this_code(document: Document) -> Iterator[Part]:
    """The parts that are neither news nor about the work of others; their subheadings go with them."""
    beside = 0
    for part in document.parts:
        level = part.heading.level if part.heading else 0
        if beside and level > beside:
            continue
        beside = level if part.heading and _BESIDE.search(normalised(part.heading.text)) else 0
        if not beside:
            yield part


def _telling(part: Part, kind: Kind) -> Iterator[tuple[int, str]]:
    """Line and words of what belongs into a section of this kind."""
    patterns = PATTERNS[kind]
    if kind in _OF_THE_PAPER and part.heading and normalised(part.heading.text) == "abstract":
        return
    for block in (*_spoken(part.heading, kind), *part.blocks):
        if isinstance(block, Grid):
            if kind is Kind.RESULTS and is_results(block, part.heading.text if part.heading else ""):
                yield block.line, " | ".join(block.header)[:200]
            continue
        text = block.text[:_LONGEST]
        if isinstance(block, CodeBlock):
            quoted = text.lstrip().startswith("@") and kind is not Kind.CITATION
            match = None if quoted else patterns.code.search(uncased(text).replace("\\\n", "  "))
        else:
            plain = uncased(text)
            spoken = plain.replace("\n", " ") if kind is Kind.RESULTS else plain  # numbers stand on the next line
            hinted = any(letters in spoken for letters in patterns.words.hints)
            match = (patterns.text.search(spoken) if hinted else None) or (
                patterns.code.search(plain) if _COMMAND.search(text) else None
            )
        if match is None or (kind is Kind.EVALUATE and _PYTEST.search(text)):
            continue
        if isinstance(block, Passage | CodeBlock):
            yield block.line + text.count("\n", 0, match.start()), _line_around(text, match.start())


def _spoken(heading: Heading | None, kind: Kind) -> Iterator[Passage]:
    """A heading that is a sentence says something itself: some set every line as one. A score is one in a title too."""
    long = heading is not None and len(heading.text.split()) > _SENTENCE
    if heading and long and (kind is Kind.RESULTS or _ADDRESSING.search(heading.text.lower())):
        yield Passage(heading.text, heading.line)


def _line_around(text: str, spot: int) -> str:
    start = text.rfind("\n", 0, spot) + 1
    end = text.find("\n", spot)
    return text[start : end if end >= 0 else len(text)].strip()[:200]


@lru_cache(maxsize=8192)
def _misspelt(word: str, known: tuple[str, ...]) -> bool:
    """Whether a word is one of the known ones with a slip: one, or two in a word of ten letters or more."""
    if len(word) < 6 or word in NO_MISSPELLING:
        return False
    return any(_distance(word, right, 2 if len(right) >= 10 else 1) for right in known if len(right) >= 6)


def _distance(word: str, right: str, most: int) -> bool:
    """Whether so few letters changed, left out, added or swapped lie between two words."""
    if abs(len(word) - len(right)) > most or word[0] != right[0]:
        return False
    before, last = list(range(len(right) + 1)), list(range(len(right) + 1))
    for i, a in enumerate(word, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(row[j - 1] + 1, last[j] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and word[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return 0 < last[-1] <= most
