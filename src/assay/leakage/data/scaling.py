"""Columns that were scaled with all rows before the split, proven by arithmetic (L1.2).

A column scaled with the mean and standard deviation of all rows has mean 0 and standard deviation 1 over training and
test rows together, and over the training rows alone it has not. Scaled as it should be, it is the other way round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.measures import Floats
from assay.leakage.data.outcome import Line, Outcome, listed
from assay.leakage.data.split import Split
from assay.leakage.rules.taxonomy import preprocessing_on_test_rows
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.2"
_CHECK = "scaling"
_FEWEST_ROWS = 10
_FEWEST_VALUES, _FEWEST_STANDARDISED = 10, 3
"""Distinct values of a column. A share of few values may run from 0 to 1 by nature; a mean of 0 and a standard
deviation of 1, both to six digits, come from a computation however few the values are."""
_FEWEST_COLUMNS = 2
_EXACT = 1e-6
"""How far a mean may be from 0, in standard deviations: sums of doubles and printed decimals are that exact."""
_APART = 1e-3
"""How far the training rows alone must be from it, so that they cannot be what the column was scaled with."""


@dataclass(frozen=True, slots=True)
class _Scaler:
    """A way of scaling: how far values are from having been scaled by it."""

    name: str
    distance: Callable[[Floats], float]
    fewest_values: int = _FEWEST_VALUES

    def explains(self, values: Floats) -> bool:
        """Whether values are exactly scaled so, and varied enough that it is no coincidence."""
        return len(np.unique(values)) >= self.fewest_values and self.distance(values) <= _EXACT


def _from_standard(values: Floats) -> float:
    spread = min(abs(float(values.std(ddof=ddof)) - 1) for ddof in (0, 1))
    return max(abs(float(values.mean())), spread)


def _from_range(low: float) -> Callable[[Floats], float]:
    return lambda values: max(abs(float(values.min()) - low), abs(float(values.max()) - 1))


def _from_robust(values: Floats) -> float:
    quarter, middle, three_quarters = np.quantile(values, (0.25, 0.5, 0.75))
    return max(abs(float(middle)), abs(float(three_quarters - quarter) - 1))


_SCALERS = (
    _Scaler("mean 0 and standard deviation 1", _from_standard, _FEWEST_STANDARDISED),
    _Scaler("minimum 0 and maximum 1", _from_range(0.0)),
    _Scaler("minimum -1 and maximum 1", _from_range(-1.0)),
    _Scaler("median 0 and interquartile range 1", _from_robust),
)


def scaling(split: Split) -> Outcome:
    """Columns that are exactly scaled over both parts together, and not over training alone."""
    if split.test is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "the table is not split"))
    columns = _with_decimals(split.train, split.test, [c.name for c in split.features])
    for scaler in _SCALERS:
        together = {name: train for name, (train, both) in columns.items() if scaler.explains(both)}
        apart = [name for name, train in together.items() if scaler.distance(train) >= _APART]
        if len(together) >= _FEWEST_COLUMNS and apart:
            return _reported(split, scaler, list(together), apart, len(columns))
    return Outcome(Line(_CHECK, _CODE, f"{len(columns)} columns of decimals, none scaled with all rows"))


def _with_decimals(train: pl.DataFrame, test: pl.DataFrame, names: list[str]) -> dict[str, tuple[Floats, Floats]]:
    """The columns that have decimals, each with the numbers of training and of both parts."""
    read = {name: _decimals(train.get_column(name), test.get_column(name)) for name in names}
    return {name: values for name, values in read.items() if values is not None}


def _decimals(train: pl.Series, test: pl.Series) -> tuple[Floats, Floats] | None:
    """The numbers of training and of both parts, of a column with decimals."""
    if not train.dtype.is_float():
        return None
    first, second = (part.drop_nulls().to_numpy().astype(np.float64) for part in (train, test))
    both = np.concatenate([first, second])
    if min(len(first), len(second)) < _FEWEST_ROWS:
        return None
    return (first, both) if (both != np.floor(both)).any() else None


def _reported(split: Split, scaler: _Scaler, names: list[str], apart: list[str], columns: int) -> Outcome:
    finding = preprocessing_on_test_rows.finding(
        f"{len(names)} columns were scaled with training and test rows together: over both parts they have exactly "
        f"{scaler.name}, over the training rows {len(apart)} of them have not",
        subject="scaling",
        location=Location(split.test_numbers.file),
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        evidence=[
            numbers({"columns scaled so": listed(names), "not over training": listed(apart), "with decimals": columns})
        ],
        advice="Split first, fit the scaler on the training rows, then apply it to both. Scaling alone seldom moves a "
        "score; ask what else was done before the split.",
    )
    return Outcome(Line(_CHECK, _CODE, f"{len(names)} columns scaled with all rows"), [finding])
