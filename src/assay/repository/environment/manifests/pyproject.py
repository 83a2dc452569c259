"""pyproject.toml: the standard tables (PEP 518, 621, 735) and those of hatch, pdm, uv, flit and setuptools."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from packaging.utils import canonicalize_name

from assay.findings import Location
from assay.repository.environment.declared import Kind, Problem, Reading
from assay.repository.environment.manifests import pixi
from assay.repository.environment.manifests.requirements import add, include
from assay.repository.environment.manifests.toml import Lines, add_table, from_entry, load, texts
from assay.repository.environment.manifests.versions import add_python
from assay.tree import File, Tree
from assay.tree.toml import section


def read(file: File, tree: Tree) -> Reading:
    """Every table that declares something."""
    reading = Reading(Kind.PYPROJECT)
    text = file.text()
    try:
        tables = load(text)
    except ValueError as error:
        reading.problems.append(Problem(Location(file.path), str(error)))
        return reading
    lines = Lines(file.path, text)
    for group, requirements in _lists(tables):
        for requirement in requirements:
            add(requirement, lines.find(requirement), group, reading)
    _read_project(tables, lines, reading)
    _read_poetry(section(tables, "tool", "poetry"), lines, reading)
    if pixi_tables := section(tables, "tool", "pixi"):
        pixi.add_tables(pixi_tables, lines, reading)
    for path in _dynamic_files(tables):
        include(path, Kind.REQUIREMENTS, lines.find(path), reading, tree)
    _apply_sources(section(tables, "tool", "uv", "sources"), reading)
    return reading


def _lists(tables: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """Group and requirements of every list, in the order in which they usually stand."""
    yield "build", texts(section(tables, "build-system").get("requires"))
    project, tool = section(tables, "project"), section(tables, "tool")
    yield "", texts(project.get("dependencies"))
    for extra, listed in section(project, "optional-dependencies").items():
        yield extra, texts(listed)
    for group, listed in section(tables, "dependency-groups").items():
        yield group, texts(listed)
    for group, listed in section(tool, "pdm", "dev-dependencies").items():
        yield group, [t.removeprefix("-e").strip() for t in texts(listed)]
    yield "dev", texts(section(tool, "uv").get("dev-dependencies"))
    for name, environment in section(tool, "hatch", "envs").items():
        for key in ("dependencies", "extra-dependencies"):
            yield name, texts(section({"env": environment}, "env").get(key))
    flit = section(tool, "flit", "metadata")
    yield "", texts(flit.get("requires"))
    for extra, listed in section(flit, "requires-extra").items():
        yield extra, texts(listed)


def _read_project(tables: dict[str, Any], lines: Lines, reading: Reading) -> None:
    for table in (section(tables, "project"), section(tables, "tool", "flit", "metadata")):
        python = table.get("requires-python")
        if isinstance(python, str):
            add_python(python, lines.of_key("requires-python"), reading)
        name = table.get("name") or table.get("module")
        if isinstance(name, str):
            reading.own_names.append(canonicalize_name(name))
    _add_indexes(section(tables, "tool", "uv").get("index"), lines, reading)


def _add_indexes(listed: Any, lines: Lines, reading: Reading) -> None:
    for index in listed if isinstance(listed, list) else []:
        if isinstance(index, dict) and isinstance(index.get("url"), str):
            reading.indexes.append((index["url"], lines.find(index["url"])))


def _read_poetry(poetry: dict[str, Any], lines: Lines, reading: Reading) -> None:
    if not poetry:
        return
    if isinstance(poetry.get("name"), str):
        reading.own_names.append(canonicalize_name(poetry["name"]))
    lines.of_section("[tool.poetry.dependencies]")
    add_table(section(poetry, "dependencies"), "", lines, reading)
    lines.of_section("[tool.poetry.dev-dependencies]")
    add_table(section(poetry, "dev-dependencies"), "dev", lines, reading)
    for group in section(poetry, "group"):
        lines.of_section(f"[tool.poetry.group.{group}.dependencies]")
        add_table(section(poetry, "group", group, "dependencies"), group, lines, reading)
    _add_indexes(poetry.get("source"), lines, reading)


def _dynamic_files(tables: dict[str, Any]) -> Iterator[str]:
    """Requirements files that setuptools or hatch fills the dependencies in from."""
    dynamic = section(tables, "tool", "setuptools", "dynamic")
    optional = section(dynamic, "optional-dependencies")
    hooks = section(tables, "tool", "hatch", "metadata", "hooks", "requirements_txt")
    for place in (section(dynamic, "dependencies"), *(v for v in optional.values() if isinstance(v, dict))):
        files = place.get("file")
        yield from [files] if isinstance(files, str) else texts(files)
    yield from texts(hooks.get("files"))


def _apply_sources(sources: dict[str, Any], reading: Reading) -> None:
    """In uv the origin of a dependency stands in a table of its own."""
    origins: dict[str, dict[str, Any]] = {
        canonicalize_name(name): source for name, source in sources.items() if isinstance(source, dict)
    }
    for i, declared in enumerate(reading.declared):
        if declared.name in origins and not {"git", "path", "url", "workspace"}.isdisjoint(origins[declared.name]):
            told = from_entry(declared.name, origins[declared.name], declared.group, declared.location, reading)
            reading.declared[i] = replace(declared, pin=told.pin, specifier=told.specifier)
