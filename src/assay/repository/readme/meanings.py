"""Words that tell of a section, but mean something else where they stand."""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.patterns import regex
from assay.repository.readme.vocabulary import Kind

_UNIT_TEST = regex(r"\btests?_\w{1,60}\.py|\b\w{1,60}_test\.py")
_SOUGHT = regex(
    r"\b(?:which|what|whichever|whether|how well)\b[^\n.]{0,60}$|"
    r"\b(?:identif|find|select|choos|determin|pick|sav|log|load|stor|keep|us)\w{0,4} (?:the |our )?$|\bfor the $"
)
"""What stands before a "best" that is not named."""
_WITHHELD = regex(r"\bnot (?:\w{1,20} ){0,3}available$")
_ASKED = regex(r"\b(?:request|contact|ask|e-?mail|but|however|instead|due|because|licen[cs]e)\w*|https?:|\]\(")
"""What is said of data that one may get all the same."""
_LIES = regex(r"(?:found|located|kept|included|provided|contained|available) ")
_NO_DATA = regex(
    r"\b(?:codes?|scripts?|modules?|class(?:es)?|functions?|loaders?|models?|weights|checkpoints?|results?|outputs?)"
    r"(?: \w{1,20}){0,3} (?:is|are|was|were|can be|be) (?:also )?$"
)
"""What may lie in a folder of data beside them."""
_OF_PEOPLE = regex(
    r"\b(?:project|assignment|course|hackathon|internship|challenge|sprint|work) (?:was|is|has been|were) $"
)
"""Who completes something in four days that no machine runs."""
_BEFORE, _BEHIND = 80, 160


def means_otherwise(kind: Kind, text: str, match: re.Match[str]) -> bool:
    """Whether what was found in a text for a section is something else."""
    meaning = _MEANINGS.get(kind)
    return meaning is not None and meaning(text, match)


def _names_unit_test(text: str, match: re.Match[str]) -> bool:
    """Whether what seems to be a script for tests of a model is one of the tests of the code."""
    return "tests/" in text and _UNIT_TEST.search(match[0]) is not None


def _seeks_the_best(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence only says that the best is sought or kept, not which it was."""
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    return not any(map(str.isdigit, match[0])) and _SOUGHT.search(before) is not None


def _has_no_data(text: str, match: re.Match[str]) -> bool:
    """Whether a sentence only says that the data cannot be had, or that something else lies in their folder."""
    behind = text[match.end() : match.end() + _BEHIND]
    if _WITHHELD.search(match[0]) and not _ASKED.search(behind):
        return True
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    return _LIES.match(match[0]) is not None and _NO_DATA.search(before) is not None


def _takes_people_time(text: str, match: re.Match[str]) -> bool:
    """Whether a span of time is that of people at work, not of a program."""
    return _OF_PEOPLE.search(text[max(0, match.start() - _BEFORE) : match.start()]) is not None


_MEANINGS: dict[Kind, Callable[[str, re.Match[str]], bool]] = {
    Kind.DATA: _has_no_data,
    Kind.EVALUATE: _names_unit_test,
    Kind.HARDWARE: _takes_people_time,
    Kind.RESULTS: _seeks_the_best,
}
