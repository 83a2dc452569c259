"""The report as a Word file."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from docx import Document
from docx.shared import Pt
from docx.text.paragraph import Paragraph

from assay.findings import Report
from assay.patterns import regex
from assay.report.document import Block, Grid, Style, blocks_of

_FORBIDDEN = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
"""Signs that XML cannot hold, or that control what shows it."""
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
"""The file's own date, so that the same report gives the same file."""
_HEADINGS = {Style.TITLE: 1, Style.HEADING: 2, Style.SUBHEADING: 3}
_MOST_COLUMNS = 12


def render(report: Report) -> bytes:
    """The file."""
    document = Document()
    document.core_properties.title = _text(report.title)[:250]
    document.core_properties.author = "Assay"
    document.core_properties.created = document.core_properties.modified = _LONG_AGO
    document.styles["Normal"].font.size = Pt(10)
    for block in blocks_of(report):
        if isinstance(block, Grid):
            _grid(document, block)
        elif block.style in _HEADINGS:
            document.add_heading(_text(block.text), _HEADINGS[block.style])
        else:
            _fill(document.add_paragraph(), block)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def _fill(paragraph: Paragraph, block: Block) -> None:
    if block.label:
        paragraph.add_run(_text(block.label) + " ").bold = True
    run = paragraph.add_run(_text(block.text))
    run.bold = block.style is Style.LEAD
    if block.style is Style.LEAD:
        run.font.size = Pt(13)
    elif block.style is Style.SMALL:
        run.font.size = Pt(9)
    elif block.style is Style.QUOTE:
        run.font.name = "Courier New"
        run.font.size = Pt(9)
    if block.style in {Style.ITEM, Style.QUOTE}:
        paragraph.paragraph_format.left_indent = Pt(14)
    paragraph.paragraph_format.space_after = Pt(4)


def _grid(document: Document, grid: Grid) -> None:  # type: ignore[valid-type] # a function in python-docx
    document.add_heading(_text(grid.title), 3)  # type: ignore[attr-defined]
    columns = len(grid.columns)
    if not 0 < columns <= _MOST_COLUMNS:
        document.add_paragraph(f"A table of {columns} columns: see the HTML or CSV report.")  # type: ignore[attr-defined]
        return
    table = document.add_table(rows=0, cols=columns, style="Table Grid")  # type: ignore[attr-defined]
    for number, row in enumerate((grid.columns, *grid.rows)):
        for cell, text in zip(table.add_row().cells, row, strict=True):
            run = cell.paragraphs[0].add_run(_text(text))
            run.font.size, run.bold = Pt(8), number == 0
    if grid.cut:
        document.add_paragraph(f"{grid.cut:,} more rows")  # type: ignore[attr-defined]


def _text(text: str) -> str:
    return _FORBIDDEN.sub("", text)
