"""Writing what a run makes: each file whole or not at all, and a full disk told as what it is."""

from __future__ import annotations

import errno
import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError

Arrays = Mapping[str, NDArray[Any]]


@contextmanager
def stored_safely(folder: Path) -> Iterator[None]:
    """Turn failures to write below `folder` into messages; what was written before stays."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            fix = "Make room and run the same command again: finished steps are kept and not repeated."
            raise InputError("there is no space left on the disk", where=str(folder), fix=fix) from None
        where = str(error.filename or folder)
        raise InputError(f"cannot be used ({error.strerror or error})", where=where, fix="Check the path.") from None


def write_bytes(path: Path, content: bytes) -> None:
    """Put the content there at once; two runs may write the same file at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}-{os.urandom(6).hex()}.part")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def write_json(path: Path, data: object) -> None:
    """Plain data as JSON that a person can read."""
    write_bytes(path, (json.dumps(data, indent=2, allow_nan=False) + "\n").encode())


def write_arrays(path: Path, arrays: Arrays) -> None:
    """Named arrays, without anything that would need unpickling."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **dict(arrays))
    write_bytes(path, stream.getvalue())


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays that `write_arrays` wrote."""
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
