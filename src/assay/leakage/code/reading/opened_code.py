"""From the paths that a user names to the code to analyse."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from assay.code import Code, Source, read_code
from assay.code.paths import PROJECT_FILES
from assay.errors import InputError
from assay.files import is_there, read_bytes
from assay.leakage.code.reading.imported_files import with_imported_files
from assay.records import dataclass
from assay.tree import open_tree

_MARKS = (".git", ".hg", *PROJECT_FILES, "requirements.txt", "environment.yml", "Pipfile", ".gitignore")
"""What the topmost folder of a project holds."""
_WEAK_MARKS = ("README.md", "README.rst", "README.txt", "README", "LICENSE")
"""What it holds often, and folders in it do, too."""
_NEAR = 3
"""Folders above a file that may be its project for these alone."""


def project_around(path: Path) -> Path:
    """The working folder, if the file lies below it; else the nearest folder above it that is marked as a project.

    Else the highest near it that might be one, or the folder that the file, or the package that it belongs to, lies in.
    """
    here = Path.cwd()
    if path.is_relative_to(here):
        return here
    above = path.parent
    while _holds(above, "__init__.py") and above != above.parent:
        above = above.parent
    folders = (above, *above.parents)
    marked = (folder for folder in folders if any(_holds(folder, mark) for mark in _MARKS))
    perhaps = [folder for folder in folders[: _NEAR + 1] if any(_holds(folder, mark) for mark in _WEAK_MARKS)]
    return next(marked, perhaps[-1] if perhaps else above)


def _holds(folder: Path, name: str) -> bool:
    try:
        return (folder / name).exists()
    except OSError:  # a closed folder shows nothing
        return False


_SUFFIXES = frozenset({".py", ".pyw", ".ipynb", ".qmd", ".rmd"})
_BESIDE = 200
"""So many files beside a script are read, for what it imports from them or runs of them."""
_LARGEST = 32 * 1024 * 1024
_SETTINGS = (".json", ".yaml", ".yml")
_LONGEST_SETTINGS = 64 * 1024


@dataclass(frozen=True, slots=True)
class Opened:
    """Code, and which of its files to analyse; the others are there to be imported."""

    code: Code
    sources: tuple[Source, ...]
    left_out: tuple[str, ...] = ()


def open_code(path: Path, *, project: bool = False) -> Opened:
    """A script or notebook with what lies beside it and what it imports; or all code of a folder, archive or commit.

    Where a script lies outside the working folder, its imports are looked up in the `project` around it only if that is
    asked for: code from somebody else may not name the files of the person who examines it.
    """
    if path.suffix.lower() in _SUFFIXES and not (is_there(path) and path.is_dir()):
        if project and not _below_working_folder(path):
            inside = path.resolve()
            opened = _one_file(inside, inside.relative_to(project_around(inside)).as_posix())
            if opened.sources:  # none, where the way from the project leads through a folder that nobody enters
                return opened
        return _one_file(path, path.as_posix() if _below_working_folder(path) else path.name)
    tree = open_tree(path)
    code = read_code(tree)
    if not code.python:
        raise InputError("holds no Python code", where=str(path), fix="Name scripts, notebooks or folders with them.")
    return Opened(code, code.python, tree.left_out)


def _one_file(path: Path, name: str) -> Opened:
    """One file by its name below the folder that its imports are looked up in."""
    top = path.parents[len(PurePosixPath(name).parts) - 1]
    files = {name: read_bytes(path, _LARGEST)}
    endings = ("*.py", "*.ipynb") if b"%run" in files[name] else ("*.py",)
    beside = sorted(p for ending in endings for p in path.parent.glob(ending) if p != path)[:_BESIDE]
    left_out: dict[str, str] = {}

    def read(inside: str) -> bytes | None:
        try:
            return _content(top / inside)
        except InputError as error:
            left_out[inside] = f"{inside}: {error.what}"
        except OSError as error:
            left_out[inside] = f"{inside}: cannot be read ({error.strerror})"
        return None

    folder = PurePosixPath(name).parent
    found = {inside: read(inside) for inside in (str(folder / module.name) for module in beside)}
    files |= {inside: data for inside, data in found.items() if data is not None}
    code = with_imported_files(files, name, read)
    return Opened(code, tuple(s for s in code.sources if s.path == name), tuple(left_out.values()))


def _content(path: Path) -> bytes | None:
    """What a file holds; None where there is none, or where it is data, whatever it is called."""
    try:
        if path.suffix in _SETTINGS and path.stat().st_size > _LONGEST_SETTINGS:
            return None
    except FileNotFoundError:
        return None
    return read_bytes(path, _LARGEST // 16) if path.is_file() else None


def _below_working_folder(path: Path) -> bool:
    return not path.is_absolute() and ".." not in path.parts
