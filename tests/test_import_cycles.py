"""Inside these rooms no module imports itself through others, not even in a function or for its types alone."""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "assay"
WITHOUT_CYCLES = ("comparison", "leakage/data", "leakage/impact", "leakage/rules", "leakage/watching")


def module_of(file: Path) -> str:
    parts = ("assay", *file.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path, modules: set[str]) -> set[str]:
    """The modules of the room that a file imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (whole & modules) or ({node.module} & modules)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names} & modules
    return found - {module_of(file)}


@pytest.mark.parametrize("room", WITHOUT_CYCLES)
def test_the_room_has_no_import_cycle(room: str) -> None:
    files = {module_of(file): file for file in (SOURCE / room).rglob("*.py")}
    graph = {module: imports_of(file, set(files)) for module, file in files.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
