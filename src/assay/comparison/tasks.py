"""Tables whose outcome has several classes or is a number, and the choice between these and two classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.comparison.analysis import compare
from assay.comparison.arrays import Bools, Floats, Ints
from assay.comparison.datasets import DatasetScores
from assay.comparison.measures import MEASURES, Kind, Measure, Task, measure
from assay.comparison.multiclass import ClassPredictions
from assay.comparison.prediction_files import (
    Columns,
    column_of,
    group_codes,
    joined_tables,
    model_columns,
    no_models,
    number_columns,
    predictions_in,
    read_table,
    score_column,
)
from assay.comparison.predictions import word_of
from assay.comparison.regression import NumberPredictions
from assay.comparison.results import Settings
from assay.errors import InputError

if TYPE_CHECKING:
    import polars as pl

_MOST_CLASSES = 50
_ROUNDING = 0.01
"""Probabilities printed with two digits may miss a sum of 1 by so much."""
_SEPARATORS = (":", "_", ".", " ", "-", "=")


def task_of(table: pl.DataFrame, columns: Columns, where: str) -> Task:
    """Two values are two classes; other numbers are classes only where the models answer with classes."""
    outcome = column_of(table, columns.y, where)
    words = _words(outcome)
    if len(words) <= 2:
        return Task.BINARY
    if not outcome.dtype.is_numeric():
        return Task.CLASSES
    whole = all("." not in word for word in words)
    answers = _labels(table, columns, words) or _probabilities(table, columns, words)
    return Task.CLASSES if whole and len(words) <= _MOST_CLASSES and answers else Task.NUMBERS


def classes_in(table: pl.DataFrame, columns: Columns, where: str) -> ClassPredictions:
    """Predictions of several classes: a column of classes for each model, or a column for each class (model:class)."""
    words = _words(column_of(table, columns.y, where))
    if len(words) > _MOST_CLASSES:
        raise InputError(f"the outcome has {len(words):,} classes", where=where, fix="Is it the right column? --y")
    likely, notes = _usable(_probabilities(table, columns, words))
    labels = dict(_labels(table, columns, words))
    for model, values in likely.items():
        labels.setdefault(model, np.where(np.isnan(values).any(axis=1), -1, np.nan_to_num(values).argmax(axis=1)))
    wanted = columns.scores
    if unknown := [name for name in wanted if name not in labels]:
        fix = f"Models: {', '.join(labels) or 'none'}. Give classes, or a column for each class (model:class)."
        raise InputError(f'"{unknown[0]}" holds no predicted classes', where=where, fix=fix)
    named = wanted or tuple(labels)
    return ClassPredictions(
        _codes(table[columns.y], words),
        tuple(words),
        {name: labels[name] for name in named},
        {name: likely[name] for name in named if name in likely},
        group_codes(table, columns.group, where),
        tuple(notes),
    ).complete()


def read_numbers(paths: Sequence[Path], columns: Columns) -> NumberPredictions:
    """Predictions of numbers, from one or several files about the same rows."""
    read = [(path, read_table(path)) for path in paths]
    table, names = joined_tables(read, columns)
    found = numbers_in(table, columns, names, str(paths[0]))
    return replace(found, left_out=(*found.left_out, *no_models(read, columns)))


def numbers_in(table: pl.DataFrame, columns: Columns, names: Sequence[str], where: str) -> NumberPredictions:
    """Predictions of numbers in one table; rows with a gap are left out and counted."""
    y = score_column(table, columns.y, where)
    predicted = {name: score_column(table, name, where) for name in names}
    known: Bools = np.logical_and.reduce([np.isfinite(values) for values in (y, *predicted.values())])
    if not known.any():
        raise InputError("there is no row with both an outcome and predictions", where=where)
    gaps = int((~known).sum())
    groups = group_codes(table, columns.group, where)
    return NumberPredictions(
        y[known],
        {name: values[known] for name, values in predicted.items()},
        None if groups is None else groups[known],
        (f"{gaps:,} of {known.size:,} rows: the outcome or a prediction is missing",) if gaps else (),
    )


def datasets_in(table: pl.DataFrame, dataset: str, columns: Columns, named: str | None, where: str) -> DatasetScores:
    """Scores by data set: the table's own, or those of its predictions where it has a column of outcomes.

    Several rows of a data set (folds, repeats) count as one: their mean.
    """
    names = column_of(table, dataset, where)
    if names.null_count():
        raise InputError(f'column "{dataset}" has gaps', where=where, fix="Name the data set of every row.")
    if columns.y in table.columns:
        return _measured(table, dataset, columns, named, where)
    taken = {dataset, *columns.group, *columns.time, *columns.key}
    models = columns.scores or tuple(name for name in number_columns(table) if name not in taken)
    known = MEASURES.get(named or "", Measure(named or "score", named or "score", Kind.RANKING))
    values = np.stack([score_column(table, name, where) for name in models], axis=1) if models else np.empty((0, 0))
    codes = names.cast(str).to_numpy()
    sets = tuple(dict.fromkeys(codes.tolist()))
    means = np.stack([values[codes == name].mean(axis=0) for name in sets])
    more = table.height - len(sets)
    note = (f"{more:,} further rows of the same data sets: each data set counts once, by its mean",) if more else ()
    return DatasetScores(tuple(models), sets, means, known, note)


def _measured(table: pl.DataFrame, dataset: str, columns: Columns, named: str | None, where: str) -> DatasetScores:
    """The score of each model's predictions on each data set."""
    wanted = measure(named or "auc")
    found, sets = [], []
    rest = table.drop(dataset)
    left_out = [*no_models([(Path(where), rest)], columns)]
    columns = replace(columns, scores=tuple(model_columns(rest, columns, where)))
    for (name,), part in table.group_by(dataset, maintain_order=True):
        try:
            predictions = predictions_in(part.drop(dataset), columns, where=f"{where}, data set {name}")
            scored = compare(predictions, Settings(measures=(wanted.name,), resamples=0))
        except InputError as error:
            left_out.append(f"data set {name}: {error}")
            continue
        sets.append(str(name))
        found.append([scored.estimate(model, wanted.name).value for model in predictions.models])
        models = predictions.models
    if not found:
        raise InputError("no data set can be scored", where=where, fix="; ".join(left_out[:3]))
    return DatasetScores(models, tuple(sets), np.array(found), wanted, tuple(left_out))


def _words(column: pl.Series) -> list[str]:
    found = {word for value in column.unique().to_list() if (word := word_of(value)) is not None}
    return sorted(found)


def _codes(column: pl.Series, words: list[str]) -> Ints:
    """The place of each value among the classes; -1 for a gap."""
    place: dict[str | None, int] = {word: i for i, word in enumerate(words)}
    return np.array([place.get(word_of(value), -1) for value in column.to_list()], dtype=np.int64)


def _labels(table: pl.DataFrame, columns: Columns, words: list[str]) -> dict[str, Ints]:
    """The columns that hold nothing but classes of the outcome."""
    taken = {columns.y, *columns.group, *columns.time, *columns.key}
    classes = set(words)
    found = {}
    for name in columns.scores or table.columns:
        if name in taken or name not in table.columns:
            continue
        values = _words(table[name])
        if len(values) > 1 and classes.issuperset(values):
            found[name] = _codes(table[name], words)
    return found


def _probabilities(table: pl.DataFrame, columns: Columns, words: list[str]) -> dict[str, Floats]:
    """Models that have a column of numbers for each class, called like the model and the class."""
    import polars as pl

    numeric = set(number_columns(table))
    found: dict[str, Floats] = {}
    for name, separator in product(table.columns, _SEPARATORS):
        first = separator + words[0]
        model = name.removesuffix(first)
        members = [f"{model}{separator}{word}" for word in words]
        if model and name.endswith(first) and numeric.issuperset(members):
            found.setdefault(model, table.select(members).cast(pl.Float64).to_numpy())
    wanted = columns.scores
    return {name: values for name, values in found.items() if not wanted or name in wanted}


def _usable(likely: dict[str, Floats]) -> tuple[dict[str, Floats], list[str]]:
    """Probabilities that add up to 1, freed of their rounding; the others are left out with a note."""
    usable, notes = {}, []
    for model, values in likely.items():
        total = np.nansum(values, axis=1)
        if (np.abs(total - 1) > _ROUNDING).any() or np.nanmin(values) < 0:
            notes.append(f"{model}: its columns are no probabilities, for they do not add up to 1")
        else:
            usable[model] = values / total[:, None]
    return usable, notes
