"""Writing a report: the whole file or nothing, and never over somebody's work unasked."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from assay.errors import InputError


def write(content: str | bytes, path: Path, *, force: bool) -> None:
    """Put the content in the file at once, so that a reader or a crash never meets half a report."""
    try:
        target = path.resolve()  # a link keeps pointing; what it points to is replaced
        _refuse_unfit(target, path, force)
        draft = target.with_name(f".assay-{os.urandom(8).hex()}.tmp")
        try:
            _write_through(draft, content)
            if target.exists():
                draft.chmod(stat.S_IMODE(target.stat().st_mode))
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path), fix=_fix(error)) from None
    except InputError:
        raise
    except (ValueError, RuntimeError):  # a null byte, a loop of links
        raise InputError("is not a path", where=repr(str(path)), fix="Check the path.") from None


def refuse_taken(path: Path, *, force: bool) -> None:
    """Say before long work what `write` would say after it; a folder that is not there may still be made meanwhile."""
    try:
        _refuse_taken(path.resolve(), path, force)
    except InputError:
        raise
    except (OSError, ValueError, RuntimeError):  # `write` has the words for it
        return


def _refuse_unfit(target: Path, path: Path, force: bool) -> None:
    _refuse_taken(target, path, force)
    if not target.parent.is_dir():
        raise InputError(
            f'there is no folder "{path.parent}"', where=str(path), fix="Make the folder first, or name another."
        )


def _refuse_taken(target: Path, path: Path, force: bool) -> None:
    if target.is_symlink():  # from Python 3.13 on, links that lead in a circle are followed as far as they go
        raise InputError("is not a path: its links lead in a circle", where=str(path), fix="Check the path.")
    if target.is_dir():
        raise InputError("is a folder", where=str(path), fix="Name a file in it.")
    if target.exists() and not target.is_file():
        raise InputError("is not a regular file", where=str(path), fix="Leave out -o to print the report.")
    if target.exists() and not force:
        raise InputError("exists already", where=str(path), fix="To replace it, add --force.")


def _write_through(draft: Path, content: str | bytes) -> None:
    """Create the file with the permissions the user's umask gives, and see it to the disk."""
    with draft.open("xb") as stream:
        stream.write(content.encode("utf-8", errors="backslashreplace") if isinstance(content, str) else content)
        stream.flush()
        os.fsync(stream.fileno())


def _fix(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "Choose a folder where you may write."
    return "Choose another place for the report."
