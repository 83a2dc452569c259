"""The table of cues, as it stands in `cues.toml`, ready for use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import field
from fractions import Fraction
from functools import cache
from importlib import resources
from typing import Any

from assay.article.reading.paper import Role
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Cue:
    """A sign that a sentence documents something; the fields are explained at the head of the table."""

    pattern: re.Pattern[str]
    value: Fraction = Fraction(1)
    roles: frozenset[Role] = frozenset()
    only: bool = False
    weak: bool = False
    own: bool = True
    unless: re.Pattern[str] | None = None
    link: str = ""
    cites: bool = False
    planned: bool = False
    denied: bool = False


@dataclass(frozen=True, slots=True)
class Tally:
    """Things to be counted: the more of them a paper names, the higher the value (`steps`, from the lowest)."""

    patterns: tuple[re.Pattern[str], ...]
    steps: tuple[tuple[int, Fraction], ...]
    within: frozenset[Role] = frozenset()
    own: bool = True
    per_sentence: bool = False
    """Count sentences, not patterns."""

    def value(self, count: int) -> Fraction:
        """What is proposed for so many."""
        return max((value for least, value in self.steps if count >= least), default=Fraction(0))


@dataclass(frozen=True, slots=True)
class PartCues:
    """All that speaks for one sub-component; `absent` is proposed when nothing does (None: it does not apply)."""

    id: str
    cues: tuple[Cue, ...] = ()
    tally: Tally | None = None
    absent: Fraction | None = field(default_factory=Fraction)


@cache
def cue_table() -> tuple[PartCues, ...]:
    """The cues of every sub-component."""
    text = (resources.files("assay.article.proposals") / "cues.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    words: dict[str, str] = table["words"]
    return tuple(_part(told, words) for told in table["part"])


def _part(told: dict[str, Any], words: dict[str, str]) -> PartCues:
    tally = None
    if "tally" in told:
        tally = Tally(
            patterns=tuple(_compiled(pattern, words) for pattern in told["tally"]),
            steps=tuple((int(least), Fraction(value)) for least, value in told["steps"].items()),
            within=_roles(told.get("within", ())),
            own=told.get("own", True),
            per_sentence=told.get("per_sentence", False),
        )
    absent = None if told.get("absent") == "-" else Fraction(0)
    return PartCues(told["id"], tuple(_cue(cue, words) for cue in told.get("cue", ())), tally, absent)


def _cue(told: dict[str, Any], words: dict[str, str]) -> Cue:
    capitals = told.get("capitals", False)
    return Cue(
        pattern=_compiled(told["pattern"], words, capitals=capitals),
        value=Fraction(told.get("value", "1")),
        roles=_roles(told.get("in", ())),
        unless=_compiled(told["unless"], words) if "unless" in told else None,
        link=told.get("link", ""),
        **{
            name: told.get(name, default)
            for name, default in {
                "only": False,
                "weak": False,
                "own": True,
                "cites": False,
                "planned": False,
                "denied": False,
            }.items()
        },
    )


def _roles(names: Iterable[str]) -> frozenset[Role]:
    return frozenset(Role(name) for name in names)


def _compiled(pattern: str, words: dict[str, str], *, capitals: bool = False) -> re.Pattern[str]:
    for name, alternatives in words.items():
        pattern = pattern.replace("{" + name + "}", alternatives)
    return re.compile(pattern, re.NOFLAG if capitals else re.IGNORECASE)
