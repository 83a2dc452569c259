"""What people call licences, in manifests, badges and prose, as SPDX identifiers.

Where a name does not say which version or variant is meant, the answer is a family ("BSD", "GPL"), which
`agree` with every member.
"""

from __future__ import annotations

from urllib.parse import unquote

from assay.patterns import regex
from assay.repository.licence.table import base_identifier, known_identifiers

_VERSION = r"(?:[ ]?(?:version|ver|v)?[ ]?{}(?:[ .]0)?(?![ .]?\d))"


def _gnu(name: str, number: str) -> str:
    return rf"\b{name}(?:[ ]general)?(?:[ ]public)?(?:[ ]licen[sc]e)?(?:[ ](?:l?gpl|agpl))?{_VERSION.format(number)}"


_CREATIVE = r"(?:cc|creative commons)(?:[ ]attribution)?"
_NAMES = tuple(
    (regex(pattern), spdx)
    for pattern, spdx in (
        (r"\bcc ?0\b|\bcreative commons zero\b", "CC0-1.0"),
        (rf"\b{_CREATIVE}[ ](?:by[ ])?(?:nc|non ?commercial)[ ](?:sa|share ?alike)\b", "CC-BY-NC-SA"),
        (rf"\b{_CREATIVE}[ ](?:by[ ])?(?:nc|non ?commercial)[ ](?:nd|no ?deriv\w*)\b", "CC-BY-NC-ND"),
        (rf"\b{_CREATIVE}[ ](?:by[ ])?(?:nc|non ?commercial)\b", "CC-BY-NC"),
        (rf"\b{_CREATIVE}[ ](?:by[ ])?(?:sa|share ?alike)\b", "CC-BY-SA"),
        (rf"\b{_CREATIVE}[ ](?:by[ ])?(?:nd|no ?deriv\w*)\b", "CC-BY-ND"),
        (r"\bcc by\b|\bcreative commons attribution\b", "CC-BY"),
        (_gnu(r"(?:gnu[ ])?(?:affero|agpl)", "3"), "AGPL-3.0"),
        (r"\bagpl|\baffero\b", "AGPL"),
        (_gnu(r"(?:gnu[ ])?(?:lesser|lgpl|library or lesser)", "3"), "LGPL-3.0"),
        (_gnu(r"(?:gnu[ ])?(?:lesser|lgpl|library or lesser)", r"2[ .]?1"), "LGPL-2.1"),
        (r"\blgpl|\blesser general public\b", "LGPL"),
        (_gnu(r"(?:gnu(?:[ ]gpl)?|gpl|general public)", "3"), "GPL-3.0"),
        (_gnu(r"(?:gnu(?:[ ]gpl)?|gpl|general public)", "2"), "GPL-2.0"),
        (r"\bgpl|\bgnu general public\b|\bgnu gpl\b", "GPL"),
        (r"\bapache\b(?:[ ]software)?(?:[ ]public)?(?:[ ]licen[sc]e)?[ ]?(?:version|ver|v)?[ ]?2\b", "Apache-2.0"),
        (r"\bapache\b[ ](?:software[ ])?licen[sc]e|^apache$|\basl ?2\b", "Apache-2.0"),
        (r"\bmit ?0\b|\bmit no attribution\b", "MIT-0"),
        (r"\bmit cmu\b", "MIT-CMU"),
        (r"\bmit\b(?=[ ]licen[sc]e|$| \d| or | and | x11)|^mit\b|\bexpat\b|\blicen[sc]e mit\b", "MIT"),
        (r"\b(?:3 clause|new|modified|revised|three clause) bsd\b|\bbsd ?3\b", "BSD-3-Clause"),
        (r"\bbsd\b.{0,20}\b(?:3|three|new|revised) ?clause", "BSD-3-Clause"),
        (r"\b(?:2 clause|simplified|two clause|free) ?bsd\b|\bbsd ?2\b", "BSD-2-Clause"),
        (r"\bbsd\b.{0,20}\b(?:2|two) ?clause", "BSD-2-Clause"),
        (r"\b0bsd\b|\bzero clause bsd\b", "0BSD"),
        (r"\bbsd\b", "BSD"),
        (rf"\b(?:mpl|mozilla public licen[sc]e){_VERSION.format(2)}", "MPL-2.0"),
        (r"\bmpl\b|\bmozilla public licen[sc]e\b", "MPL"),
        (r"\bisc\b(?=[ ]licen[sc]e|$)|\biscl\b", "ISC"),
        (r"\bunlicense\b", "Unlicense"),
        (r"\bwtfpl\b", "WTFPL"),
        (r"\bzlib\b(?=[ ](?:libpng[ ])?licen[sc]e|$)", "Zlib"),
        (r"\bboost software licen[sc]e\b|\bbsl 1\b", "BSL-1.0"),
        (r"\bartistic\b.{0,20}\b2\b", "Artistic-2.0"),
        (r"\beupl\b.{0,10}\b1 2\b", "EUPL-1.2"),
        (r"\beclipse public licen[sc]e\b.{0,12}\b2\b|\bepl 2\b", "EPL-2.0"),
        (r"\bpython software foundation\b|\bpsf\b", "PSF-2.0"),
        (r"\buniversity of illinois\b|\bncsa\b", "NCSA"),
        (r"\bpostgresql licen[sc]e\b", "PostgreSQL"),
        (r"\bhpnd\b|\bhistorical permission notice\b", "HPND"),
    )
)  # fmt: skip
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
    found: list[tuple[int, str]] = []
    taken: list[tuple[int, int]] = []
    for pattern, spdx in _NAMES:
        for match in pattern.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            taken.append(match.span())
            found.append((match.start(), _with_version(spdx, text[match.end() : match.end() + 40])))
    if not found and _CLOSED.fullmatch(text):
        return (PROPRIETARY,)
    return tuple(dict.fromkeys(spdx for _, spdx in sorted(found)))


def _with_version(spdx: str, after: str) -> str:
    """Creative Commons licences take the version that follows their name."""
    version = _CREATIVE_VERSION.search(after) if spdx.startswith("CC-") else None
    return f"{spdx}-{version[1]}.{version[2]}" if version else spdx
