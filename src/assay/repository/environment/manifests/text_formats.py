"""Manifests that a few patterns can read: locks, R's and Julia's lists, recipes, version files (text_formats.toml)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from functools import cache
from itertools import islice

from packaging.utils import canonicalize_name

from assay.bounded import load_json
from assay.code import Language
from assay.findings import Location
from assay.records import dataclass
from assay.repository.environment.declared import PYTHON, Declared, Kind, Pin, Reading
from assay.repository.environment.distributions import table
from assay.repository.environment.manifests.conda import declared_spec
from assay.repository.environment.manifests.installers import read_words
from assay.repository.environment.manifests.requirements import read_line
from assay.repository.environment.requirement import Context
from assay.repository.environment.standard import R
from assay.repository.tables import load_table
from assay.tree import File, Tree

_MOST_ENTRIES = 10_000
_LANGUAGES = {"r", "julia", PYTHON}


class Syntax(StrEnum):
    """Whose requirement a `spec` is."""

    PIP = "pip"
    CONDA = "conda"
    DEBIAN = "debian"


@dataclass(frozen=True, slots=True)
class Entry:
    """One way in which files of a format name packages."""

    pattern: str
    block: str = ""
    groups: Mapping[str, str] = field(default_factory=dict)
    syntax: Syntax = Syntax.PIP
    package: str = ""
    operator: str = ""
    hashed: str = ""
    """What says, from one entry to the next, that hashes are given."""
    from_index: str = ""
    """What says so that a package is called as on the index, where the others are called as conda calls them."""

    def bodies(self, text: str) -> Iterator[tuple[int, str, str]]:
        """Where the entry is looked for: the start, the text, and the group of what is declared there."""
        if not self.block:
            yield 0, text, ""
        for block in re.compile(self.block, re.MULTILINE).finditer(text) if self.block else ():
            group = block.groupdict().get("group") or ""
            yield block.start("body"), block["body"], self.groups.get(group, "")

    def matches(self, text: str) -> Iterator[tuple[re.Match[str], str]]:
        """Each match with the text up to the next one."""
        found = list(islice(re.compile(self.pattern, re.MULTILINE).finditer(text), _MOST_ENTRIES))
        ends = (*(match.start() for match in found[1:]), len(text))
        yield from ((match, text[match.start() : end]) for match, end in zip(found, ends, strict=False))


@dataclass(frozen=True, slots=True)
class Format:
    """What files of some names hold."""

    kind: Kind
    entries: tuple[Entry, ...]
    language: Language = Language.PYTHON
    only_if: str = ""
    own_name: str = ""
    json: bool = False
    hashed_throughout: str = ""

    def is_of(self, text: str) -> bool:
        """Whether a file of that name is of this format; most names say enough."""
        return not self.only_if or re.search(self.only_if, text, re.MULTILINE) is not None


@cache
def formats() -> Mapping[str, tuple[Format, ...]]:
    """The formats by the names of their files, in lower case."""
    found: dict[str, tuple[Format, ...]] = {}
    for row in load_table("assay.repository.environment.manifests", "text_formats.toml")["format"]:
        rest = {key: value for key, value in row.items() if key not in {"files", "entry", "kind", "language"}}
        entries = tuple(Entry(**{**one, "syntax": Syntax(one.get("syntax", "pip"))}) for one in row["entry"])
        language = Language(row.get("language", Language.PYTHON))
        for name in row["files"]:
            found[name] = (*found.get(name, ()), Format(Kind(row["kind"]), entries, language, **rest))
    return found


def read(file: File, tree: Tree) -> Reading:
    """All that the formats of a file's name find in it."""
    known = formats()[file.name.lower()]
    reading, text = Reading(known[0].kind), file.text()
    for form in known:
        if form.json and not _is_json(text):
            reading.unreadable(file.path, "is not valid JSON")
        elif form.is_of(text):
            _read_format(form, text, file, reading, tree)
    return reading


def _read_format(form: Format, text: str, file: File, reading: Reading, tree: Tree) -> None:
    if form.own_name:
        reading.own_names += re.findall(form.own_name, text, re.MULTILINE)[:1]
    throughout = bool(form.hashed_throughout) and re.search(form.hashed_throughout, text, re.MULTILINE) is not None
    found: dict[tuple[str, str], Declared] = {}
    for entry, (place, group, match, chunk) in ((e, p) for e in form.entries for p in _places(e, text, file.path)):
        hashed = throughout or bool(entry.hashed and re.search(entry.hashed, chunk))
        context = Context(form.kind, place, group, hashed)
        if "spec" in match.groupdict():
            _add_spec(match["spec"].strip(), entry.syntax, context, reading, tree)
        else:
            one = _declared(match, entry, form, context, chunk)
            found.setdefault((one.name, one.specifier), one)
    standard = R if form.language is Language.R else frozenset[str]()
    reading.declared += [one for one in found.values() if one.name not in standard]


def _places(entry: Entry, text: str, path: str) -> Iterator[tuple[Location, str, re.Match[str], str]]:
    """Each match in a text with its line and group; lines are counted on from the match before."""
    line, counted = 1, 0
    for start, body, group in entry.bodies(text):
        for match, chunk in entry.matches(body):
            spot = start + (match.start() if entry.package or not entry.block else _first_start(match))
            line += text.count("\n", counted, spot)
            counted = spot
            yield Location(path, line), group, match, chunk


def _first_start(match: re.Match[str]) -> int:
    return match.start("spec" if "spec" in match.groupdict() else "name")


def _add_spec(spec: str, syntax: Syntax, context: Context, reading: Reading, tree: Tree) -> None:
    match syntax:
        case Syntax.PIP:
            read_line(spec, context.location, context.group, reading, tree)
        case Syntax.DEBIAN:
            read_words(["apt", "install", spec], context.location, reading, tree)
        case Syntax.CONDA:
            declared = declared_spec(spec, context)
            reading.declared += [declared] if declared is not None else []


def _declared(match: re.Match[str], entry: Entry, form: Format, context: Context, chunk: str) -> Declared:
    found = match.groupdict()
    version = found.get("version") or ""
    operator = found.get("operator") or (entry.operator if version else "")
    return Declared(
        _name(entry.package or match["name"], entry, form, chunk),
        _pin(entry.package or match["name"], version, operator, context.hashed),
        context.kind,
        context.location,
        operator + version,
        group=context.group,
        language=form.language,
        written=" ".join(filter(None, (found.get("name"), operator + version)))[:200],
    )


def _name(name: str, entry: Entry, form: Format, chunk: str) -> str:
    if form.language is not Language.PYTHON:
        return "r" if name == "R" else name
    if entry.from_index and not re.search(entry.from_index, chunk, re.MULTILINE):
        return table().on_pypi(name)
    return canonicalize_name(name)


def _pin(name: str, version: str, operator: str, hashed: bool) -> Pin:
    if not version:
        return Pin.NONE
    if operator not in {"", "=", "=="}:
        return Pin.RANGE
    if name.lower() in _LANGUAGES and version.count(".") < 2:
        return Pin.COMPATIBLE
    return Pin.HASHED if hashed else Pin.EXACT


def _is_json(text: str) -> bool:
    try:
        return isinstance(load_json(text), dict)
    except ValueError:
        return False
