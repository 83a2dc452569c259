"""From a tree to the facts about its README."""

from __future__ import annotations

from assay.code import Code
from assay.findings import Location
from assay.repository.readme.choice import read_document, readme_files
from assay.repository.readme.claims import find_claims
from assay.repository.readme.facts import ReadmeFacts
from assay.repository.readme.links import MOST_LINKS, read_links
from assay.repository.readme.paper import find_bibtex, find_paper, speaks_of_a_paper
from assay.repository.readme.results import find_results
from assay.repository.readme.sections import find_sections
from assay.tree import Tree


def read_readme(tree: Tree, code: Code) -> ReadmeFacts:
    """The README that speaks for the repository: its sections, links, results and claims."""
    files = readme_files(tree)
    if not files:
        return ReadmeFacts(None, None)
    document = read_document(files[0])
    links = read_links(document, tree)
    entries = find_bibtex(document)
    text = files[0].text()
    left_out = [f"{document.path}: only its beginning was read"] if document.cut else []
    if len(document.links) > MOST_LINKS:
        left_out.append(f"{document.path}: only its first {MOST_LINKS:,} links were looked at")
    return ReadmeFacts(
        location=Location(document.path),
        document=document,
        others=tuple(f.path for f in files[1:]),
        sections=find_sections(document, code),
        links=links,
        paper=find_paper(document, links, entries),
        speaks_of_paper=speaks_of_a_paper(document),
        bibtex=entries,
        results=find_results(document),
        claims=find_claims(document, code),
        lines=text.count("\n") + bool(text and not text.endswith("\n")),
        left_out=tuple(left_out),
    )
