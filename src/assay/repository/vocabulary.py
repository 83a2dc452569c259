"""Vocabularies: the words, names, hosts and phrases that decide something, as rows of TOML beside the code.

A row has `words` (one or several a line; with commas between them where names have spaces) or `phrases` (regular
expressions, one alternative a line; `(?&other)` stands for another row). It says what it is `about`, and phrases have
an `example` that they must find and a `counter` that they must not: the tests try both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.tables import load_table

_REFERENCE = regex(r"\(\?&(\w+)\)")


@dataclass(frozen=True, slots=True)
class Row:
    """One entry of a vocabulary."""

    about: str
    words: str = ""
    phrases: str = ""
    example: str = ""
    counter: str = ""
    any_case: bool = False
    every_line: bool = False
    """`^` and `$` are the ends of a line."""
    source: str = ""

    def __post_init__(self) -> None:
        if bool(self.words) == bool(self.phrases) or bool(self.phrases) != bool(self.example):
            raise ValueError(f"the row about {self.about!r} needs either words, or phrases with an example")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The rows of one file, by name."""

    rows: Mapping[str, Row]
    _patterns: Mapping[str, re.Pattern[str]]

    def listed(self, *names: str) -> tuple[str, ...]:
        """The words of rows, in their order."""
        return tuple(word for name in names for word in _divided(self.rows[name].words))

    def words(self, *names: str) -> frozenset[str]:
        """The words of rows as a set."""
        return frozenset(self.listed(*names))

    def pattern(self, name: str) -> re.Pattern[str]:
        """The phrases of a row as one pattern, compiled at its first use."""
        return self._patterns[name]

    def finds(self, name: str, text: str) -> bool:
        """Whether the phrases of a row occur in a text."""
        return self._patterns[name].search(text) is not None


@cache
def vocabulary(package: str, name: str) -> Vocabulary:
    """The vocabulary in a file beside a package, read and checked once."""
    rows = {key: Row(**row) for key, row in load_table(package, name).items()}
    return Vocabulary(rows, {key: _pattern(key, rows) for key, row in rows.items() if row.phrases})


def _pattern(name: str, rows: Mapping[str, Row]) -> re.Pattern[str]:
    flags = re.IGNORECASE * rows[name].any_case | re.MULTILINE * rows[name].every_line
    return regex(_phrases(name, rows), flags)


def _phrases(name: str, rows: Mapping[str, Row]) -> str:
    joined = "|".join(line for line in rows[name].phrases.split("\n") if line)
    return _REFERENCE.sub(lambda found: f"(?:{_phrases(found[1], rows)})", joined)


def _divided(words: str) -> list[str]:
    return [" ".join(word.split()) for word in words.split(",")] if "," in words else words.split()
