"""Which environment repo2docker, and so Binder, would build: the first of its buildpacks that finds its file.

The order and the files are those of repo2docker's documentation ("Configuration Files", release 2026).
"""

from __future__ import annotations

import posixpath
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


_ANYWHERE = (
    (Buildpack.DOCKER, "Dockerfile"),
    (Buildpack.JULIA, "Project.toml"),
    (Buildpack.JULIA, "JuliaProject.toml"),
    (Buildpack.NIX, "default.nix"),
    (Buildpack.CONDA, "environment.yml"),
    (Buildpack.CONDA, "environment.yaml"),
    (Buildpack.PIPFILE, "Pipfile"),
    (Buildpack.PIPFILE, "Pipfile.lock"),
    (Buildpack.PYTHON, "requirements.txt"),
)


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
    found = [(pack, path) for pack, path in _candidates(tree, folder) if path and tree.get(path)]
    pack, winner = found[0] if found else (Buildpack.NONE, "")
    used = {path for p, path in found if p is pack}
    everywhere = dict.fromkeys([*(path for _, path in found), *filter(tree.get, _DEPENDENCIES)])
    return Binder(
        folder=folder,
        buildpack=pack,
        winner=Location(winner) if winner else None,
        ignored=tuple(path for path in everywhere if path not in used),
        also_read=tuple(filter(tree.get, (posixpath.join(folder, name) for name in _ALSO_READ))),
        both_folders=len(present) > 1,
    )


def _candidates(tree: Tree, folder: str) -> list[tuple[Buildpack, str]]:
    """The files that decide, in the order in which they are looked for; some count in the root alone."""
    runtime = posixpath.join(folder, "runtime.txt")
    named = [(pack, posixpath.join(folder, name)) for pack, name in _ANYWHERE]
    in_root = [] if folder else [(Buildpack.R, "DESCRIPTION"), (Buildpack.PYTHON, "setup.py")]
    project = [] if folder else [(Buildpack.PYTHON, _built_by_pyproject(tree))]
    asked = [
        (Buildpack.R, _runtime(tree, runtime, "r", dated=True)),
        (Buildpack.PYTHON, _runtime(tree, runtime, "python")),
    ]
    found = [*asked, *in_root, *project, *named]
    return sorted(found, key=lambda candidate: list(Buildpack).index(candidate[0]))


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
