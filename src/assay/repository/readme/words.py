"""The words by which the sections of a README are recognised: rows of `words.toml`, compiled once."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache

from assay.records import dataclass
from assay.repository.tables import load_table


class Kind(StrEnum):
    """What a section is about."""

    INSTALL = "install"
    DATA = "data"
    TRAIN = "train"
    EVALUATE = "evaluate"
    RESULTS = "results"
    HARDWARE = "hardware"
    CITATION = "citation"
    USAGE = "usage"


class Where(StrEnum):
    """Where in a README a phrase stands."""

    HEADING = "heading"
    TEXT = "text"
    CODE = "code"


OTHER = "other"
"""Rows about what is not this code: news, thanks, what is still to be written."""


@dataclass(frozen=True, slots=True)
class Row:
    """One phrase, what it weighs, and a text that it must and one that it must not find."""

    kind: str
    where: Where
    weight: int
    phrase: str
    example: str
    counter: str


@dataclass(frozen=True, slots=True)
class Words:
    """The phrases of one kind at one place, by weight."""

    firm: re.Pattern[str]
    weak: re.Pattern[str]
    never: re.Pattern[str]


@cache
def rows() -> tuple[Row, ...]:
    """Every row of the table."""
    return tuple(
        Row(row["kind"], Where(row["where"]), row.get("weight", 1), row["phrase"], row["example"], row["counter"])
        for row in load_table("assay.repository.readme", "words.toml")["row"]
    )


def pattern(phrases: list[str], where: Where) -> re.Pattern[str]:
    """One pattern for several phrases; those of headings are whole words."""
    one_of = "|".join(f"(?:{phrase})" for phrase in phrases) or "(?!)"
    bounded = rf"(?<![a-z])(?:{one_of})(?![a-z])" if where is Where.HEADING else one_of
    return re.compile(bounded, re.MULTILINE)


@cache
def words(kind: str, where: Where) -> Words:
    """The phrases of one kind at one place."""

    def of_weight(weight: int) -> re.Pattern[str]:
        return pattern([r.phrase for r in rows() if (r.kind, r.where, r.weight) == (kind, where, weight)], where)

    return Words(of_weight(2), of_weight(1), of_weight(-2))
