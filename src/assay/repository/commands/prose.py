"""Scripts that a sentence tells the reader to run, and that are nowhere in the repository."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.repository.commands.facts import NamedScript
from assay.repository.commands.shell import is_placeholder
from assay.repository.commands.targets import Site, is_example
from assay.repository.readme import Document, Passage, nearest_path

_FILE = r"[`*'\"]{0,3}((?:\./)?[\w./-]{2,100}\.(?:py|sh|ipynb))\b"
_TO_RUN = regex(
    r"\b(?:run|running|execute|executing|launch|use|using|via|through|with|by|see|start|call)\s+"
    r"(?:the\s+|our\s+|this\s+)?(?:\w+\s+)?(?:script\s+|file\s+|notebook\s+|program\s+)?" + _FILE,
    re.IGNORECASE,
)
_FOUND_IN = regex(
    r"\b(?:script|code|implementation|notebook)s?\s+(?:\w+\s+){0,3}(?:in|at|is|are)\s+" + _FILE, re.IGNORECASE
)
_LISTED = regex(
    r"(?:^|\n)[ \t]*(?:(?:[-*+]|\d{1,2}[.)])[ \t]+)?" + _FILE + r"[`*'\"]{0,3}[ \t]*(?::|[-\u2013]{1,2}[ \t]|\w+s\b)"
)
"""An entry of a list of programs: `prepare.py does the preprocessing`."""
_MADE = regex(
    r"\b(?:creat\w+|writ\w+|renam\w+|add|own|deprecated|removed|no longer|replac\w+|formerly|instead of|soon)\b",
    re.IGNORECASE,
)
"""Words before a name: the file need not be here."""
_TAKEN = regex(
    r"[`*'\"]{0,3}\s*(?:script|file|tool|notebook|code)?\s*(?:from|of|by|in)\s+(?:the\s+)?"
    r"(original|official|upstream|their|other|another|[\w./-]+)",
    re.IGNORECASE,
)
"""Words after a name: whose file it is."""
_OTHERS = frozenset({"original", "official", "upstream", "their", "other", "another"})
_PROJECT = regex(r"//(?:github|gitlab)\.com/")
_BEFORE = 40
_SENTENCE = regex(r"(?<=[.!?])\s+|\n{2,}")


def scripts_named(document: Document, site: Site) -> Iterator[NamedScript]:
    """The scripts that a page names as something to run, if no file of that name is in the repository.

    A sentence with a link to another place may be about a script from there.
    """
    linked = [link.text for link in document.links if "://" in link.target and len(link.text) > 2]
    found: dict[str, int] = {}
    for block in _own_passages(document):
        for written in _names_to_run(block.text, linked):
            line = block.line + block.text[: max(0, block.text.find(written))].count("\n")
            found.setdefault(written.removeprefix("./"), line)
    for name, line in found.items():
        if _is_nowhere(name, site):
            yield NamedScript(name, Location(document.path, line), nearest_path(name, site.tree))


def _own_passages(document: Document) -> Iterator[Passage]:
    """The passages without a link to a project, whose scripts they may be about."""
    projects = {link.line for link in document.links if _PROJECT.search(link.target)}
    passages = (block for block in document.blocks if isinstance(block, Passage))
    return (p for p in passages if projects.isdisjoint(range(p.line, p.line + p.text.count("\n") + 1)))


def _names_to_run(text: str, linked: list[str]) -> Iterator[str]:
    for sentence in _SENTENCE.split(text[:5000]):
        for match in (*_TO_RUN.finditer(sentence), *_FOUND_IN.finditer(sentence), *_LISTED.finditer(sentence)):
            if not _is_elsewhere(sentence, match, linked):
                yield match[1]


def _is_elsewhere(sentence: str, match: re.Match[str], linked: list[str]) -> bool:
    """Whether the words around a name say that the file is made by the reader, or comes from another project."""
    made = _MADE.search(sentence[max(0, match.start(1) - _BEFORE) : match.start(1)])
    if made or any(match[1] in text for text in linked):
        return True
    taken = _TAKEN.match(sentence, match.end(1))
    return taken is not None and (taken[1].lower() in _OTHERS or any(text.startswith(taken[1]) for text in linked))


def _is_nowhere(name: str, site: Site) -> bool:
    base = posixpath.basename(name)
    if is_example(name) or is_placeholder(name) or name.startswith(("/", "..")):
        return False
    if base in site.mentioned or base in site.to_write or site.tree.by_name(base):
        return False
    return not site.tree.hides(name)
