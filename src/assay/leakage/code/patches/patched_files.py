"""Writing a patch into the user's file, where that was asked for."""

from __future__ import annotations

from pathlib import Path

from assay.errors import InputError
from assay.leakage.code.patches.notebook_file import with_cells
from assay.leakage.code.patches.program_text import texts_of
from assay.leakage.code.patches.proposal import Patched


def write_patch(patched: Patched, path: Path) -> None:
    """Replace the file's content; its line endings and the other cells of a notebook stay as they are."""
    raw = path.read_bytes()
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("is not written in UTF-8", where=str(path), fix="Apply the diff by hand.") from None
    path.write_bytes(_content(patched, text, path).encode("utf-8"))


def _content(patched: Patched, text: str, path: Path) -> str:
    if patched.before.notebook is not None:
        pairs = zip(texts_of(patched.before), texts_of(patched.after), strict=True)
        return with_cells(text, {n: (old, new) for (n, old), (_, new) in pairs if n is not None and old != new})
    breaks = "\r\n" if "\r\n" in text else "\n"
    if text.removeprefix("\ufeff").replace("\r\n", "\n") != patched.before.text:
        raise InputError("has changed, or was not read as it stands", where=str(path), fix="Apply the diff by hand.")
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    return mark + patched.after.text.replace("\n", breaks)
