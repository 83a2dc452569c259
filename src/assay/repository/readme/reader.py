"""From a tree to the facts about its README."""

from __future__ import annotations

from assay.code import Code
from assay.findings import Location
from assay.repository.readme.choice import is_where_readers_look, read_document, readme_files
from assay.repository.readme.claims import find_claims
from assay.repository.readme.document import Document
from assay.repository.readme.facts import ReadmeFacts
from assay.repository.readme.links import MOST_LINKS, read_links
from assay.repository.readme.pages import pages_named
from assay.repository.readme.paper import find_bibtex, find_paper, speaks_of_a_paper
from assay.repository.readme.results import find_results
from assay.repository.readme.sections import Section, find_sections
from assay.tree import File, Tree

_NEARLY_ALL = 0.9
"""More than this share is nearly all of the code; the README need not mention an experiment in another folder."""


def _speaking_for_all(files: tuple[File, ...], code: Code) -> File | None:
    """The README where readers look, else the first in a folder that has nearly all the code."""
    if not files or is_where_readers_look(files[0]):
        return files[0] if files else None
    sizes = {s.path: len(s.text) for s in code.own}
    enough = _NEARLY_ALL * sum(sizes.values())
    return next((f for f in files if _within(f.folder, sizes) > enough), None)


def _within(folder: str, sizes: dict[str, int]) -> int:
    """How many characters of code a folder has."""
    return sum(size for path, size in sizes.items() if path.startswith(folder + "/"))


def _sections(document: Document, pages: list[Document]) -> tuple[Section, ...]:
    """Those of the README, and those of the pages that it sends its readers to, for what it does not say itself."""
    found = list(find_sections(document))
    for page in pages:
        known = {section.kind for section in found}
        found += [section for section in find_sections(page) if section.kind not in known]
    return tuple(found)


def read_readme(tree: Tree, code: Code) -> ReadmeFacts:
    """The README that speaks for the repository: its sections, links, results and claims."""
    files = readme_files(tree)
    chosen = _speaking_for_all(files, code)
    if chosen is None:
        return ReadmeFacts(None, None, others=tuple(f.path for f in files))
    document = read_document(chosen)
    links = read_links(document, tree)
    pages = [read_document(file) for file in pages_named(document, tree)]
    entries = find_bibtex(document)
    text = chosen.text()
    left_out = [f"{document.path}: only its beginning was read"] if document.cut else []
    if len(document.links) > MOST_LINKS:
        left_out.append(f"{document.path}: only its first {MOST_LINKS:,} links were looked at")
    return ReadmeFacts(
        location=Location(document.path),
        document=document,
        others=tuple(f.path for f in files if f is not chosen),
        sections=_sections(document, pages),
        links=links,
        paper=find_paper(document, links, entries),
        speaks_of_paper=speaks_of_a_paper(document),
        bibtex=entries,
        results=find_results(document),
        claims=find_claims(document, code),
        lines=text.count("\n") + bool(text and not text.endswith("\n")),
        left_out=tuple(left_out),
    )
