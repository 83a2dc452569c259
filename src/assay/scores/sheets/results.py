"""One row out for each row in: the verdict and its proof beside the columns that came in."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import repeat
from pathlib import Path

from assay.errors import InputError
from assay.findings import Verdict
from assay.records import dataclass
from assay.report.csv import cell as safe_cell
from assay.scores.batch import check_all
from assay.scores.check import Result, check
from assay.scores.experiment import Experiment
from assay.scores.sheets.files import Sheet
from assay.scores.sheets.rows import ReadRow, read_rows, unused_columns

COLUMNS = ("verdict", "reading", "conflict", "certificate", "witness", "diagnosis", "message")
PREFIX = "assay_"
NOT_CHECKED = "not checked"
_KEPT_MATRICES = 20
_REPAIRS = 3


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row, and the result of its check, if it could be checked."""

    read: ReadRow
    result: Result | None
    diagnosis: str = ""

    def values(self) -> dict[str, str]:
        """The columns that come out."""
        messages = self.read.remarks
        if self.result is None:
            return dict(zip(COLUMNS, (NOT_CHECKED, "", "", "", "", "", messages), strict=True))
        shown = self.result.decisive
        answer = shown.answer
        witness = "; ".join(
            " ".join(f"{k}={v}" for k, v in m._asdict().items()) for m in answer.witness[:_KEPT_MATRICES]
        )
        verdict, conflict = self.result.verdict, " ".join(answer.conflict)
        why = "" if verdict is Verdict.CONSISTENT else _certificate(self.result)
        found = (verdict.value, shown.reading, conflict, why, witness, self.diagnosis, messages)
        return dict(zip(COLUMNS, found, strict=True))


def _certificate(result: Result) -> str:
    """Why the row is impossible; where one reading is left open, why the others are."""
    excluded = [h for h in result.hypotheses if h.answer.verdict is Verdict.INCONSISTENT]
    if len(result.hypotheses) == 1 or not excluded:
        return result.decisive.answer.reason
    return " ".join(f"{h.reading}: {h.answer.reason}" for h in excluded)


def check_sheet(
    sheet: Sheet,
    defaults: Mapping[str, object] | None = None,
    *,
    diagnose: bool = False,
    workers: int | None = None,
    track: Callable[[Iterator[Result], int], Iterable[Result]] | None = None,
) -> list[CheckedRow]:
    """Every row of the sheet, checked; `track` is shown the results as they come."""
    rows = list(read_rows(sheet, defaults))
    experiments = [row.experiment for row in rows if row.experiment is not None]
    results = check_all(experiments, workers=workers)
    found = iter(track(results, len(experiments)) if track else results)
    return [_checked(row, next(found) if row.experiment is not None else None, diagnose) for row in rows]


def _checked(row: ReadRow, result: Result | None, diagnose: bool) -> CheckedRow:
    wanted = diagnose and result is not None and result.verdict is Verdict.INCONSISTENT
    return CheckedRow(row, result, _diagnosis(result) if wanted and result is not None else "")


def _diagnosis(result: Result) -> str:
    if not isinstance(result.experiment, Experiment):
        return ""
    from assay.scores.diagnosis import diagnose

    found = diagnose(result.experiment, partial(check, hasty=True))
    return " ".join([found.sentence, *(f"Consistent if {repair.what}." for repair in found.repairs[:_REPAIRS])])


def unread_cells(sheet: Sheet, checked: Sequence[CheckedRow]) -> Iterator[str]:
    """What of the sheet was not understood: columns, and cells by row."""
    remarks = [sheet.note, *unused_columns(sheet)]
    yield from (f"{sheet.name}: {remark}" for remark in remarks if remark)
    for one in checked:
        if one.read.messages:
            yield f"{sheet.name}:{one.read.row.line}: {one.read.name}: {one.read.remarks}"


def with_results_beside(sheet: Sheet, checked: Sequence[CheckedRow]) -> dict[str, list[str]]:
    """The columns of the sheet as text, and beside them those of the results."""
    rows = [_row(one, len(sheet.headings)) for one in checked]
    return {name: [row[place] for row in rows] for place, name in enumerate(_headings(sheet.headings))}


def rendered_rows(sheet: Sheet, checked: Sequence[CheckedRow], path: Path) -> bytes:
    """The sheet with the results beside it, in the format that the file's ending names."""
    formats = {".csv": _csv, ".xlsx": _xlsx, ".parquet": _parquet, ".html": _html}
    write = formats.get(path.suffix.lower())
    if write is None:
        raise InputError(
            f'rows cannot be written as "{path.suffix}"', where=str(path), fix=f"Known: {', '.join(formats)}."
        )
    headings = _headings(sheet.headings)
    return write(headings, [_row(one, len(sheet.headings)) for one in checked])


def _headings(headings: Sequence[str]) -> list[str]:
    """The columns in and the columns out, each name once."""
    names: list[str] = []
    for heading in (*headings, *(PREFIX + column for column in COLUMNS)):
        name, number = heading or "column", 2
        while name in names:
            name, number = f"{heading or 'column'} ({number})", number + 1
        names.append(name)
    return names


def _row(one: CheckedRow, width: int) -> list[str]:
    cells = ["" if value is None else str(value) for value in one.read.row.cells]
    return [*cells, *repeat("", width - len(cells)), *one.values().values()]


def _csv(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([[safe_cell(text) for text in row] for row in (headings, *rows)])
    return stream.getvalue().encode()


def _html(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    def line(tag: str, cells: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(text)}</{tag}>" for text in cells) + "</tr>"

    style = (
        "table{border-collapse:collapse;font:14px sans-serif}td,th{border:1px solid #bbb;padding:4px;text-align:left}"
    )
    head = f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Score check</title><style>{style}</style>'
    body = "\n".join(line("td", row) for row in rows)
    return f"{head}<table><thead>{line('th', headings)}</thead><tbody>\n{body}\n</tbody></table></html>\n".encode()


def _parquet(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    import polars as pl

    stream = io.BytesIO()
    frame = pl.DataFrame(dict(zip(headings, zip(*rows, strict=True) if rows else repeat(()), strict=False)))
    frame.write_parquet(stream)
    return stream.getvalue()


def _xlsx(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> bytes:
    from assay.scores.sheets.workbook import workbook

    return workbook([headings, *rows])
