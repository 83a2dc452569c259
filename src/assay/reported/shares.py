"""Counts and shares in a sentence: "half of the studies", "11 of 22 attempts", "50 % of the papers", "six papers"."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from functools import cache
from importlib.resources import files

from assay.records import dataclass
from assay.reported.model import Span


class ShareKind(StrEnum):
    """How a part is stated."""

    COUNT = "count"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of something that can be counted, as a sentence states it."""

    kind: ShareKind
    value: str
    """The number as printed; words as digits, fractions as per cent."""
    whole: int | None
    """Of how many, if the sentence says so."""
    noun: str
    """What is counted: the words up to the noun, in lower case."""
    span: Span


@cache
def _words() -> tuple[dict[str, str], dict[str, str], re.Pattern[str]]:
    table = tomllib.loads(files("assay.reported").joinpath("shares.toml").read_text(encoding="utf-8"))
    numbers: dict[str, str] = table["numbers"]
    fractions: dict[str, str] = table["fractions"]
    count = rf"(?:\d{{1,3}}(?:,\d{{3}})+|\d{{1,6}}|{'|'.join(numbers)})"
    percent = r"\d{1,3}(?:\.\d{1,4})?"
    fraction = "|".join(words.replace(" ", r"[ -]") for words in sorted(fractions, key=len, reverse=True))
    wholes = [
        rf"(?:(?:out )?of (?:all |the |all the |our |these )?(?P<whole{at}>{count}) |of (?:all |the |our |these )*)"
        for at in range(3)
    ]
    noun = r"(?P<noun>[a-z][a-z-]*(?: [a-z][a-z-]*)?)"
    pattern = (
        rf"(?<![\w.,/-])(?:(?P<percent>{percent})\s?(?:%|per ?cent) {wholes[0]}"
        rf"|(?P<fraction>{fraction}) {wholes[1]}"
        rf"|(?P<part>{count}) (?:{wholes[2]})?){noun}"
    )
    return numbers, fractions, re.compile(pattern, re.IGNORECASE)


def find_shares(sentence: str) -> Iterator[Share]:
    """Every count and share that the sentence states, in order."""
    numbers, fractions, pattern = _words()
    for match in pattern.finditer(sentence):
        groups = match.groupdict()
        kind = ShareKind.COUNT if groups["part"] else ShareKind.PERCENT
        if groups["fraction"]:
            value = _percent(fractions[groups["fraction"].lower().replace("-", " ")])
        else:
            value = _digits(groups["percent"] or groups["part"] or "", numbers)
        total = _total(groups, numbers)
        yield Share(kind, value, total, groups["noun"].lower(), Span(match.start(), match.end()))


def _total(groups: dict[str, str | None], numbers: dict[str, str]) -> int | None:
    whole = next((text for name, text in groups.items() if name.startswith("whole") and text), None)
    return int(_digits(whole, numbers)) if whole else None


def _digits(text: str, numbers: dict[str, str]) -> str:
    return numbers.get(text.lower(), text.replace(",", ""))


def _percent(fraction: str) -> str:
    value = 100 * Fraction(fraction)
    return str(value.numerator) if value.denominator == 1 else f"{float(value):.0f}"
