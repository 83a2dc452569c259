"""Leakage through imputation, read from the numbers themselves (L1.2).

Measured values carry few digits; what an imputer computes carries all that a double holds. A value
that came from a single-precision file survives a round trip through single precision at its printed
number of decimals; a computed one almost never does. That gives back the mask of imputed cells.
In Kapoor & Narayanan's case study of civil war the imputer had seen the outcome: there imputed cells
predict it far better than observed cells of the same column, and that is what is looked for here.

Two things look alike and are not. A column that was computed as a whole (a logarithm, a ratio) has some short numbers
by nature, as log(1 + 0) = 0; so the measured cells must look measured: many values, written to the same number of
decimals. And an honest imputer that knows the other columns predicts the outcome as well as those columns do; so
imputed cells must beat a model of the observed cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Finding, Location, Severity, Table, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Auc, Flags, Floats, auc_of_scores, family_level
from assay.leakage.data.outcome import Line, Outcome, Rows, listed, percent
from assay.leakage.data.split import Split
from assay.leakage.data.target import levels, yes_or_no
from assay.leakage.rules.taxonomy import preprocessing_on_test_rows
from assay.records import dataclass
from assay.statistics import normal_quantile

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.2"
_CHECK = "imputation"
_SAMPLE = 5_000
_MIXED = (0.002, 0.98)
"""A column is a mixture of measured and computed cells when the share of computed ones lies between these."""
_FEWEST_VALUES, _SAME_DECIMALS = 10, 0.6
_FEWEST_CELLS = 30
_FEWEST_POSITIVES = 4
_TELLS = 0.7
_BEYOND_THE_MODEL = 0.05
"""By so much must imputed cells outrank a model of the observed cells before the outcome is the only explanation."""
_MODEL_ROWS = 5_000
_MOST_FILLS = 20
_MOST_ROWS = 200_000


@dataclass(frozen=True)
class Forensic:
    """One column: how well its computed cells and its observed cells rank the outcome."""

    column: str
    computed: Auc
    observed: Auc
    share: float

    def leaks(self, tests: int) -> bool:
        """Whether computed cells tell clearly more, allowing for the number of columns."""
        gap = self.computed.strength - self.observed.strength
        error = float(np.hypot(self.computed.error, self.observed.error))
        return self.computed.strength >= _TELLS and gap > normal_quantile(family_level(tests)) * error


def computed_cells(column: pl.Series) -> Flags | None:
    """Which cells of a column of numbers were computed, as far as digits tell; None when the column is of one kind."""
    if not column.dtype.is_float() or not _is_mixture(column.gather_every(len(column) // _SAMPLE + 1)):
        return None
    mask = _in_double_only(column)
    if not _is_mixture(column, mask) or not _look_measured(column.filter(~mask).drop_nulls()):
        return None
    # A value computed once and given to many rows (a rate, a group mean) is no imputed cell.
    return np.asarray(mask & column.is_unique().to_numpy(), dtype=np.bool_)


def _look_measured(cells: pl.Series) -> bool:
    """Whether the short numbers were written down: many values, and most with the same number of decimals.

    Of numbers read to p decimals nine in ten end in a digit other than 0. The short results of a computation are few,
    or they are of all lengths.
    """
    values = cells.unique()
    if len(values) < _FEWEST_VALUES:
        return False
    decimals = _decimals(values).to_numpy()
    return bool(np.bincount(decimals.clip(0, 20)).max() >= _SAME_DECIMALS * len(values))


def _decimals(column: pl.Series) -> pl.Series:
    """With how many decimals each number is written; 1.0 has none."""
    import polars as pl

    digits = column.cast(pl.String).str.extract(r"\.(\d*?)0*$").str.len_chars().fill_null(0)
    return digits.cast(pl.Int64)


def _is_mixture(column: pl.Series, mask: Flags | None = None) -> bool:
    filled = max(len(column) - column.null_count(), 1)
    computed = _in_double_only(column) if mask is None else mask
    return bool(_MIXED[0] <= computed.sum() / filled <= _MIXED[1])


def _in_double_only(column: pl.Series) -> Flags:
    """Cells that do not survive single precision at the decimals with which they are written."""
    import polars as pl

    values = column.fill_null(0.0).to_numpy()
    written = column.fill_null(0.0).cast(pl.String)
    decimals = written.str.extract(r"\.(\d+)").str.len_chars().fill_null(0)
    exponent = written.str.extract(r"[eE](-?\d+)$").cast(pl.Int64).fill_null(0)
    places = (decimals.cast(pl.Int64) - exponent).to_numpy().astype(float)
    with np.errstate(over="ignore", invalid="ignore"):
        single = values.astype(np.float32).astype(np.float64)
        lost = np.logical_not(np.abs(single - values) <= 0.5 * np.power(10.0, -places))
    return np.asarray(lost & (places > 0) & column.is_not_null().to_numpy(), dtype=np.bool_)


def imputation(split: Split) -> Outcome:
    """Computed cells that know the outcome, and gaps filled with a mean of training and test rows together."""
    filled = list(_fills(split))
    target = split.roles.target
    if target is None:
        return Outcome(Line(_CHECK, _CODE, "digits not judged: no target"), filled)
    whole = split.whole
    if whole.height > _MOST_ROWS:
        whole = whole[np.sort(np.random.default_rng(0).choice(whole.height, _MOST_ROWS, replace=False))]
    whole = whole.filter(whole.get_column(target).is_not_null())
    outcome = yes_or_no(whole.get_column(target))
    names = [c.name for c in split.features if c.kind is not Kind.TIME and c.name not in split.roles.groups]
    masks = {name: m for name in names if (m := computed_cells(whole.get_column(name))) is not None}
    cells = sum(int(m.sum()) for m in masks.values()) / max(whole.height * len(names), 1)
    judged = list(_judged(whole, masks, outcome)) if outcome is not None else []
    if outcome is None or not any(f.leaks(len(judged)) for f in judged):
        result = f"{percent(cells)} of cells computed, in {len(masks)} columns; {len(judged)} could be judged"
        unasked = ["imputation: computed cells were not judged, for the target has several classes"]
        return Outcome(Line(_CHECK, _CODE, result), filled, left_out=unasked if outcome is None and masks else [])
    honest = _observed_power(whole[names], masks, outcome)
    return _reported(split, _Evidence(tuple(judged), masks, cells, honest), filled)


@dataclass(frozen=True)
class _Evidence:
    """What the digits show of all columns together."""

    judged: tuple[Forensic, ...]
    masks: dict[str, Flags]
    cells: float
    """Share of all cells that look computed."""
    honest: float
    """AUC of a model of the observed cells on held-out rows: what an imputer may know without the outcome."""

    @property
    def guilty(self) -> list[Forensic]:
        """The columns whose computed cells tell clearly more than their observed cells, strongest first."""
        found = [f for f in self.judged if f.leaks(len(self.judged))]
        return sorted(found, key=lambda f: f.observed.strength - f.computed.strength)

    @property
    def beyond_the_model(self) -> bool:
        """Whether computed cells rank the outcome better than all observed cells together do."""
        computed = float(np.median([f.computed.strength for f in self.guilty]))
        return computed > self.honest + _BEYOND_THE_MODEL

    @property
    def severity(self) -> Severity:
        """One column alone may be a coincidence of digits, and an honest imputer knows what the other columns know."""
        if not self.beyond_the_model:
            return Severity.NOTE
        return Severity.ERROR if len(self.guilty) > 1 else Severity.WARNING


def _observed_power(features: pl.DataFrame, masks: dict[str, Flags], outcome: Flags) -> float:
    """How well a model of the observed cells alone ranks the outcome of rows that it has not seen."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped] # it has no stubs

    rows = np.sort(np.random.default_rng(0).permutation(len(outcome))[:_MODEL_ROWS])
    coded = np.empty((len(rows), features.width))
    for place, column in enumerate(features.get_columns()):
        values = levels(column.gather(rows), column.head(1), 256)[0].astype(float)
        mask = masks.get(column.name)
        coded[:, place] = values if mask is None else np.where(mask[rows], np.nan, values)
    asked = outcome[rows]
    half = np.random.default_rng(0).permutation(len(rows)) % 2 == 0
    scores = np.zeros(len(rows))
    with threadpool_limits(1):
        for judged in (half, ~half):
            if not 0 < asked[~judged].sum() < (~judged).sum():
                return 0.5
            model = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=15, early_stopping=False)
            model.fit(coded[~judged], asked[~judged])
            scores[judged] = model.predict_proba(coded[judged])[:, 1]
    return auc_of_scores(scores, asked).strength


def _judged(whole: pl.DataFrame, masks: dict[str, Flags], outcome: Flags) -> Iterator[Forensic]:
    for name, mask in masks.items():
        column = whole.get_column(name)
        values, known = column.fill_null(0.0).to_numpy(), column.is_not_null().to_numpy()
        observed = known & ~mask
        if all(_enough(outcome[cells]) for cells in (mask, observed)):
            share = float(mask.sum()) / len(mask)
            yield Forensic(name, _auc(values, mask, outcome), _auc(values, observed, outcome), share)


def _enough(outcome: Flags) -> bool:
    few = min(int(outcome.sum()), int((~outcome).sum()))
    return len(outcome) >= _FEWEST_CELLS and few >= _FEWEST_POSITIVES


def _auc(values: Floats, cells: Flags, outcome: Flags) -> Auc:
    return auc_of_scores(values[cells], outcome[cells])


def _reported(split: Split, found: _Evidence, filled: list[Finding]) -> Outcome:
    guilty, judged = found.guilty, found.judged
    computed = float(np.median([f.computed.strength for f in judged]))
    observed = float(np.median([f.observed.strength for f in judged]))
    meaning = "imputed cells know the outcome" if found.beyond_the_model else "imputed cells may know the outcome"
    finding = preprocessing_on_test_rows.finding(
        f"{meaning}: in {len(guilty)} of {len(judged)} columns they rank it far better than "
        f"observed cells (median AUC {computed:.2f} against {observed:.2f})",
        location=Location(split.train_numbers.file),
        severity=found.severity,
        confidence=Confidence.HIGH if found.severity is Severity.ERROR else Confidence.LOW,
        evidence=[
            numbers(
                {
                    "cells that look computed": percent(found.cells),
                    "columns with such cells": len(found.masks),
                    "columns judged": len(judged),
                    "median AUC, computed cells": round(computed, 3),
                    "median AUC, observed cells": round(observed, 3),
                    "AUC of a model of all observed cells": round(found.honest, 3),
                    "strongest columns": listed([f.column for f in guilty]),
                },
                "computed: the number does not survive single precision at its printed decimals, and stands once only",
            )
        ],
        advice="Impute again from the table with its gaps: inside each training part, without the outcome.",
    )
    table = Table(
        "Imputed and observed cells, one column at a time",
        ("column", "computed cells", "AUC computed", "AUC observed"),
        tuple(
            (f.column, percent(f.share), round(f.computed.strength, 3), round(f.observed.strength, 3))
            for f in guilty[:20]
        ),
    )
    result = (
        f"{percent(found.cells)} of cells computed; median AUC {computed:.2f} against {observed:.2f} of observed cells"
    )
    return Outcome(Line(_CHECK, _CODE, result), [finding, *filled], _rows(split, found.masks, guilty), [table])


def _rows(split: Split, masks: dict[str, Flags], guilty: list[Forensic]) -> list[Rows]:
    """The computed cells of the guilty columns, where all rows were looked at."""
    height = split.train.height
    out = []
    for forensic in guilty:
        mask = masks[forensic.column]
        if len(mask) != height + split.test_height:
            return []
        for part, numbered in ((mask[:height], split.train_numbers), (mask[height:], split.test_numbers)):
            if part.any():
                found = numbered.numbers[part.nonzero()[0]]
                out.append(Rows(_CODE, "imputed cell", forensic.column, numbered.file, found))
    return out


# --- gaps filled with one value --------------------------------------------------------------------


def _fills(split: Split) -> Iterator[Finding]:
    """Columns whose most frequent value is exactly the mean of the other values of both parts, not of training."""
    if split.test is None:
        return
    for column in split.features:
        train, test = split.train.get_column(column.name), split.test.get_column(column.name)
        if not train.dtype.is_float():
            continue
        for fill in _frequent(test.head(_SAMPLE).drop_nulls()):
            alone, together = _mean_without(fill, train), _mean_without(fill, train, test)
            if not _same(fill, together, train) or _same(fill, alone, train):
                continue
            number = int((test == fill).sum())
            yield preprocessing_on_test_rows.finding(
                f'gaps of column "{column.name}" were filled with the mean of training and test rows together',
                subject=column.name,
                location=Location(split.test_numbers.file),
                severity=Severity.WARNING,
                confidence=Confidence.HIGH,
                evidence=[
                    numbers(
                        {
                            "fill value": fill,
                            "test rows with it": number,
                            "mean of the other values, training and test": together,
                            "mean of the other values, training": alone,
                        }
                    )
                ],
            )


def _frequent(column: pl.Series) -> list[float]:
    """The most frequent values that at least one in a hundred cells holds and that look computed."""
    if len(column) < _FEWEST_CELLS:
        return []
    counted = column.alias("value").value_counts(sort=True).head(_MOST_FILLS)
    often = counted.filter(counted.get_column("count") >= max(3, 0.01 * len(column))).get_column("value").to_list()
    return [value for value in often if value != round(value, 3)]


def _mean_without(fill: float, *parts: pl.Series) -> float:
    values = np.concatenate([p.drop_nulls().to_numpy() for p in parts])
    rest = values[values != fill]
    return float(rest.mean()) if len(rest) else float("nan")


def _same(fill: float, mean: float, column: pl.Series) -> bool:
    """Equal up to the rounding of sums, which is far below the spread of the column."""
    spread = float(np.std(column.drop_nulls().to_numpy())) or 1.0
    return abs(fill - mean) <= 1e-9 * max(spread, abs(mean))
