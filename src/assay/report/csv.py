"""The report as one table for a spreadsheet: a row for each judgement, finding, table row and thing not examined."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Iterator

from assay.findings import Evidence, Finding, Judgement, Report, Table, Value
from assay.patterns import regex
from assay.report.wording import clipped, shown

COLUMNS = (
    *("kind", "code", "severity", "confidence", "verdict", "title", "subject"),
    *("path", "line", "column", "end_line", "end_column", "cell", "page"),
    *("message", "evidence", "advice", "reason", "fingerprint"),
)
LONGEST_CELL = 32_000
"""Spreadsheets hold 32,767 characters in a cell and spill the rest into other rows."""
FORMULA_STARTS = frozenset("=+-@")

_NUMBER = regex(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")


def render(report: Report) -> str:
    """The report as comma-separated values in UTF-8, with a header."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, restval="", lineterminator="\n")
    writer.writeheader()
    for row in _rows(report):
        writer.writerow({column: cell(value) for column, value in row.items()})
    return stream.getvalue()


def table(one: Table) -> str:
    """One table of a report by itself, with its own columns; a gap is an empty cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([cell(name) for name in one.columns])
    writer.writerows([cell(value) for value in row] for row in one.rows)
    return stream.getvalue()


def cell(value: Value) -> Value:
    """The value such that no spreadsheet runs it as a formula; what is a number stays one."""
    if not isinstance(value, str):
        return value
    text = clipped(value, LONGEST_CELL)
    first = unicodedata.normalize("NFKC", text.lstrip()[:1])  # a full-width sign starts a formula too
    return f"'{text}" if first in FORMULA_STARTS and not _NUMBER.fullmatch(text) else text


def _rows(report: Report) -> Iterator[dict[str, Value]]:
    yield from map(_judgement, report.judgements)
    for finding in report.findings:
        yield {"kind": "finding", **_finding(finding)}
    for one in report.suppressed:
        yield {"kind": "suppressed", **_finding(one.finding), "reason": one.reason}
    for table in report.tables:
        for line in table.rows:
            told = "; ".join(f"{name}: {shown(value)}" for name, value in zip(table.columns, line, strict=True))
            first = shown(line[0]) if line else ""
            yield {"kind": "table row", "title": table.title, "subject": first, "message": told}
    for thing in report.left_out:
        yield {"kind": "not examined", "message": thing}


def _judgement(judgement: Judgement) -> dict[str, Value]:
    return {
        "kind": "judgement",
        "verdict": judgement.verdict.value,
        "subject": judgement.subject,
        "message": judgement.statement,
        "evidence": _evidence(judgement.evidence),
    }


def _finding(finding: Finding) -> dict[str, Value]:
    place = finding.location
    where: dict[str, Value] = {}
    if place:
        where = {
            "path": place.path,
            "line": place.line,
            "column": place.column,
            "end_line": place.end_line,
            "end_column": place.end_column,
            "cell": place.cell,
            "page": place.page,
        }
    return where | {
        "code": finding.code,
        "severity": finding.severity.value,
        "confidence": finding.confidence.value,
        "title": finding.title,
        "subject": finding.subject,
        "message": finding.message,
        "evidence": _evidence(finding.evidence),
        "advice": finding.advice,
        "fingerprint": finding.fingerprint,
    }


def _evidence(evidence: Iterable[Evidence]) -> str:
    """All evidence in one cell, a line for each piece."""
    lines = []
    for piece in evidence:
        place = f" ({piece.location})" if piece.location else ""
        values = ", ".join(f"{name} = {shown(value)}" for name, value in piece.values)
        lines.append(f"{piece.kind.value}{place}: {'; '.join(part for part in [piece.text, values] if part)}")
    return "\n".join(lines)
