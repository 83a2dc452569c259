"""`%run other.ipynb`: the other file is followed where it is run, and what it defines is there afterwards."""

from __future__ import annotations

import ast
import posixpath
import shlex

from assay.code import Code, Source

_ENDINGS = ("", ".py", ".ipynb")
DEEPEST = 3
"""So many files that run each other are followed; more than two nobody writes."""


def files_run(code: Code, source: Source) -> dict[tuple[int | None, int | None], Source]:
    """The files of the tree that a file runs, by cell and line."""
    found: dict[tuple[int | None, int | None], Source] = {}
    for magic in source.magics:
        other = _named(code, source, magic.text) if magic.name == "run" else None
        if other is not None and other.tree is not None:
            found[magic.location.cell, magic.location.line] = other
    return found


def _named(code: Code, source: Source, text: str) -> Source | None:
    """The file that a line names, if it lies in the tree."""
    try:
        words = [word for word in shlex.split(text) if not word.startswith("-")]
    except ValueError:
        return None
    if not words or posixpath.isabs(words[0]):
        return None
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source.path), words[0]))
    candidates = (code.source(path + ending) for ending in _ENDINGS if not path.startswith(".."))
    return next((found for found in candidates if found is not None and found is not source), None)


def runs_at(source: Source, statement: ast.stmt) -> tuple[int | None, int | None]:
    """Where a magic stood that became this statement."""
    place = source.location(statement)
    return place.cell, place.line
