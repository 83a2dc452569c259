"""The version of the language itself, wherever it is stated: version files, and the manifests' own fields."""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from assay.code import Language
from assay.findings import Location
from assay.patterns import regex
from assay.repository.environment.declared import PYTHON, Declared, Kind, Pin, Problem, Reading
from assay.repository.environment.requirement import pin_of
from assay.tree import File, Tree

_VERSION = regex(r"(?:python-?)?(\d+(?:\.\d+){0,2}\S{0,20})", re.IGNORECASE)
_TOOL_VERSION = regex(r"python\s+(\S+)", re.IGNORECASE)
_R_VERSION = regex(r"r-(\d+(?:\.\d+){0,2})(?:-\d{4}-\d\d-\d\d)?", re.IGNORECASE)
"""As Binder reads it: the date is that of the packages' snapshot, and alone says nothing about R itself."""


def read(file: File, _tree: Tree) -> Reading:
    """.python-version, runtime.txt (of Heroku and Binder) and .tool-versions."""
    reading = Reading(Kind.VERSION_FILE)
    pattern = _TOOL_VERSION if file.name == ".tool-versions" else _VERSION
    for number, line in enumerate(file.text().split("\n", 50)[:50], 1):
        text = line.strip()
        in_r = _R_VERSION.fullmatch(text)
        match = in_r or pattern.fullmatch(text)
        if match is not None:
            name, language = ("r", Language.R) if in_r else (PYTHON, Language.PYTHON)
            pin = Pin.EXACT if match[1].count(".") >= 2 else Pin.COMPATIBLE
            place = Location(file.path, number)
            reading.declared.append(
                Declared(name, pin, reading.kind, place, match[1], language=language, written=text[:200])
            )
            break
    return reading


def add_python(versions: str, location: Location, reading: Reading) -> None:
    """State the Python that a manifest asks for; a caret or bare version is poetry's or pipenv's way."""
    text = versions.strip()
    if not text:
        return
    try:
        pin = pin_of(SpecifierSet(text))
    except InvalidSpecifier:
        bare = re.fullmatch(r"[~^=]?\s*(\d+(?:\.\d+)*)(\.\*)?", text)
        if bare is None and not re.search(r"[<>|*^~]", text):
            reading.problems.append(Problem(location, f"{text[:80]!r} is no version of Python"))
            return
        pin = (
            Pin.RANGE
            if bare is None
            else Pin.EXACT
            if bare[1].count(".") >= 2 and text[0].isdigit()
            else Pin.COMPATIBLE
        )
    if text != "*":
        reading.declared.append(Declared(PYTHON, pin, reading.kind, location, text, written=text[:200]))
