"""The version of Python as manifests state it."""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, SpecifierSet

from assay.findings import Location
from assay.repository.environment.declared import PYTHON, Declared, Pin, Problem, Reading
from assay.repository.environment.requirement import pin_of


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
