"""Pipfile of pipenv."""

from __future__ import annotations

from assay.findings import Location
from assay.repository.environment.declared import Kind, Problem, Reading
from assay.repository.environment.manifests.toml import Lines, add_table, load
from assay.repository.environment.manifests.versions import add_python
from assay.tree import File, Tree
from assay.tree.toml import section

_USUAL = "pypi"
"""The name that pipenv gives the public index."""


def read(file: File, _tree: Tree) -> Reading:
    """Packages, packages for development, and the version of Python."""
    reading = Reading(Kind.PIPFILE)
    text = file.text()
    try:
        tables = load(text)
    except ValueError as error:
        reading.problems.append(Problem(Location(file.path), str(error)))
        return reading
    lines = Lines(file.path, text)
    lines.of_section("[packages]")
    add_table(section(tables, "packages"), "", lines, reading)
    lines.of_section("[dev-packages]")
    add_table(section(tables, "dev-packages"), "dev", lines, reading)
    for key, value in section(tables, "requires").items():
        if key in {"python_version", "python_full_version"} and isinstance(value, str):
            lines.of_section("[requires]")
            add_python(value, lines.of_key(key), reading)
    sources = tables.get("source")
    for source in sources if isinstance(sources, list) else []:
        if not isinstance(source, dict) or source.get("name") == _USUAL:
            continue
        url = source.get("url")
        if isinstance(url, str):
            reading.indexes.append((url, lines.find(url)))
    return reading
