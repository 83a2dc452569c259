"""Test rows that are not later than the training rows (L3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Location, Severity, Value, numbers
from assay.leakage.data.columns import Kind, as_times, splits_in_time
from assay.leakage.data.measures import Ints
from assay.leakage.data.outcome import Line, Outcome, Rows, percent
from assay.leakage.data.split import Split
from assay.rules import get_rule

if TYPE_CHECKING:
    import polars as pl

_CODE = "L3.1"
_NEGLIGIBLE = 0.001
_MOST_COMPARED = 200_000


def temporal_overlap(split: Split) -> Outcome:
    """For each time column, how many test rows have training rows from their own future."""
    check = "time"
    names = list(split.roles.times) or [
        c.name
        for c in split.columns.values()
        if c.kind is Kind.TIME and splits_in_time(c.name) and c.name != split.roles.target
    ]
    if not names:
        return Outcome(Line(check, _CODE, "no time column found; --time names one"))
    if split.test is None:
        return Outcome(Line(check, _CODE, f'time column "{names[0]}" found; the table is not split'))
    parts = [_overlap(split, name) for name in names[:5]]
    return Outcome(
        Line(check, _CODE, "; ".join(p.line.result for p in parts)),
        [f for p in parts for f in p.findings],
        [r for p in parts for r in p.rows],
        left_out=[text for p in parts for text in p.left_out],
    )


def _overlap(split: Split, name: str) -> Outcome:
    import polars as pl

    if split.test is None:
        raise ValueError("a split is needed")
    both = as_times(pl.concat([split.train.get_column(name), split.test.get_column(name)]))
    if both is None:
        told = f'column "{name}" does not hold times that can be read'
        return Outcome(Line("time", _CODE, told), left_out=[told])
    train, test = both[: split.train.height], both[split.train.height :]
    last = train.max()
    if last is None or test.null_count() == len(test):
        return Outcome(Line("time", _CODE, f'column "{name}" is empty in one part'))
    early = (test <= last).fill_null(value=False).to_numpy().nonzero()[0]
    share = len(early) / max(len(test) - test.null_count(), 1)
    later = _share_later(train.drop_nulls().to_numpy(), test.drop_nulls().to_numpy())
    if share == 0:
        return Outcome(Line("time", _CODE, f'by "{name}" every test row is later than all training rows'))
    told = f'by "{name}" {percent(share)} of test rows are not later than the last training row'
    shown: dict[str, Value] = {
        "test rows not after the last training row": len(early),
        "share of test rows": round(share, 4),
        "chance that a training row is later than a test row": round(later, 4),
        "training": _span(split.train.get_column(name)),
        "test": _span(split.test.get_column(name)),
        "first test rows": split.test_numbers.first(early),
    }
    named = name in split.roles.times
    finding = get_rule(_CODE, "leakage").finding(
        told + (": the split is as good as random in time" if 0.4 < later < 0.6 else ""),
        subject=name,
        location=Location(split.test_numbers.file),
        severity=Severity.WARNING if later > _NEGLIGIBLE else Severity.NOTE,
        confidence=Confidence.HIGH if named else Confidence.MEDIUM,
        evidence=[numbers(shown, "0.5 in the third line is a random split, 0 a clean cut")],
    )
    rows = Rows(_CODE, "not after training", name, split.test_numbers.file, split.test_numbers.numbers[early])
    return Outcome(Line("time", _CODE, told), [finding], [rows])


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
