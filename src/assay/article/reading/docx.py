"""A paper from a Word file: its headings, paragraphs and tables as the page of HTML that they would be.

Only the text of the document part is read. Nothing is executed, and nothing outside of the file is looked up.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from assay.article.reading.markup import read_markup
from assay.article.reading.paper import Paper
from assay.errors import InputError
from assay.patterns import regex

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import Table
    from docx.text.paragraph import Paragraph

_LARGEST = 200 * 1024 * 1024
"""Of the unpacked parts: a document that grows beyond this is not a paper."""
_CAPTION = regex(r"(?:Table|Tab\.)\s*[\dIVX]+\s*[.:|–-]?\s*\S")
_MOST_BLOCKS = 50_000


def read_docx(path: Path, name: str = "") -> Paper:
    """The paper in a Word file; `name` is how places call it."""
    blocks = "\n".join(_blocks(_opened(path)))
    return read_markup(f"<html><body>\n{blocks}\n</body></html>", name or str(path))


def _opened(path: Path) -> Document:
    import docx

    fix = "Save it again as .docx, or give the paper as PDF."
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > _LARGEST:
            raise InputError(f"is larger than {_LARGEST:,} bytes when unpacked", where=str(path), fix=fix)
        return docx.Document(str(path))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not a Word file that can be read", where=str(path), fix=fix) from None


def _blocks(document: Document) -> Iterator[str]:
    """Headings, paragraphs and tables in their order, a line each; a table takes its caption from beside it."""
    from docx.table import Table

    found = [block for block, _ in zip(document.iter_inner_content(), range(_MOST_BLOCKS), strict=False)]
    captions: set[int] = set()
    for at, block in enumerate(found):
        if isinstance(block, Table):
            beside = next((i for i in (at - 1, at + 1) if _is_caption(found, i) and i not in captions), None)
            caption = ""
            if beside is not None:
                captions.add(beside)
                caption = str(getattr(found[beside], "text", ""))
            yield _table(block, caption)
        elif block.text.strip():
            yield _paragraph(block)


def _is_caption(blocks: list[Paragraph | Table], at: int) -> bool:
    text = getattr(blocks[at], "text", "") if 0 <= at < len(blocks) else ""
    return isinstance(text, str) and _CAPTION.match(text) is not None


def _paragraph(paragraph: Paragraph) -> str:
    style = (paragraph.style.name or "") if paragraph.style is not None else ""
    text = " ".join(escape(paragraph.text).split())
    if style == "Title":
        return f"<h1>{text}</h1>"
    level = style.removeprefix("Heading ")
    if style.startswith("Heading ") and level.isdigit():
        return f"<h{min(int(level) + 1, 6)}>{text}</h{min(int(level) + 1, 6)}>"
    return f"<p>{text}</p>"


def _table(table: Table, caption: str) -> str:
    """A cell that spans several places stands in each of them, as the library gives it."""
    rows = ("".join(f"<td>{' '.join(escape(cell.text).split())}</td>" for cell in row.cells) for row in table.rows)
    inner = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption>{inner}</table>"
