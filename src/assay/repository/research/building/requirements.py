"""Declarations of a manifest as requirements that a resolver understands; what cannot be put so is named."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import InvalidVersion, Version

from assay.code import Language
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.environment import Declared, EnvironmentFacts, Kind, Pin
from assay.tree import Tree

SOLVED = (Kind.REQUIREMENTS, Kind.PYPROJECT, Kind.SETUP_CFG, Kind.SETUP_PY, Kind.PIPFILE)
_ELSEWHERE = frozenset({Pin.VCS, Pin.COMMIT, Pin.URL, Pin.PATH})
"""What would have to be fetched from a third place, and built, to know what it needs."""
_INCLUDE = regex(r"^[ \t]*(?:-r|-c|--requirement|--constraint)[ =\t]*([^\s#]{1,300})", re.MULTILINE)
_MOST_INCLUDES = 20


@dataclass(frozen=True, slots=True)
class Wanted:
    """What one manifest, with those it includes, asks for."""

    path: str
    requirements: tuple[str, ...]
    untried: tuple[str, ...]
    """Declarations that are not put to the resolver, with the reason."""


def wanted_by(path: str, facts: EnvironmentFacts, tree: Tree) -> Wanted:
    """The requirements of a manifest that everybody needs, not those of extras and groups."""
    paths = _with_included(path, tree)
    declared = [d for d in facts.declared if d.location.path in paths and not d.group and d.applies]
    found: dict[str, None] = {}
    untried = []
    for one in declared:
        if one.language is not Language.PYTHON:
            continue
        if one.pin in _ELSEWHERE:
            untried.append(f"{one.location}: {_shortened(one.written)} is not on a package index")
            continue
        line = requirement_of(one)
        if line is None:
            untried.append(f"{one.location}: {_shortened(one.written)} cannot be put as a requirement")
        else:
            found[line] = None
    return Wanted(path, tuple(found), tuple(untried))


def _with_included(path: str, tree: Tree) -> tuple[str, ...]:
    """The manifest and all that it draws in with -r and -c."""
    found = {path: None}
    waiting = [path]
    while waiting and len(found) <= _MOST_INCLUDES:
        here = waiting.pop()
        file = tree.get(here)
        if file is None or not here.endswith((".txt", ".in", ".pip")):
            continue
        for name in _INCLUDE.findall(file.text()):
            there = posixpath.normpath(posixpath.join(posixpath.dirname(here), name))
            if there not in found and tree.get(there) is not None:
                found[there] = None
                waiting.append(there)
    return tuple(found)


def requirement_of(declared: Declared) -> str | None:
    """One line for the resolver, made of checked parts alone: no option, address or path can get into it."""
    extras = f"[{','.join(declared.extras)}]" if declared.extras else ""
    versions = ",".join(_versions(declared.specifier))
    marker = f" ; {declared.marker}" if declared.marker else ""
    try:
        made = Requirement(f"{declared.name}{extras}{versions}{marker}")
    except InvalidRequirement:
        return None
    return None if made.url else str(made)


def _versions(specifier: str) -> Iterator[str]:
    """Poetry's and Pipenv's ways of writing as PEP 440 has them."""
    for part in filter(None, (p.strip() for p in specifier.split(","))):
        if part == "*":
            continue
        if part[0] in "^~" and not part.startswith("~="):
            yield from _caret(part)
        elif part[0].isdigit():
            yield f"=={part}"
        else:
            yield part


def _caret(part: str) -> Iterator[str]:
    """`^1.2.3` allows what does not change the first number that is not 0; `~1.2.3` what does not change the second."""
    try:
        version = Version(part[1:])
    except InvalidVersion:
        yield part
        return
    release = list(version.release)
    if part[0] == "~":
        fixed = min(1, len(release) - 1)
    else:
        fixed = next((i for i, n in enumerate(release) if n), len(release) - 1)
    upper = [*release[:fixed], release[fixed] + 1]
    yield from (f">={version}", f"<{'.'.join(map(str, upper))}")


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else line[:77] + "..."
