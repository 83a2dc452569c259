"""A passage of a paper that speaks for a value, quoted so that a reader finds it."""

from __future__ import annotations

from fractions import Fraction

from assay.article.reading.paper import Paper
from assay.findings import Location
from assay.records import dataclass

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of the paper with their place, the value that they speak for, and how clearly (1, 2, 3)."""

    text: str
    location: Location
    value: Fraction
    points: int


def quoted(text: str, at: int = 0) -> str:
    """The sentence, or of a long one the stretch around what matters, with a mark where words are left out."""
    if len(text) <= _LONGEST:
        return text
    start = max(0, min(at - _LONGEST // 3, len(text) - _LONGEST))
    start = text.rfind(" ", 0, start) + 1 if start else 0
    stop = text.rfind(" ", start + 1, start + _LONGEST)
    piece = text[start : stop if start + _LONGEST < len(text) and stop > 0 else start + _LONGEST]
    return ("… " if start else "") + piece + (" …" if start + len(piece) < len(text) else "")


def words_of(paper: Paper) -> str:
    """All the words of a paper that can be quoted; what is in the bibliography cannot."""
    apart = [table.caption or table.text for table in paper.tables] + [listing.text for listing in paper.listings]
    return "\n".join([*(s.text for s in paper.sentences), *(c.text for c in paper.captions), *apart])
