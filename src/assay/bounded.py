"""Load TOML and JSON from untrusted files; texts that would exhaust memory are refused before parsing.

Both parsers build many bytes for each byte they read, and `tomllib` needs memory quadratic in the parts of a
dotted key: 100 kB of `a.a.a... = 1` take more than 8 GB.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from assay.patterns import regex

MOST_KEY_PARTS = 40
"""Parts of a dotted TOML key. Tools that nest deepest (pyproject.toml) use about eight."""

MOST_JSON_ITEMS = 4_000_000
"""Lists, objects and items of a JSON file. An empty list takes 56 bytes, so this keeps a file below about 500 MB."""

_STRING = r""""(?:[^"\\\n]++|\\.)*+"?|'[^'\n]*+'?"""
_PART = rf"(?:[\w-]++|{_STRING})"
_TOKEN = regex(
    r'''"""(?:[^"\\]++|\\(?s:.)|"(?!""))*+"{0,5}'''  # a text of several lines
    r"""|'''(?s:.)*?(?:'{3,5}|\Z)"""
    r"|\#[^\n]*+"
    rf"|(?P<key>{_PART}(?:[ \t]*+\.[ \t]*+{_PART})*+)"
)
"""What may hold a dot. Each match begins where the one before ended, so a key in a text or a comment is no key."""
_PARTS = regex(_PART)


def load_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables of a TOML text. Invalid, too deeply nested or oversized text is a ValueError that says so."""
    import tomllib

    if (line := _line_of_long_key(text)) is not None:
        raise ValueError(f"a key has more than {MOST_KEY_PARTS} parts (at line {line})")
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _line_of_long_key(text: str) -> int | None:
    """The line of the first key of too many parts. A key ends with its line, so most texts need no closer look."""
    if not any(line.count(".") >= MOST_KEY_PARTS for line in text.split("\n")):
        return None
    for token in _TOKEN.finditer(text):
        key = token["key"]
        if key and key.count(".") >= MOST_KEY_PARTS and len(_PARTS.findall(key)) > MOST_KEY_PARTS:
            return text.count("\n", 0, token.start()) + 1
    return None


def load_json(text: str, **options: Any) -> Any:
    """The value of a JSON text. Invalid, too deeply nested or oversized text is a ValueError that says so."""
    if sum(map(text.count, "[{,")) > MOST_JSON_ITEMS:
        raise ValueError(f"it has more than {MOST_JSON_ITEMS:,} items")
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
