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

_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = regex(rf"""(?<![\w-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_KEY_PARTS}}}""")


def load_toml(text: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables of a TOML text. Invalid, too deeply nested or oversized text is a ValueError that says so."""
    import tomllib

    if (found := _LONG_KEY.search(text)) is not None:
        line = text.count("\n", 0, found.start()) + 1
        raise ValueError(f"a key has more than {MOST_KEY_PARTS} parts (at line {line})")
    try:
        return tomllib.loads(text, parse_float=parse_float)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def load_json(text: str, **options: Any) -> Any:
    """The value of a JSON text. Invalid, too deeply nested or oversized text is a ValueError that says so."""
    if sum(map(text.count, "[{,")) > MOST_JSON_ITEMS:
        raise ValueError(f"it has more than {MOST_JSON_ITEMS:,} items")
    try:
        return json.loads(text, **options)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
