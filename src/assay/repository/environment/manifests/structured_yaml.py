"""MLproject and python_env, cog's and BentoML's files, by a table of keys (structured.toml)."""

from __future__ import annotations

from functools import cache

from assay.findings import Location
from assay.repository.environment.declared import Kind, Reading
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.manifests.installers import read_command
from assay.repository.environment.manifests.requirements import include, logical_lines, read_line
from assay.repository.environment.manifests.versions import add_python
from assay.repository.environment.requirement import Context
from assay.repository.environment.yaml_nodes import Node, read_yaml
from assay.repository.tables import load_table
from assay.tree import File, Tree

_TABLES = ("assay.repository.environment.manifests", "structured.toml")
_FILES = {"requirements file": Kind.REQUIREMENTS, "conda file": Kind.CONDA, "python_env file": Kind.PYTHON_ENV}


@cache
def kinds() -> dict[str, Kind]:
    """What the files are, by their names in lower case."""
    return {name: Kind(kind) for name, kind in load_table(*_TABLES)["yaml"].items()}


def read(file: File, tree: Tree) -> Reading:
    """Every key of a file that declares something."""
    reading = Reading(kinds()[file.name.lower()])
    try:
        root = read_yaml(file.text())
    except ValueError as error:
        return reading.unreadable(file.path, str(error))
    for row in load_table(*_TABLES)["yaml_key"]:
        for path in row["keys"]:
            node = root
            for key in path.split("."):
                node = node.get(key)
            _read(
                row["holds"],
                node,
                Context(reading.kind, Location(file.path, node.line), row.get("group", "")),
                reading,
                tree,
            )
    return reading


def _read(holds: str, node: Node, context: Context, reading: Reading, tree: Tree) -> None:
    if node.text and holds in _FILES:
        include(node.text, _FILES[holds], context.location, reading, tree)
    elif node.text and holds == "python":
        add_python(node.text, context.location, reading)
    for item in node:
        place = Location(context.location.path, item.line)
        _read_item(holds, item, Context(context.kind, place, context.group), reading, tree)


def _read_item(holds: str, item: Node, context: Context, reading: Reading, tree: Tree) -> None:
    if holds == "requirements":
        for _, line in logical_lines(item.text or ""):
            read_line(line, context.location, context.group, reading, tree)
    elif holds == "commands":
        read_command(item.text or item.get("command").text or "", context.location, reading, tree)
    elif holds == "conda" and (spec := declared_spec(item.text or "", context)) is not None:
        reading.declared.append(spec)
