"""conda's environments: YAML files with their pip part, `conda list` in its three forms, explicit lists of URLs."""

from __future__ import annotations

import re

from packaging.utils import canonicalize_name

from assay.code import Language
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import PYTHON, Declared, Kind, Pin, Problem, Reading
from assay.repository.environment.distributions import table
from assay.repository.environment.manifests.requirements import MAX_LINES, logical_lines, purpose, read_line
from assay.repository.environment.requirement import Context
from assay.repository.environment.yaml_nodes import Node, read_yaml
from assay.tree import File, Tree

_LISTED = regex(r"^dependencies:[ \t]*\n(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*-[ \t]+(?!name:)", re.MULTILINE)
_SURELY = regex(r"^channels:|^[ \t]*-[ \t]+(?:[\w-]+::)?(?:python\b|pip[ \t]*:)", re.MULTILINE)
_USUAL_CHANNELS = frozenset({"defaults", "conda-forge", "nodefaults", "anaconda", "main", "r"})
_SPEC = regex(
    r"(?:(?P<channel>[\w./:-]+?)::)?(?P<name>[A-Za-z0-9_][\w.-]*)\s*(?:\[(?P<inside>[^\]]*)\])?\s*(?P<versions>[^\[]*)"
)
_INSIDE_VERSION = regex(r"version\s*=\s*['\"]?([^'\",\]]+)")
_TWO_PARTS = frozenset({"cudatoolkit", "cuda-version", "pytorch-cuda"})
"""Packages whose releases have two parts, or are alike in all that a program can tell: `=11.8` says which one."""
_DUMPED = 15
"""From so many packages on, an environment where nearly all have versions is taken for a dump."""
_LIST_ROW = regex(r"([A-Za-z0-9_][\w.-]*)[ \t]+(\d[\w.+!-]*)(?:[ \t]+\S+){0,2}")
_EXPORT_ROW = regex(r"([A-Za-z0-9_][\w.-]*)=([\w.+!-]+)=(\S+)")
_URL_ROW = regex(r"(?:https?|file)://\S*/([^/\s]+?)-([^-/\s]+)-[^-/\s]+?(?:\.conda|\.tar\.bz2)(?P<digest>#\w+)?")


def is_environment(text: str) -> bool:
    """Whether a text is the YAML of a conda environment."""
    return bool(re.search(r"^dependencies[ \t]*:", text, re.MULTILINE)) and bool(
        re.search(
            r"^(?:channels|name|prefix|platforms)[ \t]*:|^[ \t]*-[ \t]+(?:python\b|pip[ \t]*:)", text, re.MULTILINE
        )
    )


def is_listed(text: str) -> bool:
    """Whether a file that is called as environments are has dependencies in a list; that is all conda asks for."""
    return _LISTED.search(text) is not None


def is_surely_environment(text: str) -> bool:
    """The same for a file whose name does not say so: dependencies in a list, with Python or pip or channels."""
    return "\ndependencies:" in f"\n{text}" and _SURELY.search(text) is not None and _LISTED.search(text) is not None


def is_list(text: str) -> bool:
    """Whether a text is what `conda list` printed, in whatever form."""
    if "@EXPLICIT" in text or "# packages in environment at" in text:
        return True
    lines = [line.strip() for line in text.split("\n", 200)[:200] if line.strip() and not line.lstrip().startswith("#")]
    exported = sum(bool(_EXPORT_ROW.fullmatch(line)) for line in lines)
    return exported * 2 > len(lines) or (exported > 0 and "conda create --name" in text)


def read(file: File, tree: Tree) -> Reading:
    """An environment in YAML."""
    reading = Reading(Kind.CONDA)
    try:
        root = read_yaml(file.text())
    except ValueError as error:
        return reading.unreadable(file.path, str(error))
    for channel in root.get("channels"):
        if channel.text and channel.text not in _USUAL_CHANNELS:
            reading.indexes.append((channel.text, Location(file.path, channel.line)))
    entries = root.get("dependencies").items[:MAX_LINES]
    dumped = "prefix" in root.pairs or _is_dump([e.text for e in entries if e.text])
    group = purpose(file.path)
    for entry in entries:
        if entry.text is not None:
            _add_spec(entry.text, Location(file.path, entry.line), group, dumped, reading)
        else:
            _add_pip(entry.get("pip"), file.path, group, reading, tree)
    return reading


def read_list(file: File, _tree: Tree) -> Reading:
    """What `conda list`, with or without `--export` or `--explicit`, printed."""
    reading = Reading(Kind.CONDA)
    for number, line in enumerate(file.text().split("\n")[:MAX_LINES], 1):
        row = line.strip()
        match = _EXPORT_ROW.fullmatch(row) or _URL_ROW.fullmatch(row) or _LIST_ROW.fullmatch(row)
        if row and match is not None and not row.startswith("#"):
            hashed = bool(match.groupdict().get("digest"))
            pin = Pin.HASHED if hashed else Pin.EXACT
            context = Context(reading.kind, Location(file.path, number))
            reading.declared.append(_declared(match[1], match[2], pin, context, row))
    if file.name.lower().startswith("requirement"):
        message = "is what `conda list` printed, which pip cannot install from; `conda create --file` can"
        reading.problems.append(Problem(Location(file.path, 1), message))
    return reading


def declared_spec(text: str, context: Context, dumped: bool = False) -> Declared | None:
    """What one package of conda is declared to be: `conda-forge::numpy=1.19=py38`, `numpy >=1.19,<2`."""
    match = _SPEC.fullmatch(text.strip()[:500])
    if match is None:
        return None
    versions = match["versions"].strip()
    inside = _INSIDE_VERSION.search(match["inside"] or "")
    if not versions and inside:
        versions = inside[1]
    whole = dumped or (canonicalize_name(match["name"]) in _TWO_PARTS and "." in versions)
    return _declared(match["name"], versions, conda_pin(versions, whole), context, text.strip())


def conda_pin(versions: str, dumped: bool = False) -> Pin:
    """How strict conda's way of saying versions is: `=1.19` leaves the last part free, `=1.19.2` does not."""
    if not versions or versions == "*":
        return Pin.NONE
    if re.search(r"[<>|,]|!=", versions):
        return Pin.RANGE
    bare = versions.lstrip("=~ ").partition("=")[0].strip()
    if bare.endswith("*") or versions.startswith("~"):
        return Pin.COMPATIBLE
    built = "=" in versions.lstrip("=")
    if versions.startswith("==") or built or dumped or not versions.startswith("=") or bare.count(".") >= 2:
        return Pin.EXACT
    return Pin.COMPATIBLE


def _is_dump(specs: list[str]) -> bool:
    with_version = sum("=" in spec for spec in specs)
    return len(specs) >= _DUMPED and with_version * 10 >= len(specs) * 9


def _add_spec(text: str, location: Location, group: str, dumped: bool, reading: Reading) -> None:
    declared = declared_spec(text, Context(reading.kind, location, group), dumped)
    if declared is not None:
        reading.declared.append(declared)
    else:
        reading.problems.append(Problem(location, f"{text[:80]!r} is not a package of conda"))


def _add_pip(pip: Node, path: str, group: str, reading: Reading, tree: Tree) -> None:
    for entry in pip.items[:MAX_LINES]:
        for _, line in logical_lines(entry.text or ""):
            read_line(line, Location(path, entry.line), group, reading, tree)


def _declared(name: str, versions: str, pin: Pin, context: Context, written: str) -> Declared:
    normal = canonicalize_name(name)
    language = Language.R if normal.startswith("r-") else Language.PYTHON
    if language is Language.R:
        own = "r" if normal == "r-base" else normal.removeprefix("r-")
    else:
        own = PYTHON if normal == PYTHON else table().on_pypi(normal)
    return Declared(
        own,
        pin,
        context.kind,
        context.location,
        versions,
        group=context.group,
        language=language,
        written=written[:200],
    )
