"""The page as a word-processor file."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from docx import Document
from docx.shared import Cm, Pt
from docx.table import _Cell

from assay.checklists.rendering.page import NO_ANSWER, Line, Page
from assay.patterns import regex

_WIDTHS = (Cm(1.6), Cm(7.4), Cm(4.5), Cm(3.5))
_CONTROL = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""The file's own date, so that the same answers give the same file."""


def render(page: Page) -> bytes:
    """The file."""
    document = Document()
    document.core_properties.title = _text(page.title)
    document.core_properties.author = "Assay"
    document.core_properties.created = document.core_properties.modified = _LONG_AGO
    document.styles["Normal"].font.size = Pt(10)
    document.add_heading(_text(page.title), 1)
    for label, value in page.about:
        paragraph = document.add_paragraph()
        paragraph.add_run(f"{label}: ").bold = True
        paragraph.add_run(_text(value))
    if page.note:
        document.add_paragraph(_text(page.note))
    for block in page.blocks:
        document.add_heading(_text(block.title), 2)
        table = document.add_table(rows=1, cols=4, style="Table Grid")
        for cell, name in zip(table.rows[0].cells, ("", "Item", "Answer", "Evidence"), strict=True):
            cell.paragraphs[0].add_run(name).bold = True
        for line in block.lines:
            _fill(table.add_row().cells, line)
        for row in table.rows:
            for cell, width in zip(row.cells, _WIDTHS, strict=True):
                cell.width = width
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _fill(cells: tuple[_Cell, ...], line: Line) -> None:
    number, item, answer, evidence = cells
    number.text = _text(line.id)
    item.paragraphs[0].add_run(_text(line.title)).bold = True
    item.add_paragraph(_text(line.asks))
    run = answer.paragraphs[0].add_run(_text(line.answer) if line.answered else NO_ANSWER)
    run.italic = not line.answered
    for remark in line.remarks:
        answer.add_paragraph().add_run(_text(remark)).italic = True
    evidence.text = _text(line.evidence)


def _text(text: str) -> str:
    """Text without the signs that XML forbids."""
    return _CONTROL.sub("", " ".join(text.split()))
