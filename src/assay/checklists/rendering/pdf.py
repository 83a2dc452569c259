"""The page as PDF, in a font that knows more than Latin letters (matplotlib brings it)."""

from __future__ import annotations

import io
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from reportlab.lib import colors
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import cm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import Flowable, LongTable, Paragraph, SimpleDocTemplate, Spacer, TableStyle

from assay.checklists.rendering.page import NO_ANSWER, Line, Page

_FONT, _BOLD = "Assay", "Assay-Bold"
_WIDTHS = (1.6 * cm, 7.4 * cm, 4.6 * cm, 3.4 * cm)
_LONGEST_CELL = 4_000
"""A row has to fit on a page; the other formats hold the whole text."""


def render(page: Page) -> bytes:
    """The file."""
    _fonts()
    body = _style("body", 9)
    story: list[Flowable] = [Paragraph(_text(page.title), _style("title", 16, bold=True)), Spacer(1, 8)]
    story += [Paragraph(f'<font name="{_BOLD}">{escape(k)}:</font> {_text(v)}', body) for k, v in page.about]
    if page.note:
        story += [Spacer(1, 6), Paragraph(_text(page.note), body)]
    for block in page.blocks:
        story += [Spacer(1, 12), Paragraph(_text(block.title), _style("section", 12, bold=True)), Spacer(1, 4)]
        head: list[Any] = [Paragraph(name, _style("head", 9, bold=True)) for name in ("", "Item", "Answer", "Evidence")]
        rows = [head, *(_row(line, body) for line in block.lines)]
        table = LongTable(rows, colWidths=_WIDTHS, repeatRows=1, splitInRow=1)
        table.setStyle(
            TableStyle(
                [
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.4, colors.grey),
                    ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
                ]
            )
        )
        story.append(table)
    stream = io.BytesIO()
    SimpleDocTemplate(
        stream, pagesize=A4, title=page.title, author="Assay", invariant=1,
        leftMargin=2 * cm, rightMargin=2 * cm, topMargin=2 * cm, bottomMargin=2 * cm,
    ).build(story)  # fmt: skip
    return stream.getvalue()


def _row(line: Line, body: ParagraphStyle) -> list[Any]:
    answer = _text(line.answer) if line.answered else NO_ANSWER
    return [
        Paragraph(_text(line.id), body),
        [Paragraph(f'<font name="{_BOLD}">{_text(line.title)}</font>', body), Paragraph(_text(line.asks), body)],
        [Paragraph(answer, body), *(Paragraph(f"({_text(r)})", body) for r in line.remarks)],
        Paragraph(_text(line.evidence), body),
    ]


def _style(name: str, size: int, *, bold: bool = False) -> ParagraphStyle:
    font = _BOLD if bold else _FONT
    return ParagraphStyle(name, fontName=font, fontSize=size, leading=size * 1.35, alignment=TA_LEFT, splitLongWords=1)


@cache
def _fonts() -> None:
    import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    pdfmetrics.registerFont(TTFont(_FONT, str(folder / "DejaVuSans.ttf")))
    pdfmetrics.registerFont(TTFont(_BOLD, str(folder / "DejaVuSans-Bold.ttf")))


def _text(text: str) -> str:
    """Text in which nothing acts as markup, short enough for one page."""
    flat = " ".join(text.split())
    return escape(flat if len(flat) <= _LONGEST_CELL else flat[:_LONGEST_CELL] + " …")
