"""Can these numbers be true? One experiment, or every row of a table."""

from __future__ import annotations

import warnings
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from assay.answers import Answer
from assay.findings import Verdict
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.scores.check import Result

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


def check_table(frame: Any, *, diagnose: bool = False, workers: int | None = None, **settings: object) -> TableAnswer:
    """Check every row of a pandas or polars DataFrame; columns are found by their headings.

    `settings` hold for all rows, such as ``p=100, n=200`` or ``rounding="truncate"``.
    """
    from assay.scores.reporting import report_of
    from assay.scores.sheets.frames import sheet_of, with_results
    from assay.scores.sheets.results import check_sheet, unread_cells

    sheet = sheet_of(frame)
    checked = check_sheet(sheet, settings, diagnose=diagnose, workers=workers or 1)
    report = report_of([row.result for row in checked if row.result is not None])
    left_out = (*report.left_out, *unread_cells(sheet, checked))
    return TableAnswer(report=replace(report, left_out=left_out), frame=with_results(frame, checked))
