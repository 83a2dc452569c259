"""The command that installs what a manifest declares, for remedies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.repository.environment import Manifest

_COMMANDS = {
    "requirements": "pip install -r {path}",
    "conda": "conda env create -f {path}",
    "pyproject": "pip install {folder}",
    "setup.py": "pip install {folder}",
    "setup.cfg": "pip install {folder}",
    "Pipfile": "pipenv install",
    "pixi": "pixi install",
    "Project.toml": "julia --project={folder} -e 'using Pkg; Pkg.instantiate()'",
    "DESCRIPTION": "Rscript -e 'remotes::install_deps(\"{folder}\")'",
    "Dockerfile": "docker build -f {path} .",
}
"""By kind of manifest, the most telling kind first."""
_ORDER = list(_COMMANDS)


def installing(manifests: Iterable[Manifest]) -> str:
    """What to type for the most telling of the manifests; empty when none of them can be installed from."""
    known = [m for m in manifests if m.kind in _COMMANDS]
    if not known:
        return ""
    best = min(known, key=lambda m: (_ORDER.index(m.kind), m.path.count("/")))
    if best.kind == "conda" and best.path.endswith(".txt"):  # an explicit list, not an environment
        return f"conda create --name work --file {best.path}"
    return _COMMANDS[best.kind].format(path=best.path, folder=best.path.rpartition("/")[0] or ".")
