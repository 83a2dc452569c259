"""Commands that installing the repository's own package would put on the path, as its set-up files declare them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import regex
from assay.records import dataclass
from assay.tree import File, Tree
from assay.tree.toml import section, tables_of

_DECLARED = regex(r"""^[ \t"'\[]*([\w.-]{1,80})[ \t]*=[ \t]*([\w.]{1,160}):(\w{1,80})""", re.MULTILINE)
_LONGEST = 300_000


@dataclass(frozen=True, slots=True)
class ConsoleScript:
    """A command, and the function it calls."""

    name: str
    module: str
    function: str


def console_scripts(tree: Tree) -> Iterator[ConsoleScript]:
    """From setup.py, setup.cfg and pyproject.toml, where they are the authors' own."""
    files = [f for name in ("setup.py", "setup.cfg", "pyproject.toml") for f in tree.by_name(name) if not f.vendored]
    for file in files:
        yield from _in_tables(file) if file.suffix == ".toml" else _in_text(file.text()[:_LONGEST])


def _in_text(text: str) -> Iterator[ConsoleScript]:
    after = text.partition("console_scripts")[2].replace(",", "\n").replace("[", "\n")
    yield from (ConsoleScript(*found) for found in _DECLARED.findall(after))


def _in_tables(file: File) -> Iterator[ConsoleScript]:
    tables = tables_of(file)
    scripts = section(tables, "project", "scripts") | section(tables, "tool", "poetry", "scripts")
    for name, target in scripts.items():
        module, _, function = str(target).partition(":")
        yield ConsoleScript(name, module, function)
