"""One `Report`, seven formats: for a terminal, a page, a browser, a paper, for programs and for code scanners.

Each format is a module of its own, imported when it is asked for: whoever wants JSON does not pay
for a template engine.
"""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Report
from assay.report.output import write

__all__ = ["Format", "render", "write"]


class Format(StrEnum):
    """The formats a report can take; the value is what users write and how files end."""

    TEXT = "text"
    MD = "md"
    HTML = "html"
    TEX = "tex"
    JSON = "json"
    CSV = "csv"
    SARIF = "sarif"


def render(report: Report, format: Format, *, width: int = 80, color: bool = False) -> str:  # noqa: A002 - users' word
    """The report in that format, always the same for the same report; width and colour matter to text alone."""
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
