"""Scripts that a sentence tells the reader to run, and that are nowhere in the repository."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.repository.commands.facts import NamedScript
from assay.repository.commands.locating import Site, is_example
from assay.repository.commands.shell import is_placeholder
from assay.repository.readme import CodeBlock, Document, Passage, nearest_path

_TO_RUN = regex(
    r"\b(?:run|running|execute|executing|launch|use|using|via|through|with|by|see|start|call)\s+"
    r"(?:the\s+|our\s+|this\s+)?(?:\w+\s+)?(?:script\s+|file\s+|notebook\s+|program\s+)?"
    r"[`*'\"]{0,3}((?:\./)?[\w./-]{2,100}\.(?:py|sh|ipynb))\b",
    re.IGNORECASE,
)
_ELSEWHERE = regex(
    r"\b(?:from|of|in)\s+(?:the\s+)?(?:original|official|upstream|their|other|another)\b|\b(?:creat\w+|writ\w+|rename\w*|"
    r"add|your own|download\w*|deprecated|removed|no longer|replac\w+|formerly|instead of|will be|coming soon)\b|://",
    re.IGNORECASE,
)
"""Sentences about files that need not be here."""
_SENTENCE = regex(r"(?<=[.!?])\s+|\n{2,}")


def scripts_named(document: Document, site: Site) -> Iterator[NamedScript]:
    """The scripts that a page names as something to run, if no file of that name is in the repository.

    A sentence with a link to another place may be about a script from there.
    """
    seen: set[str] = set()
    linked = [link.text for link in document.links if "://" in link.target and len(link.text) > 2]
    coded = {b.text.strip() for b in document.blocks if isinstance(b, CodeBlock) and b.inline}
    for block in document.blocks:
        if not isinstance(block, Passage):
            continue
        for sentence in _SENTENCE.split(block.text[:5000]):
            if _ELSEWHERE.search(sentence) or any(text in sentence for text in linked):
                continue
            for match in _TO_RUN.finditer(sentence):
                name = match[1].removeprefix("./")
                marked = match[1] in coded or "script " in match[0].lower()
                if marked and name not in seen and _is_nowhere(name, site):
                    seen.add(name)
                    line = block.line + block.text[: max(0, block.text.find(match[1]))].count("\n")
                    yield NamedScript(name, Location(document.path, line), nearest_path(name, site.tree))


def _is_nowhere(name: str, site: Site) -> bool:
    base = posixpath.basename(name)
    if is_example(name) or is_placeholder(name) or name.startswith(("/", "..")):
        return False
    if base in site.mentioned or base in site.to_write or site.tree.by_name(base):
        return False
    hidden = (*site.tree.submodules, *site.tree.ignored)
    return not any(f"{name}/".startswith(f"{h}/") for h in hidden)
