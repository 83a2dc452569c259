"""Parse a script despite its syntax errors: rejected lines are left out, and every line keeps its number.

Indentation is corrected, because its meaning is clear; any other rejected line becomes empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from assay.patterns import regex

_MOST_REPAIRS = 30
_LINES_PER_SLIP = 3
"""If more than one line in this many must be left out, the text is not Python."""
_LONGEST = 100_000
"""Longer texts are too slow to parse repeatedly."""
_BLOCKS_TRIED = 3
_ALWAYS = "if True:"
_HEADER = regex(r":[ \t]*(?:#.*)?$")


Refusal = Callable[[str], tuple[str, int] | None]
"""The error and line with which Python rejects a text; None if it parses."""


def fixed(text: str, refusal: Refusal) -> str | None:
    """The text without its errors; None if there are too many. `refusal` gives the first error and its line."""
    if len(text) > _LONGEST:
        return None
    lines = text.split("\n")
    spare = sum(map(bool, map(str.strip, lines))) // _LINES_PER_SLIP
    for _ in range(_MOST_REPAIRS):
        refused = refusal("\n".join(lines))
        if refused is None:
            return "\n".join(lines)
        spare -= not _set_right(lines, *refused, refusal)
        if spare < 0:
            break
    return None


def _set_right(lines: list[str], message: str, number: int, refusal: Refusal) -> bool:
    """Repair a line without loss if possible; otherwise leave it out."""
    at = min(number, len(lines)) - 1
    above = _before(lines, at)
    if "unexpected indent" in message:
        _shift(lines, at, next(_open_depths(lines, at, _depth(lines[at]))))
    elif "unindent does not match" in message:
        furthest: list[str] = max(_returns(lines, at), key=partial(_reach, refusal))
        lines[:] = furthest
    elif "expected an indented block" in message and _HEADER.search(lines[above]) and not _goes_on(lines, at, above):
        lines[above] = _HEADER.sub(": pass", lines[above])
    else:
        _leave_out(lines, at)
        return False
    return True


def _returns(lines: list[str], at: int) -> Iterator[list[str]]:
    """Variants of the text: a line, alone or with its block, moved to each enclosing block."""
    nearest = sorted(_open_depths(lines, at), key=lambda depth: abs(depth - _depth(lines[at])))
    for depth in nearest[:_BLOCKS_TRIED]:
        together, alone = list(lines), list(lines)
        _shift(together, at, depth)
        alone[at] = " " * depth + lines[at].lstrip()
        yield from (together, alone)


def _reach(refusal: Refusal, lines: list[str]) -> int:
    """The line up to which Python parses the text."""
    refused = refusal("\n".join(lines))
    return len(lines) + 1 if refused is None else refused[1]


def _shift(lines: list[str], at: int, depth: int) -> None:
    """Move a line and its block to the given depth."""
    far = _depth(lines[at]) - depth
    first = _depth(lines[at])
    for number in range(at, len(lines)):
        if lines[number].strip():
            if _depth(lines[number]) < first:
                return
            lines[number] = " " * (_depth(lines[number]) - far) + lines[number].lstrip()


def _leave_out(lines: list[str], at: int) -> None:
    """Empty a line unless it is a block header; if it is empty, empty the line before, which must be the cause."""
    while at and not lines[at].strip():
        at -= 1
    header = _HEADER.search(lines[at]) and lines[at].strip() != _ALWAYS
    lines[at] = " " * _depth(lines[at]) + _ALWAYS if header else ""


def _open_depths(lines: list[str], at: int, below: int | None = None) -> Iterator[int]:
    """Depths of the blocks that a line may belong to, innermost first."""
    for line in reversed(lines[:at]):
        if line.strip() and not line.lstrip().startswith("#") and (below is None or _depth(line) < below):
            below = _depth(line)
            yield below
    if below != 0:
        yield 0


def _before(lines: list[str], at: int) -> int:
    """The last non-empty line before this one."""
    said = (i for i in range(at - 1, -1, -1) if lines[i].strip() and not lines[i].lstrip().startswith("#"))
    return next(said, 0)


def _goes_on(lines: list[str], at: int, above: int) -> bool:
    """True if the block of a header follows after a line that does not belong to it."""
    after = next((line for line in lines[at + 1 :] if line.strip()), "")
    return _depth(after) > _depth(lines[above]) >= _depth(lines[at])


def _depth(line: str) -> int:
    return len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
