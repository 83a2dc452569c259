"""The report as PDF, in a font that knows more than Latin letters (matplotlib brings it)."""

from __future__ import annotations

import io
from functools import cache
from html import escape
from pathlib import Path

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, LongTable, Paragraph, SimpleDocTemplate, Spacer, TableStyle

from assay.findings import Report
from assay.report.document import Block, Grid, Style, blocks_of
from assay.report.wording import on_one_line

_FONT, _BOLD, _MONO = "AssayReport", "AssayReport-Bold", "AssayReport-Mono"
_MARGIN = 2 * cm
_WIDTH = A4[0] - 2 * _MARGIN
_MOST_COLUMNS = 12
"""A wider table does not fit on a page; the other formats hold it."""

_SIZES = {
    Style.TITLE: (17, _BOLD, 10), Style.HEADING: (13, _BOLD, 12), Style.SUBHEADING: (10.5, _BOLD, 9),
    Style.LEAD: (12.5, _BOLD, 8), Style.TEXT: (9.5, _FONT, 4), Style.SMALL: (8.5, _FONT, 2),
    Style.ITEM: (9.5, _FONT, 4), Style.QUOTE: (8.5, _MONO, 4),
}  # fmt: skip
"""Points, font, and space before, for each style."""


def render(report: Report) -> bytes:
    """The file."""
    _register_fonts()
    story: list[Flowable] = []
    for block in blocks_of(report):
        story += _grid(block) if isinstance(block, Grid) else [_paragraph(block)]
    stream = io.BytesIO()
    SimpleDocTemplate(
        stream, pagesize=A4, title=on_one_line(report.title), author="Assay", invariant=1,
        leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
    ).build(story)  # fmt: skip
    return stream.getvalue()


def _paragraph(block: Block) -> Paragraph:
    label = f'<font name="{_BOLD}">{_markup(block.label)}</font> ' if block.label else ""
    return Paragraph(label + _markup(block.text), _style(block.style))


@cache
def _style(style: Style) -> ParagraphStyle:
    size, font, before = _SIZES[style]
    return ParagraphStyle(
        style.name,
        fontName=font,
        fontSize=size,
        leading=size * 1.35,
        spaceBefore=before,
        leftIndent=10 if style in {Style.ITEM, Style.QUOTE} else 0,
        textColor=colors.HexColor("#545d68") if style is Style.SMALL else colors.black,
        keepWithNext=style in {Style.HEADING, Style.SUBHEADING},
        splitLongWords=1,
    )


def _grid(grid: Grid) -> list[Flowable]:
    title = _paragraph(Block(Style.SUBHEADING, grid.title))
    columns = len(grid.columns)
    if not 0 < columns <= _MOST_COLUMNS:
        return [title, _paragraph(Block(Style.SMALL, f"A table of {columns} columns: see the HTML or CSV report."))]
    small = _style(Style.SMALL)
    rows = [[Paragraph(_markup(cell), small) for cell in row] for row in (grid.columns, *grid.rows)]
    table = LongTable(rows, colWidths=[_WIDTH / columns] * columns, repeatRows=1, splitInRow=1)
    table.setStyle(
        TableStyle(
            [
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.grey),
                ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
            ]
        )
    )
    cut = [_paragraph(Block(Style.SMALL, f"{grid.cut:,} more rows"))] if grid.cut else []
    return [title, Spacer(1, 3), table, *cut]


def _markup(text: str) -> str:
    """Text in which nothing acts as markup; line breaks stay."""
    lines = (" ".join(line.split()) for line in text.splitlines())
    plain = "\n".join("".join(c if c.isprintable() else " " for c in line) for line in lines)
    return escape(plain).replace("\n", "<br/>")


@cache
def _register_fonts() -> None:
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name, file in ((_FONT, "DejaVuSans"), (_BOLD, "DejaVuSans-Bold"), (_MONO, "DejaVuSansMono")):
        pdfmetrics.registerFont(TTFont(name, str(folder / f"{file}.ttf")))
