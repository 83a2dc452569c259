"""The files that decide results: those that the plan lists, and those that its command names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from assay.ablation.plan import Plan
from assay.errors import InputError


class WatchedFiles:
    """The content of the files at one moment, and whether it is still the same."""

    def __init__(self, plan: Plan) -> None:
        self._paths = watched_paths(plan)
        self._stamps = [_stamp(path) for path in self._paths]
        self.hashes = [_hash(path) for path in self._paths]

    def check_unchanged(self) -> None:
        """Refuse to go on when a file has changed: runs before and after do not belong together."""
        for path, stamp, content in zip(self._paths, self._stamps, self.hashes, strict=True):
            if _stamp(path) != stamp and _hash(path) != content:
                fix = "Start again: runs are made with the file as it is now."
                raise InputError("changed while runs were being made", where=str(path), fix=fix)


def watched_paths(plan: Plan) -> list[Path]:
    """The files of `depends`, and every word of the command that is a file or a module in the plan's folder."""
    listed = [plan.folder / path for path in plan.depends]
    named = [path for path in _places_in_command(plan) if _is_file(path)]
    return list(dict.fromkeys(path.resolve() for path in (*listed, *named)))


def _places_in_command(plan: Plan) -> Iterator[Path]:
    for word in plan.command:
        yield plan.folder / word
        yield plan.folder / word.partition("=")[2]
    for option, module in pairwise(plan.command):
        if option == "-m":
            place = plan.folder / module.replace(".", "/")
            yield from (place.with_name(f"{place.name}.py"), place / "__main__.py")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a word that is too long for a name, such as an inline program
        return False


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        fix = "Runs depend on this file: make it readable."
        raise InputError(f"cannot be read ({error.strerror})", where=str(path), fix=fix) from None
