"""setup.py, read off its syntax tree: nothing of it is run."""

from __future__ import annotations

import ast
import posixpath
from collections.abc import Iterator

from packaging.utils import canonicalize_name

from assay.code.parsing import parse
from assay.findings import Location
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.literals import Values
from assay.repository.environment.manifests.requirements import add
from assay.repository.environment.manifests.versions import add_python
from assay.tree import File, Tree

_MAX_BYTES = 256 * 1024
_GROUPS = {"install_requires": "", "requires": "", "setup_requires": "build", "tests_require": "test"}


def read(file: File, tree: Tree) -> Reading:
    """What the arguments of `setup(…)` declare, as far as they are known without running it."""
    reading = Reading(Kind.SETUP_PY)
    parsed = parse(file.text()) if file.size <= _MAX_BYTES else None
    if parsed is None or parsed.tree is None:
        reason = parsed.problem.message if parsed and parsed.problem else "is too large"
        return reading.unreadable(file.path, reason)
    values = Values(parsed.tree, posixpath.dirname(file.path), tree)
    for call in _setup_calls(parsed.tree):
        for name, value in values.arguments(call):
            _read_argument(name, value, values, file, reading)
    reading.included += [(path, Kind.REQUIREMENTS) for path in dict.fromkeys(values.files)]
    return reading


def _setup_calls(module: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and "setup" in {
            getattr(node.func, "id", None),
            getattr(node.func, "attr", None),
        }:
            yield node


def _read_argument(name: str, value: ast.expr, values: Values, file: File, reading: Reading) -> None:
    for group, listed in _groups(name, value, values):
        for text, line in values.strings(listed):
            add(text, Location(file.path, line), group, reading)
    for text, line in values.strings(value)[:1] if name in {"name", "python_requires"} else ():
        if name == "name":
            reading.own_names.append(canonicalize_name(text))
        else:
            add_python(text, Location(file.path, line), reading)


def _groups(name: str, value: ast.expr, values: Values) -> list[tuple[str, ast.expr]]:
    """The lists of requirements in an argument, by what they are for."""
    if name == "extras_require":
        return [(group.partition(":")[0] or "optional", listed) for group, listed in values.entries(value)]
    return [(_GROUPS[name], value)] if name in _GROUPS else []
