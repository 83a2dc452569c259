"""The files that decide results: those that the plan lists, those that its command names, and what these import."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain, pairwise
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
    """The files of `depends`, the files and modules that the command names, and the modules that these import."""
    listed = [plan.folder / path for path in plan.depends]
    named = [path for path in _places_in_command(plan) if _is_file(path)]
    imported = chain.from_iterable(_imports(path, plan.folder) for path in named if path.suffix == ".py")
    return list(dict.fromkeys(path.resolve() for path in (*listed, *named, *imported)))


def _imports(script: Path, folder: Path) -> Iterator[Path]:
    """The modules beside the script or in the folder that it imports, directly or through others; nothing is run."""
    from modulefinder import ModuleFinder  # rarely needed

    finder = ModuleFinder([str(script.parent), str(folder)])
    with suppress(SyntaxError, ValueError, OSError):  # the run itself will say what is wrong with the script
        finder.run_script(str(script))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return (Path(file) for file in files if file)


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
