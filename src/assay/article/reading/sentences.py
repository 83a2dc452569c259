"""Running text cut into sentences, each with the line that it begins on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.article.reading.paper import Section, Sentence
from assay.findings import Location
from assay.patterns import regex

CITATION = "\N{LEFT WHITE SQUARE BRACKET}cite\N{RIGHT WHITE SQUARE BRACKET}"
"""Stands in the text where other work is cited; readers put it there."""

_LONGEST = 2_000
_END = regex(r"[.!?][\"')\]\N{RIGHT DOUBLE QUOTATION MARK}]*(?=\s+[\"'(\[A-Z0-9\N{LEFT DOUBLE QUOTATION MARK}⟦]|\s*$)")
_SHORT = regex(
    r"(?:\b(?:e\.g|i\.e|cf|etc|vs|al|resp|approx|fig|figs|tab|eq|eqs|sec|secs|ref|refs|no|nos|ca|dr|prof|mr|mrs|st|ver|v)"
    r"|\b[A-Z]|\b(?:[a-z]\.)+[a-z])\.[)\]]*$",
    re.IGNORECASE,
)
_NAMES = r"[A-Z][\w'-]+(?: et al\.?| (?:and|&) [A-Z][\w'-]+)"
_YEAR = r"(?:19|20)\d\d[a-z]?"
_AUTHOR_YEAR = regex(
    rf"\(\s*(?:see |e\.g\.,? |cf\. )?{_NAMES}?,? {_YEAR}[^)]{{0,200}}\)|{_NAMES} \({_YEAR}\)"
    r"|\[\d{1,3}(?:\s?[,–-]\s?\d{1,3}){0,20}\]"
)
"""Citations in texts that have no mark for them: names with a year, or numbers in brackets."""


def sentences_of(
    text: str, section: Section, path: str, first_line: int, page: int | None = None
) -> Iterator[Sentence]:
    """The sentences of a stretch of text; an empty line ends one, whatever its punctuation."""
    line = first_line
    for block in re.split(r"(\n[ \t]*\n)", text):
        if block.strip():
            yield from _of_block(block, section, path, line, page)
        line += block.count("\n")


def _of_block(block: str, section: Section, path: str, line: int, page: int | None) -> Iterator[Sentence]:
    start = counted = 0
    for match in [*_END.finditer(block), None]:
        end = match.end() if match else len(block)
        if match and _SHORT.search(block[max(start, end - 12) : end]) and block[end : end + 1_000].strip():
            continue
        piece = block[start:end]
        told = " ".join(piece.split())
        if any(sign.isalnum() for sign in told):
            begins = start + len(piece) - len(piece.lstrip())
            line, counted = line + block.count("\n", counted, begins), begins
            cites = CITATION in told or _AUTHOR_YEAR.search(told) is not None
            shown = re.sub(r"\s*" + CITATION, " [cite]", told).strip()
            yield Sentence(shown[:_LONGEST], section, Location(path, line, page=page), cites)
        start = end
