"""Tables: leaks between training and test rows, and comparisons of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from assay.answers import Answer, existing
from assay.errors import InputError
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.comparison.results import Comparison
    from assay.tables import ReadTable

Name = str | int
"""A column: its heading, or its number in an array."""
Names = Name | Sequence[Name] | None


@dataclass(frozen=True, repr=False)
class ComparisonAnswer(Answer):
    """How sure the scores are, and which differences are real."""

    comparison: Comparison

    def _summary(self) -> str:
        """The differences between the models; of one model, its scores."""
        from assay.comparison.sentences import sentences

        return sentences(self.comparison)[-2]


def scan_data(
    train: Any,
    test: Any,
    *,
    target: Name | None = None,
    group: Names = None,
    time: Names = None,
    identifier: Names = None,
) -> Answer:
    """Search a training and a test table for leaks.

    `train` and `test` are files, or tables of pandas, polars or numpy. `target` is the column of the outcome; `group`,
    `time` and `identifier` name columns by their role (a patient, a date, a record's number).
    """
    from assay.leakage.data.checking import check_split
    from assay.leakage.data.split import Roles, split_of_tables

    roles = Roles(next(iter(_names(target)), None), _names(group), _names(time), _names(identifier))
    report, _ = check_split(split_of_tables(_table(train, "train"), _table(test, "test"), roles))
    return Answer(report=report)


def compare(y: Any, scores: Any, **settings: Any) -> ComparisonAnswer:
    """Measure how sure scores are, and whether one model is really better.

    `y` holds the outcomes; `scores` a column for each model (a mapping, a table, or an array of two dimensions), or the
    scores of a single one. Further words are those of `assay.comparison.compare_models`: ``groups``, ``times``,
    ``claim``, ``resamples``, …
    """
    from assay.comparison import compare_models

    alone = isinstance(scores, Sequence) or len(getattr(scores, "shape", ())) == 1
    found = compare_models(y, {"scores": scores} if alone else _columns(scores), **settings)
    return ComparisonAnswer(report=found.report(figures=True), comparison=found)


def _names(given: Names) -> tuple[str, ...]:
    names = (given,) if isinstance(given, str | int) else given or ()
    return tuple(map(str, names))


def _table(given: Any, parameter: str) -> ReadTable:
    from assay.tables import ReadTable, read_table

    if isinstance(given, str | PathLike):
        return read_table(existing(given, parameter))
    import polars as pl

    if isinstance(given, pl.DataFrame):
        return ReadTable(given, parameter)
    columns = {str(name): _plain(column) for name, column in _columns(given, parameter).items()}
    return ReadTable(pl.DataFrame(columns, strict=False), parameter)


def _columns(given: Any, parameter: str = "scores") -> dict[str, Any]:
    """The columns of whatever holds columns, by name; those of an array are numbered."""
    if isinstance(given, Mapping):
        return {str(name): column for name, column in given.items()}
    if hasattr(given, "columns"):
        return {str(name): given[name] for name in given.columns}
    if getattr(given, "ndim", 0) == 2:
        return {str(number): given[:, number] for number in range(given.shape[1])}
    what = f"{parameter} is a {type(given).__name__}"
    raise InputError(what, fix="Give a file, a DataFrame of pandas or polars, or an array of two dimensions.")


def _plain(column: Any) -> list[Any]:
    """Plain values: missing ones are None, whatever the library calls them."""
    values = column.tolist() if hasattr(column, "tolist") else list(column)
    return [None if value != value else value for value in values]  # noqa: PLR0124 - only a missing value differs from itself
