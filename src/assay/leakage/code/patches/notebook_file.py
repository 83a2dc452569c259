"""Writing changed cells into a notebook's file; everything else in it stays byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from json.decoder import JSONDecodeError

from assay.errors import InputError

_DECODER = json.JSONDecoder()
_SPACE = " \t\r\n"


def with_cells(raw: str, changes: Mapping[int, tuple[str, str]]) -> str:
    """The file with some cells changed; a change is the cell's code as it was read and as it shall be."""
    try:
        spans = dict(enumerate(_cells(raw), 1))
    except (JSONDecodeError, IndexError):
        raise InputError("the notebook's file cannot be changed in place", fix="Apply the diff by hand.") from None
    for number in sorted(changes, reverse=True):
        start, end = _member(raw, spans[number], "source")
        before, after = changes[number]
        value = json.loads(raw[start:end])
        text = value if isinstance(value, str) else "".join(value)
        new = _merged(text.replace("\r\n", "\n"), before, after)
        raw = raw[:start] + _written(new, value, raw[start:end]) + raw[end:]
    return raw


def _merged(text: str, before: str, after: str) -> str:
    """The cell with the changed lines; lines that only IPython understands are kept as they stand."""
    kept, old, new = text.split("\n"), before.split("\n"), after.split("\n")
    if len(kept) != len(old):
        raise InputError("the notebook's cell cannot be changed in place", fix="Apply the diff by hand.")
    lines: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        lines += kept[a:b] if tag == "equal" else new[c:d]
    return "\n".join(lines)


def _written(text: str, value: object, raw: str) -> str:
    """The text as the file writes a cell: one string, or a list of lines with the same indentation."""
    ascii_only = raw.isascii()
    if isinstance(value, str):
        return json.dumps(text, ensure_ascii=ascii_only)
    items = [json.dumps(line, ensure_ascii=ascii_only) for line in text.splitlines(keepends=True)]
    opening = raw[1 : len(raw) - len(raw[1:].lstrip(_SPACE))]
    closing = raw[len(raw[:-1].rstrip(_SPACE)) : -1]
    between = f",{opening}" if opening else ", "
    return f"[{opening}{between.join(items)}{closing}]" if items else "[]"


def _cells(raw: str) -> Iterator[int]:
    """Where each cell of the notebook begins."""
    at = _skip(raw, _member(raw, _skip(raw, 0), "cells")[0] + 1)
    while raw[at] != "]":
        yield at
        at = _skip(raw, _DECODER.raw_decode(raw, at)[1])
        at = _skip(raw, at + 1) if raw[at] == "," else at


def _member(raw: str, start: int, name: str) -> tuple[int, int]:
    """Where the value of a member of an object begins and ends."""
    at = _skip(raw, start + 1)
    while raw[at] != "}":
        key, at = _DECODER.raw_decode(raw, at)
        value = _skip(raw, _skip(raw, at) + 1)
        end = _DECODER.raw_decode(raw, value)[1]
        if key == name:
            return value, end
        at = _skip(raw, end)
        at = _skip(raw, at + 1) if raw[at] == "," else at
    raise IndexError(name)


def _skip(raw: str, at: int) -> int:
    while raw[at] in _SPACE:
        at += 1
    return at
