"""Lock files: every version that was resolved. They can be long, so TOML and YAML are read line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from packaging.utils import canonicalize_name

from assay.bounded import load_json
from assay.code import Language
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import PYTHON, Declared, Kind, Pin, Problem, Reading
from assay.repository.environment.distributions import table
from assay.repository.environment.manifests.toml import Lines
from assay.tree import File, Tree

MAX_PACKAGES = 10_000

_TOML_HEAD = regex(r"\[\[packages?\]\]")
_TOML_FIELD = regex(r"(name|version)\s*=\s*[\"']([^\"']{1,200})[\"']")
_HASH = regex(r"sha256[:=]|\bhash\b|blake2b|content-hash")
_YAML_FIELD = regex(r"[ \t]*(?:-[ \t]+)?(name|version|manager|sha256|md5|hash|conda|pypi|kind)[ \t]*:[ \t]*(.*)")
_CONDA_URL = regex(r"/([^/\s]+?)-([^-/\s]+)-[^-/\s]+?(?:\.conda|\.tar\.bz2)$")
_JULIA_HEAD = regex(r"\[\[(?:deps\.)?([A-Za-z]\w*)\]\]")


def read_toml(file: File, _tree: Tree) -> Reading:
    """poetry.lock, uv.lock, pdm.lock and pylock.toml, which all keep a table for each package."""
    text = file.text()
    reading = Reading(Kind.LOCK)
    for start, fields, hashed in _toml_packages(text):
        if len(reading.declared) >= MAX_PACKAGES:
            break
        name, version = fields.get("name", ""), fields.get("version", "")
        if name and version:
            reading.declared.append(_locked(name, version, hashed, Location(file.path, start)))
    if "[metadata.files]" in text or "[metadata.hashes]" in text:  # poetry before 1.5 kept the hashes at the end
        reading.declared = [replace(d, pin=Pin.HASHED) for d in reading.declared]
    return reading


def read_pipfile_lock(file: File, _tree: Tree) -> Reading:
    """Pipfile.lock of pipenv."""
    reading = Reading(Kind.LOCK)
    tables = _json(file, reading)
    lines = Lines(file.path, file.text())
    for group in ("default", "develop"):
        entries = tables.get(group)
        for name, entry in list(entries.items())[:MAX_PACKAGES] if isinstance(entries, dict) else []:
            version = entry.get("version") if isinstance(entry, dict) else None
            if isinstance(version, str):
                hashed = bool(entry.get("hashes"))
                reading.declared.append(_locked(name, version.lstrip("="), hashed, lines.find(f'"{name}"')))
    return reading


def read_conda_lock(file: File, _tree: Tree) -> Reading:
    """conda-lock.yml and pixi.lock."""
    reading = Reading(Kind.LOCK)
    seen: set[tuple[str, str]] = set()
    for start, fields in _yaml_packages(file.text()):
        if len(reading.declared) >= MAX_PACKAGES:
            break
        name, version = fields.get("name", ""), fields.get("version", "")
        url = _CONDA_URL.search(fields.get("conda", ""))
        if url:
            name, version = url[1], url[2]
        if not name or not version or (name, version) in seen:
            continue
        seen.add((name, version))
        own = name if "pypi" in fields or fields.get("manager") == "pip" else table().on_pypi(name)
        hashed = not {"sha256", "md5", "hash"}.isdisjoint(fields)
        reading.declared.append(_locked(own, version, hashed, Location(file.path, start)))
    return reading


def read_renv(file: File, _tree: Tree) -> Reading:
    """renv.lock of R."""
    reading = Reading(Kind.LOCK)
    tables = _json(file, reading)
    lines = Lines(file.path, file.text())
    language = tables.get("R")
    packages = tables.get("Packages")
    entries = [("r", language), *(list(packages.items())[:MAX_PACKAGES] if isinstance(packages, dict) else [])]
    for name, entry in entries:
        version = entry.get("Version") if isinstance(entry, dict) else None
        if isinstance(version, str):
            location = lines.find(f'"{name}"' if name != "r" else '"Version"')
            pin = Pin.HASHED if entry.get("Hash") else Pin.EXACT
            reading.declared.append(Declared(name, pin, reading.kind, location, version, language=Language.R))
    return reading


def read_julia_manifest(file: File, _tree: Tree) -> Reading:
    """Manifest.toml of Julia."""
    reading = Reading(Kind.LOCK)
    name, start = "", 0
    for number, line in enumerate(file.text().split("\n"), 1):
        if head := _JULIA_HEAD.match(line):
            name, start = head[1], number
        elif (found := _TOML_FIELD.match(line)) and found[1] == "version" and name:
            location = Location(file.path, start)
            declared = Declared(name, Pin.EXACT, reading.kind, location, found[2], language=Language.JULIA)
            reading.declared.append(declared)
            name = ""
            if len(reading.declared) >= MAX_PACKAGES:
                break
        elif line.startswith("julia_version"):
            version = line.partition("=")[2].strip().strip('"')
            location = Location(file.path, number)
            reading.declared.append(
                Declared("julia", Pin.EXACT, reading.kind, location, version, language=Language.JULIA)
            )
    return reading


def _toml_packages(text: str) -> Iterator[tuple[int, dict[str, str], bool]]:
    """Line, name and version, and whether hashes are given, of each package."""
    start, fields, hashed = 0, dict[str, str](), False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("["):
            if _TOML_HEAD.match(line):
                if start:
                    yield start, fields, hashed
                start, fields, hashed = number, {}, False
            elif start and not line.startswith(("[package", "[[package")):
                yield start, fields, hashed
                start = 0
        elif start:
            if (found := _TOML_FIELD.match(line)) and found[1] not in fields:
                fields[found[1]] = found[2]
            hashed = hashed or bool(_HASH.search(line))
    if start:
        yield start, fields, hashed


def _yaml_packages(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    """The simple fields of each item of the list of packages."""
    inside, start, fields = False, 0, dict[str, str]()
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith(("package:", "packages:")):
            inside = True
        elif inside and line.startswith(("- ", "  - ")) and (line.startswith("- ") or not fields):
            if fields:
                yield start, fields
            start, fields = number, {}
        if inside and (found := _YAML_FIELD.match(line)) and len(line) < 1000:
            fields.setdefault(found[1], found[2].strip().strip("'\""))
    if fields:
        yield start, fields


def _locked(name: str, version: str, hashed: bool, location: Location) -> Declared:
    normal = canonicalize_name(name)
    own = PYTHON if normal == PYTHON else normal
    pin = Pin.HASHED if hashed else Pin.EXACT
    return Declared(own, pin, Kind.LOCK, location, version, written=f"{name} {version}")


def _json(file: File, reading: Reading) -> dict[str, Any]:
    try:
        found = load_json(file.text())
    except ValueError:
        found = None
    if not isinstance(found, dict):
        reading.problems.append(Problem(Location(file.path), "is not valid JSON"))
        return {}
    return found
