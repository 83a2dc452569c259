"""pyproject.toml in its dialects, Pipfile, pixi.toml and Julia's Project.toml, by a table of keys (structured.toml)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from packaging.utils import canonicalize_name

from assay.code import Language
from assay.records import dataclass
from assay.repository.environment.declared import Declared, Kind, Pin, Reading
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.manifests.requirements import add, include
from assay.repository.environment.manifests.toml import Lines, add_table, from_entry, load, texts
from assay.repository.environment.manifests.versions import add_python
from assay.repository.environment.requirement import Context
from assay.repository.tables import load_table
from assay.tree import File, Tree
from assay.tree.toml import section

_TABLES = ("assay.repository.environment.manifests", "structured.toml")
_PUBLIC_INDEX = "pypi"
_ORIGINS = frozenset({"git", "path", "url", "workspace"})


@dataclass(frozen=True, slots=True)
class _Held:
    """What stands at a key of one file."""

    value: Any
    key: str
    group: str
    lines: Lines
    reading: Reading
    tree: Tree
    tables: dict[str, Any]

    @property
    def entries(self) -> dict[str, Any]:
        return self.value if isinstance(self.value, dict) else {}


@cache
def kinds() -> dict[str, Kind]:
    """What the files are, by their names in lower case."""
    return {name: Kind(kind) for name, kind in load_table(*_TABLES)["toml"].items()}


def read(file: File, tree: Tree) -> Reading:
    """Every key of a file that declares something."""
    reading, text = Reading(kinds()[file.name.lower()]), file.text()
    try:
        tables = load(text)
    except ValueError as error:
        return reading.unreadable(file.path, str(error))
    lines = Lines(file.path, text)
    for row, path in ((one, path) for one in load_table(*_TABLES)["toml_key"] for path in one["keys"]):
        for key, star, value in _at(tables, path.split(".")):
            group = star if row.get("group") == "*" else row.get("group", "")
            lines.of_section(f"[{key}]" if f"[{key}]" in text else f"[{key.rpartition('.')[0]}]")
            _READERS[row["holds"]](_Held(value, key, group, lines, reading, tree, tables))
    return reading


def _at(tables: Any, keys: list[str], before: tuple[str, ...] = (), star: str = "") -> Iterator[tuple[str, str, Any]]:
    """The whole key, what the first `*` stands for, and the value, wherever a path of keys leads."""
    if not keys:
        yield ".".join(before), star, tables
    elif isinstance(tables, dict):
        for key in list(tables) if keys[0] == "*" else [keys[0]] if keys[0] in tables else []:
            yield from _at(tables[key], keys[1:], (*before, key), star or (key if keys[0] == "*" else ""))


def _requirements(held: _Held) -> None:
    for text in texts(held.value):
        bare = text.removeprefix("-e").strip()
        add(bare, held.lines.find(bare), held.group, held.reading)


def _versions(held: _Held) -> None:
    add_table(held.entries, held.group, held.lines, held.reading)


def _conda_versions(held: _Held) -> None:
    for name, versions in held.entries.items():
        given = versions.get("version") if isinstance(versions, dict) else versions
        context = Context(held.reading.kind, held.lines.of_key(name), held.group)
        declared = declared_spec(f"{name} {given if isinstance(given, str) else '*'}", context)
        held.reading.declared += [declared] if declared is not None else []


def _python(held: _Held) -> None:
    if isinstance(held.value, str):
        add_python(held.value, held.lines.of_key(held.key.rpartition(".")[2]), held.reading)


def _name(held: _Held) -> None:
    if isinstance(held.value, str):
        held.reading.own_names.append(canonicalize_name(held.value))


def _indexes(held: _Held) -> None:
    for index in held.value if isinstance(held.value, list) else ():
        url = index.get("url") if isinstance(index, dict) and index.get("name") != _PUBLIC_INDEX else None
        if isinstance(url, str):
            held.reading.indexes.append((url, held.lines.find(url)))


def _files(held: _Held) -> None:
    for path in [held.value] if isinstance(held.value, str) else texts(held.value):
        include(path, Kind.REQUIREMENTS, held.lines.find(path), held.reading, held.tree)


def _origins(held: _Held) -> None:
    """In uv the origin of a dependency stands in a table of its own."""
    sources: dict[str, dict[str, Any]] = {
        canonicalize_name(name): one for name, one in held.entries.items() if isinstance(one, dict)
    }
    for i, one in enumerate(held.reading.declared):
        if one.name in sources and not _ORIGINS.isdisjoint(sources[one.name]):
            found = from_entry(one.name, sources[one.name], one.group, one.location, held.reading)
            held.reading.declared[i] = replace(one, pin=found.pin, specifier=found.specifier)


def _julia(held: _Held) -> None:
    """Julia's packages; their versions stand in a table of their own."""
    for name in held.entries:
        versions = section(held.tables, "compat").get(name)
        _add_julia(name, versions if isinstance(versions, str) else "", held)


def _julia_version(held: _Held) -> None:
    if isinstance(held.value, str):
        held.lines.of_section("[compat]")
        _add_julia("julia", held.value, held)


def _add_julia(name: str, versions: str, held: _Held) -> None:
    if re.fullmatch(r"=\s*\d+\.\d+\.\d+", versions):
        pin = Pin.EXACT
    elif re.search(r"[<>≥,-]", versions):
        pin = Pin.RANGE
    else:
        pin = Pin.COMPATIBLE if versions else Pin.NONE
    place = held.lines.of_key(name)
    held.reading.declared.append(
        Declared(name, pin, held.reading.kind, place, versions, group=held.group, language=Language.JULIA, written=name)
    )


_READERS: dict[str, Callable[[_Held], None]] = {
    "requirements": _requirements,
    "versions": _versions,
    "conda versions": _conda_versions,
    "python": _python,
    "name": _name,
    "indexes": _indexes,
    "files": _files,
    "origins": _origins,
    "julia": _julia,
    "julia version": _julia_version,
}
