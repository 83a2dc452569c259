"""Repositories that a notebook or script clones before it imports from them: their modules are nobody's to declare."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator

from packaging.utils import canonicalize_name

from assay.code import Source
from assay.patterns import regex
from assay.tree import File

_CLONE = regex(
    r"\bgit[ '\",]{1,4}clone\b(?:[ '\",]{1,4}--?\w[\w=-]{0,40}(?:[ '\",]{1,4}[\w.-]{1,60}(?=[ '\",]))?){0,6}"
    r"[ '\",]{1,4}(?:https?://|git@|ssh://)?[\w.@:/{}$-]{1,200}?/(?P<name>[\w.-]{1,100}?)(?:\.git)?/?(?=[\s'\",;&)\\]|$)"
    r"(?:[ '\",]{1,4}(?P<folder>(?!-)[\w./-]{1,200}))?",
    re.MULTILINE,
)
"""As a command, or as the words of one in a list."""
_TOLD = regex(
    r"\bgit (?:clone|submodule add) (?:--?\w[\w=-]{0,40} ){0,4}(?:(?:https?://|git@)[\w.@:/-]{1,200}/)?(?P<name>[\w.-]{1,100}?)(?:\.git)?/?"
    r"(?=[\s`'\",;&)<]|$)(?:[ ](?P<folder>[\w.-]{1,60})(?=[`<]?\s{0,9}$))?",
    re.MULTILINE,
)
"""As a command, or in a sentence: "git clone RAFT into this folder"."""
_INSTALLED = regex(r"\b(?:pip[\d.]* install|setup\.py|conda install|poetry install)\b")
_NEAR = 200
_ENTERED = regex(r"^\s*(?:%?cd\s|os\.chdir\()|\bsys\.path\b|\bPYTHONPATH\b", re.MULTILINE)


def is_cloned(module: str, source: Source, *, known: bool) -> bool:
    """Whether a file clones what a module is in.

    The clone may be called like the module. If the file goes into the clone, or puts it on its path, the module may
    also be a word of its name, and whatever no distribution is known for may be in there.
    """
    names = source.once(_cloned)
    if not names:
        return False
    wanted = canonicalize_name(module)
    if wanted in names:
        return True
    return (not known or any(wanted in name.split("-") for name in names)) and source.once(_enters)


def _cloned(source: Source) -> frozenset[str]:
    """Names of the folders that a file clones into, in normal form."""
    found = (match for text in _commands(source) for match in _CLONE.finditer(text))
    return frozenset(
        canonicalize_name(name)
        for match in found
        for name in (match["name"], posixpath.basename((match["folder"] or "").rstrip("/")))
        if name
    )


def _enters(source: Source) -> bool:
    return any(_ENTERED.search(text) for text in _commands(source)) or any(m.name == "cd" for m in source.magics)


def _commands(source: Source) -> Iterator[str]:
    """The shell lines of a file, and its code if that runs such a command."""
    yield from (magic.shell for magic in source.magics)
    if source.mentions("clone") or source.magics:
        yield source.text


def told_to_clone(pages: Iterable[File]) -> frozenset[str]:
    """What pages tell people to clone into the repository, in normal form: not what is installed from its clone."""
    texts = (text for page in pages if "git " in (text := page.text()))
    found = ((text, match) for text in texts for match in _TOLD.finditer(text))
    kept = (match for text, match in found if not _INSTALLED.search(text, match.end(), match.end() + _NEAR))
    return frozenset(canonicalize_name(name) for match in kept for name in match.group("name", "folder") if name)
