"""Configuration files: keys with their parents, and their values.

YAML, INI, TOML and gin are read by lines, because templates need not parse; JSON is parsed where it can be.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from assay.bounded import load_json
from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass

SUFFIXES = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".gin", ".conf")
"""The endings of files that may hold settings."""
_LINE = regex(
    r"""^(?P<indent>[ \t]*)(?P<item>-[ \t]+)?["']?(?P<key>[A-Za-z_][\w./-]{0,100})["']?"""
    r"""[ \t]*[:=][ \t]*(?P<value>[^\n]{0,400})$""",
    re.MULTILINE,
)
_SECTION = regex(r"^\[{1,2}([\w.\" -]{1,80})\]{1,2}[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_PAIR = regex(r"""["']?([A-Za-z_][\w.-]{0,60})["']?[ \t]*:[ \t]*("[^"]*"|'[^']*'|[^,{}\[\]]{1,80})""")
_NUMBER = regex(r"[-+]?(?:\d[\d_]*)(?:\.\d*)?(?:[eE][-+]?\d+)?$")
_LONGEST_NUMBER = 24
_TRUTHS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_LONGEST = 40_000
"""Longer files hold data, not settings."""
_DEEPEST = 12
_MOST_LOST = 20
"""Keys with escapes are not found in the text; after this many, the search for lines stops."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A dotted key of a configuration file, with its value as written and the line."""

    path: str
    value: str
    line: int


def entries(text: str, suffix: str) -> list[Entry]:
    """All keys of a file that have a value."""
    if suffix == ".json":
        try:
            return list(_json_entries(load_json(text), text))
        except (ValueError, RecursionError):
            pass
    return list(_line_entries(text))


def _line_entries(text: str) -> Iterator[Entry]:
    above: list[tuple[int, str]] = []
    sections = [(match.start(), match[1].strip('" ')) for match in _SECTION.finditer(text)]
    section, line, counted = "", 1, 0
    for match in _LINE.finditer(text):
        line += text.count("\n", counted, match.start())
        counted = match.start()
        while sections and sections[0][0] < match.start():
            section = sections.pop(0)[1]
        indent = len(match["indent"]) + len(match["item"] or "")
        above = _parents(above, indent)
        path = ".".join([*([section] if section else []), *(key for _, key in above), match["key"].strip("./")])
        value = _without_comment(match["value"])
        if not value or value[0] in "&!":
            above.append((indent, match["key"]))
        elif value.startswith("{"):
            yield from (Entry(f"{path}.{key}", inner.strip(), line) for key, inner in _PAIR.findall(value))
            above.append((indent, match["key"]))
        elif not value.startswith("["):
            yield Entry(path, value, line)


def _parents(above: list[tuple[int, str]], indent: int) -> list[tuple[int, str]]:
    """The keys, with their indents, that enclose a line of this indent."""
    depth = len(above)
    while depth and above[depth - 1][0] >= indent:
        depth -= 1
    return above[:depth]


def _without_comment(value: str) -> str:
    bare = value.strip()
    if bare[:1] in {'"', "'"}:
        end = bare.find(bare[0], 1)
        return bare[: end + 1] if end > 0 else bare
    return re.split(r"(?:^|\s)#", bare, maxsplit=1)[0].rstrip().rstrip(",").rstrip()


def _json_entries(value: Any, text: str) -> Iterator[Entry]:
    """JSON entries in source order, so that each search starts at the previous line."""
    at, line, lost = 0, 1, 0
    for path, key, inner in _leaves(value, "", 0):
        found = text.find(json.dumps(key, ensure_ascii=False), at) if lost < _MOST_LOST else -1
        lost += found < 0
        line += text.count("\n", at, max(found, at))
        at = max(found, at)
        yield Entry(path, inner if isinstance(inner, str) else json.dumps(inner), line)


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, str, Any]]:
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, path, depth + 1)
    for key, inner in value.items() if isinstance(value, dict) else ():
        whole = f"{path}.{key}" if path else str(key)
        if isinstance(inner, dict | list):
            yield from _leaves(inner, whole, depth + 1)
        else:
            yield whole, str(key), inner


def nested(text: str, path: str) -> dict[object, object] | None:
    """The nested settings of a YAML or JSON file; None for lists, for data, and for files that do not parse."""
    if len(text) > _LONGEST:
        return None
    try:
        if path.endswith(".json"):
            found = load_json(text)
        else:
            from assay.plain_yaml import parse_yaml  # slow to load, and most code has no such file

            found, _ = parse_yaml(text, path)
    except (InputError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def number(text: str) -> int | float | bool | None:
    """The number or boolean that YAML reads a word as; None for other words."""
    if text.lower() in _TRUTHS:
        return _TRUTHS[text.lower()]
    if len(text) > _LONGEST_NUMBER or _NUMBER.match(text) is None:
        return None
    whole = text.replace("_", "")
    return int(whole) if whole.lstrip("+-").isdigit() else float(whole)
