"""Files that a command hands to a program: configurations that have to be in the repository."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from assay.patterns import regex
from assay.repository.commands.facts import Fault, Problem
from assay.repository.commands.placement import Placed
from assay.repository.commands.programs import Program
from assay.repository.commands.shell import is_placeholder
from assay.repository.commands.targets import Site, is_example
from assay.repository.readme import nearest_path

_CONFIGURES = regex(r"-{1,2}(?:[\w-]*(?:config|cfg|conf|yaml|hparams)[\w-]*|c|f|opt)", re.IGNORECASE)
"""Options that take a configuration, by their names."""
_WRITES = regex(r"-{1,2}[\w-]*(?:out|save|log|dump|write|export|result|to)(?:[_-]?(?:file|path))?", re.IGNORECASE)
"""Options that take a file to be written."""
_CONFIGURATION = regex(r"[\w./-]{1,200}\.(?:ya?ml|toml|cfg|ini|gin|jsonnet|conf)")
_PERHAPS = regex(r"[\w./-]{1,200}\.(?:json|py)")
"""Endings that configurations share with data and with code."""


def missing_configurations(program: Program, placed: Placed, path: str, site: Site) -> Iterator[Problem]:
    """Configuration files that are handed over and are nowhere in the repository."""
    for option, value in (*_given(program.launcher), *_given(program.arguments)):
        if _is_configuration(option, value) and not (placed.outside or placed.lost):
            places = [posixpath.normpath(posixpath.join(f, value)) for f in _folders(placed, path)]
            if not _exists(value, places, site):
                yield _problem(value, places, site)


def _given(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Each value with the option before it; the first word of all may be a configuration by itself."""
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if equals and name.startswith("-"):
            yield name, value
        elif not word.startswith("-"):
            yield (words[at - 1] if at and words[at - 1].startswith("-") else ""), word


def _is_configuration(option: str, value: str) -> bool:
    if is_placeholder(value) or is_example(value) or value.startswith(("/", "~", "..")) or _WRITES.fullmatch(option):
        return False
    named = _CONFIGURES.fullmatch(option) or ("/" in value and value.startswith(("config", "cfg", "conf")))
    if _CONFIGURATION.fullmatch(value):
        return bool(named)
    return bool(named and "/" in value and _PERHAPS.fullmatch(value))


def _folders(placed: Placed, path: str) -> Iterator[str]:
    return iter(dict.fromkeys((*placed.folders, posixpath.dirname(path), "")))


def _exists(value: str, places: list[str], site: Site) -> bool:
    """Whether it is there, may have been made before, or is found where the program may look for it."""
    name = posixpath.basename(value)
    if name in site.mentioned or name in site.to_write or any(site.tree.exists(place) for place in places):
        return True
    if any(map(site.tree.hides, places)):
        return True
    ending = "/" + value.removeprefix("./")
    return any(file.path.endswith(ending) for file in site.tree.by_name(name))


def _problem(value: str, places: list[str], site: Site) -> Problem:
    home = next((p for p in places if posixpath.dirname(p) in site.tree.folders and "/" in p), None)
    doubt = "" if home and not site.downloads else "Does an earlier step make or download it?"
    shown = home or value
    return Problem(Fault.CONFIGURATION, shown, nearest_path(shown, site.tree), doubt=doubt)
