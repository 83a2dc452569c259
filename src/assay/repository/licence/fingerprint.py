"""Licence texts as sets of hashed word triples, so that wording counts and layout does not.

A reference keeps the triples with the smallest hashes only, and the largest of these hashes as its `ceiling`.
Below its ceiling it is complete, so any other text can be compared with it there: the sample estimates both
how much of the reference is in the text and how much of the text is in the reference.
"""

from __future__ import annotations

import re
import zlib
from functools import cached_property

from assay.patterns import regex
from assay.records import dataclass

SAMPLED = 192
"""Triples that a reference keeps: all of a short licence such as MIT or BSD, one in ten of a long one."""
_HOLDER_LINE = regex(
    r"^[^\w\n]*(?:portions[ \t]+)?"
    r"(?:copyright\b[ \t:,]*(?:\(c\)|©|\d{4}|[<\[{(*])|\(c\)[ \t]*\d{4}|©|all rights reserved).*$",
    re.IGNORECASE | re.MULTILINE,
)
_WORD = regex(r"[a-z]+")


def words(text: str) -> list[str]:
    """The words that say what is licensed how; not those that say by whom."""
    plain = _HOLDER_LINE.sub(" ", text).lower().replace("licence", "license")
    return _WORD.findall(plain)


def triples(found: list[str]) -> list[int]:
    """A hash of 32 bits for every three words in a row, in the order of the text."""
    return [zlib.crc32(" ".join(three).encode()) for three in zip(found, found[1:], found[2:], strict=False)]


@dataclass(frozen=True)
class Fingerprint:
    """A sample of a text's triples: all whose hash is at most `ceiling`."""

    sample: frozenset[int]
    length: int
    """How many words long the text is."""

    @cached_property
    def ceiling(self) -> int:
        """The largest hash in the sample, which has all triples up to it."""
        return max(self.sample, default=0)

    @classmethod
    def from_text(cls, text: str) -> Fingerprint:
        """The fingerprint of a reference text."""
        found = triples(words(text))
        return cls(frozenset(sorted(set(found))[:SAMPLED]), len(found))
