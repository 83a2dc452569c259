"""The shape of leakage in code: no import cycle, layers that point one way, and fewer lines and library names."""

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from assay.libraries.loading import shipped_sources
from assay.libraries.row import NOT_ABOUT_ROWS

ROOM = Path(__file__).parents[3] / "src" / "assay" / "leakage" / "code"
LINES = 17_511
"""Lines of Python of the engine: the room without patches. Lower it when you delete; the goal is 12,000."""
MOST = {
    "dividing": 43,
    "facts": 23,
    "frames": 89,
    "language": 78,
    "learnt": 19,
    "models": 46,
    "policies": 68,
    "reading": 17,
    "scored": 12,
    "state": 33,
}
"""Library names that each package still spells out; many are words such as `train` or `columns`.

Lower them when you move names into rows, and never raise them.
"""
INTERPRETER = ("dividing", "frames", "language", "learnt", "models", "reading", "scored")
ABOVE = {
    "state": (*INTERPRETER, "facts", "policies"),
    **dict.fromkeys(INTERPRETER, ("facts", "policies")),
    "facts": ("policies",),
}
"""What each layer must not import: domain, interpreter, facts, policies."""
PACKAGE = "assay.leakage.code."


def known_names() -> frozenset[str]:
    """The names of packages and of calls in all tables."""
    tables = shipped_sources()
    packages = {p for name, t in tables.items() for p in (*t.get("packages", (name,)), *t.get("also", ()))}
    rows = (row for t in tables.values() for row in t.get("rows", ()) if row.get("effect") not in NOT_ABOUT_ROWS)
    calls = {part for row in rows for name in row["names"] for part in name.split(".")}
    return frozenset(packages | calls)


def texts(tree: ast.Module) -> Iterator[str]:
    """The texts in code; docstrings are left out."""
    blocks = (node.body for node in ast.walk(tree) if isinstance(getattr(node, "body", None), list))
    said = {id(s.value) for block in blocks for s in block if isinstance(s, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def mentions(folder: str, known: frozenset[str]) -> int:
    """How often the modules of a folder spell out a known name, alone or in a dotted path."""
    count = 0
    for file in (ROOM / folder).rglob("*.py"):
        for text in texts(ast.parse(file.read_text(encoding="utf-8"))):
            parts = set(re.findall(r"\w+", text)) if "." in text else {text}
            count += len(parts & known)
    return count


def test_names_of_libraries_become_fewer_outside_the_tables() -> None:
    known = known_names()
    found = {folder: mentions(folder, known) for folder in MOST}
    assert all(found[folder] <= most for folder, most in MOST.items()), found


def modules() -> dict[str, ast.Module]:
    """All modules of the room, by their names inside it."""
    paths = (path for path in ROOM.rglob("*.py") if path.name != "__init__.py")
    return {".".join(p.relative_to(ROOM).with_suffix("").parts): ast.parse(p.read_text("utf-8")) for p in paths}


def imported(tree: ast.Module, known: Collection[str]) -> set[str]:
    """The modules of the room that a module imports when it runs, at its head or inside a function."""
    for_types = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and id(node) not in for_types and node.module:
            names = (f"{node.module}.{alias.name}" for alias in node.names)
            found |= {name.removeprefix(PACKAGE) for name in (node.module, *names) if name.startswith(PACKAGE)}
    return found & set(known)


def leftover_cycle(imports: Mapping[str, set[str]]) -> set[str]:
    """Modules that import each other in a circle, and those that only such modules keep from being sorted."""
    left = dict(imports)
    while ready := [name for name, below in left.items() if not below & left.keys()]:
        for name in ready:
            del left[name]
    return set(left)


def test_no_module_imports_itself_through_others() -> None:
    trees = modules()
    assert leftover_cycle({name: imported(tree, trees) for name, tree in trees.items()}) == set()


def test_a_circle_of_imports_is_found() -> None:
    assert leftover_cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == {"a", "b", "c"}


def test_layers_point_one_way() -> None:
    trees = modules()
    upwards = [
        f"{name} imports {below}"
        for name, tree in trees.items()
        for below in imported(tree, trees)
        if below.partition(".")[0] in ABOVE.get(name.partition(".")[0], ())
    ]
    assert upwards == []


def test_the_room_becomes_smaller() -> None:
    engine = (path for path in ROOM.rglob("*.py") if "patches" not in path.parts)
    lines = sum(len(path.read_text("utf-8").splitlines()) for path in engine)
    assert lines <= LINES
