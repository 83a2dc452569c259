"""One `Report`, nine formats: for a terminal, a page, a browser, a paper, for programs and for code scanners.

Each format is a module of its own, imported when it is asked for: a user of JSON does not pay
for a template engine.
"""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Report
from assay.report.output import write

__all__ = ["Format", "encoded", "render", "write"]


class Format(StrEnum):
    """The formats a report can take; the value is what users write and how files end."""

    TEXT = "text"
    MD = "md"
    HTML = "html"
    PDF = "pdf"
    DOCX = "docx"
    TEX = "tex"
    JSON = "json"
    CSV = "csv"
    SARIF = "sarif"

    @property
    def is_binary(self) -> bool:
        """Whether a file in this format is no text, and belongs on no screen."""
        return self in {Format.PDF, Format.DOCX}


def encoded(report: Report, format: Format) -> bytes:  # noqa: A002 - users' word
    """The report as the bytes of a file."""
    if format is Format.PDF:
        from assay.report import pdf

        return pdf.render(report)
    if format is Format.DOCX:
        from assay.report import docx

        return docx.render(report)
    return render(report, format).encode("utf-8", errors="backslashreplace")


def render(report: Report, format: Format, *, width: int = 80, color: bool = False) -> str:  # noqa: A002 - users' word
    """The report as text, always the same for the same report; width and colour matter to the text format alone."""
    match format:
        case Format.TEXT:
            from assay.report import text

            return text.render(report, width=width, color=color)
        case Format.MD:
            from assay.report import markdown

            return markdown.render(report)
        case Format.HTML:
            from assay.report import html

            return html.render(report)
        case Format.TEX:
            from assay.report import latex

            return latex.render(report)
        case Format.JSON:
            from assay.report import json

            return json.render(report)
        case Format.CSV:
            from assay.report import csv

            return csv.render(report)
        case Format.SARIF:
            from assay.report import sarif

            return sarif.render(report)
        case Format.PDF | Format.DOCX:
            raise ValueError(f"{format.value} is no text: ask `encoded` for its bytes")
