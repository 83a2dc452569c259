"""Plain text: a README without any marks. Most of it reads as Markdown; lines that look like headings are marked so."""

from __future__ import annotations

import re

from assay.patterns import regex
from assay.repository.readme.document import Document
from assay.repository.readme.markdown import read_markdown

_CAPITALS = regex(r"[ \t]{0,3}[A-Z][A-Z0-9 /&,()-]{3,60}:?")
_NUMBERED = regex(r"[ ]{0,3}(?:[IVX]{1,4}|\d{1,2})[.)][ \t]+[A-Z][^\n.!?]{2,50}:?")
_ORG_HEADING = regex(r"(\*{1,6}) (.+)")
_ORG_BLOCK = regex(r"[ \t]*#\+(begin|end)_(?:src|example)[ \t]*(\w*)", re.IGNORECASE)
_MOST_LINES = 50_000


def read_plain(path: str, text: str) -> Document:
    """A text file, with lines in capitals or numbers between empty lines taken for headings."""
    lines = text[: 4 * 256 * 1024].split("\n")[:_MOST_LINES]
    for i, line in enumerate(lines):
        alone = (not i or not lines[i - 1].strip()) and (_CAPITALS.fullmatch(line) or _NUMBERED.fullmatch(line))
        if alone and not _is_underlined(lines, i):
            lines[i] = f"## {line.strip()}"
    return read_markdown(path, "\n".join(lines))


def read_org(path: str, text: str) -> Document:
    """Org mode, by its counterparts in Markdown."""
    lines = []
    for line in text[: 4 * 256 * 1024].split("\n")[:_MOST_LINES]:
        heading, block = _ORG_HEADING.match(line), _ORG_BLOCK.match(line)
        if heading:
            lines.append(f"{'#' * len(heading[1])} {heading[2]}")
        elif block:
            lines.append(f"```{block[2] if block[1].lower() == 'begin' else ''}")
        else:
            lines.append(re.sub(r"\[\[([^\[\]]{1,500})\]\[([^\[\]]{1,300})\]\]", r"[\2](\1)", line))
    return read_markdown(path, "\n".join(lines))


def _is_underlined(lines: list[str], i: int) -> bool:
    below = lines[i + 1].strip() if i + 1 < len(lines) else ""
    return len(below) >= 3 and not below.strip("=-~")
