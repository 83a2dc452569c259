"""What an experiment is made of: numbers with gaps, an outcome, and the rows' groups and times."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.leakage.data.columns import Column, Kind, as_times
from assay.leakage.data.imputation import computed_cells
from assay.leakage.data.measures import Flags, Floats, Ints
from assay.leakage.data.split import Split
from assay.records import dataclass
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

_MOST_LEVELS = 10
_MOST_COLUMNS = 2_000
_FEWEST_ROWS = 40
_FEWEST_OF_A_CLASS = 5


@dataclass(frozen=True)
class Material:
    """A table ready for models; `x` has NaN where a cell is empty."""

    x: Floats
    names: tuple[str, ...]
    """The column of the table that each column of `x` comes from."""
    y: Floats
    classes: bool
    """Whether the outcome is one of two classes (0 and 1) or a number."""
    groups: Ints | None = None
    times: Floats | None = None
    computed: Flags | None = None
    """Cells that look imputed by their digits, as in the checks of tables."""
    proxies: tuple[str, ...] = ()
    """Columns that the user takes for proxies of the outcome."""

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.y)

    def columns(self, wanted: tuple[str, ...]) -> Ints:
        """Places of the columns that come from these columns of the table; of all when none is named."""
        unknown = [name for name in wanted if name not in self.names]
        if unknown:
            raise InputError(
                f'there is no feature "{unknown[0]}"', fix=f"Features: {', '.join(dict.fromkeys(self.names))}."
            )
        return np.array([i for i, name in enumerate(self.names) if not wanted or name in wanted])

    def without(self, columns: tuple[str, ...]) -> Material:
        """The same rows without some columns."""
        kept = np.array([i for i, name in enumerate(self.names) if name not in columns], np.int64)
        computed = None if self.computed is None else self.computed[:, kept]
        return replace(self, x=self.x[:, kept], names=tuple(self.names[i] for i in kept), computed=computed)


def material_of(split: Split) -> Material:
    """A table that is not split, as material: categories become indicators, identifiers and text are left out."""
    target = split.roles.target
    if target is None:
        raise InputError("a target is needed", fix="Name it with --target.")
    frame = split.train.filter(split.train.get_column(target).is_not_null())
    aside = {target, *split.roles.groups, *split.roles.times}
    features = [c for c in split.features if c.name not in aside and c.kind in (Kind.NUMBER, Kind.CATEGORY)]
    blocks = [_block(frame.get_column(c.name), c) for c in features]
    names = tuple(c.name for c, block in zip(features, blocks, strict=True) for _ in range(block.shape[1]))
    if not names:
        raise InputError("no column can serve as a feature", where=split.train_numbers.file, fix="Give numbers.")
    if len(names) > _MOST_COLUMNS:
        raise InputError(f"{len(names):,} features are too many", fix=f"Give at most {_MOST_COLUMNS:,}.")
    y, classes = _outcome(frame.get_column(target), split.train_numbers.file)
    masks = [_mask(frame.get_column(c.name), block) for c, block in zip(features, blocks, strict=True)]
    return Material(
        np.hstack(blocks),
        names,
        y,
        classes,
        _groups(frame, split.roles.groups),
        _times(frame, split.roles.times),
        np.hstack(masks),
    )


def _block(column: pl.Series, about: Column) -> Floats:
    """A number as it is; a category as indicators, or as the frequency of its value when there are many."""
    import polars as pl

    if about.kind is Kind.NUMBER:
        return column.cast(pl.Float64).fill_null(float("nan")).to_numpy().reshape(-1, 1)
    text = column.cast(pl.String)
    counts = dict(counted(text.drop_nulls()))
    values = list(counts)
    if len(values) <= _MOST_LEVELS:
        return np.column_stack([(text == v).fill_null(value=False).to_numpy() for v in values]).astype(float)
    frequency = text.replace_strict(values, list(counts.values()), default=0.0, return_dtype=pl.Float64)
    return np.asarray(frequency.to_numpy(), dtype=np.float64).reshape(-1, 1)


def _mask(column: pl.Series, block: Floats) -> Flags:
    found = computed_cells(column)
    return np.zeros(block.shape, np.bool_) if found is None else found.reshape(-1, 1)


def _outcome(target: pl.Series, where: str) -> tuple[Floats, bool]:
    values = counted(target)
    if len(target) < _FEWEST_ROWS:
        raise InputError(f"has {len(target)} rows with a target; too few", where=where, fix=f"Give {_FEWEST_ROWS}.")
    if len(values) == 2:
        if min(count for _, count in values) < _FEWEST_OF_A_CLASS:
            raise InputError(
                f'a class of "{target.name}" has fewer than {_FEWEST_OF_A_CLASS} rows',
                where=where,
                fix="Give more rows.",
            )
        return np.asarray(target == values[1][0]).astype(float), True
    if target.dtype.is_numeric() and len(values) > 2:
        return target.cast(float).to_numpy(), False
    raise InputError(
        f'the target "{target.name}" has {len(values)} classes', where=where, fix="Give two classes, or a number."
    )


def _groups(frame: pl.DataFrame, names: tuple[str, ...]) -> Ints | None:
    return frame.get_column(names[0]).rank("dense").fill_null(0).to_numpy().astype(np.int64) if names else None


def _times(frame: pl.DataFrame, names: tuple[str, ...]) -> Floats | None:
    if not names:
        return None
    times = as_times(frame.get_column(names[0]))
    if times is None or times.has_nulls():
        raise InputError(f'column "{names[0]}" does not hold a time in every row', fix="Name another with --time.")
    return times.cast(float).to_numpy()
