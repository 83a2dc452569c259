"""Data sets that are known by name: the rows of `names.toml`."""

from __future__ import annotations

import re
from functools import lru_cache

from assay.patterns import regex
from assay.repository.vocabulary import vocabulary

_NAMES = vocabulary("assay.repository.data", "names.toml")
_WORDS = regex(r"[A-Za-z0-9][\w.'/+&-]*")
_LOOSE = regex(r"[-_ ./'+&]")
_CONTEXT = vocabulary("assay.repository.data", "prose.toml").pattern("name_context")
_MOST_WORDS = 60_000
_LONGEST = 3
_FAR = 60
"""Characters between the first and the last word that are no longer one name."""
_LONG = 40
"""Signs; what is longer than a word is not remembered."""


def _squeezed(name: str) -> str:
    return _squeezed_word(name) if len(name) < _LONG else _LOOSE.sub("", name).lower()


@lru_cache(maxsize=20_000)
def _squeezed_word(name: str) -> str:
    """Most words come again and again."""
    return _LOOSE.sub("", name).lower()


SURE = {_squeezed(name): name for name in reversed(_NAMES.listed("sure"))}
AMBIGUOUS = {_squeezed(name): name for name in _NAMES.listed("ambiguous")}
_BEGINNINGS = frozenset(key[:end] for key in (*SURE, *AMBIGUOUS) for end in range(1, len(key) + 1))
"""What a word must be for a name to start with it; hardly any word is."""


def named_in(text: str) -> list[tuple[str, int]]:
    """Every known data set that a text in prose names, with the offset; the longest name at each place."""
    if not _may_name([_squeezed(word.rstrip(".'/-")) for word in _WORDS.findall(text)]):
        return []
    words = [(m[0].rstrip(".'/-"), m.start()) for m in _bounded(text)]
    keys = [_squeezed(word) for word, _ in words]
    found: list[tuple[str, int]] = []
    spot = 0
    while spot < len(words):
        name, count = _name_at(spot, words, keys, text)
        found += [(name, words[spot][1])] if name else []
        spot += count
    return found


def _name_at(spot: int, words: list[tuple[str, int]], keys: list[str], text: str) -> tuple[str, int]:
    """The longest name that begins at a word, and how many words it has; else nothing, and 1."""
    most = min(_LONGEST, len(words) - spot) if keys[spot] in _BEGINNINGS else 0
    for count in range(most, 0, -1):
        key = "".join(keys[spot : spot + count])
        if words[spot + count - 1][1] - words[spot][1] >= _FAR:
            continue
        name = SURE.get(key) or (_if_meant(AMBIGUOUS[key], text, words[spot][1], count) if key in AMBIGUOUS else None)
        if name:
            return name, count
    return "", 1


def _may_name(keys: list[str]) -> bool:
    """Whether some words in a row are a name; of hardly any line they are."""
    for spot, key in enumerate(keys):
        if key in _BEGINNINGS:
            for count in range(1, _LONGEST + 1):
                joined = "".join(keys[spot : spot + count])
                if joined in SURE or joined in AMBIGUOUS:
                    return True
    return False


def named_by(text: str) -> str | None:
    """The data set that a short text in code, such as "cifar10", is the name of."""
    return SURE.get(_squeezed(text))


def _bounded(text: str) -> list[re.Match[str]]:
    found: list[re.Match[str]] = []
    for match in _WORDS.finditer(text):
        found.append(match)
        if len(found) >= _MOST_WORDS:
            break
    return found


def _if_meant(name: str, text: str, start: int, words: int) -> str | None:
    """An ambiguous name, if it is written as it should be and a word like "dataset" stands near it."""
    if text[start : start + len(name)] != name or words > 1:
        return None
    before = text[max(0, start - 30) : start].rpartition("\n")[2]
    after = text[start + len(name) : start + len(name) + 30].partition("\n")[0]
    return name if _CONTEXT.search(before) or _CONTEXT.search(after) else None
