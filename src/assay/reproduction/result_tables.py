"""Tables of results as papers print them: rows with names, columns with metrics, and two kinds of empty cells.

A cell that *should* hold a number and does not is missing; a cell that *cannot* hold one is not applicable. The two
are kept apart, as in Fell et al. (2022), Tables 2 to 4. Columns are recognised by their names, never by their place:

- `accuracy` holds the metric; `accuracy_spread`, `accuracy_runs`, `accuracy_items` and `accuracy_baselines`, if there
  are such columns, the standard deviation over runs, their number, the number of answers and the baselines;
- `p` and `n` the positives and negatives of the test set, `items` its size, `runs` the number of runs of the row;
- every other column that holds no number names the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from pathlib import Path

from assay.errors import InputError, suggestion
from assay.patterns import regex
from assay.records import dataclass
from assay.reproduction.outcomes import Measured
from assay.reproduction.result_files import RawTable, read_raw
from assay.reproduction.rows import Row

SIZES = ("p", "n", "items", "runs")
PARTS = ("_spread", "_runs", "_items", "_baselines")
_NUMBER = r"[-+−]?\d{1,40}(?:\.\d{0,40})?(?:[eE][-+]?\d{1,3})?\s?%?"
_PRINTED = regex(rf"(?P<value>{_NUMBER})(?:\s?(?:±|\+/-|\+-)\s?(?P<spread>{_NUMBER}))?")
_MISSING = frozenset({"", "-", "–", "—", "?", "missing", "not reported", "nr"})
_NOT_APPLICABLE = frozenset({"na", "n/a", "n.a.", "not applicable", "nan"})


class Gap(StrEnum):
    """Why a cell holds no number."""

    MISSING = "–"
    """It applies, and was not reported."""
    NOT_APPLICABLE = "n/a"


@dataclass(frozen=True, slots=True)
class Sizes:
    """What is known of the test set that a row was measured on."""

    positives: int | None = None
    negatives: int | None = None
    items: int | None = None

    @property
    def total(self) -> int | None:
        """All cases."""
        if self.items is not None or self.positives is None or self.negatives is None:
            return self.items
        return self.positives + self.negatives


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One row: its names, and a number or a gap for each metric."""

    names: tuple[str, ...]
    cells: Mapping[str, Measured | Gap]
    baselines: Mapping[str, tuple[Measured, ...]] = field(default_factory=dict)
    sizes: Sizes = Sizes()
    where: str = ""

    @property
    def label(self) -> str:
        """The names in one line."""
        return " / ".join(name for name in self.names if name)


@dataclass(frozen=True, slots=True)
class ResultTable:
    """A table of results; row names are unique."""

    names: tuple[str, ...]
    metrics: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    left_out: tuple[str, ...] = ()


def read_pair(original: Path, reproduced: Path, by: Sequence[str] = ()) -> tuple[ResultTable, ResultTable]:
    """Two tables whose rows bear the same names; `by` names the columns that name rows, if that is not plain."""
    one, other = read_raw(original), read_raw(reproduced)
    names = naming_columns(one, other, by)
    return table_of(one, names), table_of(other, names)


def table_of(raw: RawTable, names: Sequence[str]) -> ResultTable:
    """The cells understood: numbers with what belongs to them, and the two kinds of gaps."""
    own = [column for column in raw.columns if column not in names and column not in SIZES]
    metrics = tuple(c for c in own if not any(c.endswith(part) and c.removesuffix(part) in own for part in PARTS))
    if not metrics:
        fix = f"Columns that name rows: {', '.join(names)}. --by names fewer."
        raise InputError("has no column with results", where=raw.where, fix=fix)
    rows = tuple(_result_row(row, names, metrics) for row in raw.rows)
    seen: dict[tuple[str, ...], str] = {}
    for row in rows:
        if row.names in seen:
            fix = f"It stands at {seen[row.names]} too. Rows are joined by name: add a column that distinguishes them."
            raise InputError(f'row "{row.label}" is there twice', where=row.where, fix=fix)
        seen[row.names] = row.where
    return ResultTable(tuple(names), metrics, rows, raw.left_out)


def with_sizes(table: ResultTable, positives: int, negatives: int) -> ResultTable:
    """The table with the sizes of the test set for every row that does not have its own."""
    given = Sizes(positives, negatives)
    rows = tuple(row if row.sizes != Sizes() else replace(row, sizes=given) for row in table.rows)
    return replace(table, rows=rows)


def example_tables(folder: Path) -> tuple[Path, Path]:
    """Copies of the bundled example: the results of three papers and of their re-implementations (Fell et al. 2022)."""
    from importlib import resources

    from assay.report import write

    made = []
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("original.csv", "reproduced.csv", "README.md"):
        text = (resources.files("assay.reproduction") / "example_results" / name).read_text(encoding="utf-8")
        write(text, folder / name, force=False)
        made.append(folder / name)
    return made[0], made[1]


# --- which columns name rows -------------------------------------------------------------------------


def naming_columns(one: RawTable, other: RawTable, by: Sequence[str]) -> tuple[str, ...]:
    """The columns of both tables that name rows."""
    shared = [column for column in one.columns if column in other.columns and column not in SIZES]
    for column in by:
        if column not in shared:
            fix = suggestion(column, shared) or f"Both have: {', '.join(shared)}."
            raise InputError(f'"{column}" is not a column of both tables', where=one.where, fix=fix)
    found = tuple(by) or tuple(c for c in shared if names_rows(c, one) and names_rows(c, other))
    if not found:
        fix = "Both need a column of the same heading that names rows, as method or dataset; --by names it."
        raise InputError("the rows cannot be joined by name", where=one.where, fix=fix)
    return found


def names_rows(column: str, raw: RawTable) -> bool:
    """Whether the column holds words: some that are no gap, and no number."""
    cells = [row.text(column).strip() for row in raw.rows]
    words = [cell for cell in cells if cell.lower() not in _MISSING | _NOT_APPLICABLE]
    return bool(words) and not any(_PRINTED.fullmatch(cell) for cell in words)


# --- cells ------------------------------------------------------------------------------------------


def _result_row(row: Row, names: Sequence[str], metrics: Sequence[str]) -> ResultRow:
    sizes = Sizes(*(_count(row, column) for column in ("p", "n", "items")))
    label = tuple(_name(row.text(name)) for name in names)
    if not any(label):
        raise row.error("the row has no name", f"Fill in {' or '.join(names)}.")
    cells = {metric: _cell(row, metric) for metric in metrics}
    rivals = {m: tuple(map(Measured, _rivals(row, f"{m}_baselines"))) for m in metrics}
    return ResultRow(label, cells, {m: found for m, found in rivals.items() if found}, sizes, row.where)


def _rivals(row: Row, column: str) -> tuple[str, ...]:
    return () if row.text(column).strip().lower() in _MISSING | _NOT_APPLICABLE else row.all_printed(column)


def _name(text: str) -> str:
    """A row's name; a gap of either kind is no name."""
    words = " ".join(text.split())
    return "" if words.lower() in _MISSING | _NOT_APPLICABLE else words


def in_parts(text: str) -> tuple[str, str]:
    """A figure such as 92.1 ± 0.2 as value and spread; what says that there is none is empty."""
    words = " ".join(text.split())
    found = _PRINTED.fullmatch(words)
    if found and found["spread"]:
        return found["value"], str(float(_spread(found["value"], found["spread"])))
    return "" if words.lower() in _MISSING | _NOT_APPLICABLE else text, ""


def _spread(value: str, spread: str) -> Decimal | Fraction:
    """The spread as a number; it is in percent if its value is."""
    sign = "%" if value.endswith("%") and not spread.endswith("%") else ""
    return Measured(spread + sign).exact


def _cell(row: Row, metric: str) -> Measured | Gap:
    text = " ".join(row.text(metric).split())
    if text.lower() in _MISSING:
        return Gap.MISSING
    if text.lower() in _NOT_APPLICABLE:
        return Gap.NOT_APPLICABLE
    found = _PRINTED.fullmatch(text)
    if not found:
        fix = 'Write the figure as printed, as in 0.930 or 92.1 ± 0.2; "-" for missing, "n/a" for not applicable.'
        raise row.error(f'"{metric}" = {text[:40]!r} is no number', fix)
    try:
        _ = Measured(found["value"]).exact
    except InputError as error:
        raise row.error(f'"{metric}" = {error.what}', error.fix) from None
    spread: Decimal | Fraction | None = row.number(f"{metric}_spread")
    if found["spread"]:
        spread = _spread(found["value"], found["spread"])
    return Measured(
        found["value"],
        None if spread is None else float(spread),
        _count(row, f"{metric}_runs") or _count(row, "runs"),
        _count(row, f"{metric}_items"),
    )


def _count(row: Row, column: str) -> int | None:
    """A number of cases or runs; a gap and 0 are no information."""
    return None if row.text(column).strip().lower() in _MISSING | _NOT_APPLICABLE else row.count(column) or None
