"""Query results as text for a terminal, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from itertools import islice
from typing import Any

from assay.corpus.results import Answer
from assay.report.csv import cell
from assay.report.drawing import shortened

_WIDEST = 400


def as_text(answer: Answer, limit: int, width: int = 80) -> str:
    """Columns side by side, or one below the other if they are too wide; cut values are marked."""
    rows = list(islice(answer.rows, limit + 1))
    shown = [[_short(value) for value in row] for row in rows[:limit]]
    widths = [max(map(len, column)) for column in zip(answer.columns, *shown, strict=True)]
    if sum(widths) + 2 * (len(widths) - 1) > width:
        text = _below(answer.columns, shown, width)
    else:
        lines = [list(answer.columns), ["─" * width for width in widths], *shown]
        text = "".join(_line(line, widths, _numeric(rows, len(widths))) for line in lines)
    return text + (f"(the first {limit} rows; --limit shows more)\n" if len(rows) > limit else "")


def _numeric(rows: Sequence[Sequence[Any]], columns: int) -> list[bool]:
    """For each column, whether it holds only numbers, which are aligned right."""
    return [all(isinstance(row[at], int | float | None) for row in rows) for at in range(columns)]


def _below(columns: Sequence[str], rows: Sequence[Sequence[str]], width: int) -> str:
    """A paragraph for each row, with a line for each non-empty cell."""
    longest = max(map(len, columns))
    room = max(20, width - longest - 2)
    told = ([(name, cell) for name, cell in zip(columns, row, strict=True) if cell] for row in rows)
    return "\n".join("".join(f"{name:<{longest}}  {shortened(cell, room)}\n" for name, cell in one) for one in told)


def as_csv(answer: Answer) -> str:
    """CSV with a header; cells that a spreadsheet would execute are escaped."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(answer.columns)
    writer.writerows([cell(_plain(value)) for value in row] for row in answer.rows)
    return stream.getvalue()


def as_json(answer: Answer) -> str:
    """A list of objects."""
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer.rows]
    return json.dumps(rows, indent=1, default=str, ensure_ascii=False) + "\n"


def _plain(value: Any) -> str | int | float | bool | None:
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _short(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else shortened(str(value), _WIDEST)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    set_ = (_set(cell, width, to) for cell, width, to in zip(cells, widths, right, strict=True))
    return "  ".join(set_).rstrip() + "\n"


def _set(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else text.ljust(width)
