"""Which sections a README has: by headings, by misspelt headings, and by what stands in it without a heading."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import lru_cache, partial
from urllib.parse import unquote

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.commands import running, without_modules
from assay.repository.readme.datasets import data_links, data_spot, describes_columns
from assay.repository.readme.document import CodeBlock, Document, Grid, Heading, Part, Passage, Style
from assay.repository.readme.fitting import trains, trains_itself
from assay.repository.readme.meanings import means_otherwise
from assay.repository.readme.pictures import headed_pictures, pictures_of_results, told_pictures
from assay.repository.readme.programs import predicting_programs
from assay.repository.readme.references import own_reference
from assay.repository.readme.results import is_placeholder, is_results, tells_results
from assay.repository.readme.runs import tells_running_time, training_settings
from assay.repository.readme.scoring import scores, scores_itself
from assay.repository.readme.spelling import is_misspelt
from assay.repository.readme.vocabulary import PATTERNS, Kind
from assay.tree.text import uncased

_WORD = regex(r"[^\W_]+")
_NUMBERING = regex(r"^(?:(?:step|part|section|chapter)? ?\d{1,2}(?:\.\d{1,2}){0,3} |[ivx]{1,4} |[a-d] )+")
_SENTENCE = 6
"""A heading of so many words is a sentence, or a title, whose words prove little."""
_ADDRESSING = regex(r"^(?![^\n]{0,300}\?$)[^\n]{0,300}(?:\b(?:can|must|should) be\b|\byou\b|\bplease\b|https?:)")
"""What a sentence has that tells the reader something, and a title or a question has not."""
_LONGEST = 4000
"""How many characters of one block are searched."""
_SHORT = 100
_ROWS, _LINKS = 50, 300
_COMMAND = regex(r"\b(?:python\d?|bash|sh) [\w./-]{1,100}\.(?:py|sh)\b")
_FOLDER = regex(r"`?[\w.-]{1,80}/(?:[\w./-]{0,80})`?:?")
"""A bold name in a list of what lies where; what is said of it tells, not the name."""
_PHASES = frozenset({Kind.TRAIN, Kind.EVALUATE})
_SHARE = regex(
    r"\(\d{1,2} ?%\)|^[^\w\n]{0,4}\d{1,2} ?%|\b\d{1,2} ?% of (?!the time)|"
    r"^[^\w\n]{0,4}\d[\d,.]{0,12}k? (?:\w{1,20} ){0,2}"
    r"(?:images|pictures|samples|rows|examples|records|videos|patients)\b"
)
"""How much of the data is for training, or for tests."""
_CITING = regex(r"cit(?:e|ing|ation)\b")
_BESIDE = regex(
    r"(?:^|\b(?:latest|recent|our|project|the|big|breaking|and|updates?) )news\b"
    r"(?! (?:\w{1,20} )?(?:data\w{0,4}|corpus|articles?|headlines?|groups?|classif|detect|recommend))|"
    r"\b(?:updates?|change ?log|release notes|history|third party|related (?:works?|projects?)|"
    r"other implementations?|"
    r"acknowledge?ments?|contribut\w+|licen[cs]e|to ?do|faq)\b"
)
"""Headings of what is not about running this code. Fake news, and a set of news articles, are a subject of research."""
_NEWS = regex(r"^(?:latest |recent )?(?:news|updates?)\b")
_FEATURES = regex(r"^(?:(?:key|main|core|top|other) )?(?:features|capabilities|functionalit(?:y|ies)|highlights)$")
"""Headings of what a program can do; what stands below says little of how."""
_WORK_OF_OTHERS = regex(r"^(?:key |main |other |useful |further )?(?:references|literature|bibliography|readings?)$")
"""Headings of lists of what others wrote; the paper of this code may be among them."""
_THANKS = regex(r"\backnowledge?ments?\b")
_OF_THE_PAPER = frozenset({Kind.RESULTS, Kind.HARDWARE})
"""What an abstract says of these is said of the paper, not of this code."""
_DIAGRAMS = frozenset({"mermaid", "dot", "plantuml", "graphviz", "json", "yaml", "yml"})
"""Languages of blocks that are no commands."""
_ENTRIES = frozenset({Kind.DATA, Kind.TRAIN, Kind.EVALUATE, Kind.HARDWARE, Kind.RESULTS})
"""What the rows of a table may tell: files with what they are for, data, devices, scores."""
_LISTING = regex(r"[├└]──|^[ \t|]{0,24}[|+`]-{1,4} ?\w|^[ \t]{0,8}[\w.-]{1,60}/(?:[ \t]|$)", re.MULTILINE)
"""A block that lists files and folders."""
_PROMISE = regex(
    r"\b(?:saved|stored|written|logged|exported|generated|placed|dumped|output)\b[^\n]{0,40}\b(?:in|to|under|at|into|as)\b|"
    r"\b(?:saves|stores|writes|logs|exports|dumps)\b[^\n]{0,80}\b(?:in|to|under|at|into|as)\b|"
    r"\bgenerated (?:from|by|with) [`'\"]{0,1}python\b|"
    r"\b(?:will|should) (?:be|appear|see|generate|produce|create|print)\b"
)
_OUTCOME = regex(
    r"\d\.\d|\d ?%|\b(?:best|better|higher|highest|outperform\w*|achiev\w+|improv\w+|found that|shows? that)\b"
)
_NUMBERS = regex(r"\d\.\d|\d ?%")
_CLONING = regex(r"[\s$>]{0,8}(?:git clone|cd|#)(?!\w)")
_MODULE = regex(
    r"\bpython\d? (?:[\w.-]{1,60}/){0,4}(?:models?|net(?:work)?s?|data(?:set)?s?|data_?loaders?|utils|layers|modules|"
    r"loss(?:es)?)\.py[ \t`]*$",
    re.MULTILINE,
)
"""A command that runs what others import, which then tries itself with made-up input."""
_PYTEST = regex(r"\b(?:pytest|unittest|nosetests|tox)\b")


_ANNOUNCED = regex(
    r"[\W_]*(?:(?:tb[adcw]|to ?do|to be (?:done|added|announced|updated|released|continued)|"
    r"(?:will be )?(?:added|updated|released|available|coming|come) soon|work in progress|wip|under construction|soon|"
    r"stay tuned|in progress)[\W_]*){1,3}",
    re.IGNORECASE,
)
_BY_SCRIPT = (
    r"(?:through|via|using|with|by running|by|run|runs|executing|execute)\s+(?:the\s+)?"
    r"[`*]{0,2}[\w./-]{1,80}\.(?:py|sh|ipynb)\b"
)
_THROUGH = {
    Kind.TRAIN: regex(rf"\b(?:train|fit|fine-?tune)\w*\b[^.\n]{{0,80}}\b{_BY_SCRIPT}", re.IGNORECASE),
    Kind.EVALUATE: regex(rf"\b(?:evaluat|test|assess|benchmark)\w*\b[^.\n]{{0,80}}\b{_BY_SCRIPT}", re.IGNORECASE),
}


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
        read = without_modules(document, code) if kind is Kind.EVALUATE else document
        found += list(_headed(read, kind)) or list(_by_content(read, kind))
    known = {section.kind for section in found}
    for kind, otherwise in _OTHERWISE.items():
        if kind not in known:
            found += itertools.islice(otherwise(document, code), 1)
    return tuple(sorted(found, key=lambda s: s.location.line or 0))


def _training(document: Document, code: Code) -> Iterator[Section]:
    for part, line, words in running(document, code, trains, trains_itself):
        yield _told(document, Kind.TRAIN, part, line, words)
    yield from _linked_scripts(document, code, Kind.TRAIN, trains_itself)
    for part, line, words in training_settings(document):
        yield _told(document, Kind.TRAIN, part, line, words)
    yield from _through_a_script(document, Kind.TRAIN)


def _applying(document: Document, code: Code) -> Iterator[Section]:
    """Scripts and notebooks whose code scores or applies a model, and programs that predict for whoever opens them."""
    yield from _linked_scripts(document, code, Kind.EVALUATE, scores_itself)
    own = {id(part) for part in _about_this_code(document, Kind.EVALUATE)}
    for part, line, words in running(document, code, scores, scores_itself):
        if id(part) in own:
            yield _told(document, Kind.EVALUATE, part, line, words)
    for part, line, words in predicting_programs(document):
        yield _told(document, Kind.EVALUATE, part, line, words)
    yield from _through_a_script(document, Kind.EVALUATE)


def _through_a_script(document: Document, kind: Kind) -> Iterator[Section]:
    """Sentences such as "train and evaluate our models through `main.py`"."""
    for part in _about_this_code(document, kind):
        for passage in part.passages:
            match = _THROUGH[kind].search(passage.text[:_LONGEST])
            if match is not None:
                line = passage.line + passage.text.count("\n", 0, match.start())
                yield _told(document, kind, part, line, match[0])


def _linked_scripts(document: Document, code: Code, kind: Kind, does: Callable[[str, Code], bool]) -> Iterator[Section]:
    """Links to scripts and notebooks whose names tell, or whose code does what such a section is about."""
    names = ((link.line, unquote(link.target).rpartition("/")[2]) for link in document.links[:_LINKS] if not link.image)
    lines = [(line, name) for line, name in names if _told_by_text(name, kind) is not None or _does(name, code, does)]
    yield from _sections_at(document, kind, lines)


def _does(name: str, code: Code, does: Callable[[str, Code], bool]) -> bool:
    return name.endswith((".py", ".ipynb")) and does(name, code)


def _linked_data(document: Document, _: Code) -> Iterator[Section]:
    yield from _sections_at(document, Kind.DATA, data_links(document))


def _referenced(document: Document, _: Code) -> Iterator[Section]:
    for part, line, words in own_reference(document):
        yield _told(document, Kind.CITATION, part, line, words)


def _shown(document: Document, _: Code) -> Iterator[Section]:
    """Pictures of results in parts about this code: their names say so, their heading, or a sentence beside them."""
    own = {id(part) for part in _about_this_code(document, Kind.RESULTS)}
    named = list(pictures_of_results(document))
    for part, start, end in _with_lines(document):
        if id(part) not in own:
            continue
        within = [(line, words) for line, words in named if start <= line < end]
        beside = (*told_pictures(document, part, end), *headed_pictures(document, part, end))
        for line, words in (*within, *beside):
            yield _told(document, Kind.RESULTS, part, line, words)
    yield from _news_of_scores(document)


def _news_of_scores(document: Document) -> Iterator[Section]:
    """Tables of scores among the news: those of a newer version of this code."""
    for part in document.parts:
        if part.heading and _NEWS.search(normalised(part.heading.text)):
            for grid in (block for block in part.blocks if isinstance(block, Grid)):
                if is_results(grid, ""):
                    yield _told(document, Kind.RESULTS, part, grid.line, " | ".join(grid.header)[:200])


_OTHERWISE: dict[Kind, Callable[[Document, Code], Iterator[Section]]] = {
    Kind.TRAIN: _training,
    Kind.DATA: _linked_data,
    Kind.EVALUATE: _applying,
    Kind.RESULTS: _shown,
    Kind.CITATION: _referenced,
}
"""What tells of a section where neither headings nor words do."""


def _sections_at(document: Document, kind: Kind, places: Iterable[tuple[int, str]]) -> Iterator[Section]:
    """Sections for what stands on certain lines, in parts about this code."""
    own = {id(part) for part in _about_this_code(document, kind)}
    spans = [(part, start, end) for part, start, end in _with_lines(document) if id(part) in own]
    for line, words in places:
        for part in (part for part, start, end in spans if start <= line < end):
            yield _told(document, kind, part, line, words)


def _with_lines(document: Document) -> Iterator[tuple[Part, int, int]]:
    """Each part with its first line and that of the next."""
    starts = [*(part.heading.line if part.heading else 0 for part in document.parts), sys.maxsize]
    yield from zip(document.parts, starts, starts[1:], strict=False)


def _told(document: Document, kind: Kind, part: Part, line: int, words: str) -> Section:
    """A section that is known by its content."""
    heading = part.heading.text if part.heading else ""
    return Section(kind, heading, Location(document.path, line), Recognition.CONTENT, words)


@lru_cache(maxsize=1024)
def normalised(heading: str) -> str:
    """A heading in lower case without numbers in front, emoji and punctuation."""
    return _NUMBERING.sub("", " ".join(_WORD.findall(heading.lower())))


def _headed(document: Document, kind: Kind) -> Iterator[Section]:
    title = _title(document)
    above: list[Heading] = []
    for index, part in enumerate(document.parts):
        if part.heading is None or part.heading is title:
            continue
        above = [heading for heading in above if heading.level < part.heading.level]
        praised = any(_FEATURES.search(normalised(heading.text)) for heading in above)
        above.append(part.heading)
        if part.heading.style is not Style.MARKED and _FOLDER.fullmatch(part.heading.text):
            continue
        if kind is not Kind.CITATION and _CITING.match(normalised(part.heading.text)):
            continue
        if kind is Kind.EVALUATE and any(map(_tests_code, _with_subparts(document, index))):
            continue
        if kind is Kind.INSTALL and _only_clones(_with_subparts(document, index)):
            continue
        if kind is Kind.RESULTS and _only_promises(document, _with_subparts(document, index)):
            continue
        if kind in _PHASES and _is_share(part):
            continue
        if _is_announced(_with_subparts(document, index)):
            continue
        how = _recognised(normalised(part.heading.text), kind, partial(_supports, document, index, kind))
        if how is Recognition.HEADING and praised and not _supports(document, index, kind):
            continue
        if how is not None:
            place = Location(document.path, part.heading.line)
            yield Section(kind, part.heading.text, place, how, part.heading.text)


def _is_announced(parts: tuple[Part, ...]) -> bool:
    """Whether all that stands below a heading is that it will be written: "TBD", "coming soon"."""
    blocks = [block for part in parts for block in part.blocks]
    said = " ".join(block.text for block in blocks if isinstance(block, Passage))
    return len(said) < _SHORT and _ANNOUNCED.fullmatch(said.strip()) is not None and len(blocks) <= len(parts) + 1


def _only_promises(document: Document, parts: tuple[Part, ...]) -> bool:
    """Whether a section only says where results will be, or leaves room for them, and shows no number or picture."""
    blocks = [block for part in parts for block in part.blocks]
    text = " ".join(block.text[:_LONGEST] for block in blocks if isinstance(block, Passage))
    ids = {id(part) for part in parts}
    spans = [(start, end) for part, start, end in _with_lines(document) if id(part) in ids]
    pictures = [link.line for link in document.links if link.image]
    shown = any(start <= line < end for line in pictures for start, end in spans)
    grids = [block for block in blocks if isinstance(block, Grid)]
    if shown or not all(map(is_placeholder, grids)):
        return False
    if grids:
        return _NUMBERS.search(text) is None
    return _PROMISE.search(uncased(text)) is not None and _OUTCOME.search(uncased(text)) is None


def _is_share(part: Part) -> bool:
    """Whether a word that begins a line, such as "Validation:", names a part of the data and how large it is."""
    if part.heading is None or part.heading.style is Style.MARKED or not part.blocks:
        return False
    first = part.blocks[0]
    if not isinstance(first, Passage) or len(first.text) > _SHORT or any(True for _ in part.code):
        return False
    return _SHARE.search(uncased(first.text)) is not None


def _only_clones(parts: tuple[Part, ...]) -> bool:
    """Whether all that a section tells to do is to get the code."""
    blocks = [block for part in parts for block in part.blocks]
    commands = [block.text[:_LONGEST] for block in blocks if isinstance(block, CodeBlock) and not block.inline]
    lines = [line for text in commands for line in text.split("\n") if line.strip()]
    said = any(not isinstance(block, CodeBlock) or block.inline for block in blocks)
    return bool(lines) and not said and all(_CLONING.match(line) for line in lines)


def _tests_code(part: Part) -> bool:
    """Whether a part is about tests of the code, not of a model: by a tool for them, or by modules tried alone."""
    texts = [block.text[:_LONGEST] for block in part.code] + [passage.text[:_LONGEST] for passage in part.passages]
    commands = [match for text in texts for match in _COMMAND.finditer(text)]
    tried = [match for text in texts for match in _MODULE.finditer(text)]
    return any(map(_PYTEST.search, texts)) or 0 < len(commands) == len(tried)


def _recognised(heading: str, kind: Kind, supported: Callable[[], bool]) -> Recognition | None:
    patterns = PATTERNS[kind]
    without = patterns.never.sub(" ", heading)
    if patterns.foreign.search(without):
        return Recognition.HEADING
    if patterns.firm.search(without):
        long = len(heading.split()) > _SENTENCE
        return Recognition.HEADING if not long or supported() else None
    if any(is_misspelt(word, patterns.words.spelt) for word in without.split()):
        return Recognition.SPELLING
    if (patterns.weak.search(heading) or without != heading) and supported():
        return Recognition.CONTENT
    return None


def _title(document: Document) -> Heading | None:
    """The first heading, if it names the work and not a section."""
    headings = document.headings
    alone = len(headings) == 1 and document.parts[0].heading is None  # something stands above it
    if not headings or alone or any(h.level < headings[0].level for h in headings[1:]):
        return None
    words = normalised(headings[0].text)
    short = len(words.split()) <= 2 and any(
        p.firm.fullmatch(words) or p.foreign.fullmatch(words) for p in PATTERNS.values()
    )
    return None if short else headings[0]


def _supports(document: Document, index: int, kind: Kind) -> bool:
    """Whether what stands under a heading, subheadings included, is what such a section has."""
    return any(True for part in _with_subparts(document, index) for _ in _telling(part, kind))


def _with_subparts(document: Document, index: int) -> tuple[Part, ...]:
    """A part and those under its subheadings."""
    parts = document.parts
    heading = parts[index].heading
    level = heading.level if heading else 0
    end = index + 1
    while end < len(parts) and (inner := parts[end].heading) and inner.level > level:
        end += 1
    return parts[index:end]


def _by_content(document: Document, kind: Kind) -> Iterator[Section]:
    for part in _about_this_code(document, kind):
        for line, words in _telling(part, kind):
            yield _told(document, kind, part, line, words)
            break


def _about_this_code(document: Document, kind: Kind) -> Iterator[Part]:
    """The parts that are neither news nor about the work of others; their subheadings go with them.

    Who gave the machine that was used is thanked for it.
    """
    beside = 0
    for part in document.parts:
        level = part.heading.level if part.heading else 0
        if beside and level > beside:
            continue
        title = normalised(part.heading.text) if part.heading else ""
        others = kind is not Kind.CITATION and _WORK_OF_OTHERS.search(title) is not None
        thanks = kind is Kind.HARDWARE and _THANKS.search(title) is not None
        beside = level if others or (_BESIDE.search(title) and not thanks) else 0
        if not beside:
            yield part


def _telling(part: Part, kind: Kind) -> Iterator[tuple[int, str]]:
    """Line and words of what belongs into a section of this kind."""
    title = normalised(part.heading.text) if part.heading else ""
    if (kind in _OF_THE_PAPER and title == "abstract") or (
        kind is Kind.EVALUATE and "test" in title and _tests_code(part)
    ):
        return
    for block in (*_spoken(part.heading, kind), *part.blocks):
        if isinstance(block, Grid):
            if words := _told_by_grid(block, kind, part.heading.text if part.heading else ""):
                yield block.line, words
        elif isinstance(block, Passage | CodeBlock):
            text = block.text[:_LONGEST]
            spot = _told_by_code(block, text, kind) if isinstance(block, CodeBlock) else _told_by_text(text, kind)
            listed = isinstance(block, CodeBlock) and _LISTING.search(text) is not None
            if spot is None:
                continue
            words = _line_around(text, spot)
            if not (kind is Kind.EVALUATE and _PYTEST.search(words if listed else text)):
                yield block.line + text.count("\n", 0, spot), words


def _told_by_grid(grid: Grid, kind: Kind, caption: str) -> str:
    """The words of a table that belong into a section of this kind."""
    if kind is Kind.RESULTS and not is_placeholder(grid) and (is_results(grid, caption) or tells_results(grid)):
        return " | ".join(grid.header)[:200]
    if (kind is Kind.DATA and describes_columns(grid)) or (kind is Kind.HARDWARE and tells_running_time(grid)):
        return " | ".join(grid.header)[:200]
    rows = [" | ".join(row) for row in grid.rows[:_ROWS]] if kind in _ENTRIES else []
    return next((row[:200] for row in rows if _told_by_text(row, kind) is not None), "")


def _told_by_code(block: CodeBlock, text: str, kind: Kind) -> int | None:
    """Where a block of code has what belongs into a section of this kind. A list of files may be set as code."""
    if (text.lstrip().startswith("@") and kind is not Kind.CITATION) or block.language in _DIAGRAMS:
        return None
    if kind in _ENTRIES and _LISTING.search(text):
        return _told_by_text(text, kind)
    match = PATTERNS[kind].code.search(uncased(text).replace("\\\n", "  "))
    return None if match is None else match.start()


def _told_by_text(text: str, kind: Kind) -> int | None:
    """Where running text does."""
    patterns = PATTERNS[kind]
    plain = uncased(text)
    spoken = plain.replace("\n", " ") if kind is Kind.RESULTS else plain  # numbers stand on the next line
    hinted = any(letters in spoken for letters in patterns.words.hints)
    for match in patterns.text.finditer(spoken) if hinted else ():
        if not means_otherwise(kind, spoken, match):
            return match.start()
    command = patterns.code.search(plain) if _COMMAND.search(text) else None
    if command is not None:
        return command.start()
    return data_spot(text) if kind is Kind.DATA else None


def _spoken(heading: Heading | None, kind: Kind) -> Iterator[Passage]:
    """A heading that is a sentence says something itself: some set every line as one. A score is one in a title too."""
    long = heading is not None and len(heading.text.split()) > _SENTENCE
    if heading and long and (kind is Kind.RESULTS or _ADDRESSING.search(heading.text.lower())):
        yield Passage(heading.text, heading.line)


def _line_around(text: str, spot: int) -> str:
    start = text.rfind("\n", 0, spot) + 1
    end = text.find("\n", spot)
    return text[start : end if end >= 0 else len(text)].strip()[:200]
