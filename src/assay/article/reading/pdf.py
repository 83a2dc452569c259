"""A paper from a PDF's text layer: lines put together again, page numbers kept, headings guessed from their look."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path
from typing import Any

from assay.article.reading.paper import Page, Paper, Role, Section, Sentence, Word, role_of
from assay.article.reading.sentences import sentences_of
from assay.errors import InputError
from assay.extras import require
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

_SECONDS = 180
_LARGEST = 200 * 1024 * 1024
_FEW_LETTERS = 200
_FEWEST_NUMBERS = 10
"""Fewer numbers in a margin are no line numbers."""
_NUMBERED = regex(r"(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.|[IVX]{1,4}\.)\s+)([A-Z][^.!?]{2,80})$")
_NAMED = regex(
    r"(?:abstract|introduction|related work|background|methods?|materials and methods|data|datasets?|experiments?|"
    r"experimental set-?up|results|results and discussion|evaluation|discussion|limitations|conclusions?|"
    r"acknowledge?ments?|references|bibliography|appendix.{0,40}|data availability|code availability)\.?",
    re.IGNORECASE,
)
_REFERENCES = regex(r"(?:references|bibliography)\b", re.IGNORECASE)
_LINK = regex(r"https?://[^\s)\]>,;]{4,200}|(?<![\w.])(?:github|gitlab|zenodo)\.(?:com|org)/[^\s)\]>,;]{2,200}")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text on a page."""

    text: str
    page: int
    number: int
    size: float
    bottom: float
    left: float


def read_pdf(path: Path, name: str = "") -> Paper:
    """The paper in a PDF file; `name` is how places call it."""
    if path.stat().st_size > _LARGEST:
        raise InputError(
            f"is larger than {_LARGEST:,} bytes", where=str(path), fix="Give a smaller PDF, or the source."
        )
    require("pypdfium2")
    told = _pages(path)
    for page in told["pages"]:
        page["words"] = without_line_numbers(page["words"])
    if not any(page["words"] for page in told["pages"]):
        fix = "It is scanned: run a text recognition on it first, or give the LaTeX or HTML source."
        raise InputError("has no text", where=str(path), fix=fix)
    pages = tuple(_page(page) for page in told["pages"])
    lines = [line for page in told["pages"] for line in _lines(page)]
    body = _without_margins(lines, len(pages))
    if sum(len(line.text) for line in body) < _FEW_LETTERS:
        raise InputError("has hardly any text", where=str(path), fix="Give the LaTeX or HTML source.")
    left_out = [f"only the first {len(pages)} of {told['count']} pages were read"] * (told["count"] > len(pages))
    return _assembled(name or str(path), body, pages, tuple(left_out))


def _pages(path: Path) -> dict[str, Any]:
    """What the file holds. In a browser, which confines the whole page already, it is read right here."""
    if sys.platform == "emscripten":
        from assay.article.reading.pdf_worker import pages_of

        told = pages_of(str(path))
    else:
        told = _pages_by_worker(path)
    if told.get("error") == "encrypted":
        raise InputError("is encrypted", where=str(path), fix="Save a copy without a password.")
    if "error" in told:
        raise InputError("is broken, or no PDF", where=str(path), fix="Download it again, or give the source.")
    return told


def _pages_by_worker(path: Path) -> dict[str, Any]:
    """What the worker process reads; it may die of a hostile file, and then the file is called unreadable."""
    command = [sys.executable, "-I", "-m", "assay.article.reading.pdf_worker", str(path)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - our own module
        told: dict[str, Any] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise InputError(
            f"could not be read in {_SECONDS} s", where=str(path), fix="Give the source instead."
        ) from None
    except ValueError:
        return {"error": "broken"}
    return told


def _page(told: dict[str, Any]) -> Page:
    words = tuple(Word(w[0], *w[1:5]) for w in told["words"])
    rules = tuple((r[0], r[1], r[2], r[3]) for r in told["rules"])
    return Page(told["number"], told["width"], told["height"], words, rules)


def _lines(page: dict[str, Any]) -> Iterator[Line]:
    """Words of one height, in the order of the file, are a line."""
    here: list[Any] = []
    number = 0
    for word in [*page["words"], None]:
        if here and (word is None or _begins_line(word, here[-1])):
            number += 1
            text = " ".join(w[0] for w in here)
            yield Line(text, page["number"], number, max(w[5] for w in here), here[0][2] / page["height"], here[0][1])
            here = []
        if word is not None:
            here.append(word)


def without_line_numbers(words: list[list[Any]]) -> list[list[Any]]:
    """The words of a page without the line numbers in its margins, as manuscripts under review have them.

    They are whole numbers left or right of all other text, and count up by one from line to line.
    """
    ends = _text_ends(words)
    if ends is None:
        return words
    numbers = [word for word in words if word[0].isdigit()]
    before = [word for word in numbers if word[3] < ends[0]]
    behind = [word for word in numbers if word[1] > ends[1]]
    dropped = {id(word) for side in (before, behind) if _counts_up(side) for word in side}
    return [word for word in words if id(word) not in dropped]


def _text_ends(words: list[list[Any]]) -> tuple[float, float] | None:
    """Where nearly all words begin and end, from left to right; None on a page with hardly any."""
    text = [word for word in words if any(sign.isalpha() for sign in word[0])]
    if len(text) < _FEWEST_NUMBERS:
        return None
    few = len(text) // 50
    return sorted(word[1] for word in text)[few], sorted(word[3] for word in text)[-1 - few]


def _counts_up(side: Sequence[Sequence[Any]]) -> bool:
    values = [int(word[0]) for word in sorted(side, key=lambda word: -word[2])]
    steps = Counter(b - a for a, b in pairwise(values))
    return len(values) >= _FEWEST_NUMBERS and steps[1] >= 0.8 * (len(values) - 1)


def _begins_line(word: Sequence[Any], before: Sequence[Any]) -> bool:
    """Whether a word (text, left, bottom, right, top, size) stands on another line than the one before it."""
    return bool(abs(word[2] - before[2]) > 0.7 * max(before[5], 4) or word[1] < before[1] - 2)


def _without_margins(lines: Sequence[Line], pages: int) -> list[Line]:
    """The lines without page numbers and without what stands at the top or bottom of many pages."""

    def margin(line: Line) -> bool:
        return line.bottom < 0.07 or line.bottom > 0.92

    repeated = Counter(re.sub(r"\d+", "#", line.text) for line in lines if margin(line))
    return [
        line
        for line in lines
        if not (
            margin(line)
            and (line.text.strip().isdigit() or repeated[re.sub(r"\d+", "#", line.text)] >= max(2, pages // 3))
        )
    ]


def _assembled(path: str, lines: Sequence[Line], pages: tuple[Page, ...], left_out: tuple[str, ...]) -> Paper:
    usual = _usual_size(lines)
    sections, sentences, bibliography = list[Section](), list[Sentence](), list[str]()
    for section, blocks in _sectioned(path, lines, usual):
        sections.append(section)
        if _REFERENCES.match(section.heading):
            bibliography += map(_joined, blocks)
        else:
            sentences += chain.from_iterable(_of_block(block, section, path) for block in blocks)
    links = [link for line in lines if not _heading(line, usual) for link in _links(line, path)]
    return Paper(
        path, _title(lines, usual), tuple(sections), tuple(sentences), tuple(bibliography), links=tuple(links),
        pages=pages, left_out=left_out,
    )  # fmt: skip


def _usual_size(lines: Sequence[Line]) -> float:
    """The size that most letters have."""
    return Counter(round(line.size, 1) for line in lines for _ in line.text).most_common(1)[0][0]


def _links(line: Line, path: str) -> list[tuple[str, Location]]:
    place = Location(path, line.number, page=line.page)
    return [(link.rstrip("."), place) for link in _LINK.findall(line.text)]


def _title(lines: Sequence[Line], usual: float) -> str:
    """The largest letters of the first page, if they are larger than those of the text."""
    first = [line for line in lines if line.page == lines[0].page and line.left >= 45]  # a stamp may stand left of it
    largest = max((line.size for line in first), default=usual)
    return " ".join(line.text for line in first if line.size >= largest - 0.1)[:300] if largest > usual else ""


def _sectioned(path: str, lines: Sequence[Line], usual: float) -> Iterator[tuple[Section, list[list[Line]]]]:
    """Sections with their blocks of lines; what stands before any heading is the front."""
    section = Section("", Role.FRONT, 1, Location(path, lines[0].number, page=lines[0].page))
    blocks: list[list[Line]] = []
    for line in lines:
        name = _heading(line, usual)
        if name:
            yield section, blocks
            section = Section(name, role_of(name, None), 1, Location(path, line.number, page=line.page))
            blocks = []
        elif blocks and not _ends_block(blocks[-1][-1], line):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    yield section, blocks


def _ends_block(before: Line, line: Line) -> bool:
    return before.text.rstrip().endswith(".") and _is_gap(before, line)


def _of_block(block: Sequence[Line], section: Section, path: str) -> Iterator[Sentence]:
    found = sentences_of(_joined(block), section, path, block[0].number, block[0].page)
    return (_placed(sentence, block) for sentence in found)


def _heading(line: Line, usual: float) -> str:
    """The heading that a line is, without its number; empty when it is none."""
    text = line.text.strip()
    if len(text) > 90 or len(text) < 4:
        return ""
    numbered = _NUMBERED.match(text)
    if numbered and (line.size > usual + 0.3 or role_of(numbered[1]) is not Role.OTHER) and not text.endswith(","):
        return numbered[1].strip()
    return text.rstrip(".") if text[0].isupper() and _NAMED.fullmatch(text) else ""


def _is_gap(before: Line, line: Line) -> bool:
    return line.page != before.page or not -0.01 <= before.bottom - line.bottom <= 0.03


def _joined(block: Sequence[Line]) -> str:
    """Lines as running text, with words that were cut at line ends made whole."""
    text = re.sub("\x02(?!\n)", "", "\n".join(line.text for line in block))  # how the library marks a hyphen it joined
    return re.sub(r"([A-Za-z])[-\N{SOFT HYPHEN}\x02\ufffe]\n([a-z])", r"\1\2", text)


def _placed(sentence: Sentence, block: Sequence[Line]) -> Sentence:
    """The sentence at the line of the page that it begins on."""
    offset = (sentence.location.line or 0) - block[0].number
    at = block[min(max(offset, 0), len(block) - 1)]
    place = Location(sentence.location.path, at.number, page=at.page)
    return Sentence(sentence.text, sentence.section, place, sentence.cites)
