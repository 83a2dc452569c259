"""Confusion matrices as programs print them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.patterns import regex
from assay.reported.model import Axis, Matrix, Span

_NESTED = regex(r"\[\s*(?P<rows>(?:\[\s*\d{1,9}(?:\.0*)?(?:\s*[,\s]\s*\d{1,9}(?:\.0*)?){1,60}\s*\]\s*,?\s*){2,60})\]")
_ROW = regex(r"\[([^\[\]]*)\]")
_LINES = regex(
    r"(?m)^(?P<corner>[^\n\d]{0,200}\b(?:Reference|Actual|True|Truth|Observed|Predicted|Prediction)\b[^\n\d]{0,200})\n"
    r"(?:(?P<labels>[^\n\d]{0,200}(?:\b(?:Prediction|Predicted|Actual|True)\b)[^\n]*)\n)?"
    r"(?P<rows>(?:[^\S\n]*[^\n\d][^\n]*?(?:[^\S\n]+\d{1,9}){2,20}[^\S\n]*\n?){2,20})"
)
_COUNTS = regex(r"^(?P<label>.*?)(?P<counts>(?:\s+\d{1,9}){2,20})\s*$")


def find_matrices(text: str) -> Iterator[Matrix]:
    """Square tables of counts: nested brackets as numpy and Python print them, and R's cross tables."""
    found = (*map(_nested, _NESTED.finditer(text)), *map(_crossed, _LINES.finditer(text)))
    yield from (matrix for matrix in found if _square(matrix.counts))


def _nested(match: re.Match[str]) -> Matrix:
    rows = (re.findall(r"\d+(?:\.0*)?", row) for row in _ROW.findall(match["rows"]))
    return Matrix(tuple(tuple(int(float(n)) for n in row) for row in rows), span=Span(match.start(), match.end()))


def _crossed(match: re.Match[str]) -> Matrix:
    found = [row for line in match["rows"].splitlines() if (row := _COUNTS.match(line))]
    counts = tuple(tuple(map(int, row["counts"].split())) for row in found)
    labels = tuple(row["label"].strip() for row in found)
    return Matrix(counts, labels, _axis(match["corner"], match["labels"]), Span(match.start(), match.end()))


def _square(rows: tuple[tuple[int, ...], ...]) -> bool:
    return len(rows) >= 2 and all(len(row) == len(rows) for row in rows)


def _axis(corner: str, labels: str | None) -> Axis:
    """R prints "Reference" above and "Prediction" before the rows; others name the rows in the rows."""
    if re.search(r"reference|actual|truth|observed|true", corner, re.IGNORECASE) and labels:
        return Axis.PREDICTED
    if re.search(r"predict", corner, re.IGNORECASE):
        return Axis.TRUE
    return Axis.UNSTATED
