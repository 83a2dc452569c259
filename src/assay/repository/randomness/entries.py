"""Where runs begin: notebooks, scripts, and the commands that a package installs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from assay.code import Code
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.console_scripts import console_scripts
from assay.repository.randomness.facts import Entry
from assay.repository.randomness.graph import Graph
from assay.repository.randomness.units import Kind, Outline, Unit
from assay.tree import Tree

_NO_SCRIPTS = frozenset({"setup.py", "conf.py", "__init__.py", "versioneer.py", "noxfile.py", "fabfile.py", "tasks.py"})
_TOLD = regex(r"\bpython[23]?(?:\.\d+)?[ \t]+(?:-[uOB][ \t]+)*([\w./-]{1,150}\.py)\b")
_MOST_PAGES, _LONGEST_PAGE = 60, 100_000


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a run: a module, and the function that a command calls in it."""

    kind: Entry
    name: str
    module: Unit
    function: Unit | None = None


def read_starts(tree: Tree, code: Code, graph: Graph) -> list[Start]:
    """Every way to run the repository's own code; tests are none."""
    imported = {path for outline in graph.outlines.values() for path in outline.imported if path != outline.path}
    told = _told(tree)
    found: list[Start] = []
    for path, outline in graph.outlines.items():
        source = code.source(path)
        name = path.rpartition("/")[2]
        if source is None or name in _NO_SCRIPTS or (outline.is_test and name not in told):
            continue
        if source.notebook is not None:
            found.append(Start(Entry.NOTEBOOK, path, outline.units[0]))
        elif _is_script(outline, path in imported and name not in told):
            found.append(Start(Entry.SCRIPT, path, outline.units[0]))
    known = {start.module.path for start in found}
    commands = (start for start in _commands(tree, code, graph) if start.module.path not in known)
    return [*found, *commands]


def _told(tree: Tree) -> frozenset[str]:
    """Names of scripts that a README or a shell script runs: others may import from them all the same."""
    files = tree.by_suffix(".md", ".rst", ".sh")
    pages = (f for f in files if not f.vendored and (f.suffix == ".sh" or f.name.lower().startswith("readme")))
    texts = (page.text()[:_LONGEST_PAGE] for page in islice(pages, _MOST_PAGES))
    return frozenset(path.rpartition("/")[2] for text in texts for path in _TOLD.findall(text))


def _is_script(outline: Outline, imported: bool) -> bool:
    """Whether running the file does something: it has a main block, or top-level calls and nobody imports it."""
    if any(unit.kind is Kind.MAIN for unit in outline.units):
        return True
    return not imported and bool(outline.units[0].events or outline.units[0].mentions)


def _commands(tree: Tree, code: Code, graph: Graph) -> Iterator[Start]:
    for script in console_scripts(tree):
        parts = script.module.replace(".", "/")
        for root in code.modules.roots:
            for path in (f"{parts}.py", f"{parts}/__init__.py"):
                full = f"{root}/{path}" if root else path
                for unit in graph.top_level(full, script.function)[:1]:
                    yield Start(Entry.COMMAND, script.name, graph.outlines[full].units[0], unit)
