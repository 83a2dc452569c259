"""From the paths that a user names to the code to analyse."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from assay.code import Code, Source, read_code
from assay.code.paths import PROJECT_FILES
from assay.errors import InputError
from assay.files import is_there, read_bytes
from assay.leakage.code.imported_files import with_imported_files
from assay.records import dataclass
from assay.tree import open_tree

_SUFFIXES = frozenset({".py", ".pyw", ".ipynb", ".qmd", ".rmd"})
_BESIDE = 200
"""So many files beside a script are read, for what it imports from them or runs of them."""
_LARGEST = 32 * 1024 * 1024
_LEVELS = 4
"""A file lies in the folder of its project, or at most so many less one below."""
_OF_PROJECTS = (*PROJECT_FILES, "README.md", "README.rst", "README.txt", "README", "LICENSE", "requirements.txt")


@dataclass(frozen=True, slots=True)
class Opened:
    """Code, and which of its files are to be analysed; the others are there to be imported."""

    code: Code
    sources: tuple[Source, ...]
    left_out: tuple[str, ...] = ()


def open_code(path: Path) -> Opened:
    """A script or notebook with what lies beside it and what it imports; or all code of a folder, archive or commit."""
    if path.suffix.lower() in _SUFFIXES and not (is_there(path) and path.is_dir()):
        return _one_file(path)
    tree = open_tree(path)
    code = read_code(tree)
    if not code.python:
        raise InputError("holds no Python code", where=str(path), fix="Name scripts, notebooks or folders with them.")
    return Opened(code, code.python, tree.left_out)


def _one_file(path: Path) -> Opened:
    path = Path(os.path.abspath(path)) if ".." in path.parts else path  # noqa: PTH100 - links stay links
    name = _shown(path)
    files = {name: read_bytes(path, _LARGEST)}
    endings = ("*.py", "*.ipynb") if b"%run" in files[name] else ("*.py",)
    beside = sorted(p for ending in endings for p in path.parent.glob(ending) if p != path)[:_BESIDE]
    left_out: dict[str, str] = {}
    top = path.parents[len(PurePosixPath(name).parts) - 1]

    def read(inside: str) -> bytes | None:
        try:
            return read_bytes(top / inside, _LARGEST // 16) if (top / inside).is_file() else None
        except (InputError, OSError) as error:
            what = error.what if isinstance(error, InputError) else f"cannot be read ({error.strerror})"
            left_out[inside] = f"{inside}: {what}"
            return None

    folder = PurePosixPath(name).parent
    found = {inside: read(inside) for inside in (str(folder / module.name) for module in beside)}
    files |= {inside: data for inside, data in found.items() if data is not None}
    code = with_imported_files(files, name, read)
    return Opened(code, tuple(s for s in code.sources if s.path == name), tuple(left_out.values()))


def _shown(path: Path) -> str:
    """The path as given where it lies below the working folder, else as it lies in its project, or its name alone.

    Hidden folders are not entered, unless somebody names a file in one.
    """
    inside = path.relative_to(_project(path)) if path.is_absolute() else path
    hidden = path.is_absolute() and any(part.startswith(".") for part in inside.parts)
    return path.name if hidden else inside.as_posix()


def _project(path: Path) -> Path:
    """The folder that a file is of: the nearest that is a repository, else the highest near it that looks like one."""
    above = list(path.parents[:_LEVELS])
    repository = next((folder for folder in above if (folder / ".git").exists()), None)
    like_one = [folder for folder in above if any((folder / name).is_file() for name in _OF_PROJECTS)]
    return repository or (like_one[-1] if like_one else above[0])
