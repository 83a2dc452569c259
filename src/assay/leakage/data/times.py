"""Test rows that are not later than the training rows (L3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, Value, numbers
from assay.leakage.data.columns import as_times, tells_when
from assay.leakage.data.drawing import DrawnBy
from assay.leakage.data.measures import Floats, Ints
from assay.leakage.data.outcome import Line, Outcome, Rows, joined, percent
from assay.leakage.data.split import SEED, Split
from assay.leakage.data.target import yes_or_no
from assay.leakage.rules.taxonomy_distribution import temporal_leakage
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L3.1"
_NEGLIGIBLE = 0.001
_MOST_COMPARED = 200_000
_CARRIES_OVER = 0.3
"""Correlation of the outcome between rows that follow each other: from here on, neighbours in time tell it."""
_UNRELATED = (0.15, 0.85)
"""Chance that a training row is later: outside, the split was cut along the column, though not cleanly."""
_CONFIRM = "; the column was guessed: if the claim is about the future, confirm it with --time"


@dataclass(frozen=True, slots=True)
class _Order:
    """How the parts lie in time, by one column."""

    column: str
    named: bool
    early: Ints
    """Test rows that are not later than the last training row."""
    share: float
    later: float
    """Probability that a training row is later than a test row: 0.5 for a random split, 0 for a clean cut."""
    carry_over: float
    """Correlation of the outcome between training rows that follow each other in time."""
    of_panel: bool = False
    """True if units are observed at these times, each once at each."""
    by_groups: bool = False
    """True if whole groups were drawn: the claim is about new groups, which a guessed time does not concern."""

    @property
    def severity(self) -> Severity:
        """A guessed column needs a second sign, and a split that was not drawn by groups."""
        certain = self.named or (self.seconded and not self.by_groups)
        return Severity.WARNING if certain and self.later > _NEGLIGIBLE else Severity.NOTE

    @property
    def seconded(self) -> bool:
        """A panel, a split that follows the column though not cleanly, or an outcome that neighbours in time tell."""
        follows = not _UNRELATED[0] <= self.later <= _UNRELATED[1]
        return self.of_panel or follows or self.carry_over >= _CARRIES_OVER


def _time_columns(split: Split) -> list[str]:
    return [c.name for c in split.columns.values() if tells_when(c) and c.name != split.roles.target]


def temporal_overlap(split: Split) -> Outcome:
    """For each time column, how many test rows have training rows from their own future."""
    check = "time"
    names = list(split.roles.times) or _time_columns(split)
    if not names:
        return Outcome(Line(check, _CODE, "no time column found; --time names one"))
    if split.test is None:
        return Outcome(Line(check, _CODE, f'time column "{names[0]}" found; the table is not split'))
    if split.drawing.by is DrawnBy.TIME:  # a coarser column of the same time (the year of a date) may meet at the cut
        told = f'by "{split.drawing.column}" every test row is later than all training rows'
        names = [name for name in split.roles.times if name != split.drawing.column]
        if not names:
            return Outcome(Line(check, _CODE, told))
    return joined(check, _CODE, [_overlap(split, split.test, name) for name in names[:5]])


def _overlap(split: Split, part: pl.DataFrame, name: str) -> Outcome:
    import polars as pl

    both = as_times(pl.concat([split.train.get_column(name), part.get_column(name)]))
    if both is None:
        told = f'column "{name}" does not hold times that can be read'
        return Outcome(Line("time", _CODE, told), left_out=[told])
    train, test = both[: split.train.height], both[split.train.height :]
    last = train.max()
    if last is None or test.null_count() == len(test):
        return Outcome(Line("time", _CODE, f'column "{name}" is empty in one part'))
    early = (test <= last).fill_null(value=False).to_numpy().nonzero()[0]
    order = _Order(
        name,
        name in split.roles.times,
        early,
        len(early) / max(len(test) - test.null_count(), 1),
        _share_later(train.drop_nulls().to_numpy(), test.drop_nulls().to_numpy()),
        _carry_over(split, train),
        split.drawing.by is DrawnBy.ROWS and split.panel is not None and split.panel.occasion == name,
        split.drawing.by is DrawnBy.GROUPS,
    )
    if order.share == 0:
        return Outcome(Line("time", _CODE, f'by "{name}" every test row is later than all training rows'))
    return _reported(split, part, order)


def _reported(split: Split, test: pl.DataFrame, order: _Order) -> Outcome:
    name = order.column
    result = f'by "{name}" {percent(order.share)} of test rows are not later than the last training row'
    shown: dict[str, Value] = {
        "test rows not after the last training row": len(order.early),
        "share of test rows": round(order.share, 4),
        "chance that a training row is later than a test row": round(order.later, 4),
        "correlation of the outcome from row to row in time": round(order.carry_over, 3),
        "training": _span(split.train.get_column(name)),
        "test": _span(test.get_column(name)),
        "first test rows": split.test_numbers.first(order.early),
    }
    random = ": the split is as good as random in time" if 0.4 < order.later < 0.6 else ""
    finding = temporal_leakage.finding(
        result + random + ("" if order.named else _CONFIRM),
        subject=name,
        location=Location(split.test_numbers.file),
        severity=order.severity,
        confidence=Confidence.HIGH if order.named else Confidence.MEDIUM,
        evidence=[numbers(shown, "0.5 in the third line is a random split, 0 a clean cut")],
    )
    rows = Rows(_CODE, "not after training", name, split.test_numbers.file, split.test_numbers.numbers[order.early])
    return Outcome(Line("time", _CODE, result), [finding], [rows])


def _carry_over(split: Split, times: pl.Series) -> float:
    """Lag-one correlation of the outcome along time; rows of the same time stand in random order."""
    target = split.roles.target
    if target is None:
        return 0.0
    outcome = split.train.get_column(target)
    values: Floats | None = None
    if outcome.dtype.is_numeric():
        values = outcome.to_numpy().astype(float)
    else:
        flags = yes_or_no(outcome)
        values = None if flags is None else flags.astype(float)
    if values is None:
        return 0.0
    when = times.cast(float).to_numpy() if times.dtype.is_numeric() else times.to_numpy().astype(float)
    known = ~(np.isnan(values) | np.isnan(when))
    values, when = values[known], when[known]
    if len(values) < 30 or values.std() == 0:
        return 0.0
    shuffled = np.random.default_rng(SEED).permutation(len(values))
    in_order = values[shuffled[np.argsort(when[shuffled], kind="stable")]]
    return float(np.corrcoef(in_order[:-1], in_order[1:])[0, 1])


def _share_later(train: Ints, test: Ints) -> float:
    """Probability that a training row is later than a test row, ties counting half."""
    ordered = np.sort(train[:: len(train) // _MOST_COMPARED + 1])
    asked = test[:: len(test) // _MOST_COMPARED + 1]
    later = len(ordered) - np.searchsorted(ordered, asked, "right")
    ties = np.searchsorted(ordered, asked, "right") - np.searchsorted(ordered, asked, "left")
    return float((later + ties / 2).mean() / len(ordered))


def _span(column: pl.Series) -> str:
    first, last = (str(value) for value in (column.min(), column.max()))
    return f"{first} to {last}"
