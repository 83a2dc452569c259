"""Commands that installing the repository's own package puts on the path."""

from __future__ import annotations

import posixpath

from assay.code import Code
from assay.records import dataclass
from assay.repository.console_scripts import console_scripts
from assay.tree import Tree


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A command, and the file whose function it calls; the path is empty when that file is not there."""

    name: str
    module: str
    path: str


def read_entry_points(tree: Tree, code: Code) -> dict[str, EntryPoint]:
    """Console scripts by name, from setup.py, setup.cfg and pyproject.toml."""
    found = {}
    for script in console_scripts(tree):
        parts = script.module.replace(".", "/")
        candidates = (
            posixpath.join(root, tail)
            for root in code.modules.roots
            for tail in (f"{parts}.py", f"{parts}/__init__.py")
        )
        found[script.name] = EntryPoint(script.name, script.module, next((c for c in candidates if tree.get(c)), ""))
    return found
