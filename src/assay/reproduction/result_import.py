"""A table of results as experiments with results: one method on one data set in each, as section 3.5 defines them.

A table may be *long*, one result in a row with the columns of results.csv (method, data, metric, original, reproduced
and so on), or *wide*, one method in a row with a column for each metric or data set. Reproduced numbers of a wide table
stand in a second table, or in columns such as accuracy_reproduced or "Reproduced accuracy".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace

from assay.errors import InputError
from assay.records import dataclass
from assay.reported import read_name
from assay.reported.columns import is_dataset_heading
from assay.reproduction import cells
from assay.reproduction.headings import with_columns, with_pairs, without_remarks
from assay.reproduction.outcomes import Measured
from assay.reproduction.pasted_tables import LEVELS
from assay.reproduction.result_files import RawTable
from assay.reproduction.result_tables import ResultRow, ResultTable, in_parts, names_rows, naming_columns, table_of
from assay.reproduction.rows import Row

_AGAIN = "_reproduced"
_LONG = (*cells.EXPERIMENT, *cells.RESULT)
_PAPER = "paper"
"""A column that names the paper, where another one holds its numbers."""
Cells = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NewExperiment:
    """An experiment to record, with the cells of its results."""

    name: str
    """Empty for the next number."""
    method: str
    data: str
    results: tuple[Cells, ...]
    further: Cells = field(default_factory=dict)
    """Status, reason and level, where the table has them."""


@dataclass(frozen=True, slots=True)
class Import:
    """What a table holds, and what it does not."""

    experiments: tuple[NewExperiment, ...]
    left_out: tuple[str, ...] = ()
    paper: str = ""
    """The paper that the table names, if it does."""


def results_in(
    original: RawTable, reproduced: RawTable | None = None, *, by: Sequence[str] = (), metric: str = ""
) -> Import:
    """The experiments of a table; with `metric`, columns are data sets and their cells values of that metric."""
    long, paper = without_remarks(with_columns(original, _LONG)), ""
    if {"original", "metric"} <= set(long.columns):
        long, paper = _without_paper(long)
        found, left_out = _long(long), [*long.left_out]
    else:
        original = original if reproduced else _with_pairs(original, by, metric)
        first, second = _two_tables(original, reproduced, by)
        left_out = [*first.left_out, *_gaps(first), *(_unmatched(first, second) if second else ())]
        found = list(_wide(first, second, metric))
    if not found:
        raise InputError("holds no result", where=original.where, fix="Fill in at least one number.")
    return Import(tuple(_merged(found)), tuple(left_out), paper)


def _without_paper(raw: RawTable) -> tuple[RawTable, str]:
    """The table without the column that names its paper, and that name."""
    column = next((column for column in raw.columns if column.lower() == _PAPER), None)
    if column is None:
        return raw, ""
    named = list(dict.fromkeys(filter(None, (row.text(column).strip() for row in raw.rows))))
    if len(named) > 1:
        what = f"has results of {len(named)} papers: {', '.join(named[:5])}"
        raise InputError(what, where=raw.where, fix="Give the results of each paper in a table of their own.")
    return replace(raw, columns=tuple(name for name in raw.columns if name != column)), named[0] if named else ""


def _long(raw: RawTable) -> list[NewExperiment]:
    unknown = [column for column in raw.columns if column not in _LONG]
    if unknown:
        fix = f"The columns are {', '.join(_LONG)}."
        raise InputError(f'unknown column "{unknown[0]}"', where=raw.where, fix=fix)
    found = []
    for row in map(_in_parts, raw.rows):
        cells.read_result(row)
        result = {name: row.text(name).strip() for name in cells.RESULT if row.text(name).strip()}
        name, method, data = (row.text(column).strip() for column in cells.EXPERIMENT[:3])
        further = {name: row.text(name).strip() for name in cells.EXPERIMENT[3:] if row.text(name).strip()}
        found.append(NewExperiment(name, method, data, (result,), further))
    return found


def _in_parts(row: Row) -> Row:
    """The row with the spread of each figure in a cell of its own."""
    parts: dict[str, str] = {}
    for which in ("original", "reproduced"):
        value, spread = in_parts(row.text(which))
        parts |= {which: value} | ({f"{which}_spread": spread} if spread else {})
    return Row(row.where, {**row.cells, **parts})


# --- wide tables -------------------------------------------------------------------------------------


def _two_tables(raw: RawTable, other: RawTable | None, by: Sequence[str]) -> tuple[ResultTable, ResultTable | None]:
    """Original and reproduced numbers, each as a table with the same row names."""
    again = [column for column in raw.columns if _AGAIN in column]
    if other is None and not again:
        return table_of(raw, naming_columns(raw, raw, by)), None
    if other is None:
        plain = [column for column in raw.columns if column not in again]
        names = naming_columns(_columns(raw, plain), _columns(raw, plain), by)
        other = _columns(raw, [*names, *again])
        raw = _columns(raw, plain)
    else:
        names = naming_columns(raw, other, by)
    return table_of(raw, names), table_of(other, names)


def _with_pairs(raw: RawTable, by: Sequence[str], metric: str) -> RawTable:
    """The table with the headings of reproduced columns as `_two_tables` knows them."""
    return with_pairs(raw, {*by, *(column for column in raw.columns if names_rows(column, raw))}, metric, _AGAIN)


def _columns(raw: RawTable, kept: Sequence[str]) -> RawTable:
    """Some columns of a table, without the mark of reproduced ones in their names."""
    rows = (Row(row.where, {name.replace(_AGAIN, ""): row.text(name) for name in kept}) for row in raw.rows)
    return replace(raw, columns=tuple(name.replace(_AGAIN, "") for name in kept), rows=tuple(rows))


def _wide(first: ResultTable, second: ResultTable | None, metric: str) -> Iterator[NewExperiment]:
    again = {row.names: row for row in second.rows} if second else {}
    for row in first.rows:
        method, data = _method_and_data(first.names, row.names)
        for column in first.metrics:
            value = row.cells[column]
            if isinstance(value, Measured):
                measure, place = _meaning(column, metric)
                result = {"metric": measure, **_measured("original", value), **_rivals(row, column)}
                result |= _reproduced(again.get(row.names), column)
                yield NewExperiment("", method, " ".join(filter(None, (data, place))), (result,))


def _method_and_data(headings: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    """The words that name the method and those that name the data, by the headings above them."""
    about_data = [is_dataset_heading(heading) for heading in headings]
    method = [name for name, data in zip(names, about_data, strict=True) if name and not data]
    data = [name for name, data in zip(names, about_data, strict=True) if name and data]
    return LEVELS.join(method), LEVELS.join(data)


def _meaning(column: str, metric: str) -> tuple[str, str]:
    """The metric of a column and the data set that its heading names, if it names one."""
    if metric:
        return metric, "" if column == metric else column
    upper, _, lower = column.partition(LEVELS)
    if not lower:
        return column, ""
    return (lower, upper) if read_name(lower) is not None else (upper, lower)


def _measured(which: str, value: Measured) -> dict[str, str]:
    parts = {"": value.value, "_spread": value.spread, "_runs": value.runs, "_items": value.items}
    return {f"{which}{part}": str(number) for part, number in parts.items() if number is not None}


def _rivals(row: ResultRow, column: str) -> dict[str, str]:
    rivals = row.baselines.get(column, ())
    return {"baselines": "; ".join(rival.value for rival in rivals)} if rivals else {}


def _reproduced(row: ResultRow | None, column: str) -> dict[str, str]:
    value = row.cells.get(column) if row else None
    return _measured("reproduced", value) if isinstance(value, Measured) else {}


def _gaps(table: ResultTable) -> Iterator[str]:
    empty = sum(not isinstance(cell, Measured) for row in table.rows for cell in row.cells.values())
    if empty:
        yield f"{empty} cells without a number"


def _unmatched(first: ResultTable, second: ResultTable) -> Iterator[str]:
    known = {row.names for row in first.rows}
    for row in second.rows:
        if row.names not in known:
            yield f'reproduced row "{row.label}": not in the original table'
    for column in second.metrics:
        if column not in first.metrics:
            yield f'reproduced column "{column}": not in the original table'


def _merged(found: Sequence[NewExperiment]) -> Iterator[NewExperiment]:
    """Results of the same method on the same data belong to one experiment."""
    groups: dict[tuple[str, str, str], list[NewExperiment]] = {}
    for one in found:
        groups.setdefault((one.name, one.method, one.data), []).append(one)
    for about, same in groups.items():
        further = {name: cell for one in same for name, cell in one.further.items()}
        yield NewExperiment(*about, tuple(result for one in same for result in one.results), further)
