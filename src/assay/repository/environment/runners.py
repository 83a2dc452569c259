"""Is the tool that runs the tests named? Whoever reads how to start pytest knows that it is needed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Kind, Pin
from assay.repository.environment.imports import Role
from assay.repository.environment.matching import Undeclared
from assay.tree import File, Tree

_RUNNER = "pytest"
_SETTINGS = frozenset({"pytest.ini", "tox.ini", "setup.cfg", "pyproject.toml", "makefile", "justfile", "noxfile.py"})
_ENDINGS = frozenset({".md", ".rst", ".sh", ".yml", ".yaml"})
_NAMED = regex(r"(?<![\w/-])(?:pytest|py\.test)(?![\w-])")
_MOST, _LONGEST = 200, 64 * 1024


def judged_by_runners(uncovered: Iterable[Undeclared], tree: Tree) -> Iterator[Undeclared]:
    """The same modules; pytest has the line of a page, script or setting that tells to run it, if any."""
    for one in uncovered:
        tests = one.outside.module == _RUNNER and one.outside.role is Role.TESTS and not one.mentioned
        place = _first_line(tree) if tests else None
        yield one if place is None else replace(one, mentioned=(Declared(_RUNNER, Pin.NONE, Kind.SCRIPT, place),))


def _first_line(tree: Tree) -> Location | None:
    for file in [file for file in tree.own if _may_name(file)][:_MOST]:
        text = file.text()
        found = _NAMED.search(text)
        if found is not None:
            return Location(file.path, text.count("\n", 0, found.start()) + 1)
    return None


def _may_name(file: File) -> bool:
    return (file.name.lower() in _SETTINGS or file.suffix in _ENDINGS) and file.size <= _LONGEST
