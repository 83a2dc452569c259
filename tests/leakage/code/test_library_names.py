"""The interpreter asks rows; names of libraries and their calls that it still spells out may only become fewer."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from assay.libraries.loading import shipped_sources
from assay.libraries.row import NOT_ABOUT_ROWS

ROOM = Path(__file__).parents[3] / "src" / "assay" / "leakage" / "code"
MOST = {"models": 85, "language": 158, "": 934}
"""Mentions by sub-package of those whose knowledge has moved, and in all; many are words such as `train` or `columns`.

Lower them when you move names into rows, and never raise them.
"""


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
