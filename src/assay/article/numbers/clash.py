"""A claim about numbers that does not hold, with both places."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Location
from assay.records import dataclass


class ClashKind(StrEnum):
    """What does not hold."""

    SHARE = "share"
    PARTS = "parts"
    TABLE = "table"
    SUMMARY = "summary"
    BOLD = "bold"
    GAIN = "gain"
    SPLIT = "split"
    CHANCE = "chance"
    COLUMN = "column"
    ABSTRACT = "abstract"
    BEST = "best"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class Clash:
    """A claim that does not hold: the words, what they say, and what follows from them instead."""

    kind: ClashKind
    quote: str
    location: Location
    said: str
    follows: str
    other: Location | None = None
    other_quote: str = ""
