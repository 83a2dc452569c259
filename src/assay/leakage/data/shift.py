"""Whether test rows come from where training rows come from: features together, one by one, and the labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.leakage.data.columns import Column, Kind
from assay.leakage.data.drawing import DrawnBy
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
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

_DOMAIN_ROWS = 8_000
_COLUMN_ROWS = 20_000
_MOST_COLUMNS = 60
_FEWEST_ROWS = 10
_FEWEST_GROUPS = 8
"""Of each part: with fewer groups nobody can tell a shift from the differences between groups."""
_LABEL_LEVEL = 0.999
"""Level of the intervals of labels: a random split falls outside once in a thousand."""


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
    """Adversarial validation: half of the rows teaches to tell the parts apart, the other half judges.

    Where whole groups were drawn, whole groups are held out, and each counts once: a classifier that has met other
    rows of a patient knows by them which part the patient is in.
    """
    if split.test is None or min(split.train.height, split.test.height) < _FEWEST_ROWS:
        return None
    drawn = split.drawing.column
    aside = {*split.roles.groups, drawn}
    columns = [c for c in split.features if c.kind in (Kind.NUMBER, Kind.CATEGORY) and c.name not in aside]
    if not columns:
        return None
    gaps = sorted((_gap(split, c) for c in columns), key=lambda g: -g[1])
    by_groups = drawn if split.drawing.by is DrawnBy.GROUPS else ""
    domain = _domain(split, columns, by_groups)
    return None if domain is None else Shift(domain, tuple(gaps), max(0, len(columns) - _MOST_COLUMNS))


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


def _domain(split: Split, columns: list[Column], by_groups: str) -> Auc | None:
    most = min(_DOMAIN_ROWS, split.train.height, split.test_height)
    rows: Floats = np.column_stack([_coded(*_parts(split, c.name, most)) for c in columns])
    part = np.repeat([False, True], most)
    if not by_groups:
        unit = np.arange(len(part))
    else:
        unit = _coded(*_parts(split, by_groups, most), fewest=1).astype(np.int64)
        units_of_test = np.array([len(np.unique(unit[part == flag])) for flag in (False, True)])
        if units_of_test.min() < _FEWEST_GROUPS:
            return None
    half = np.zeros(int(unit.max()) + 1, bool)
    units = np.random.default_rng(SEED).permutation(np.unique(unit))
    half[units[::2]] = True
    scores = _held_out_scores(rows, part, half[unit])
    if not by_groups:
        return auc_of_scores(scores, part)
    number = np.bincount(unit)
    known = number > 0
    mean = np.bincount(unit, scores)[known] / number[known]
    return auc_of_scores(mean, (np.bincount(unit, part)[known] > 0))


def _held_out_scores(rows: Floats, part: Bools, half: Bools) -> Floats:
    """What a classifier taught by the other half says of each row."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped] # it has no stubs

    scores = np.full(len(part), 0.5)
    leaf = max(2, min(20, len(part) // 20))
    with threadpool_limits(1):  # waiting for other threads costs more than they bring on so few rows
        for judged in (half, ~half):
            taught = ~judged
            if not (judged.any() and 0 < part[taught].sum() < taught.sum()):
                continue
            chosen = _most_different(rows[taught], part[taught])
            model = HistGradientBoostingClassifier(
                max_iter=40, max_leaf_nodes=15, min_samples_leaf=leaf, early_stopping=False
            )
            model.fit(rows[taught][:, chosen], part[taught])
            found = model.predict_proba(rows[judged][:, chosen])[:, 1]
            scores[judged] = found - found.mean() + 0.5  # the two halves are compared with each other
    return scores


def _coded(train: pl.Series, test: pl.Series, fewest: int = 5) -> Floats:
    """Both parts as numbers by a code that knows neither: ranks of numbers, alphabetical places of categories.

    Values of fewer than `fewest` rows share one place. A code learnt from training alone marks every value that only
    the test part has, and of names nearly every value is such a one.
    """
    import polars as pl

    both = pl.concat([train, test])
    if both.dtype.is_numeric():
        return both.cast(pl.Float64).fill_nan(None).rank("dense").cast(pl.Float64).fill_null(0.0).to_numpy()
    texts = both.cast(pl.String).alias("value")
    frequent = (value for value, count in counted(texts.drop_nulls()) if count >= fewest)
    common = pl.Series(sorted(frequent), dtype=pl.String)
    if not len(common):
        return np.zeros(len(both))
    places = pl.Series(np.arange(1, len(common) + 1))
    return texts.replace_strict(common, places, default=0, return_dtype=pl.Int64).to_numpy().astype(float)


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
    train, test = split.train.get_column(target), split.test.get_column(target)
    if train.null_count() == len(train) or test.null_count() == len(test):
        return []
    values = [value for value, _ in counted(train.drop_nulls())]
    if len(values) > 20:
        if not train.dtype.is_numeric():
            return []
        middle = float(np.median(train.drop_nulls().to_numpy()))
        return [_compared(split, f"{target} > {middle:g}", (train > middle, test > middle), _LABEL_LEVEL)]
    classes = values[1:] if len(values) == 2 else values
    level = family_level(len(classes), _LABEL_LEVEL)
    return [_compared(split, f"{target} = {value}", (train == value, test == value), level) for value in classes]


def _compared(split: Split, label: str, flags: tuple[pl.Series, pl.Series], level: float) -> LabelShift:
    """The share of flagged rows in both parts; where whole groups were drawn, groups are compared."""
    counts = [(float(f.drop_nulls().sum()), float(len(f) - f.null_count())) for f in flags]
    shares = [count / total for count, total in counts]
    if split.drawing.by is DrawnBy.GROUPS and split.test is not None:
        name = split.drawing.column
        means = [
            _group_means(part.get_column(name), flag)
            for part, flag in zip((split.train, split.test), flags, strict=True)
        ]
        difference, low, high = _means_difference(means[1], means[0], level)
    else:
        difference, low, high = share_difference(counts[1], counts[0], level)
    return LabelShift(label, shares[0], shares[1], difference, low, high)


def _group_means(groups: pl.Series, flags: pl.Series) -> Floats:
    import polars as pl

    frame = pl.DataFrame({"group": groups, "flag": flags.cast(pl.Float64)}).drop_nulls()
    return frame.group_by("group").agg(pl.col("flag").mean()).get_column("flag").to_numpy()


def _means_difference(first: Floats, second: Floats, level: float) -> tuple[float, float, float]:
    """The difference of two means with Welch's interval; groups too few for one leave it open."""
    difference = float(first.mean() - second.mean())
    if min(len(first), len(second)) < 2:
        return difference, -1.0, 1.0
    from scipy.stats import t

    variances = [float(values.var(ddof=1)) / len(values) for values in (first, second)]
    total = sum(variances)
    if total == 0:
        return difference, difference, difference
    freedom = total**2 / sum(v**2 / (len(x) - 1) for v, x in zip(variances, (first, second), strict=True))
    half = float(t.ppf((1 + level) / 2, freedom)) * total**0.5
    return difference, difference - half, difference + half
