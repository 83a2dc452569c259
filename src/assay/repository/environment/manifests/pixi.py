"""pixi.toml, and the same tables inside pyproject.toml."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.findings import Location
from assay.repository.environment.declared import Kind, Problem, Reading
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.manifests.toml import Lines, add_table, load
from assay.repository.environment.requirement import Context
from assay.tree import File, Tree
from assay.tree.toml import section


def read(file: File, _tree: Tree) -> Reading:
    """The dependencies from conda and from PyPI, of all features."""
    reading = Reading(Kind.PIXI)
    text = file.text()
    try:
        tables = load(text)
    except ValueError as error:
        reading.problems.append(Problem(Location(file.path), str(error)))
        return reading
    add_tables(tables, Lines(file.path, text), reading)
    return reading


def add_tables(tables: dict[str, Any], lines: Lines, reading: Reading) -> None:
    """What the tables of a workspace declare."""
    for group, part in _parts(tables):
        for key in ("dependencies", "host-dependencies", "build-dependencies"):
            for name, versions in section(part, key).items():
                _add_conda(name, versions, group or ("build" if key.startswith("build") else ""), lines, reading)
        add_table(section(part, "pypi-dependencies"), group, lines, reading)


def _parts(tables: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The workspace, its features, and what both add for one platform."""
    features = section(tables, "feature")
    for group, part in [("", tables), *((name, section(features, name)) for name in features)]:
        yield group, part
        targets = section(part, "target")
        yield from ((group, section(targets, name)) for name in targets)


def _add_conda(name: str, versions: Any, group: str, lines: Lines, reading: Reading) -> None:
    given = versions.get("version", "*") if isinstance(versions, dict) else versions
    text = given if isinstance(given, str) else "*"
    declared = declared_spec(f"{name} {text}", Context(reading.kind, lines.of_key(name), group))
    if declared is not None:
        reading.declared.append(declared)
