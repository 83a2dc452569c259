"""Categories that were replaced by the mean outcome of all rows, proven by arithmetic (L1.3).

A target-encoded column holds, for each category, the mean outcome of its rows, perhaps drawn towards the overall mean
(m-estimates: Micci-Barreca 2001). Rows with the same code belong to the same category, so that the means can be
computed again: from all rows, and from the training rows alone. If the codes are the means of all rows, the outcome of
the test rows is in the features.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Finding, Location, Severity, numbers
from assay.leakage.data.measures import Floats, Ints
from assay.leakage.data.outcome import Line, Outcome
from assay.leakage.data.split import Split
from assay.leakage.data.target import yes_or_no
from assay.leakage.rules.taxonomy import selection_on_test_rows
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.3"
_CHECK = "target encoding"
_FEWEST_CODES = 5
_ROWS_PER_CODE = 3
_EXACT = 1e-6
"""Of the spread of the codes: what printed decimals and sums of doubles leave."""
_APART = 1e-3
_HELD = 0.5
"""Share of rows whose code must be explained: categories that happen to have the same code are taken for one."""


@dataclass(frozen=True, slots=True)
class _Codes:
    """The codes of a column, and the outcomes of the rows that have each."""

    value: Floats
    rows: Floats
    mean: Floats
    variance: Floats

    def misfit(self, overall: tuple[float, float]) -> float:
        """The median distance over rows between a code and what some target encoder makes of the same rows."""
        spread = float(self.value.std())
        if spread == 0:
            return np.inf
        centre, total_variance = overall
        return min(
            self._weighted(np.abs(self.value - made)) / spread
            for made in (
                self.mean,
                self._drawn(self.variance / total_variance, centre) if total_variance else self.mean,
                self._m_estimates(centre),
            )
        )

    def _drawn(self, weight: Floats | float, centre: float) -> Floats:
        return np.asarray((self.rows * self.mean + weight * centre) / (self.rows + weight))

    def _m_estimates(self, centre: float) -> Floats:
        """The same weight for every category, found from the codes themselves."""
        pull = self.value - centre
        if not pull.any():
            return self.mean
        apart = pull != 0
        weights = self.rows[apart] * (self.mean - self.value)[apart] / pull[apart]
        return self._drawn(max(float(np.median(weights)), 0.0), centre)

    def _weighted(self, distance: Floats) -> float:
        order = np.argsort(distance)
        reached = np.cumsum(self.rows[order]) / self.rows.sum()
        return float(distance[order][np.searchsorted(reached, _HELD)])


def target_encoding(split: Split) -> Outcome:
    """Columns whose codes are means of the outcome over both parts, and not over training alone."""
    target = split.roles.target
    if target is None or split.test is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "no target, or no split"))
    outcome = _numbers(split.whole.get_column(target))
    if outcome is None:
        return Outcome(Line.not_run(_CHECK, _CODE, "the target is neither a number nor of two classes"))
    in_train = np.arange(len(outcome)) < split.train.height
    names = [c.name for c in split.features if split.train.get_column(c.name).dtype.is_float()]
    found = [f for name in names if (f := _examined(split, name, outcome, in_train)) is not None]
    return Outcome(Line(_CHECK, _CODE, f"{len(found)} of {len(names)} columns"), found)


def _numbers(target: pl.Series) -> Floats | None:
    if target.dtype.is_numeric():
        return target.to_numpy().astype(np.float64)
    flags = yes_or_no(target) if not target.has_nulls() else None
    return None if flags is None else flags.astype(np.float64)


def _examined(split: Split, name: str, outcome: Floats, in_train: np.ndarray) -> Finding | None:
    values = split.whole.get_column(name).to_numpy().astype(np.float64)
    known = ~(np.isnan(values) | np.isnan(outcome))
    codes, place = np.unique(values[known], return_inverse=True)
    if not _FEWEST_CODES <= len(codes) <= known.sum() / _ROWS_PER_CODE:
        return None
    for y in (outcome[known], 1 - outcome[known]):  # of two classes, either may be the one that is counted
        everywhere = _codes(codes, place, y).misfit((float(y.mean()), float(y.var())))
        if everywhere > _EXACT:
            continue
        part = in_train[known]
        alone = _codes(codes, place[part], y[part]).misfit((float(y[part].mean()), float(y[part].var())))
        if alone >= _APART:
            return _finding(split, name, len(codes), (everywhere, alone))
    return None


def _codes(codes: Floats, place: Ints, y: Floats) -> _Codes:
    rows = np.bincount(place, minlength=len(codes)).astype(np.float64)
    seen = rows > 0
    mean = np.bincount(place, y, len(codes))[seen] / rows[seen]
    square = np.bincount(place, y * y, len(codes))[seen] / rows[seen]
    return _Codes(codes[seen], rows[seen], mean, np.maximum(square - mean**2, 0.0))


def _finding(split: Split, name: str, codes: int, misfits: tuple[float, float]) -> Finding:
    return selection_on_test_rows.finding(
        f'column "{name}" holds the mean outcome of training and test rows together for each of {codes:,} categories',
        subject=name,
        location=Location(split.test_numbers.file),
        severity=Severity.ERROR,
        confidence=Confidence.HIGH,
        evidence=[
            numbers(
                {"codes": codes, "distance from means of all rows": misfits[0], "from means of training": misfits[1]},
                "the median distance over rows, in standard deviations of the codes",
            )
        ],
        advice="Fit the target encoder inside each training part, as a step of a Pipeline.",
    )
