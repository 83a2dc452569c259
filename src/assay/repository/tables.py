"""The tables of the room: words, hosts and names that decide something, as TOML beside the code that asks them."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from assay.bounded import load_toml


@cache
def load_table(package: str, name: str) -> dict[str, Any]:
    """The table of this name beside a package, read once; each row is checked by the module that asks for it."""
    return load_toml((resources.files(package) / name).read_text("utf-8"))
