"""A filled checklist as a document: Markdown, HTML, LaTeX, DOCX, PDF, all from the same `Page`."""

from __future__ import annotations

from enum import StrEnum

from assay.checklists.filled import Filled
from assay.checklists.rendering.page import page_of

__all__ = ["Document", "render"]


class Document(StrEnum):
    """The formats; the value is how files end."""

    MD = "md"
    HTML = "html"
    TEX = "tex"
    DOCX = "docx"
    PDF = "pdf"


def render(filled: Filled, document: Document) -> bytes:
    """The whole file in that format."""
    page = page_of(filled)
    match document:
        case Document.MD:
            from assay.checklists.rendering import markdown

            return markdown.render(page).encode()
        case Document.HTML:
            from assay.checklists.rendering import html

            return html.render(page).encode()
        case Document.TEX:
            from assay.checklists.rendering import latex

            return latex.render(page).encode()
        case Document.DOCX:
            from assay.checklists.rendering import docx

            return docx.render(page)
        case Document.PDF:
            from assay.checklists.rendering import pdf

            return pdf.render(page)
