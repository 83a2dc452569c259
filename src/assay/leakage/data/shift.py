"""Whether test rows come from where training rows come from: features together, one by one, and the labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.leakage.data.columns import Column, Kind
from assay.leakage.data.measures import (
    Auc,
    Bools,
    Floats,
    Ints,
    auc_of_scores,
    family_level,
    kolmogorov,
    share_difference,
)
from assay.leakage.data.split import SEED, Split
from assay.leakage.data.target import levels
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_DOMAIN_ROWS = 8_000
_COLUMN_ROWS = 20_000
_MOST_COLUMNS = 60
_FEWEST_ROWS = 10
_LABEL_LEVEL = 0.99
"""Of the intervals of labels: a random split strays outside once in a hundred."""


@dataclass(frozen=True)
class Shift:
    """How well a classifier tells test rows from training rows it has not seen, and the columns that differ most."""

    domain: Auc
    columns: tuple[tuple[str, float, float], ...]
    """Name, largest gap between the two distributions, and its p-value; widest first."""
    left_out: int
    """Columns that the classifier was not given because there are too many."""


@dataclass(frozen=True)
class LabelShift:
    """How the shares of the labels, or their distribution, differ between the parts."""

    label: str
    train: float
    test: float
    difference: float
    low: float
    high: float


def shift_of(split: Split) -> Shift | None:
    """Adversarial validation: half of a balanced sample teaches to tell the parts apart, the other half judges."""
    if split.test is None or min(split.train.height, split.test.height) < _FEWEST_ROWS:
        return None
    columns = [c for c in split.features if c.kind in (Kind.NUMBER, Kind.CATEGORY) and c.name not in split.roles.groups]
    if not columns:
        return None
    gaps = sorted((_gap(split, c) for c in columns), key=lambda g: -g[1])
    return Shift(_domain(split, columns), tuple(gaps), max(0, len(columns) - _MOST_COLUMNS))


def _gap(split: Split, column: Column) -> tuple[str, float, float]:
    """Kolmogorov-Smirnov for numbers, total variation of the common levels for categories."""
    train, test = _parts(split, column.name, _COLUMN_ROWS)
    a, b, size = levels(train, test, 256)
    if column.kind is Kind.NUMBER:
        return (column.name, *kolmogorov(a.astype(float), b.astype(float)))
    from scipy.stats import chi2_contingency

    counts = np.array([np.bincount(a, minlength=size), np.bincount(b, minlength=size)])
    counts = counts[:, counts.sum(axis=0) > 0]
    variation = float(np.abs(counts[0] / len(a) - counts[1] / len(b)).sum() / 2)
    p_value = float(chi2_contingency(counts).pvalue) if counts.shape[1] > 1 else 1.0
    return column.name, variation, p_value


def _parts(split: Split, name: str, most: int) -> tuple[pl.Series, pl.Series]:
    if split.test is None:
        raise ValueError("a split is needed")
    return (
        split.train.get_column(name).gather(split.sample("train", most)),
        split.test.get_column(name).gather(split.sample("test", most)),
    )


def _domain(split: Split, columns: list[Column]) -> Auc:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped] # it has no stubs

    most = min(_DOMAIN_ROWS, split.train.height, split.test_height)
    coded = [levels(*_parts(split, c.name, most), 256)[:2] for c in columns]
    rows: Floats = np.column_stack([np.concatenate(pair) for pair in coded]).astype(float)
    part = np.repeat([False, True], most)
    order = np.random.default_rng(SEED).permutation(len(part))
    with threadpool_limits(1):  # waiting for other threads costs more than they bring on so few rows
        scores = np.empty(len(part))
        for judged, taught in ((order[::2], order[1::2]), (order[1::2], order[::2])):
            model = HistGradientBoostingClassifier(
                max_iter=40, max_leaf_nodes=15, min_samples_leaf=max(2, min(20, most // 10)), early_stopping=False
            )
            chosen = _most_different(rows[taught], part[taught])
            model.fit(rows[np.ix_(taught, chosen)], part[taught])
            scores[judged] = model.predict_proba(rows[np.ix_(judged, chosen)])[:, 1]
    return auc_of_scores(scores, part)


def _most_different(rows: Floats, part: Bools) -> Ints:
    """The columns that a classifier is given: of too many those that differ most among the rows that teach it.

    Chosen by all rows, the widest of many columns without any difference would seem to tell the parts apart.
    """
    if rows.shape[1] <= _MOST_COLUMNS:
        return np.arange(rows.shape[1])
    train, test = rows[~part], rows[part]
    gaps = np.array([kolmogorov(train[:, place], test[:, place])[0] for place in range(rows.shape[1])])
    return np.sort(np.argsort(-gaps, kind="stable")[:_MOST_COLUMNS])


def label_shift_of(split: Split) -> list[LabelShift]:
    """The difference of each class's share with an interval that holds for all classes together."""
    target = split.roles.target
    if target is None or split.test is None:
        return []
    train, test = split.train.get_column(target).drop_nulls(), split.test.get_column(target).drop_nulls()
    if not len(train) or not len(test):
        return []
    values = train.value_counts(sort=True).get_column(target).to_list()
    if len(values) > 20:
        return _number_shift(train, test) if train.dtype.is_numeric() else []
    classes = values[1:] if len(values) == 2 else values
    level = family_level(len(classes), _LABEL_LEVEL)
    out = []
    for value in classes:
        in_train, in_test = (float((part == value).sum()) for part in (train, test))
        difference, low, high = share_difference((in_test, len(test)), (in_train, len(train)), level)
        out.append(LabelShift(f"{target} = {value}", in_train / len(train), in_test / len(test), difference, low, high))
    return out


def _number_shift(train: pl.Series, test: pl.Series) -> list[LabelShift]:
    """For a target of numbers: the share above the training median."""
    middle = float(np.median(train.to_numpy()))
    above = [float((part > middle).sum()) for part in (train, test)]
    difference, low, high = share_difference((above[1], len(test)), (above[0], len(train)), _LABEL_LEVEL)
    shares = above[0] / len(train), above[1] / len(test)
    return [LabelShift(f"{train.name} > {middle:g}", *shares, difference, low, high)]
