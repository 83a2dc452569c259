"""Files that `torch.save` wrote, as plain tensors. They are pickles: only data are built from them, nothing runs."""

from __future__ import annotations

import pickle
import struct
import zipfile
from pathlib import Path
from typing import Any

from assay.errors import InputError
from assay.extras import optional

_MAX_BYTES = 2 * 1024**3
_NO_TENSORS = (
    *(pickle.UnpicklingError, zipfile.BadZipFile, struct.error, RuntimeError, EOFError, ArithmeticError),
    *(LookupError, AttributeError, TypeError, ValueError, AssertionError, MemoryError),
)
"""What the reader of torch raises about a damaged file, or about one that asks for more than tensors."""


def load_tensors(path: Path, fix: str) -> Any:
    """The tensor, or the dictionary of tensors, of a .pt or .pth file; `fix` says what it should hold."""
    torch = optional("torch")
    try:
        size = path.stat().st_size
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                size = max(size, sum(entry.file_size for entry in archive.infolist()))
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix="Check the path.") from None
    except _NO_TENSORS:
        raise InputError("holds no plain tensors", where=str(path), fix=fix) from None
    if size > _MAX_BYTES:
        raise InputError("holds more than 2 GiB", where=str(path), fix=fix)
    try:
        return torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, *_NO_TENSORS):
        raise InputError("holds no plain tensors", where=str(path), fix=fix) from None
