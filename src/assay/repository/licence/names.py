"""What people call licences, in manifests, badges and prose, as SPDX identifiers.

Where a name does not say which version or variant is meant, the answer is a family ("BSD", "GPL"), which
`agree` with every member.
"""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import unquote

from assay.patterns import regex
from assay.records import dataclass
from assay.repository.licence.table import base_identifier, known_identifiers
from assay.repository.tables import load_table


@dataclass(frozen=True, slots=True)
class Name:
    """One row of the table of names: a licence and what it is called."""

    spdx: str
    example: str
    pattern: re.Pattern[str]


@cache
def names() -> tuple[Name, ...]:
    """The table of names, narrow ones first."""
    rows = load_table("assay.repository.licence", "names.toml")["name"]
    return tuple(Name(row["spdx"], row["example"], regex("|".join(row["phrases"].split("\n")[:-1]))) for row in rows)


_CREATIVE_VERSION = regex(r"\b([1-4])[ .]([05])\b")
_SIGNS = regex(r"[\s_/()\[\],;:\"'.+-]+")
_OPERATOR = regex(r"[()\s]+(?:OR|AND|WITH)[()\s]+|\s*[|/,]\s*")
_LONGEST = 2000
_MEMBER = regex(r"(BSD|GPL|LGPL|AGPL|MPL) \1-.+|(CC-BY(?:-NC|-SA|-ND|-NC-SA|-NC-ND)?) \2-[0-9].*")
"""A family and one of its members; a Creative Commons licence's only differ in the version."""
PROPRIETARY = "LicenseRef-Proprietary"
_CLOSED = regex(r"(?:other )?(?:proprietary|commercial|closed source)(?: licen[sc]e)?|all rights reserved")


def named_licences(text: str) -> tuple[str, ...]:
    """The licences that a short text names, in its order: identifiers, expressions, or plain words."""
    given = unquote(text[:_LONGEST]).strip()
    parts = [p.strip(" ()") for p in _OPERATOR.split(given)]
    if parts and all(base_identifier(p).lower() in known_identifiers() for p in parts):
        return tuple(dict.fromkeys(known_identifiers()[base_identifier(p).lower()].spdx for p in parts))
    return _worded(_SIGNS.sub(" ", given.lower()).strip())


def agree(one: str, other: str) -> bool:
    """Whether two identifiers may mean the same licence: equal, or one is the other's family."""
    a, b = base_identifier(one), base_identifier(other)
    return a == b or bool(_MEMBER.fullmatch(f"{a} {b}") or _MEMBER.fullmatch(f"{b} {a}"))


def _worded(text: str) -> tuple[str, ...]:
    found: dict[range, str] = {}
    for name in names():
        for match in name.pattern.finditer(text):
            if not any(_overlap(match, taken) for taken in found):
                found[range(*match.span())] = _with_version(name.spdx, text[match.end() : match.end() + 40])
    if not found and _CLOSED.fullmatch(text):
        return (PROPRIETARY,)
    return tuple(dict.fromkeys(found[place] for place in sorted(found, key=lambda place: place.start)))


def _overlap(match: re.Match[str], taken: range) -> bool:
    return match.start() < taken.stop and taken.start < match.end()


def _with_version(spdx: str, after: str) -> str:
    """Creative Commons licences take the version that follows their name."""
    version = _CREATIVE_VERSION.search(after) if spdx.startswith("CC-") else None
    return f"{spdx}-{version[1]}.{version[2]}" if version else spdx
