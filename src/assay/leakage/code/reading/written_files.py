"""Files that one script of a folder writes and another reads, by literal paths: what was learnt goes with the rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from assay.code import Code, Source
from assay.patterns import regex

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
