"""Audited TOML files, each parsed once for all readers."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from assay.bounded import load_toml
from assay.tree.files import File

_LONGEST = 1_000_000


def tables_of(file: File | None) -> dict[str, Any]:
    """The tables of a file; empty if it is missing or not TOML."""
    return _parsed(file.text()[:_LONGEST]) if file is not None else {}


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    try:
        return load_toml(text)
    except ValueError:
        return {}


def section(table: Any, *keys: str) -> dict[str, Any]:
    """The table at these keys; empty if there is none."""
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else {}
