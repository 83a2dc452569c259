"""The target as yes/no questions, so that one measure serves classes and numbers alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.leakage.data.measures import Auc, Flags, Ints, auc_of_counts
from assay.leakage.data.split import SEED, Split
from assay.records import dataclass
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

_MOST_CLASSES = 12
_MOST_LEVELS = 64
_FEWEST_OF_EACH = 3
_HELD_OUT_ROWS = 50_000


@dataclass(frozen=True)
class Question:
    """A yes/no reading of the target: the rarer class, one class against the rest, above the median."""

    name: str
    learn: Flags
    held_out: Flags
    decides: bool = True
    """Whether its answer is the whole outcome, or one class among several."""


@dataclass(frozen=True)
class Trial:
    """Rows to learn from and held-out rows to judge by: the two parts of the split, or halves of one table."""

    learn: pl.DataFrame
    held_out: pl.DataFrame
    questions: tuple[Question, ...]

    def power(self, learn: Ints, held_out: Ints, size: int, question: Question) -> Auc:
        """How well a score that knows only the level of a row, learnt on one part, ranks the held-out part."""
        asked = np.bincount(learn, minlength=size)
        yes = np.bincount(learn[question.learn], minlength=size)
        rate = question.learn.mean()
        order = np.argsort((yes + rate) / (asked + 1), kind="stable")
        positive = np.bincount(held_out[question.held_out], minlength=size)[order].astype(float)
        negative = np.bincount(held_out[~question.held_out], minlength=size)[order].astype(float)
        return auc_of_counts(positive, negative)


def trial_of(split: Split, most: int = _HELD_OUT_ROWS) -> Trial | None:
    """The trial for a split with a target; None when the target leaves no question to ask."""
    target = split.roles.target
    if target is None:
        return None
    if split.test is None:
        order = np.random.default_rng(SEED).permutation(split.train.height)[: 2 * most]
        half = len(order) // 2
        learn, held_out = split.train[np.sort(order[:half])], split.train[np.sort(order[half:])]
    else:
        learn, held_out = split.train[split.sample("train", most)], split.test[split.sample("test", most)]
    learn, held_out = (part.filter(part.get_column(target).is_not_null()) for part in (learn, held_out))
    questions = tuple(_questions(learn.get_column(target), held_out.get_column(target)))
    return Trial(learn, held_out, questions) if questions else None


def _questions(learn: pl.Series, held_out: pl.Series) -> list[Question]:
    readings = _readings(learn, held_out)
    made = [Question(name, a, b, decides=len(readings) == 1) for name, a, b in readings]
    return [
        q for q in made if all(_FEWEST_OF_EACH <= f.sum() <= len(f) - _FEWEST_OF_EACH for f in (q.learn, q.held_out))
    ]


def _readings(learn: pl.Series, held_out: pl.Series) -> list[tuple[str, Flags, Flags]]:
    name = learn.name
    values = [value for value, _ in counted(learn)]
    if len(values) > _MOST_CLASSES:
        if not learn.dtype.is_numeric():
            values = values[:_MOST_CLASSES]
        else:
            middle = float(np.median(learn.to_numpy()))
            return [(f"{name} > {middle:g}", (learn > middle).to_numpy(), (held_out > middle).to_numpy())]
    classes = values[1:] if len(values) == 2 else values
    return [(f"{name} = {v}", (learn == v).to_numpy(), (held_out == v).to_numpy()) for v in classes]


def yes_or_no(target: pl.Series) -> Flags | None:
    """The target as the rarer of two classes, or as above its median; None when it is neither."""
    values = [value for value, _ in counted(target)]
    if len(values) == 2:
        return np.asarray(target == values[1])
    if target.dtype.is_numeric() and len(values) > 2:
        return np.asarray(target > float(np.median(target.to_numpy())))
    return None


def levels(learn: pl.Series, held_out: pl.Series, most: int = _MOST_LEVELS) -> tuple[Ints, Ints, int]:
    """Both columns as small whole numbers: 0 for a gap, values or quantiles of `learn` for the rest."""
    import polars as pl

    if learn.dtype in (pl.String, pl.Boolean):
        common = pl.Series([value for value, _ in counted(learn.drop_nulls())[: 4 * most]], dtype=learn.dtype)
        places = pl.Series(np.arange(1, len(common) + 1))
        rare = len(common) + 1

        def coded(column: pl.Series) -> Ints:
            if not len(common):
                return np.where(column.is_null().to_numpy(), 0, rare)
            found = column.replace_strict(common, places, default=rare, return_dtype=pl.Int64)
            return np.where(column.is_null().to_numpy(), 0, found.to_numpy())

        return coded(learn), coded(held_out), rare + 1
    a, b = (_floats(column) for column in (learn, held_out))
    known = a[~np.isnan(a)]
    distinct = np.unique(known)
    if len(distinct) > most:
        # assay: ignore[L1.2] bins only tell which values lie together, and no outcome is looked at
        distinct = np.unique(np.quantile(known, np.arange(1, most) / most))

    def binned(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Ints:
        return np.where(np.isnan(values), 0, 1 + np.searchsorted(distinct, values, "left"))

    return binned(a), binned(b), len(distinct) + 2


def _floats(column: pl.Series) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    import polars as pl

    physical = column.cast(pl.Int64) if column.dtype == pl.Datetime else column
    return physical.to_numpy().astype(np.float64)  # gaps become NaN
