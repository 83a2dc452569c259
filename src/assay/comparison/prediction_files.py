"""Tables of predictions and of fold scores, from files of any common format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay import tables
from assay.comparison.arrays import Floats
from assay.comparison.code_columns import are_codes, is_a_counter, outcome_as_numbers
from assay.comparison.folds import FoldScores
from assay.comparison.measures import MEASURES, Kind, Measure
from assay.comparison.predictions import Predictions, predictions_of
from assay.errors import InputError, suggestion
from assay.patterns import regex
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_NO_SCORE_NAME = regex(
    r"(.*[_\W])?(id|ids|idx|index|key|row|nr|number|year|yr|quarter|month|week|day|hour|date|time|fold|repeat|seed|split)"
    r"|unnamed: \d+|[a-z]*id|rownames?",
    re.IGNORECASE,
)


_SLIPS = 0.1
"""Share of cells that are no numbers, up to which a column of text was meant to be one of numbers."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which columns of a table are what; several may together name a group or a time."""

    y: str = "y"
    scores: tuple[str, ...] = ()
    """None for all columns of numbers that are nothing else."""
    group: tuple[str, ...] = ()
    time: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    """What pairs the rows of several files; without it they are paired by their order."""


def read_predictions(
    paths: Sequence[Path], columns: Columns, *, positive: str | None = None, last_outcome: bool = False
) -> Predictions:
    """The predictions of one or several files about the same rows."""
    read = [(path, read_table(path)) for path in paths]
    table, names = joined_tables(read, columns)
    named = replace(columns, scores=tuple(names))
    found = predictions_in(table, named, where=str(paths[0]), positive=positive, last_outcome=last_outcome)
    return replace(found, left_out=(*found.left_out, *no_models(read, columns)))


def no_models(read: list[tuple[Path, pl.DataFrame]], columns: Columns) -> tuple[str, ...]:
    """Which columns that nothing names are no models, and why."""
    passed_over = {name: why for _, one in read for name, why in _no_scores(one, columns).items()}
    said = [f'column "{name}" is no model: {why}; --scores takes it for one' for name, why in passed_over.items()]
    texts = dict.fromkeys(name for path, one in read for name in _texts(one, columns, str(path)))
    return (*said, *(f'column "{name}" is not of numbers, so it is no model' for name in texts))


def predictions_in(
    table: pl.DataFrame, columns: Columns, *, where: str, positive: str | None = None, last_outcome: bool = False
) -> Predictions:
    """The predictions of one table."""
    return predictions_of(
        column_of(table, columns.y, where).to_numpy(),
        {name: score_column(table, name, where) for name in model_columns(table, columns, where)},
        groups=group_codes(table, columns.group, where),
        times=group_codes(table, columns.time, where),
        positive=positive,
        last_outcome=last_outcome,
    )


def folds_of(
    table: pl.DataFrame,
    *,
    where: str,
    fold: str,
    repeat: str | None = None,
    scores: Sequence[str] = (),
    test_share: float | None = None,
    measure: str = "score",
) -> FoldScores:
    """The scores of each model in each fold, from a table with a row for each fold."""
    keys = [column_of(table, name, where).name for name in (repeat, fold) if name]
    if twins := table.height - table.select(keys).n_unique():
        fix = "Name the column that tells the repeats apart: --repeat."
        raise InputError(f"{twins} rows name a fold that another row names", where=where, fix=fix)
    names = list(scores) or [name for name in number_columns(table) if name not in keys]
    if not names:
        raise InputError("there is no column of scores", where=where, fix="Give one column of numbers for each model.")
    repeats = table[repeat].n_unique() if repeat else 1
    folds = table.height // repeats
    if repeat and (table.group_by(repeat).len()["len"] != folds).any():
        raise InputError("the repeats do not have the same number of folds", where=where, fix="Complete the table.")
    if folds == 1 and test_share is None:
        raise InputError("each repeat has one fold", where=where, fix="Say which share it tests on: --test-share 0.2.")
    values = np.stack([score_column(table.sort(keys), name, where) for name in names], axis=1)
    kind = MEASURES.get(measure, Measure(measure, measure, Kind.RANKING))
    share = 1 / folds if test_share is None else test_share
    return FoldScores(tuple(names), values.reshape(repeats, folds, len(names)), kind, share)


def read_table(path: Path) -> pl.DataFrame:
    """The table in a CSV, Parquet, Feather or Excel file; twins among its column names are refused."""
    table = tables.read_table(path, also_missing=("None", ".")).frame
    for name in table.columns:
        twin, again, _ = name.partition("_duplicated_")
        if again and twin in table.columns:
            raise InputError(f'two columns are called "{twin}"', where=str(path), fix="Rename one of them.")
    return table


def joined_tables(read: list[tuple[Path, pl.DataFrame]], columns: Columns) -> tuple[pl.DataFrame, list[str]]:
    """All files side by side, and which columns are models; names that two files share get the file's name."""
    path, table = read[0]
    for name in columns.scores:
        if not any(name in other.columns for _, other in read):
            column_of(table, name, str(path))  # raises the error with the suggestion
    names = [name for name in model_columns(table, columns, str(path)) if name in table.columns]
    for other_path, other in read[1:]:
        column_of(other, columns.y, str(other_path))
        fresh = _fresh_names(table, other, columns, other_path)
        table = _beside(table, other.rename(fresh), list(fresh.values()), columns, other_path)
        names += fresh.values()
    return table, names


def _fresh_names(table: pl.DataFrame, other: pl.DataFrame, columns: Columns, path: Path) -> dict[str, str]:
    """The models of the other table with names that the table does not have yet."""
    theirs = [name for name in model_columns(other, columns, str(path)) if name in other.columns]
    fresh = {name: f"{path.stem}: {name}" if name in table.columns else name for name in theirs}
    if twin := next((name for name in fresh.values() if name in table.columns), None):
        raise InputError(f'two models are called "{twin}"', where=str(path), fix="Rename one of them.")
    return fresh


def _beside(table: pl.DataFrame, other: pl.DataFrame, names: list[str], columns: Columns, path: Path) -> pl.DataFrame:
    """The table with the other's models, its rows paired by the key or by their places."""
    pair_rows = _paired_by_key if columns.key else _paired_by_place
    paired, disagreeing = pair_rows(table, other, names, columns, path)
    if disagreeing:
        fix = "Name the columns that pair the rows: --key." if not columns.key else "Check the files."
        raise InputError("its outcomes are not those of the first file", where=str(path), fix=fix)
    return paired


def _paired_by_key(
    table: pl.DataFrame, other: pl.DataFrame, names: list[str], columns: Columns, path: Path
) -> tuple[pl.DataFrame, int]:
    """Both tables in one, and how many rows disagree about the outcome."""
    import polars as pl

    for key in columns.key:
        column_of(table, key, str(path))
        column_of(other, key, str(path))
    if other.select(columns.key).is_duplicated().any():
        raise InputError(f"{', '.join(columns.key)} does not tell the rows apart", where=str(path))
    their_y = other.select(*columns.key, *names, pl.col(columns.y).alias("\0y"))
    table = table.join(their_y, on=list(columns.key), how="left", maintain_order="left")
    disagreeing = table.filter(pl.col("\0y").is_not_null() & (pl.col("\0y") != pl.col(columns.y))).height
    return table.drop("\0y"), disagreeing


def _paired_by_place(
    table: pl.DataFrame, other: pl.DataFrame, names: list[str], columns: Columns, _: Path
) -> tuple[pl.DataFrame, int]:
    """Both tables in one, and how many rows disagree about the outcome: at least one if a table is longer."""
    if table.height != other.height:
        return table, 1
    disagreeing = int((table[columns.y].ne_missing(other[columns.y])).sum())
    return table.hstack(other.select(names)), disagreeing


def model_columns(table: pl.DataFrame, columns: Columns, where: str) -> list[str]:
    """The columns that the user names as models, or else those of numbers that may be scores of the outcome."""
    taken = {columns.y, *columns.group, *columns.time, *columns.key}
    column_of(table, columns.y, where)
    if columns.y in columns.scores:
        raise InputError(
            f'"{columns.y}" is the outcome, so it is no model', where=where, fix="Leave it out of --scores."
        )
    if columns.scores:
        return list(columns.scores)
    passed_over = _no_scores(table, columns)
    names = [name for name in number_columns(table) if name not in taken and name not in passed_over]
    if not names:
        fix = "Give one column of numbers for each model."
        raise InputError("there is no column of scores beside the outcome", where=where, fix=fix)
    return names


def _no_scores(table: pl.DataFrame, columns: Columns) -> dict[str, str]:
    """Columns of whole numbers that are a date, an identifier, a counter or a code, and why each is one."""
    if columns.scores:
        return {}
    taken = {columns.y, *columns.group, *columns.time, *columns.key}
    numbers = [name for name in number_columns(table) if name not in taken]
    whole = [name for name in numbers if _whole(table[name])]
    named = {name: "it is called like a date or a counter" for name in whole if _NO_SCORE_NAME.fullmatch(name)}
    found = named | _codes(table, [name for name in whole if name not in named], columns.y)
    return found if len(found) < len(numbers) else named


def _codes(table: pl.DataFrame, names: Sequence[str], y: str) -> dict[str, str]:
    """Which of these columns of whole numbers are no scores by their values, and why."""
    outcome = outcome_as_numbers(table[y])
    if outcome is None:
        return {}
    reasons = {name: _why_no_score(score_column(table, name, ""), outcome) for name in names}
    return {name: why for name, why in reasons.items() if why}


def _why_no_score(values: Floats, outcome: Floats) -> str:
    """Why whole numbers, by their values, are no score of this outcome; empty where they may be one."""
    known = np.isfinite(values) & np.isfinite(outcome)
    values, outcome = values[known], outcome[known]
    if set(np.unique(values)) <= set(np.unique(outcome)):
        return ""  # predicted classes, or counts in place of counts
    if is_a_counter(values):
        return "its whole numbers only count the rows"
    return "its whole numbers order the outcome as any other order would" if are_codes(values, outcome) else ""


def _texts(table: pl.DataFrame, columns: Columns, where: str) -> list[str]:
    """Columns of text that nothing names; one that is almost all numbers is a model with a slip in it."""
    import polars as pl

    if columns.scores:
        return []
    taken = {columns.y, *columns.group, *columns.time, *columns.key, *number_columns(table)}
    texts = [column for column in table.get_columns() if column.name not in taken and column.dtype == pl.String]
    for column in texts:
        known = column.drop_nulls()
        odd = [value for value in known.to_list() if not _is_number(value)]
        if 0 < len(odd) <= _SLIPS * len(known):
            row = column.to_list().index(odd[0]) + 1
            says = f'column "{column.name}" has {odd[0][:40]!r} in row {row} among numbers'
            raise InputError(says, where=where, fix="Correct the cell or leave it empty.")
    return [column.name for column in texts]


def _whole(column: pl.Series) -> bool:
    known = column.drop_nulls().cast(float)
    return bool(len(known) and (known == known.floor()).all() and known.max() not in (0.0, 1.0))


def number_columns(table: pl.DataFrame) -> list[str]:
    """The columns that hold numbers."""
    return [name for name, kind in table.schema.items() if kind.is_numeric() or kind.is_decimal()]


def column_of(table: pl.DataFrame, name: str, where: str) -> pl.Series:
    """The column with this name; an unknown one is an error that names the nearest."""
    if name not in table.columns:
        listed = ", ".join(table.columns[:10]) + (", …" if table.width > 10 else "")
        fix = suggestion(name, table.columns) or f"The columns are {listed}."
        raise InputError(f'there is no column "{name}"', where=where, fix=fix)
    return table[name]


def score_column(table: pl.DataFrame, name: str, where: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """A column of numbers, with nan for its gaps."""
    import polars as pl

    column = column_of(table, name, where)
    if column.dtype == pl.Boolean:
        column = column.cast(int)
    if not (column.dtype.is_numeric() or column.dtype.is_decimal()):
        odd = next((value for value in column.drop_nulls().to_list() if not _is_number(value)), None)
        raise InputError(f'column "{name}" is not of numbers (it holds {str(odd)[:40]!r})', where=where)
    values: np.ndarray[tuple[int], np.dtype[np.float64]] = column.cast(float).fill_null(float("nan")).to_numpy()
    return values


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True


def group_codes(
    table: pl.DataFrame, names: Sequence[str], where: str
) -> np.ndarray[tuple[int], np.dtype[np.int64]] | None:
    """Columns that together name a group or a time, as the place of each row's values among the sorted ones."""
    if not names:
        return None
    for name in names:
        if column_of(table, name, where).null_count():
            raise InputError(f'column "{name}" has gaps', where=where, fix="Fill them, or leave those rows out.")
    distinct = table.select(names).unique().sort(names).with_row_index("\0place")
    codes = table.select(names).join(distinct, on=list(names), how="left", maintain_order="left")["\0place"]
    places: np.ndarray[tuple[int], np.dtype[np.int64]] = codes.cast(int).to_numpy()
    return places
