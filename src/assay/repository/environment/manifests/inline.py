"""Dependencies that a script states about itself, in a comment at its top (PEP 723)."""

from __future__ import annotations

import re

from assay.bounded import load_toml
from assay.code import Source
from assay.patterns import regex
from assay.repository.environment.declared import Reading
from assay.repository.environment.requirement import Context, declare

MARK = "# /// script"
_BLOCK = regex(r"^# /// script[ \t]*\n((?:#(?: [^\n]*)?\n){1,500}?)# ///[ \t]*$", re.MULTILINE)


def read_inline(source: Source, reading: Reading) -> None:
    """Add what the block says; one that is no TOML says nothing."""
    block = _BLOCK.search(source.text)
    if block is None:
        return
    place = source.location(source.text.count("\n", 0, block.start()) + 1)
    try:
        stated = load_toml(re.sub(r"^# ?", "", block[1], flags=re.MULTILINE)).get("dependencies")
    except ValueError:
        return
    for text in stated if isinstance(stated, list) else ():
        declared, problem = declare(str(text), Context(reading.kind, place))
        if declared is not None and not problem:
            reading.declared.append(declared)
