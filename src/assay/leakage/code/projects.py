"""The project that a file lies in: the folder from which its imports are meant."""

from __future__ import annotations

from pathlib import Path

from assay.code.paths import PROJECT_FILES

_MARKS = (".git", ".hg", *PROJECT_FILES, "requirements.txt", "environment.yml", "Pipfile", ".gitignore")
"""What the topmost folder of a project holds."""


def project_around(path: Path) -> Path:
    """The working folder, if the file lies below it; else the nearest folder above it that is marked as a project.

    Without any mark it is the folder that the file, or the package that it belongs to, lies in.
    """
    here = Path.cwd()
    if path.is_relative_to(here):
        return here
    above = path.parent
    while _holds(above, "__init__.py") and above != above.parent:
        above = above.parent
    marked = (folder for folder in (above, *above.parents) if any(_holds(folder, mark) for mark in _MARKS))
    return next(marked, above)


def _holds(folder: Path, name: str) -> bool:
    try:
        return (folder / name).exists()
    except OSError:  # a closed folder shows nothing
        return False
