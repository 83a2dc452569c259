"""Places in the code, and the code that stands there."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.code import Source
from assay.findings import Location
from assay.leakage.code.facts.pair import Place
from assay.leakage.code.state.rows import Site

_LONGEST = 200
_MOST_LINES = 6


def location(site: Site) -> Location | None:
    """Where that is, if it is anywhere."""
    return site.source.location(site.node) if hasattr(site.node, "lineno") else None


@lru_cache(maxsize=4)
def _lines(source: Source) -> list[str]:
    return source.lines


def code_at(site: Site) -> str:
    """The code of a place, on one line, cut when it is long."""
    node = site.node
    if not hasattr(node, "lineno"):
        return getattr(node, "id", "")
    first, last = node.lineno, getattr(node, "end_lineno", None) or node.lineno
    if isinstance(node, ast.For | ast.While | ast.FunctionDef):
        last = first
    lines = _lines(site.source)[first - 1 : min(last, first + _MOST_LINES - 1)]
    text = " ".join(line.strip() for line in lines)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def place(site: Site) -> Place:
    """The place as plain data; of what is out of sight, the file."""
    return Place(location(site) or site.source.location(None), code_at(site))
