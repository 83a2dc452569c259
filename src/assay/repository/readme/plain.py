"""Plain text: a README without any marks. Most of it reads as Markdown; lines that look like headings are marked so."""

from __future__ import annotations

from assay.patterns import regex
from assay.repository.readme.document import Document
from assay.repository.readme.markdown import read_markdown

_CAPITALS = regex(r"[ \t]{0,3}[A-Z][A-Z0-9 /&,()-]{3,60}:?")
_NUMBERED = regex(r"[ ]{0,3}(?:[IVX]{1,4}|\d{1,2})[.)][ \t]+[A-Z][^\n.!?]{2,50}:?")
_MOST_LINES = 50_000


def read_plain(path: str, text: str) -> Document:
    """A text file, with lines in capitals or numbers between empty lines taken for headings."""
    lines = text[: 4 * 256 * 1024].split("\n")[:_MOST_LINES]
    for i, line in enumerate(lines):
        alone = (not i or not lines[i - 1].strip()) and (_CAPITALS.fullmatch(line) or _NUMBERED.fullmatch(line))
        if alone and not _is_underlined(lines, i):
            lines[i] = f"## {line.strip()}"
    return read_markdown(path, "\n".join(lines))


def _is_underlined(lines: list[str], i: int) -> bool:
    below = lines[i + 1].strip() if i + 1 < len(lines) else ""
    return len(below) >= 3 and not below.strip("=-~")
