"""The article that a repository belongs to: its link, and its BibTeX entries."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.readme.document import CodeBlock, Document, Passage
from assay.repository.readme.hosts import LinkKind
from assay.repository.readme.links import Link
from assay.repository.vocabulary import vocabulary

_ENTRY = regex(r"@(\w{3,20})\s{0,5}\{\s{0,5}([^\s,{}]{1,120})\s{0,5},")
_FIELD = regex(
    r"\b(title|eprint|doi|url|journal|booktitle|year|howpublished)\s{0,10}=\s{0,10}[{\"]?([^\n]{1,400})", re.IGNORECASE
)
_ARXIV = regex(r"(?:arxiv[:./ ]{0,3}(?:abs/|pdf/)?|preprint arxiv:)?\b(\d{4}\.\d{4,5})(?:v\d+)?\b", re.IGNORECASE)
_WORDS = vocabulary("assay.repository.readme", "phrases.toml")
_OWN = _WORDS.pattern("own_paper")
_NAMES_PAPER = _WORDS.pattern("names_paper")
_SPEAKS = _WORDS.pattern("speaks_of_paper")
_INTRODUCTION = 3
_LEAST_LINES = 12
"""The paper is linked in one of the first parts of the text, or where it is cited."""
_MOST_ENTRIES = 50
_LONGEST = 50_000


@dataclass(frozen=True, slots=True)
class Bibtex:
    """An entry to cite the work by."""

    kind: str
    key: str
    title: str
    identifier: str
    """An arXiv number, a DOI or an address, if the entry has one."""
    location: Location


@dataclass(frozen=True, slots=True)
class Paper:
    """The paper's own link or identifier, and why it is taken for the paper's own."""

    target: str
    location: Location
    why: str


def find_bibtex(document: Document) -> tuple[Bibtex, ...]:
    """BibTeX entries in code blocks and in running text."""
    found: list[Bibtex] = []
    for block in document.blocks:
        if not isinstance(block, CodeBlock | Passage) or "@" not in block.text or len(found) >= _MOST_ENTRIES:
            continue
        text = block.text[:_LONGEST]
        starts = list(_ENTRY.finditer(text))[:_MOST_ENTRIES]
        ends = [*(start.start() for start in starts[1:]), len(text)]
        for entry, end in zip(starts, ends, strict=False):
            body = text[entry.end() : end][:4000]
            fields = {m[1].lower(): re.sub(r"[{}\"]", "", m[2]).strip(" ,") for m in _FIELD.finditer(body)}
            place = Location(document.path, block.line + text.count("\n", 0, entry.start()))
            found.append(Bibtex(entry[1].lower(), entry[2], fields.get("title", ""), _identifier(fields), place))
    return tuple(found)


def _identifier(fields: dict[str, str]) -> str:
    for name in ("doi", "eprint", "journal", "url", "howpublished"):
        value = fields.get(name, "")
        number = _ARXIV.search(value)
        if number and name not in {"doi", "url"}:
            return f"arXiv:{number[1]}"
        if name == "doi" and value:
            return value
        if name in {"url", "howpublished"} and "http" in value and "github.com" not in value:
            return value.removeprefix("\\url").strip()
    return ""


def find_paper(document: Document, links: tuple[Link, ...], entries: tuple[Bibtex, ...]) -> Paper | None:
    """The paper's own link: the one that the entry to cite names, or that the introduction calls the paper."""
    candidates = [link for link in links if _may_be_paper(link)]
    cited = next((link for entry in entries for link in candidates if _same(link, entry)), None)
    if cited is not None:
        return Paper(cited.target, cited.location, "it is what the entry to cite names")
    near = _introduced(document, candidates)
    if near is not None:
        return near
    entry = next((entry for entry in entries if entry.identifier), None)
    if entry is not None:
        return Paper(entry.identifier, entry.location, "the entry to cite names it")
    return _only_paper(document, {link.target: link for link in candidates if link.kind is LinkKind.PAPER})


def _only_paper(document: Document, papers: Mapping[str, Link]) -> Paper | None:
    """The one paper that is linked anywhere, if its words or the sentence around it say that it is this one."""
    link = next(iter(papers.values())) if len(papers) == 1 else None
    if link is None or not (_NAMES_PAPER.search(link.text) or _OWN.search(_around(link, document))):
        return None
    return Paper(link.target, link.location, "it is the only paper that is linked")


def speaks_of_a_paper(document: Document) -> Location | None:
    """Where the text says that it belongs to a paper."""
    for part in document.parts[:6]:
        if part.heading and _SPEAKS.search(part.heading.text):
            return Location(document.path, part.heading.line)
        for passage in part.passages:
            match = _SPEAKS.search(passage.text[:3000])
            if match:
                return Location(document.path, passage.line + passage.text.count("\n", 0, match.start()))
    return None


def _may_be_paper(link: Link) -> bool:
    if link.image or (not link.remote and not link.target.lower().endswith(".pdf")):
        return False
    return link.kind is LinkKind.PAPER or (
        bool(_NAMES_PAPER.search(link.text)) and link.kind not in {LinkKind.CODE, LinkKind.NOTEBOOK}
    )


def _same(link: Link, entry: Bibtex) -> bool:
    number = _ARXIV.search(entry.identifier) if entry.identifier else None
    if number:
        return number[1] in link.target
    if entry.identifier and entry.identifier.lower() in link.target.lower():
        return True
    said, title = _letters(link.text), _letters(entry.title)
    return len(title) > 15 and (title in said or (len(said) > 15 and said in title))


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _introduced(document: Document, candidates: list[Link]) -> Paper | None:
    """A paper linked at the beginning: by a word for paper, in a sentence that says whose code this is, or alone."""
    end = _end_of_introduction(document)
    early = [link for link in candidates if _line(link) < end]
    papers = [link for link in early if link.kind is LinkKind.PAPER]
    named = (link for link in early if _NAMES_PAPER.search(link.text))
    owned = (link for link in papers if _OWN.search(_around(link, document)))
    if (link := next(named, None)) is not None:
        return Paper(link.target, link.location, "the introduction calls it the paper")
    if (link := next(owned, None)) is not None:
        return Paper(link.target, link.location, "the introduction says that this is its code")
    if len({link.target for link in papers}) == 1:
        return Paper(papers[0].target, papers[0].location, "it is the only paper of the introduction")
    return None


def _end_of_introduction(document: Document) -> float:
    parts = document.parts
    after = parts[_INTRODUCTION].heading if len(parts) > _INTRODUCTION else None
    return math.inf if after is None else max(after.line, _LEAST_LINES)


def _around(link: Link, document: Document) -> str:
    return _passage_at(document, _line(link))


def _line(link: Link) -> int:
    return link.location.line or 0


def _passage_at(document: Document, line: int) -> str:
    best = ""
    for block in document.blocks:
        if block.line > line:
            break
        if isinstance(block, Passage):
            best = block.text[:2000]
    return best
