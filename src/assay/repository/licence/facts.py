"""Licence files and what else in the repository says under which licence it is."""

from __future__ import annotations

import re

from assay.code import Code
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.licence.fingerprint import words
from assay.repository.licence.matches import MOST_CHARACTERS, Match, identify
from assay.repository.licence.names import PROPRIETARY, agree, named_licences
from assay.repository.licence.statements import Statement, StatementKind, read_statements, unnamed_terms
from assay.repository.licence.table import known_identifiers
from assay.tree import File, Tree

_MODIFIED = regex(r"[\s#*=-]*modified\s+(?!bsd\b)[\w.-]{2,12}(?:\s[\d.]{1,4})?\s+licen[cs]e\b", re.IGNORECASE)
"""A title that says so itself; the modified BSD licence is one of its own."""
_LICENCE_NAME = regex(
    r"(?:(?:un)?licen[cs]es?|copying|copyright)(?:[._ -].*)?|(?:mit|apache|bsd|gpl)[._-]licen[cs]e.*", re.IGNORECASE
)
_TEXT_SUFFIXES = frozenset(
    {"", ".txt", ".md", ".rst", ".html", ".mit", ".apache", ".bsd", ".gpl", ".lesser", ".apache2", ".code"}
)
_OTHERS = regex(r"third|3rd|vendor|bundled|dependenc|notice|header|template", re.IGNORECASE)
_MOST_BYTES = 400_000
_NOTICE_CHARACTERS = 4000
"""A file this short may name a licence instead of quoting it."""
_TITLE_CHARACTERS = 100
_UNDER = regex(r"\b(?:licensed under|terms of)((?: \w+){3,8})")
"""How the words before a licence's text may name another that comes first."""
_OF_PARTS = frozenset({StatementKind.README, StatementKind.HEADER})
_RESTRICTION = regex(
    r"non-?[ ]?commercial(?:ly)?\b|\bcommercial (?:use|purposes?)\b"
    r"|\b(?:academic|research|evaluation|educational)(?: (?:and|or) \w+)? (?:use|purposes?)\b"
    r"|\bno(?:t| permission)[^.\n]{0,60}\b(?:redistribut|modif)\w+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LicenceFile:
    """A file that is there to state the licence. What was not recognised has no `licences`."""

    location: Location
    licences: tuple[str, ...]
    """SPDX identifiers of the texts in it, in order; the texts do not distinguish "only" from "or later"."""
    similarity: float
    """How near the wording of the first is to the licence's own, 1 being the same; 0 when only named."""
    restrictions: tuple[tuple[str, Location], ...] = ()
    """Words that withhold a freedom, looked for where the text is no known licence's own."""

    @property
    def path(self) -> str:
        """Where it is."""
        return self.location.path


@dataclass(frozen=True, slots=True)
class LicenceFacts:
    """All that the repository says about its licence; vendored code does not count."""

    files: tuple[LicenceFile, ...]
    """Nearest to the root first."""
    statements: tuple[Statement, ...]

    @property
    def named(self) -> tuple[Statement, ...]:
        """Statements that name a licence; there are others only where none does, and no file is there."""
        return tuple(s for s in self.statements if s.licences)

    @property
    def main(self) -> tuple[str, ...]:
        """The licences of the work as a whole: from the files nearest to the root, or else as stated elsewhere."""
        if self.files:
            nearest = self.files[0].path.count("/")
            top = [f.licences[0] for f in self.files if f.path.count("/") == nearest and f.licences]
            if top or self.files[0].restrictions:
                return tuple(dict.fromkeys(top))
        return tuple(dict.fromkeys(name for s in self.statements for name in s.licences))

    @property
    def conflicts(self) -> tuple[Statement, ...]:
        """Statements that name licences, none of which is among those of the licence files.

        The README and the headers of single files may also name licences of other things (weights, data, adopted
        code), so they contradict the files only if none of them agrees.
        """
        texts = [name for f in self.files for name in f.licences]
        at_odds = [s for s in self.statements if not any(agree(a, b) for a in s.licences for b in texts)]
        excused = _OF_PARTS & {s.kind for s in self.statements if s not in at_odds}
        return tuple(s for s in at_odds if texts and s.kind not in excused)


def is_open(spdx: str) -> bool | None:
    """Whether the licence is open source (OSI) or free (FSF); None for one that the table does not know."""
    if spdx == PROPRIETARY:
        return False
    family = next((r for r in known_identifiers().values() if agree(spdx, r.spdx)), None)
    return None if family is None else family.osi_approved or family.fsf_free


def read_licences(tree: Tree, code: Code) -> LicenceFacts:
    """Every licence file and statement of the tree's own."""
    found = [f for f in tree.own if _is_licence_file(f)]
    found.sort(key=lambda f: (f.path.count("/"), f.path))
    statements = tuple(read_statements(tree, code))
    if not found and not statements:
        statements = tuple(unnamed_terms(tree))
    return LicenceFacts(tuple(_read_file(f) for f in found), statements)


def withholds(statement: Statement) -> bool:
    """Whether terms in the authors' own words withhold a freedom that open-source licences grant."""
    return _RESTRICTION.search(statement.text) is not None


def _is_licence_file(file: File) -> bool:
    named_so = _LICENCE_NAME.fullmatch(file.name) is not None or file.folder == "LICENSES"
    plain = file.suffix in _TEXT_SUFFIXES or file.suffix[1:].isdigit()
    return named_so and plain and not _OTHERS.search(file.name) and 0 < file.size <= _MOST_BYTES


def _read_file(file: File) -> LicenceFile:
    text = file.text()[:MOST_CHARACTERS]
    place = Location(file.path, 1)
    matches = identify(text)
    if matches and _MODIFIED.match(text):
        return LicenceFile(place, (f"LicenseRef-Modified-{matches[0].spdx}",), matches[0].similarity)
    if matches:
        first = matches[0]
        matched = [m.spdx for m in matches]
        named = [name for name in _named_before(text, first) if not any(agree(name, other) for other in matched)]
        names = tuple(dict.fromkeys([*named, *matched]))
        return LicenceFile(place, names, first.similarity, () if first.exact else _restrictions(text, file.path))
    notice = named_licences(text) if len(text) <= _NOTICE_CHARACTERS else ()
    return LicenceFile(place, notice, 0.0, () if notice else _restrictions(text, file.path))


def _named_before(text: str, first: Match) -> list[str]:
    """Licences that are named before the first text, or in the title of one that is not quite its own."""
    preface = " ".join(words(text)[: first.start])
    title = [] if first.exact else [text[:_TITLE_CHARACTERS]]
    return [name for phrase in (*title, *_UNDER.findall(preface)) for name in named_licences(phrase)]


def _restrictions(text: str, path: str) -> tuple[tuple[str, Location], ...]:
    return tuple((m[0], Location(path, text.count("\n", 0, m.start()) + 1)) for m in _RESTRICTION.finditer(text))[:20]
