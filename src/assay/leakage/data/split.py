"""The facts that every check starts from: training rows, test rows, and what each column is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError, suggestion
from assay.leakage.data.columns import Column, Kind, profile
from assay.leakage.data.drawing import Drawing, DrawnBy, drawing_between
from assay.leakage.data.measures import Ints, Keys
from assay.leakage.data.outcome import RowNumbers
from assay.leakage.data.panel import Panel, panel_of
from assay.records import dataclass
from assay.tables import ReadTable

if TYPE_CHECKING:
    import polars as pl

TRAIN_NAMES = frozenset({"train", "training", "tr", "learn", "fit", "dev", "development"})
TEST_NAMES = frozenset({"test", "testing", "te", "holdout", "hold-out", "heldout", "eval", "evaluation"})
MOST_FOLDS = 20
SEED = 20230908
"""Samples are drawn with one seed, so that a table always gets the same report."""


@dataclass(frozen=True)
class Roles:
    """What the user says about columns; None leaves it to the checks to find out."""

    target: str | None = None
    groups: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()

    def named(self) -> Iterator[tuple[str, str]]:
        """Each column with its role."""
        if self.target is not None:
            yield "target", self.target
        for role, columns in (("group", self.groups), ("time", self.times), ("identifier", self.identifiers)):
            yield from ((role, column) for column in columns)


@dataclass(frozen=True)
class Split:
    """Training rows and test rows with the same columns; `test` is None for a table that is not split."""

    train: pl.DataFrame
    test: pl.DataFrame | None
    roles: Roles
    train_numbers: RowNumbers
    test_numbers: RowNumbers
    left_out: tuple[str, ...] = ()
    label: str = ""
    claim: float | None = None
    """The difference between two models' AUC that somebody claims to have seen on the test part."""

    @cached_property
    def columns(self) -> dict[str, Column]:
        """What each column is, by name; a user's word overrides a guess."""
        found = {c.name: c for c in profile(self.train, self.test)}
        for name in self.roles.identifiers:
            found[name] = replace(found[name], kind=Kind.IDENTIFIER)
        for name in self.roles.times:
            found[name] = replace(found[name], kind=Kind.TIME)
        return found

    @cached_property
    def drawing(self) -> Drawing:
        """How the test part was drawn; a table that is not split counts as drawn by rows."""
        if self.test is None:
            return Drawing(DrawnBy.ROWS)
        candidates = {name: c for name, c in self.columns.items() if name != self.roles.target}
        return drawing_between(self.train, self.test, candidates, self.roles.groups, self.roles.times)

    @cached_property
    def panel(self) -> Panel | None:
        """The columns of units and occasions, where the table observes units several times."""
        return panel_of(self.whole, [c for c in self.columns.values() if c.name != self.roles.target])

    @property
    def features(self) -> list[Column]:
        """Every column that a model could use: all but the target, constants and identifiers."""
        return [
            c
            for c in self.columns.values()
            if c.name != self.roles.target and c.kind not in (Kind.IDENTIFIER, Kind.CONSTANT)
        ]

    @property
    def key_columns(self) -> list[str]:
        """The columns by which rows are compared: features, without what names rows or never changes."""
        return [c.name for c in self.features]

    @cached_property
    def row_keys(self) -> tuple[Keys, Keys]:
        """A number for each training row and each test row that is the same for rows with equal features."""
        test = np.empty(0, np.uint64) if self.test is None else row_keys_of(self.test, self.key_columns)
        return row_keys_of(self.train, self.key_columns), test

    @property
    def test_height(self) -> int:
        """How many test rows there are."""
        return 0 if self.test is None else self.test.height

    @property
    def whole(self) -> pl.DataFrame:
        """All rows, training first."""
        return self.train if self.test is None else self.train.vstack(self.test)

    def sample(self, part: str, most: int) -> Ints:
        """Positions of at most `most` rows of a part, in order; the same ones each time."""
        frame = self.train if part == "train" else self.test
        height = 0 if frame is None else frame.height
        if height <= most:
            return np.arange(height)
        return np.sort(np.random.default_rng(SEED).choice(height, most, replace=False))


def row_keys_of(frame: pl.DataFrame, columns: list[str]) -> Keys:
    """A number for each row that is the same for rows which agree on these columns."""
    return frame[columns].hash_rows(seed=7).to_numpy()


def split_of_tables(train: ReadTable, test: ReadTable, roles: Roles) -> Split:
    """A split that comes as two tables; columns that only one of them has are left out and said so."""
    _require(roles, train)
    common = [name for name in train.frame.columns if name in test.frame.columns]
    alone = [name for name in (*train.frame.columns, *test.frame.columns) if name not in common]
    if len(common) < 2:
        raise InputError(
            f"shares {len(common)} columns with {train.name}", where=test.name, fix="Give two parts of one table."
        )
    told = [f'column "{name}" was left out: only one of the two tables has it' for name in alone[:20]]
    if roles.target is not None and roles.target not in common:
        told.append(f"{test.name} has no target, so checks that need the outcome of test rows were not run")
        roles = replace(roles, target=None)
    kept = set(common)
    roles = replace(
        roles,
        groups=tuple(c for c in roles.groups if c in kept),
        times=tuple(c for c in roles.times if c in kept),
        identifiers=tuple(c for c in roles.identifiers if c in kept),
    )
    first, second = _alike(train.frame, test.frame, common)
    return Split(
        first,
        second,
        roles,
        RowNumbers(train.name, np.arange(1, first.height + 1)),
        RowNumbers(test.name, np.arange(1, second.height + 1)),
        (*train.left_out, *test.left_out, *told),
    )


def unsplit(table: ReadTable, roles: Roles) -> Split:
    """A table without a split: what can be seen in it before it is cut."""
    _require(roles, table)
    numbers = RowNumbers(table.name, np.arange(1, table.frame.height + 1))
    return Split(table.frame, None, roles, numbers, numbers, table.left_out)


def split_by_column(table: ReadTable, column: str, roles: Roles) -> Split:
    """A split that a column of the table tells: its values name the training and the test part."""
    _require(roles, table, column)
    values = _part_names(table, column)
    train = [v for v in values if v.lower() in TRAIN_NAMES or v.lower() in ("0", "false")]
    test = [v for v in values if v.lower() in TEST_NAMES or v.lower() in ("1", "true")]
    if len(train) != 1 or len(test) != 1:
        raise InputError(
            f'column "{column}" does not tell training from test: it holds {", ".join(values[:8])}',
            where=table.name,
            fix='It must hold "train" and "test" (or 0 and 1); for folds use --fold.',
        )
    others = [v for v in values if v not in (*train, *test)]
    told = [f'rows with {column} = "{value}" were not examined' for value in others]
    split = _cut(table, column, train, test[0], roles)
    return replace(split, left_out=(*split.left_out, *told))


def splits_by_fold(table: ReadTable, column: str, roles: Roles) -> list[Split]:
    """Each fold in turn as the test part, against all others."""
    _require(roles, table, column)
    values = _part_names(table, column)
    if len(values) < 2:
        raise InputError(f'column "{column}" holds one fold only', where=table.name, fix="Name the column of folds.")
    told = tuple(f'fold "{value}" was not taken as a test part' for value in values[MOST_FOLDS:])
    cut = [_cut(table, column, [v for v in values if v != value], value, roles) for value in values[:MOST_FOLDS]]
    return [
        replace(split, label=f"fold {value}", left_out=(*split.left_out, *told))
        for split, value in zip(cut, values, strict=False)
    ]


def _cut(table: ReadTable, column: str, train: list[str], test: str, roles: Roles) -> Split:
    import polars as pl

    parts = table.frame.get_column(column).cast(pl.String)
    rest = table.frame.drop(column)
    in_train, in_test = parts.is_in(train).fill_null(value=False), (parts == test).fill_null(value=False)
    told = [f'{parts.null_count():,} rows without a value of "{column}" were not examined'] if parts.has_nulls() else []
    return Split(
        rest.filter(in_train),
        rest.filter(in_test),
        roles,
        RowNumbers(table.name, in_train.to_numpy().nonzero()[0] + 1),
        RowNumbers(table.name, in_test.to_numpy().nonzero()[0] + 1),
        (*table.left_out, *told),
    )


def _part_names(table: ReadTable, column: str) -> list[str]:
    import polars as pl

    values = table.frame.get_column(column).cast(pl.String).drop_nulls().unique().sort().to_list()
    if len(values) > 1_000:
        raise InputError(f'column "{column}" has {len(values):,} values', where=table.name, fix="Is it the split?")
    return values


def _require(roles: Roles, table: ReadTable, *more: str) -> None:
    """Every column that the user names must be there."""
    for role, column in (*roles.named(), *(("split or fold", c) for c in more)):
        if column not in table.frame.columns:
            near = suggestion(column, table.frame.columns)
            fix = near or f"It has: {', '.join(table.frame.columns[:12])}."
            raise InputError(f'has no column "{column}", given as the {role}', where=table.name, fix=fix)
    if roles.target is not None and roles.target in more:
        raise InputError("the target and the split are the same column", where=table.name, fix="Name another.")


def _alike(train: pl.DataFrame, test: pl.DataFrame, columns: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Both parts with the same types: numbers if both have numbers, otherwise text."""
    kinds = {name: _common_kind(train.get_column(name), test.get_column(name)) for name in columns}
    return train.select(columns).cast(kinds), test.select(columns).cast(kinds)  # type: ignore[arg-type] # names


def _common_kind(first: pl.Series, second: pl.Series) -> pl.DataType | type[pl.DataType]:
    """What both columns can be cast to; an empty column takes the type of the other."""
    import polars as pl

    if first.dtype == second.dtype or second.null_count() == len(second):
        return first.dtype
    if first.null_count() == len(first):
        return second.dtype
    return pl.Float64 if first.dtype.is_numeric() and second.dtype.is_numeric() else pl.String
