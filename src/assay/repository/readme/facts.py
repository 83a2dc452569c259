"""What a README says, with where it says it."""

from __future__ import annotations

from assay.findings import Location
from assay.records import dataclass
from assay.repository.readme.claims import Claim
from assay.repository.readme.document import Document
from assay.repository.readme.links import Link, Status
from assay.repository.readme.paper import Bibtex, Paper
from assay.repository.readme.results import ResultsTable
from assay.repository.readme.sections import Section
from assay.repository.readme.words import Kind


@dataclass(frozen=True)
class ReadmeFacts:
    """All facts about the README; `location` is None, and everything else empty, when there is none."""

    location: Location | None
    document: Document | None
    others: tuple[str, ...] = ()
    """READMEs of other folders and in other languages."""
    sections: tuple[Section, ...] = ()
    links: tuple[Link, ...] = ()
    paper: Paper | None = None
    speaks_of_paper: Location | None = None
    """Where the text says that it belongs to a paper."""
    bibtex: tuple[Bibtex, ...] = ()
    results: tuple[ResultsTable, ...] = ()
    claims: tuple[Claim, ...] = ()
    lines: int = 0
    left_out: tuple[str, ...] = ()

    def section(self, kind: Kind) -> Section | None:
        """The first section of a kind."""
        return next((s for s in self.sections if s.kind is kind), None)

    @property
    def broken_links(self) -> tuple[Link, ...]:
        """Links to files and places in the repository that are not there."""
        return tuple(link for link in self.links if link.status is Status.BROKEN)
