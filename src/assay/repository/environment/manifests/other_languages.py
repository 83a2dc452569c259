"""What R and Julia projects declare: DESCRIPTION, Project.toml and REQUIRE."""

from __future__ import annotations

import re

from assay.code import Language
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Kind, Pin, Problem, Reading
from assay.repository.environment.manifests.toml import Lines, load
from assay.repository.environment.standard import R
from assay.tree import File, Tree
from assay.tree.toml import section

_FIELD = regex(r"([A-Za-z@/]+):(.*)")
_GROUPS = {"depends": "", "imports": "", "linkingto": "build", "suggests": "optional", "enhances": "optional"}
_INSTALL = regex(r"\b(install\.packages|BiocManager::install|pak::pkg_install)\(([^)]{1,2000})")
_QUOTED = regex(r"[\"']([A-Za-z][\w.]*)[\"']")
_PACKAGE = regex(r"([A-Za-z][\w.]*)\s*(?:\(\s*([<>=]=?|==)\s*([\w.-]+)\s*\))?")

_REQUIRED = regex(r"\s*(?:@\w+\s+)?([A-Za-z]\w*)(?:\s+v?(\d[\w.+-]*))?")
_MOST_REQUIRED = 2000


def read_description(file: File, _tree: Tree) -> Reading:
    """DESCRIPTION of an R package or project."""
    reading = Reading(Kind.R_DESCRIPTION)
    field = ""
    for number, line in enumerate(file.text().split("\n")[:2000], 1):
        match = _FIELD.match(line)
        value = match[2] if match else line
        if match is not None:
            field = match[1].lower()
        elif line[:1] not in {" ", "\t"}:
            field = ""
        if field == "package" and value.strip():
            reading.own_names.append(value.strip())
        if field in _GROUPS:
            for part in value.split(","):
                if found := _PACKAGE.fullmatch(part.strip()):
                    _add_package(found, _GROUPS[field], Location(file.path, number), reading)
    return reading


def read_install_script(file: File, _tree: Tree) -> Reading:
    """install.R, which Binder runs: packages that are installed by name."""
    reading = Reading(Kind.SCRIPT)
    for number, line in enumerate(file.text().split("\n")[:2000], 1):
        for call in _INSTALL.finditer(line):
            for name in _QUOTED.findall(call[2]):
                location = Location(file.path, number)
                found = Declared(
                    name, Pin.NONE, reading.kind, location, language=Language.R, written=line.strip()[:200]
                )
                reading.declared.append(found)
    return reading


def _add_package(found: re.Match[str], group: str, location: Location, reading: Reading) -> None:
    if found[1] in R:
        return
    name = "r" if found[1] == "R" else found[1]
    pin = Pin.NONE if not found[2] else Pin.EXACT if found[2] in {"=", "=="} else Pin.RANGE
    versions = f"{found[2]}{found[3]}" if found[2] else ""
    reading.declared.append(
        Declared(name, pin, reading.kind, location, versions, group=group, language=Language.R, written=found[0])
    )


def read_julia(file: File, _tree: Tree) -> Reading:
    """Project.toml of Julia: `[deps]` with the versions in `[compat]`."""
    reading = Reading(Kind.JULIA_PROJECT)
    text = file.text()
    try:
        tables = load(text)
    except ValueError as error:
        reading.problems.append(Problem(Location(file.path), str(error)))
        return reading
    if isinstance(tables.get("name"), str):
        reading.own_names.append(tables["name"])
    lines = Lines(file.path, text)
    compatible = section(tables, "compat")
    groups = [("deps", ""), ("extras", "test"), ("weakdeps", "optional")]
    for key, group in groups:
        lines.of_section(f"[{key}]")
        for name in section(tables, key):
            versions = compatible.get(name)
            _add_julia(name, versions if isinstance(versions, str) else "", group, lines.of_key(name), reading)
    if isinstance(compatible.get("julia"), str):
        lines.of_section("[compat]")
        _add_julia("julia", compatible["julia"], "", lines.of_key("julia"), reading)
    return reading


def read_julia_require(file: File, _tree: Tree) -> Reading:
    """REQUIRE, Julia's manifest before version 1: a package a line, with the lowest version and the first too high."""
    reading = Reading(Kind.JULIA_PROJECT)
    for number, line in enumerate(file.text().split("\n", _MOST_REQUIRED)[:_MOST_REQUIRED], 1):
        if found := _REQUIRED.match(line):
            _add_julia(found[1], f">={found[2]}" if found[2] else "", "", Location(file.path, number), reading)
    return reading


def _add_julia(name: str, versions: str, group: str, location: Location, reading: Reading) -> None:
    if not versions:
        pin = Pin.NONE
    elif re.fullmatch(r"=\s*\d+\.\d+\.\d+", versions):
        pin = Pin.EXACT
    else:
        pin = Pin.RANGE if re.search(r"[<>≥,-]", versions) else Pin.COMPATIBLE
    reading.declared.append(
        Declared(name, pin, reading.kind, location, versions, group=group, language=Language.JULIA, written=name)
    )
