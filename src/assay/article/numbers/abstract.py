"""Scores in the abstract that nothing in the paper repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import Printed, printed
from assay.article.reading.paper import Paper, Role, Sentence
from assay.article.tables.cells import Grid
from assay.article.tables.scores import words_for
from assay.patterns import regex

_SCORES = ("acc", "sens", "spec", "ppv", "f1", "auc", "kappa", "mcc", "bacc", "ji")
_NAMES = "|".join(sorted((re.escape(w) for s in _SCORES for w in words_for(s)), key=len, reverse=True)) + "|auc|f1"
_VALUE = r"(?P<value>\d{1,2}\.\d{1,4}|0?\.\d{3,4})\s?(?P<percent>%?)"
_CLAIMS = (
    regex(rf"\b(?:{_NAMES})\b(?:[- ]score)?\s*(?:of|=|is|was|:|reaches|reached)\s*{_VALUE}", re.IGNORECASE),
    regex(rf"(?<![\d.]){_VALUE}\s*(?:%\s*)?(?:\w+\s+)?(?:{_NAMES})\b", re.IGNORECASE),
)
_NUMBER = regex(r"(?<![\d.,])\d{0,3}\.\d{1,5}|(?<![\d.,])\d{1,3}(?=\s?%)")
_LOOSE = regex(
    r"\b(?:by|gain|improv\w*|increas\w*|reduc\w*|than|about|approximately|around|nearly|over|up to|at least|roughly"
    r"|average|previous|existing|state[- ]of[- ]the[- ]art)\b|[~≈<>]",
    re.IGNORECASE,
)
_FEWEST_SENTENCES = 20
"""A text shorter than this is only part of a paper."""


def abstract_clashes(paper: Paper, grids: Iterable[Grid]) -> Iterator[Clash]:
    """Scores of the abstract that neither the text nor a table repeats, whatever the rounding."""
    body = [s for s in paper.sentences if s.section.role not in {Role.ABSTRACT, Role.FRONT}]
    cells = [cell.text for grid in grids for row in grid.rows for cell in row]
    if len(body) < _FEWEST_SENTENCES or not cells:
        return
    known = {
        value
        for text in (*cells, *(s.text for s in body), *(c.text for c in paper.captions))
        for value in _values(text)
    }
    for sentence in paper.sentences:
        if sentence.section.role is Role.ABSTRACT and not sentence.cites:
            yield from _missing(sentence, known)


def _missing(sentence: Sentence, known: set[Fraction]) -> Iterator[Clash]:
    for match in (m for pattern in _CLAIMS for m in pattern.finditer(sentence.text)):
        around = sentence.text[max(0, match.start() - 40) : match.end() + 10]
        if _LOOSE.search(around):
            continue
        value = printed(match["value"])
        if not _known(value, known):
            yield Clash(
                ClashKind.ABSTRACT,
                sentence.text,
                sentence.location,
                match[0].strip(),
                "no figure of the text or tables",
            )


def _known(value: Printed, known: set[Fraction]) -> bool:
    """Whether some figure of the paper is the same, as per cent or as a share of one."""
    scales = (Fraction(1), Fraction(100), Fraction(1, 100))
    return any(abs(other * scale - value.value) <= value.unit for other in known for scale in scales)


def _values(text: str) -> Iterator[Fraction]:
    for match in _NUMBER.finditer(text.replace("·", ".")):
        yield Fraction(match[0])
