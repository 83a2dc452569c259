"""Evidence that is not a sentence: an algorithm set as such is pseudocode, a table of figures sums up results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from assay.article.proposals.passage import Passage, quoted
from assay.article.reading.paper import Paper
from assay.patterns import regex

_SURE = 3
_FIGURES = regex(r"(?<![\d.])\d{1,3}\.\d+")
_FEW = 4
_CAPTION = regex(r"\\caption\s*(?:\[[^\]]*\])?\s*\{([^{}]{1,300})")
_RESULTS = regex(
    r"result|accura|perform|compar|error|score|precision|recall|auc|f1|rmse|evaluat|statistics|test|likelihood|loss",
    re.IGNORECASE,
)


def from_floats(part: str, paper: Paper) -> Iterator[Passage]:
    """What listings and tables say for a sub-component."""
    if part == "pseudocode":
        yield from _pseudocode(paper)
    elif part == "summary":
        yield from _tables(paper)


def _pseudocode(paper: Paper) -> Iterator[Passage]:
    for listing in paper.listings:
        if listing.kind == "algorithm":
            caption = _CAPTION.search(listing.text)
            text = " ".join((caption[1] if caption else listing.text).split())
            yield Passage(quoted(text), listing.location, Fraction(1), _SURE)


def _tables(paper: Paper) -> Iterator[Passage]:
    for table in paper.tables:
        words = table.caption or " ".join(re.sub(r"<[^>]{0,200}>", " ", table.text[:400]).split())
        tells = _RESULTS.search(table.caption) or _RESULTS.search(table.text[:600])
        if len(_FIGURES.findall(table.text[:20_000])) >= _FEW and tells and words:
            yield Passage(quoted(words), table.location, Fraction(1), _SURE)
