"""TOML with the lines where things stand, and the tables of name and version that several tools keep in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from packaging.utils import canonicalize_name

from assay.bounded import load_toml
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import Declared, Pin, Reading
from assay.repository.environment.manifests.versions import add_python
from assay.repository.environment.requirement import holds_somewhere

_COMMIT = regex(r"[0-9a-f]{7,40}", re.IGNORECASE)
Versions = str | Mapping[str, Any] | list[Any]
"""How poetry, pipenv and pixi write the versions of one dependency."""


@dataclass(slots=True)
class Lines:
    """Finds where a piece of a text stands; pieces are asked for in about the order of the text."""

    path: str
    text: str
    last: int = 0

    def find(self, piece: str) -> Location:
        """The line of the next place where this piece stands, or of the first one; the file when nowhere."""
        spot = self.text.find(piece, self.last)
        if spot < 0:
            spot = self.text.find(piece)
        if spot < 0:
            return Location(self.path)
        self.last = spot
        return Location(self.path, self.text.count("\n", 0, spot) + 1)

    def of_section(self, heading: str) -> None:
        """Go on from a heading, so that what is asked next is found behind it."""
        self.last = max(self.text.find(heading), 0)

    def of_key(self, key: str) -> Location:
        """The line where a key gets its value."""
        match = re.compile(rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*=", re.MULTILINE).search(self.text, self.last)
        if match is None:
            return self.find(key)
        return Location(self.path, self.text.count("\n", 0, match.start() + 1) + 1)


def load(text: str) -> dict[str, Any]:
    """The text as tables; what is no TOML raises ValueError."""
    try:
        return load_toml(text)
    except ValueError as error:
        raise ValueError(f"is not valid TOML: {error}") from None


def texts(value: Any) -> list[str]:
    """The strings of a list."""
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []


def add_table(table: Mapping[str, Any], group: str, lines: Lines, reading: Reading) -> None:
    """Dependencies written as `name = versions`, as poetry and pipenv do."""
    for name, versions in table.items():
        location = lines.of_key(name)
        if name.lower() == "python":
            add_python(versions if isinstance(versions, str) else "", location, reading)
            continue
        for one in versions if isinstance(versions, list) else [versions]:
            reading.declared.append(from_entry(name, one, group, location, reading))


def from_entry(name: str, versions: Any, group: str, location: Location, reading: Reading) -> Declared:
    """One dependency: a version, or a table that says where it comes from."""
    given = versions if isinstance(versions, dict) else {"version": versions}
    text = given.get("version")
    specifier, pin = _origin(given) or (text if isinstance(text, str) else "", version_pin(text))
    marker = given.get("markers")
    marker = marker if isinstance(marker, str) else ""
    return Declared(
        name=canonicalize_name(name),
        pin=pin,
        kind=reading.kind,
        location=location,
        specifier=specifier,
        marker=marker,
        applies=holds_somewhere(marker),
        group=group or ("optional" if given.get("optional") is True else ""),
        extras=tuple(sorted(texts(given.get("extras")))),
        written=f"{name} = {versions}"[:200],
    )


def _origin(given: Mapping[str, Any]) -> tuple[str, Pin] | None:
    """Where a dependency comes from when not from an index."""
    if address := _text_at(given, "git", "hg", "svn"):
        reference = _text_at(given, "rev", "ref", "tag", "branch")
        pin = Pin.COMMIT if _COMMIT.fullmatch(reference) else Pin.VCS
        return f"{address}@{reference}" if reference else address, pin
    if path := next(filter(None, (given.get(key) for key in ("path", "file", "workspace"))), None):
        return str(path), Pin.PATH
    url = _text_at(given, "url")
    return (url, Pin.URL) if url else None


def _text_at(given: Mapping[str, Any], *keys: str) -> str:
    """The first text at one of the keys."""
    return next((given[key] for key in keys if isinstance(given.get(key), str)), "")


def version_pin(text: Any) -> Pin:
    """How strict a version is in poetry's and pipenv's notation: bare ones are exact, `^` and `~` compatible."""
    versions = text.strip() if isinstance(text, str) else ""
    if versions in {"", "*"}:
        return Pin.NONE
    if re.fullmatch(r"={0,3}\s*v?\d[\w.+!-]*", versions):
        return Pin.EXACT
    if re.fullmatch(r"(?:={2}|[~^]=?)?\s*v?\d[\w.+!]*(?:\.\*)?", versions):
        return Pin.COMPATIBLE
    return Pin.RANGE
