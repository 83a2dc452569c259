"""Commands that installing the repository's own package would put on the path, as its set-up files declare them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import regex
from assay.records import dataclass
from assay.tree import Tree
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
    for file in (*tree.by_name("setup.py"), *tree.by_name("setup.cfg")):
        text = "" if file.vendored else file.text()[:_LONGEST]
        if "console_scripts" in text:
            after = text.partition("console_scripts")[2].replace(",", "\n").replace("[", "\n")
            yield from (ConsoleScript(*found) for found in _DECLARED.findall(after))
    for file in tree.by_name("pyproject.toml"):
        tables = {} if file.vendored else tables_of(file)
        for keys in (("project",), ("tool", "poetry")):
            for name, target in section(tables, *keys, "scripts").items():
                module, _, function = str(target).partition(":")
                yield ConsoleScript(name, module, function)
