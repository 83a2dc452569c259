"""Training rows that stand in the test part with noise on every number (L1.4).

A row's nearest neighbour and the one after it are about equally far away. A copy is much nearer to its original than to
anything else (Lowe's ratio test, IJCV 60, 2004). How often that happens by chance, training rows show.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Floats, Ints, share_difference
from assay.leakage.data.outcome import Line, Outcome, Rows, percent
from assay.leakage.data.split import Split
from assay.leakage.rules.taxonomy import duplicates_across_the_split

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.4"
_CHECK = "copies with noise"
_FEWEST_COLUMNS, _FEWEST_VALUES, _MOST_COLUMNS = 5, 20, 60
_MOST_TRAIN, _EXAMINED = 100_000, 2_000
_MUCH_NEARER = 0.25
"""Distance to the nearest row, in that to the next."""
_LEVEL = 0.99
_TIMES_CHANCE = 3
"""So many times more often than among training rows."""
_FEWEST_COPIES, _MATTERS = 3, 0.01


def noisy_copies(split: Split) -> Outcome:
    """Test rows that are much nearer to one training row than to all others, more often than training rows are."""
    if split.test is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "the table is not split"))
    names = [c.name for c in split.features if c.kind is Kind.NUMBER and _measured(split.train.get_column(c.name))]
    if len(names) < _FEWEST_COLUMNS or split.train.height > _MOST_TRAIN:
        few = f"fewer than {_FEWEST_COLUMNS} measured columns"
        return Outcome(Line.not_run(_CHECK, _CODE, f"{few if len(names) < _FEWEST_COLUMNS else 'too many rows'}"))
    names = names[:_MOST_COLUMNS]
    train, test = _numbers(split.train[names]), _numbers(split.test[names])
    centre = np.nanmean(train, axis=0)
    train, test = (np.where(np.isnan(part), centre, part) for part in (train, test))
    scale = np.maximum(train.std(axis=0), 1e-12)
    own, asked = split.sample("train", _EXAMINED), split.sample("test", _EXAMINED)
    ratio, partner = _ratios(train / scale, test[asked] / scale, itself=False)
    base, _ = _ratios(train / scale, train[own] / scale, itself=True)
    copies = ratio < _MUCH_NEARER
    tally, by_chance = (float(copies.sum()), float(len(asked))), (float((base < _MUCH_NEARER).sum()), float(len(own)))
    share = percent(tally[0] / max(tally[1], 1))
    result = f"{int(tally[0]):,} test rows ({share}), {percent(by_chance[0] / max(by_chance[1], 1))} of training rows"
    if not _beyond_chance(tally, by_chance) or tally[0] < max(_FEWEST_COPIES, _MATTERS * tally[1]):
        return Outcome(Line(_CHECK, _CODE, result))
    return _reported(split, asked[copies], partner[copies], result)


def _beyond_chance(tally: tuple[float, float], by_chance: tuple[float, float]) -> bool:
    if not (tally[1] and by_chance[1]):
        return False
    often = tally[0] / tally[1] >= _TIMES_CHANCE * by_chance[0] / by_chance[1]
    return often and share_difference(tally, by_chance, _LEVEL)[1] > 0


def _measured(column: pl.Series) -> bool:
    return column.dtype.is_float() and column.n_unique() >= _FEWEST_VALUES


def _numbers(frame: pl.DataFrame) -> Floats:
    """The cells as numbers, with NaN for gaps and for what is infinite."""
    values = frame.to_numpy().astype(np.float64)
    return np.where(np.isfinite(values), values, np.nan)


def _ratios(train: Floats, asked: Floats, *, itself: bool) -> tuple[Floats, Ints]:
    """Distance to the nearest training row in that to the next, and the nearest; equal rows are counted elsewhere."""
    from sklearn.neighbors import NearestNeighbors

    first = 1 if itself else 0
    distance, place = NearestNeighbors(n_neighbors=first + 2).fit(train).kneighbors(asked)
    nearest, following = distance[:, first], distance[:, first + 1]
    apart = (nearest > 0) & (following > 0)
    ratio = np.divide(nearest, following, out=np.ones(len(asked)), where=apart)
    return ratio, place[:, first]


def _reported(split: Split, rows: Ints, partners: Ints, result: str) -> Outcome:
    finding = duplicates_across_the_split.finding(
        f"{len(rows):,} test rows are far nearer to one training row than to any other, as copies with noise are",
        subject="noise",
        location=Location(split.test_numbers.file),
        severity=Severity.WARNING,
        confidence=Confidence.MEDIUM,
        evidence=[
            numbers(
                {
                    "test rows, and training rows among themselves": result,
                    "first test rows": split.test_numbers.first(rows),
                    "their training rows": split.train_numbers.first(partners),
                }
            )
        ],
    )
    found = Rows(
        _CODE,
        _CHECK,
        "all measured",
        split.test_numbers.file,
        split.test_numbers.numbers[rows],
        split.train_numbers.file,
        split.train_numbers.numbers[partners],
    )
    return Outcome(Line(_CHECK, _CODE, result), [finding], [found])
