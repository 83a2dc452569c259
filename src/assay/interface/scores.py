"""Can these numbers be true? One experiment, or every row of a table."""

from __future__ import annotations

import warnings
from dataclasses import replace
from decimal import Decimal
from os import PathLike
from typing import TYPE_CHECKING, Any

from assay.answers import Answer, existing, frame_of
from assay.findings import Verdict
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.scores.check import Result
    from assay.scores.sheets.files import Sheet

_COUNTS = frozenset({"p", "n", "total", "folds", "repeats", "classes", "items"})
"""Sizes: a float there is an error of its own, not a figure with digits."""


class LostDigitsWarning(UserWarning):
    """A score was given as a float, which keeps no final zeros."""


@dataclass(frozen=True, repr=False)
class ScoreAnswer(Answer):
    """The verdict on one experiment."""

    result: Result
    """The engine's own answer: every reading with its witness or certificate."""

    @property
    def verdict(self) -> Verdict:
        """Consistent, inconsistent, undecided, or possible only under unusual conventions."""
        return self.result.verdict

    def _summary(self) -> str:
        return repr(self.result).strip("<>")


@dataclass(frozen=True, repr=False)
class TableAnswer(Answer):
    """The verdicts on the rows of a table."""

    frame: Any
    """The table with columns ``assay_verdict``, ``assay_conflict``, ``assay_certificate`` and so on."""

    def to_dataframe(self) -> Any:
        """The table that was given, with the results beside it."""
        return self.frame


def check_scores(**words: object) -> ScoreAnswer:
    """Can these scores come from this experiment? ``assay.check_scores(p=100, n=200, acc="0.90", sens="0.80")``.

    The names are those of the command line. Give scores as text, as they are printed: the digits are their precision.
    Without sizes, the scores are judged over all class counts.
    """
    from assay.scores import check_scores as check
    from assay.scores.reporting import report_of

    _warn_of_floats(words)
    result = check(**words)
    return ScoreAnswer(report=report_of([result], in_depth=True, figures=True), result=result)


def _warn_of_floats(words: dict[str, object]) -> None:
    for name, value in words.items():
        if isinstance(value, float) and name not in _COUNTS:
            digits = -int(Decimal(repr(value)).normalize().as_tuple().exponent)
            zero = f"{value:.{max(digits, 0) + 1}f}"
            text = (
                f"{name}={value!r} is a float and keeps no final zeros: it is judged as printed with "
                f'{max(digits, 0)} decimal{"" if digits == 1 else "s"}. If {zero} was printed, write {name}="{zero}".'
            )
            warnings.warn(text, LostDigitsWarning, stacklevel=3)


def check_table(table: Any, *, diagnose: bool = False, workers: int | None = None, **settings: object) -> TableAnswer:
    """Check every row of a table: a DataFrame of pandas or polars, or a file. Columns are found by their headings.

    `settings` hold for all rows, such as ``p=100, n=200`` or ``rounding="truncate"``.
    """
    from assay.scores.reporting import report_of
    from assay.scores.sheets.files import read_sheet
    from assay.scores.sheets.frames import sheet_of, with_results
    from assay.scores.sheets.results import check_sheet, unread_cells, with_results_beside

    is_file = isinstance(table, str | PathLike)
    sheet = read_sheet(existing(table, "table")) if is_file else sheet_of(table)
    _warn_of_float_columns(sheet)
    checked = check_sheet(sheet, settings, diagnose=diagnose, workers=workers or 1)
    report = report_of([row.result for row in checked if row.result is not None])
    left_out = (*report.left_out, *unread_cells(sheet, checked))
    frame = frame_of(with_results_beside(sheet, checked)) if is_file else with_results(table, checked)
    return TableAnswer(report=replace(report, left_out=left_out), frame=frame)


def _warn_of_float_columns(sheet: Sheet) -> None:
    """One warning for all columns of scores whose cells are floats."""
    from assay.scores.sheets.headings import columns_of

    scores = [(place, one.heading) for place, one in enumerate(columns_of(sheet.headings)) if one.is_score]
    cells = [row.cells for row in sheet.rows if not row.misfit]
    floats = [heading for place, heading in scores if any(isinstance(row[place], float) for row in cells)]
    if floats:
        text = (
            f"floats keep no final zeros, so 0.90 is judged as 0.9: {', '.join(floats)}. "
            "Read these columns as text: dtype=str in pandas, infer_schema=False in polars."
        )
        warnings.warn(text, LostDigitsWarning, stacklevel=3)
