"""Commands that installing the repository's own package puts on the path."""

from __future__ import annotations

import posixpath
import re
import tomllib
from collections.abc import Iterator

from assay.code import Code
from assay.patterns import regex
from assay.records import dataclass
from assay.tree import Tree

_DECLARED = regex(r"""^[ \t"'\[]*([\w.-]{1,80})[ \t]*=[ \t]*([\w.]{1,160}):(\w{1,80})""", re.MULTILINE)
_MOST_CHARACTERS = 300_000


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """A command, and the file whose function it calls; the path is empty when that file is not there."""

    name: str
    module: str
    path: str


def read_entry_points(tree: Tree, code: Code) -> dict[str, EntryPoint]:
    """Console scripts by name, from setup.py, setup.cfg and pyproject.toml."""
    found = {}
    for name, module in _declared(tree):
        parts = module.replace(".", "/")
        candidates = (
            posixpath.join(root, tail)
            for root in code.modules.roots
            for tail in (f"{parts}.py", f"{parts}/__init__.py")
        )
        found[name] = EntryPoint(name, module, next((c for c in candidates if tree.get(c)), ""))
    return found


def _declared(tree: Tree) -> Iterator[tuple[str, str]]:
    for file in (*tree.by_name("setup.py"), *tree.by_name("setup.cfg")):
        text = "" if file.vendored else file.text()[:_MOST_CHARACTERS]
        if "console_scripts" in text:
            after = text.partition("console_scripts")[2].replace(",", "\n").replace("[", "\n")
            yield from ((name, module) for name, module, _ in _DECLARED.findall(after))
    for file in tree.by_name("pyproject.toml"):
        if not file.vendored:
            yield from _of_project(file.text()[:_MOST_CHARACTERS])


def _of_project(text: str) -> Iterator[tuple[str, str]]:
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError):
        return
    tool = data.get("tool")
    poetry = tool.get("poetry") if isinstance(tool, dict) else None
    for table in (data.get("project"), poetry):
        scripts = table.get("scripts") if isinstance(table, dict) else None
        for name, target in scripts.items() if isinstance(scripts, dict) else ():
            yield str(name), str(target).partition(":")[0]
