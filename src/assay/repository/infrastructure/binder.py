"""Which environment repo2docker, and so Binder, would build: the first of its buildpacks that finds its file.

The order and the files are those of repo2docker's documentation ("Configuration Files", release 2026).
"""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import Tree
from assay.tree.toml import tables_of

_FOLDERS = (".binder", "binder")
_ALSO_READ = ("apt.txt", "postBuild", "start", "install.R", "runtime.txt")
_DEPENDENCIES = (
    "Dockerfile", "Project.toml", "DESCRIPTION", "environment.yml", "environment.yaml", "Pipfile", "setup.py",
    "pyproject.toml", "requirements.txt",
)  # fmt: skip
_RUNTIME = regex(r"(\w+)-[\w.]+(-\d{4}-\d\d-\d\d)?|(r)-\d{4}-\d\d-\d\d")


class Buildpack(StrEnum):
    """The kinds of environment, in the order in which they are tried; `NONE` is the plain default image."""

    DOCKER = "Dockerfile"
    JULIA = "Julia"
    NIX = "Nix"
    R = "R"
    CONDA = "conda"
    PIPFILE = "Pipfile"
    PYTHON = "Python"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Binder:
    """What Binder would do. `ignored` are files with dependencies that it would not read."""

    folder: str
    """Where it looks: ".binder", "binder", or "" for the root."""
    buildpack: Buildpack
    winner: Location | None
    """The file that decides."""
    ignored: tuple[str, ...]
    also_read: tuple[str, ...]
    both_folders: bool
    """`binder` and `.binder` exclude each other: having both is an error."""


def read_binder(tree: Tree) -> Binder:
    """Play through the rules."""
    present = [folder for folder in _FOLDERS if folder in tree.folders]
    folder = present[0] if present else ""

    def path(name: str) -> str:
        return f"{folder}/{name}" if folder else name

    candidates = [
        (Buildpack.DOCKER, path("Dockerfile")),
        (Buildpack.JULIA, path("Project.toml")),
        (Buildpack.JULIA, path("JuliaProject.toml")),
        (Buildpack.NIX, path("default.nix")),
        (Buildpack.R, _runtime(tree, path("runtime.txt"), "r", dated=True)),
        (Buildpack.R, "" if folder else "DESCRIPTION"),
        (Buildpack.CONDA, path("environment.yml")),
        (Buildpack.CONDA, path("environment.yaml")),
        (Buildpack.PIPFILE, path("Pipfile")),
        (Buildpack.PIPFILE, path("Pipfile.lock")),
        (Buildpack.PYTHON, _runtime(tree, path("runtime.txt"), "python")),
        (Buildpack.PYTHON, "" if folder else "setup.py"),
        (Buildpack.PYTHON, "" if folder else _built_by_pyproject(tree)),
        (Buildpack.PYTHON, path("requirements.txt")),
    ]
    found = [(pack, name) for pack, name in candidates if name and tree.get(name)]
    pack, winner = found[0] if found else (Buildpack.NONE, "")
    used = {name for p, name in found if p is pack}
    everywhere = dict.fromkeys([*(name for _, name in found), *(n for n in _DEPENDENCIES if tree.get(n))])
    return Binder(
        folder=folder,
        buildpack=pack,
        winner=Location(winner) if winner else None,
        ignored=tuple(name for name in everywhere if name not in used),
        also_read=tuple(path(name) for name in _ALSO_READ if tree.get(path(name))),
        both_folders=len(present) > 1,
    )


def _runtime(tree: Tree, path: str, language: str, *, dated: bool = False) -> str:
    """The path of runtime.txt if it asks for this language (with a date)."""
    file = tree.get(path)
    match = _RUNTIME.fullmatch(file.text()[:200].strip()) if file else None
    if match is None or (match[1] or match[3]).lower() != language:
        return ""
    return path if not dated or match[2] or match[3] else ""


def _built_by_pyproject(tree: Tree) -> str:
    file = tree.get("pyproject.toml")
    data = tables_of(file)
    return file.path if file is not None and "project" in data and "build-system" in data else ""
