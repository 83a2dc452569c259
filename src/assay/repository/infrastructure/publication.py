"""How to cite the work, and whether the published state can still be distinguished from later ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree

_CITATION = regex(r"citation(?:\.(?:cff|bib|md|txt|rst))?|\.zenodo\.json|codemeta\.json", re.IGNORECASE)
_HISTORY = regex(r"(?:changelog|changes|history|news|release[-_]?notes)(?:\.(?:md|rst|txt))?", re.IGNORECASE)
_README = regex(r"readme(?:\.\w+)?", re.IGNORECASE)
_DOI = regex(r"\b10\.\d{4,9}/[^\s\"'<>\[\]{}|\\^`]{1,200}")
_ARCHIVE_PREFIXES = ("10.5281/", "10.6084/", "10.5061/", "10.17605/", "10.24433/", "10.17632/", "10.7910/")
_VERSION_TAG = regex(r"v?\d+(?:\.\d+)+.*|v\d+|release[-_/].*|paper.*|camera-?ready.*|submission.*", re.IGNORECASE)
_MOST_CHARACTERS = 1_000_000


@dataclass(frozen=True, slots=True)
class Doi:
    """A digital object identifier and where it stands. `archive` tells a deposit of code or data from an article."""

    doi: str
    location: Location

    @property
    def archive(self) -> bool:
        """Whether the prefix is that of Zenodo, figshare, Dryad, OSF, Code Ocean, Mendeley Data or Dataverse."""
        return self.doi.lower().startswith(_ARCHIVE_PREFIXES)


@dataclass(frozen=True, slots=True)
class Publication:
    """Marks of a published state."""

    citations: tuple[Location, ...]
    """Files made for citing the work."""
    dois: tuple[Doi, ...]
    """Those in the README and in the citation files, each once."""
    history: tuple[Location, ...]
    """Change logs."""
    releases: tuple[str, ...]
    """Tags that name a version or a paper; none are known of an archive."""


def read_publication(tree: Tree) -> Publication:
    """Look at the root's own files and the tags."""
    here = tree.directly_in("")
    citing = [f for f in here if _CITATION.fullmatch(f.name)]
    readmes = [f for f in here if _README.fullmatch(f.name)]
    found = {doi.doi.lower(): doi for f in reversed([*citing, *readmes]) for doi in _dois(f)}
    return Publication(
        citations=tuple(Location(f.path) for f in citing),
        dois=tuple(sorted(found.values(), key=lambda d: (d.location.path, d.location.line or 0))),
        history=tuple(Location(f.path) for f in here if _HISTORY.fullmatch(f.name)),
        releases=tuple(tag for tag in tree.tags if _VERSION_TAG.fullmatch(tag)),
    )


def _dois(file: File) -> Iterator[Doi]:
    text = file.text()[:_MOST_CHARACTERS]
    for match in reversed(list(_DOI.finditer(text))):
        doi = re.sub(r"(?:\.svg|[).,;:*_]+)+$", "", match[0].replace("%2F", "/"))
        yield Doi(doi, Location(file.path, text.count("\n", 0, match.start()) + 1))
