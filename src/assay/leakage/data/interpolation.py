"""Rows that were made by interpolation between others before the split, as SMOTE does (L1.2).

SMOTE (Chawla et al. 2002) puts each new row on the segment between a row and one of its nearest neighbours of the same
class. Three rows on one line in four or more columns of decimals are no coincidence. Made inside the training part,
such rows are fine; in the test part, or with a test row at one end, they carry rows across the split.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, Value, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Flags, Floats, Ints
from assay.leakage.data.outcome import Line, Outcome, Rows
from assay.leakage.data.split import SEED, Split
from assay.leakage.rules.taxonomy import preprocessing_on_test_rows
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.2"
_CHECK = "interpolated rows"
_FEWEST_COLUMNS, _FEWEST_VALUES = 4, 20
_MOST_COLUMNS = 40
_NEIGHBOURS = 14
_MOST_ROWS, _EXAMINED = 20_000, 2_500
_ON_THE_LINE = 1e-5
"""Distance from the segment, in its length."""
_SIMPLE = 60
"""Points at multiples of 1/60 of a segment do not count: on a grid of round numbers they are common."""
_FEWEST_MADE, _SHARE_MADE = 5, 0.01
_SPARED = 0.05
_CHUNK = 200


@dataclass(frozen=True, slots=True)
class _Made:
    """Which of the examined rows lie between two others, and which two."""

    rows: Ints
    ends: Ints


def interpolated_rows(split: Split) -> Outcome:
    """Test rows that lie between two rows, and training rows that lie between a test row and another."""
    if split.test is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "the table is not split"))
    whole = split.whole
    classes = _classes(split, whole)
    if classes is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "the target has no classes"))
    names = [c.name for c in split.features if c.kind is Kind.NUMBER and _decimals(whole.get_column(c.name))]
    if len(names) < _FEWEST_COLUMNS or whole.height > _MOST_ROWS:
        why = f"fewer than {_FEWEST_COLUMNS} columns of decimals" if whole.height <= _MOST_ROWS else "too many rows"
        return Outcome(Line.not_run(_CHECK, _CODE, f"{why}"))
    values = whole[names[:_MOST_COLUMNS]].to_numpy().astype(np.float64)
    scaled = (values - values.mean(axis=0)) / values.std(axis=0)
    made = _between(scaled, classes)
    in_test = np.arange(whole.height) >= split.train.height
    across = in_test[made.rows] | in_test[made.ends].any(axis=1)
    examined = min(whole.height, _EXAMINED)
    few = across.sum() < max(_FEWEST_MADE, _SHARE_MADE * examined)
    if few or not _spares_a_class(made, classes):
        return Outcome(Line(_CHECK, _CODE, f"{len(made.rows):,} of {examined:,} rows; {int(across.sum()):,} across"))
    return _reported(split, made, across, examined)


def _decimals(column: pl.Series) -> bool:
    if not column.dtype.is_float() or column.has_nulls():
        return False
    return bool((column != column.floor()).any()) and column.n_unique() >= _FEWEST_VALUES


def _classes(split: Split, whole: pl.DataFrame) -> Ints | None:
    """The class of each row: SMOTE interpolates within one. None for a target of numbers."""
    target = split.roles.target
    if target is None or not 2 <= whole.get_column(target).n_unique() <= _FEWEST_VALUES:
        return None
    return whole.get_column(target).rank("dense").fill_null(0).to_numpy().astype(np.int64)


def _spares_a_class(made: _Made, classes: Ints) -> bool:
    """Whether the commonest class before has no such rows: series that were interpolated in time have them in all."""
    number = np.bincount(classes[made.rows], minlength=int(classes.max()) + 1)
    there = np.bincount(classes) > 0
    return bool(number[there].min() <= _SPARED * number.max())


def _between(points: Floats, classes: Ints) -> _Made:
    from sklearn.neighbors import NearestNeighbors

    rows = np.random.default_rng(SEED).permutation(len(points))[:_EXAMINED]
    found, ends = [], []
    for one in np.unique(classes):
        members = (classes == one).nonzero()[0]
        asked = rows[classes[rows] == one]
        if len(members) <= _NEIGHBOURS or not len(asked):
            continue
        search = NearestNeighbors(n_neighbors=_NEIGHBOURS + 1).fit(points[members])
        near = members[search.kneighbors(points[asked], return_distance=False)]
        for start in range(0, len(asked), _CHUNK):
            some = slice(start, start + _CHUNK)
            on_line, first, second = _on_segments(points, asked[some], near[some, 1:])
            found.append(asked[some][on_line])
            ends.append(np.column_stack([first[on_line], second[on_line]]))
    if not found:
        return _Made(np.empty(0, np.int64), np.empty((0, 2), np.int64))
    return _Made(np.concatenate(found), np.concatenate(ends))


def _on_segments(points: Floats, rows: Ints, near: Ints) -> tuple[Flags, Ints, Ints]:
    """For each row whether it lies on the segment between two of its neighbours, and which two."""
    pairs = np.array(list(combinations(range(near.shape[1]), 2)))
    first, second = near[:, pairs[:, 0]], near[:, pairs[:, 1]]
    direction = points[second] - points[first]
    offset = points[rows][:, None, :] - points[first]
    length = (direction**2).sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        at = (offset * direction).sum(axis=2) / length
        distance = np.sqrt(((offset - at[:, :, None] * direction) ** 2).sum(axis=2) / length)
        simple = np.abs(at * _SIMPLE - np.round(at * _SIMPLE)) < 1e-3
    oblique = (np.abs(direction) > 1e-9).sum(axis=2) >= _FEWEST_COLUMNS  # rows that differ in two columns share a plane
    inside = (distance < _ON_THE_LINE) & (at > 0) & (at < 1) & ~simple & oblique
    best = inside.argmax(axis=1)
    every = np.arange(len(rows))
    return inside.any(axis=1), first[every, best], second[every, best]


def _reported(split: Split, made: _Made, across: Flags, examined: int) -> Outcome:
    height = split.train.height
    tests = made.rows[across & (made.rows >= height)] - height
    result = f"{int(across.sum()):,} of {examined:,} rows"
    shown: dict[str, Value] = {
        "rows examined": examined,
        "rows on a segment between two rows": len(made.rows),
        "of them in the test part, or with an end in it": int(across.sum()),
        "first test rows": split.test_numbers.first(np.sort(tests)),
    }
    finding = preprocessing_on_test_rows.finding(
        f"{result} examined lie exactly between two other rows, across the split: rows were interpolated (SMOTE) "
        "before the split",
        subject="interpolation",
        location=Location(split.test_numbers.file),
        severity=Severity.ERROR,
        confidence=Confidence.HIGH,
        evidence=[numbers(shown, "three rows on one line in all columns of decimals")],
        advice="Split first, and resample the training rows alone (imblearn.pipeline.Pipeline).",
    )
    rows = Rows(_CODE, _CHECK, "", split.test_numbers.file, split.test_numbers.numbers[np.sort(tests)])
    return Outcome(Line(_CHECK, _CODE, result), [finding], [rows])
