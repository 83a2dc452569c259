"""Results of steps, kept under the hash of all that they depend on: inputs, choices, and the code of the step.

Nothing has to be declared stale: a changed input, choice or line of code is another key. Two runs may share a
folder, since every file appears whole.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from assay.records import dataclass
from assay.slides.storage import Arrays, read_arrays, write_arrays

_WHOLE = 64 * 1024 * 1024
_PIECE = 1024 * 1024
_PIECES = 64


@dataclass(frozen=True, slots=True)
class Cache:
    """A folder of results."""

    folder: Path

    def arrays(self, step: str, key: str, make: Callable[[], Arrays]) -> dict[str, NDArray[Any]]:
        """The arrays of a step, made now unless they are there. A damaged file is made anew."""
        path = self.folder / step / key[:2] / f"{key}.npz"
        if path.exists():
            try:
                return read_arrays(path)
            except (OSError, ValueError, EOFError, zipfile.BadZipFile):
                path.unlink(missing_ok=True)
        made = dict(make())
        write_arrays(path, made)
        return made


def key_of(*parts: object) -> str:
    """One key for plain data (whatever JSON can hold), the same on every machine."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:40]


@cache
def code_of(*modules: str) -> str:
    """The version of a step: the hash of the source of its modules (relative to this package)."""
    here = Path(__file__).parent
    texts = [(here / f"{name}.py").read_bytes() for name in modules]
    return hashlib.sha256(b"\0".join(texts)).hexdigest()[:16]


def fingerprint(path: Path) -> str:
    """The content of a file as a hash. Of a file above 64 MiB, its length and 64 pieces spread over it."""
    size = path.stat().st_size
    digest = hashlib.sha256(str(size).encode())
    with path.open("rb") as stream:
        if size <= _WHOLE:
            digest.update(stream.read())
        else:
            for piece in range(_PIECES):
                stream.seek(piece * (size - _PIECE) // (_PIECES - 1))
                digest.update(stream.read(_PIECE))
    return digest.hexdigest()
