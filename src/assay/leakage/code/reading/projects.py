"""The project that a file lies in: the folder from which its imports are meant."""

from __future__ import annotations

from pathlib import Path

from assay.code.paths import PROJECT_FILES

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
