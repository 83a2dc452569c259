"""A paper from a Word file: its headings, paragraphs and tables as the page of HTML that they would be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import islice
from pathlib import Path

from assay.article.reading.markup import read_markup
from assay.article.reading.paper import Paper
from assay.article.reading.word import LARGEST, Block, Paragraph, Table, TooLargeError, UnreadableError, read_blocks
from assay.errors import InputError
from assay.patterns import regex

_CAPTION = regex(r"(?:Table|Tab\.)\s*[\dIVX]+\s*[.:|–-]?\s*\S")
_MOST_BLOCKS = 50_000
_FIX = "Save it again as .docx, or give the paper as PDF."


def read_docx(path: Path, name: str = "") -> Paper:
    """The paper in a Word file; `name` is how places call it."""
    try:
        blocks = list(islice(read_blocks(path), _MOST_BLOCKS))
    except TooLargeError:
        raise InputError(f"is larger than {LARGEST:,} bytes when unpacked", where=str(path), fix=_FIX) from None
    except UnreadableError:
        raise InputError("is not a Word file that can be read", where=str(path), fix=_FIX) from None
    return read_markup("\n".join(("<html><body>", *_lines(blocks), "</body></html>")), name or str(path))


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    """Headings, paragraphs and tables in their order, a line each; a table takes its caption from beside it."""
    captions: set[int] = set()
    for at, block in enumerate(blocks):
        if isinstance(block, Table):
            beside = next((i for i in (at - 1, at + 1) if i not in captions and _caption(blocks, i)), -1)
            captions.add(beside)
            yield _table(block, _caption(blocks, beside))
        elif block.text.strip():
            yield _paragraph(block)


def _caption(blocks: Sequence[Block], at: int) -> str:
    """The text of a paragraph that is a table's caption, else ""."""
    block = blocks[at] if 0 <= at < len(blocks) else None
    return block.text if isinstance(block, Paragraph) and _CAPTION.match(block.text) else ""


def _paragraph(paragraph: Paragraph) -> str:
    text = " ".join(escape(paragraph.text).split())
    if paragraph.style == "Title":
        return f"<h1>{text}</h1>"
    level = paragraph.style.removeprefix("Heading ")
    if paragraph.style.startswith("Heading ") and level.isdigit():
        return f"<h{min(int(level) + 1, 6)}>{text}</h{min(int(level) + 1, 6)}>"
    return f"<p>{text}</p>"


def _table(table: Table, caption: str) -> str:
    rows = ("".join(f"<td>{' '.join(escape(cell).split())}</td>" for cell in row) for row in table.rows)
    inner = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption>{inner}</table>"
