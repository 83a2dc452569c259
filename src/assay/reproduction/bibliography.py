"""Papers from a BibTeX file: one entry becomes one paper."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from unicodedata import normalize

from assay.errors import InputError
from assay.patterns import regex

_ENTRY = regex(r"@(?P<kind>[A-Za-z]+)\s*\{\s*(?P<key>[^,\s{}]{1,200})\s*,")
_FIELD = regex(r"\s*(?P<name>[A-Za-z][\w-]*)\s*=\s*")
_SKIPPED = frozenset({"comment", "string", "preamble"})
_VENUES = ("journal", "booktitle", "journaltitle", "publisher", "school", "howpublished")
_MARKUP = regex(r"\\[A-Za-z]+\s*|[{}~]|\\.")
_ACCENT = regex(r"\\([`'^\"~=.]|[cvuH](?![A-Za-z]))\s*\{?\s*\\?([A-Za-z])\}?")
_MARKS = dict(zip("`'^\"~=.cvuH", "\u0300\u0301\u0302\u0308\u0303\u0304\u0307\u0327\u030c\u0306\u030b", strict=True))
_LETTERS = {"~": " ", r"\ss": "ß", r"\o": "ø", r"\O": "Ø", r"\l": "ł", r"\L": "Ł", r"\ae": "æ", r"\AE": "Æ",
            r"\aa": "å", r"\AA": "Å", r"\&": "&", r"\%": "%", r"\_": "_", r"\#": "#", r"\$": "$",
            r"\i": "i"}  # fmt: skip
"""What stands for markup that is more than layout."""


def papers_in(text: str, where: str) -> list[dict[str, str]]:
    """The cells of each paper; a file without entries is an `InputError`."""
    found = [_cells(key, fields) for key, fields in _entries(text)]
    if not found:
        raise InputError(
            "holds no BibTeX entry", where=where, fix="Give entries such as @article{lecun98, title = {…}}."
        )
    return found


def _entries(text: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    for match in _ENTRY.finditer(text):
        if match["kind"].lower() not in _SKIPPED:
            yield match["key"], dict(_fields(text, match.end()))


def _fields(text: str, at: int) -> Iterator[tuple[str, str]]:
    """Names and values up to the brace that closes the entry."""
    while head := _FIELD.match(text, at):
        value, at = _value(text, head.end())
        yield head["name"].lower(), value
        comma = re.compile(r"\s*,").match(text, at)
        if comma is None:
            return
        at = comma.end()


def _value(text: str, at: int) -> tuple[str, int]:
    """A value in braces, in quotes or bare, and where it ends."""
    opened = text[at : at + 1]
    if opened not in {"{", '"'}:
        end = next((i for i in range(at, len(text)) if text[i] in ",}\n"), len(text))
        return text[at:end].strip(), end
    depth = 0
    for place in range(at, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        closed = depth == 0 if opened == "{" else text[place] == '"' and place > at and depth == 0
        if closed:
            return text[at + 1 : place], place + 1
    return text[at + 1 :], len(text)


def _cells(key: str, fields: Mapping[str, str]) -> dict[str, str]:
    plain = {name: _plain(value) for name, value in fields.items()}
    authors = [_name(name) for name in re.split(r"\s+and\s+", plain.get("author", "")) if name.strip()]
    year = plain.get("year") or plain.get("date", "")[:4]
    return {
        "id": key,
        "title": plain.get("title", ""),
        "year": year if year.isdecimal() else "",
        "doi": plain.get("doi", ""),
        "authors": "; ".join(authors),
        "venue": next((plain[name] for name in _VENUES if plain.get(name)), ""),
    }


def _plain(value: str) -> str:
    """Without the commands and braces of LaTeX; accents stay on their letters."""
    accented = _ACCENT.sub(lambda m: normalize("NFC", m[2] + _MARKS[m[1]]), value)
    return " ".join(_MARKUP.sub(lambda m: _LETTERS.get(m[0].strip(), ""), accented).split())


def _name(text: str) -> str:
    """First name first; a name cannot hold the semicolon that separates names."""
    last, comma, first = text.replace(";", " ").partition(",")
    return " ".join(f"{first} {last}".split() if comma else last.split())
