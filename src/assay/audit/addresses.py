"""Addresses of papers and repositories: a link, a DOI or an arXiv number, and where its material is downloaded."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote, urlsplit

from assay.records import dataclass

_NEWEST = "HEAD"
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Address:
    """What the user typed, the URL that serves it, and a name for the file."""

    text: str
    url: str
    name: str


def address_of(text: str) -> Address | None:
    """The address that a text stands for; None for anything else, and for a path that exists."""
    typed = text.strip()
    if not typed or len(typed) > _LONGEST or _exists(typed):
        return None
    for pattern, download in _hosts():
        if found := pattern.fullmatch(typed):
            parts = {key: value or _NEWEST for key, value in found.groupdict().items()}
            url = download.format(**{key: quote(value, safe="/.") for key, value in parts.items()})
            return Address(typed, url, _file_name(parts["name"]))
    if re.match(r"https?://", typed, re.IGNORECASE):
        return Address(typed, typed, _file_name(urlsplit(typed).path.rstrip("/").rpartition("/")[2]))
    return None


def _exists(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _file_name(text: str) -> str:
    """A name without any character that means something to a file system."""
    return re.sub(r"[^\w.-]+", "-", text).strip(".-")[:80] or "download"


@cache
def _hosts() -> tuple[tuple[re.Pattern[str], str], ...]:
    table = tomllib.loads(files("assay.audit").joinpath("addresses.toml").read_text(encoding="utf-8"))
    return tuple((re.compile(row["address"], re.IGNORECASE), row["download"]) for row in table["host"])
