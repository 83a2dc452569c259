"""Other files that a script depends on: those that it runs with `%run`, and those that write what it reads."""

from __future__ import annotations

import ast
import posixpath
import shlex
from collections.abc import Iterator
from pathlib import PurePosixPath

from assay.code import Code, Source
from assay.patterns import regex

_ENDINGS = ("", ".py", ".ipynb")
DEEPEST = 3
"""So many files that run each other are followed; more than two nobody writes."""


def files_run(code: Code, source: Source) -> dict[tuple[int | None, int | None], Source]:
    """The files of the tree that a file runs, by cell and line."""
    found: dict[tuple[int | None, int | None], Source] = {}
    for magic in source.magics:
        other = _file_named_in(code, source, magic.text) if magic.name == "run" else None
        if other is not None and other.tree is not None:
            found[magic.location.cell, magic.location.line] = other
    return found


def _file_named_in(code: Code, source: Source, text: str) -> Source | None:
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


_DATA_FILE = regex(r"""["']([^"'\n]+\.(?:csv|tsv|pkl|pickle|npy|npz|parquet|feather|joblib|h5|hdf|xlsx?|json))["']""")
_WRITES = ("to_csv", "to_pickle", "to_parquet", "to_feather", "to_hdf", "to_excel", ".dump(", ".save(", ".savez")
_MOST_WRITERS = 4


def writers_of(code: Code, reader: Source) -> Iterator[Source]:
    """The other scripts of the same folder that write a data file which this one names."""
    names = set(_DATA_FILE.findall(reader.text))
    if not names:
        return
    folder = PurePosixPath(reader.path).parent
    beside = (s for s in code.python if s.path != reader.path and PurePosixPath(s.path).parent == folder)
    found = (s for s in beside if s.tree is not None and any(map(s.mentions, _WRITES)) and _writes(s, names))
    for number, source in enumerate(found):
        if number == _MOST_WRITERS:
            return
        yield source


def _writes(source: Source, names: set[str]) -> bool:
    return any(source.mentions(name) for name in names)
