"""Scores in the abstract that nothing in the paper repeats."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

from assay.article.numbers.clash import Clash, ClashKind
from assay.article.numbers.figures import Printed, printed
from assay.article.reading.paper import Paper, Role, Sentence
from assay.article.tables.cells import Grid
from assay.patterns import regex
from assay.reported import read_prose
from assay.reported.model import Relation, Span

_NUMBER = regex(r"(?<![\d.,])\d{0,3}[.,]\d{1,5}(?![\d.,]*\d)|(?<![\d.,])\d{1,3}(?=\s?%)")
"""With a point or a comma for decimals: what may be meant as a thousand may be meant as a share as well."""
_LOOSE = regex(
    r"\b(?:by|gain|improv\w*|increas\w*|reduc\w*|than|about|approximately|around|nearly|over|up to|at least|roughly"
    r"|average|previous|existing|state[- ]of[- ]the[- ]art)\b|[~≈<>]",
    re.IGNORECASE,
)
_BREAK = regex(r"[,;]\s|\b(?:while|whereas)\b")
_FEWEST_SENTENCES = 20
"""A text shorter than this is only part of a paper."""


def abstract_clashes(paper: Paper, grids: Iterable[Grid]) -> Iterator[Clash]:
    """Scores of the abstract that neither the text nor a table repeats, whatever the rounding."""
    body = [s for s in paper.sentences if s.section.role not in {Role.ABSTRACT, Role.FRONT}]
    cells = [cell.text for grid in grids for row in grid.rows for cell in row]
    if len(body) < _FEWEST_SENTENCES or not cells:
        return
    texts = (*cells, *(s.text for s in body), *(c.text for c in paper.captions))
    known = set(chain.from_iterable(map(_values, texts)))
    for sentence in paper.sentences:
        if sentence.section.role is Role.ABSTRACT and not sentence.cites:
            yield from _missing(sentence, known)


def _missing(sentence: Sentence, known: set[Fraction]) -> Iterator[Clash]:
    for figure in (f for row in read_prose(sentence.text).rows for f in row.figures):
        if figure.number is None or figure.relation is not Relation.EQUAL or figure.number.decimals == 0:
            continue
        if not _LOOSE.search(_clause(sentence.text, figure.span)) and not _known(printed(str(figure.number)), known):
            said = f"{figure.name.printed} {figure.number}"
            yield Clash(ClashKind.ABSTRACT, sentence.text, sentence.location, said, "no figure of the text or tables")


def _clause(text: str, span: Span) -> str:
    """The part of the sentence that a figure stands in."""
    start = max((m.end() for m in _BREAK.finditer(text, 0, span.start)), default=0)
    end = _BREAK.search(text, span.end)
    return text[start : end.start() if end else len(text)]


def _known(value: Printed, known: set[Fraction]) -> bool:
    """Whether some figure of the paper is the same, as per cent or as a share of one."""
    scales = (Fraction(1), Fraction(100), Fraction(1, 100))
    return any(abs(other * scale - value.value) <= value.unit for other in known for scale in scales)


def _values(text: str) -> Iterator[Fraction]:
    for match in _NUMBER.finditer(text.replace("·", ".")):
        yield Fraction(match[0].replace(",", "."))
