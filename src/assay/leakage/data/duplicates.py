"""Copies across the split: the same row, or almost the same, on both sides (L1.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Evidence, Location, Severity, Value, note, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Flags, Ints, Keys, share_difference
from assay.leakage.data.neighbours import Neighbours, sorted_search
from assay.leakage.data.outcome import Line, Outcome, Rows, listed, percent
from assay.leakage.data.split import SEED, Split, row_keys_of
from assay.leakage.rules.taxonomy import duplicates_across_the_split
from assay.records import dataclass
from assay.statistics import wilson
from assay.tables import counted

if TYPE_CHECKING:
    import polars as pl

_CODE = "L1.4"
_SAMPLED_ROWS, _SAMPLED_CELLS = 5_000, 500_000
_MATTERS, _FEWEST_COPIES = 0.01, 3
"""Below this share of test rows copies move no score by more than 0.01."""
_GRAVE, _FEWEST_GRAVE = 0.02, 5
_COPIED_LEVEL = 0.999
_COPIED_AMONG_LIKES = 1 - 1e-6
"""Of the interval of the difference between test and training rows; where rows are alike by chance, chance also
strays, and many tables are checked.
"""
_SAME_OUTCOME = 0.8
"""Copies carry the outcome of their original; below this share the rows are alike and not the same."""
_REPEATS, _SAMPLED_TO_COMPARE = 4, 2_000
"""A column from which another is said to follow has so many rows for each of its values, among so many rows."""
_ALIKE_OUTCOMES, _UNLIKELY = 5, 1e-4
_COMPANY = 2
"""So many times more often than near misses must copies occur, so that chance does not explain them."""
_COLUMNS_FOR_TWO = 12
"""From so many columns on, two cells may differ."""
_FEWEST_COLUMNS = 4
"""With fewer columns rows are alike by nature, so nearness says nothing."""

_ACROSS = "more often than among training rows: rows were copied across the split"
_BEFORE = "as often as among training rows: the rows were repeated before the split"
_THROUGHOUT = (
    "as often as among training rows: rows resemble each other throughout the table, "
    "as repeated measurements, windows or augmented rows do"
)


@dataclass(frozen=True)
class _Tally:
    """Test rows that have a copy in training, compared with two kinds of rows that show what chance does."""

    rows: int
    copies: int
    isolated: int
    """Copies without a near miss: no training row differs from them in one column more."""
    near_misses: int
    """Test rows that are no copies and miss a training row by one column."""
    train_rows: int
    train_copies: int
    """Training rows that have a copy among the others."""

    @property
    def share(self) -> float:
        return self.copies / self.rows if self.rows else 0.0

    @property
    def train_share(self) -> float:
        return self.train_copies / self.train_rows if self.train_rows else 0.0

    @property
    def beyond_training(self) -> bool:
        """More often than training rows have among themselves, by more than sampling explains."""
        if not self.train_rows or not self.rows:
            return False
        rates = (float(self.copies), float(self.rows)), (float(self.train_copies), float(self.train_rows))
        level = _COPIED_AMONG_LIKES if self.coincidence else _COPIED_LEVEL
        return share_difference(*rates, level)[1] > 0

    @property
    def coincidence(self) -> bool:
        """Whether rows of such columns agree by chance.

        Where chance makes rows equal, it makes more rows that miss each other by one column: agreement in the last
        column is one more coincidence. Copies have no such company.
        """
        return self.isolated <= max(_COMPANY * self.near_misses, self.copies / 2)

    def evidence(self) -> Evidence:
        low, high = wilson(self.copies, self.rows)
        shown: dict[str, Value] = {
            "test rows with one": self.copies,
            "of test rows": self.rows,
            "share": round(self.share, 6),
            "95 % interval": f"{percent(low)} to {percent(high)}",
            "share among training rows themselves": round(self.train_share, 6),
            "other test rows that miss a training row by one column more": self.near_misses,
        }
        return numbers(shown, "rows that are alike by chance miss each other by one column more often than by none")


@dataclass(frozen=True)
class _Search:
    """One kind of copy, and what was found of it."""

    check: str
    differing: int
    rows: Ints
    """Test rows that have a copy."""
    partners: Ints
    tally: _Tally
    left_out: tuple[str, ...] = ()
    by_outcome: bool = False
    """Whether only the outcomes tell the copies from rows that are alike by chance."""


def exact_copies(split: Split) -> Outcome:
    """Rows whose features are equal, cell for cell."""
    keys = split.key_columns
    if not keys:
        return Outcome(Line.not_run("exact copies", _CODE, "there is no column to compare"))
    train, asked = split.row_keys
    order = np.argsort(train)
    ordered = train[order]
    as_before = np.r_[False, ordered[1:] == ordered[:-1]]
    repeated = as_before | np.r_[as_before[1:], False]
    own = _independent(split.train[keys])
    neighbours = Neighbours(split.train[own], 0.0, min(1, len(own) - 1))
    if split.test is None:
        again = np.sort(order[as_before])
        tally = _tally_of(neighbours, split.train[own], np.isin(np.arange(len(train)), again), own=True)
        return _reported_of_table(split, again, tally, keys)
    copied, place = _in_sorted(ordered, asked)
    tally = _tally_of(neighbours, split.test[own], copied, own=False)
    tally = replace(tally, train_rows=len(train), train_copies=int(repeated.sum()))
    return _reported(split, keys, _Search("exact copies", 0, copied.nonzero()[0], order[place[copied]], tally))


def _independent(train: pl.DataFrame) -> list[str]:
    """The columns without those that follow from one other, as a dummy follows from its category.

    Two rows that differ in a category also differ in its dummies: several columns, and yet one near miss.
    """
    some = train.sample(min(train.height, _SAMPLED_TO_COMPARE), seed=SEED)
    codes = np.column_stack([c.rank("dense").fill_null(0).to_numpy() for c in some.get_columns()])
    values = codes.max(axis=0)
    follows = np.zeros(len(values), bool)
    for one in np.argsort(-values, kind="stable"):
        if follows[one] or _REPEATS * values[one] > len(codes):
            continue
        rows = codes[np.argsort(codes[:, one])]
        same = rows[1:, [one]] == rows[:-1, [one]]
        follows |= ~(same & (rows[1:] != rows[:-1])).any(axis=0) & (np.arange(len(values)) != one)
    return [name for name, out in zip(train.columns, follows, strict=True) if not out]


def _tally_of(neighbours: Neighbours, frame: pl.DataFrame, copied: Flags, *, own: bool) -> _Tally:
    """Count near misses among a sample of the copies and a sample of the other rows."""
    copies, others = int(copied.sum()), int((~copied).sum())
    isolated, near_misses = copies, 0
    if neighbours.max_differing and copies and not _never_repeats(neighbours.train):
        isolated = copies - _near_misses(neighbours, frame, copied.nonzero()[0], own=own)
        near_misses = _near_misses(neighbours, frame, (~copied).nonzero()[0], own=own) if others else 0
    return _Tally(len(copied), copies, isolated, near_misses, 0, 0)


def _never_repeats(train: pl.DataFrame) -> bool:
    """Whether some measurement differs in all training rows: rows that agree in it too do not agree by chance."""
    measured = [column for column in train.get_columns() if column.dtype.is_float()]
    return any(column.null_count() == 0 and column.n_unique() == len(column) for column in measured)


def _near_misses(neighbours: Neighbours, frame: pl.DataFrame, rows: Ints, *, own: bool) -> int:
    """How many of the rows have a training row that differs in one column, estimated from a sample."""
    most = _sampled_rows(frame.columns)
    some = rows if len(rows) <= most else np.sort(np.random.default_rng(SEED).choice(rows, most, replace=False))
    near = neighbours.near(frame[some], some if own else None)
    return round(float(near.at(1).mean()) * len(rows)) if len(near.examined) else len(rows)


def near_copies(split: Split, tolerance: float = 1e-3) -> Outcome:
    """Rows that differ in a cell or two, or in every number by next to nothing; exact copies are not counted again."""
    keys = split.key_columns
    check = "near copies"
    if split.test is None:
        return Outcome(Line.not_run(check, _CODE, "the table is not split"))
    if len(keys) < _FEWEST_COLUMNS:
        return Outcome(Line.not_run(check, _CODE, f"fewer than {_FEWEST_COLUMNS} columns to compare"))
    differing = 1 if len(keys) < _COLUMNS_FOR_TWO else 2
    neighbours = Neighbours(split.train[keys], tolerance, differing + 1)
    train, asked = split.row_keys
    exact, _ = _in_sorted(np.sort(train), asked)
    candidates = (~exact).nonzero()[0]
    found = neighbours.near(split.test[keys][candidates])
    own = split.sample("train", _sampled_rows(keys))
    within = neighbours.near(split.train[keys][own], own).within(differing)
    copied, missed = found.within(differing), found.at(differing + 1)
    tally = _Tally(
        rows=len(found.examined),
        copies=int(copied.sum()),
        isolated=int((copied & ~missed).sum()),
        near_misses=int((missed & ~copied).sum()),
        train_rows=len(within),
        train_copies=int(within.sum()),
    )
    skipped = len(candidates) - len(found.examined)
    coarse = "the columns are so coarse that rows share their values with too many others"
    left_out = (f"near copies: {skipped:,} test rows were not compared; {coarse}",) if skipped else ()
    rows, partners = candidates[found.examined[copied]], found.nearest(differing)[copied]
    return _reported(split, keys, _Search(check, differing, rows, partners, tally, left_out), tolerance)


def _sampled_rows(keys: Sequence[str]) -> int:
    return max(100, min(_SAMPLED_ROWS, _SAMPLED_CELLS // len(keys)))


def _in_sorted(ordered: Keys, asked: Keys) -> tuple[Flags, Ints]:
    place = np.minimum(sorted_search(ordered, asked), len(ordered) - 1)
    return ordered[place] == asked, place


# --- words -----------------------------------------------------------------------------------------


def _reported(split: Split, keys: list[str], search: _Search, tolerance: float = 0.0) -> Outcome:
    tally, check = search.tally, search.check
    if not len(search.rows):
        nothing = (
            "no test row repeats a training row" if search.differing == 0 else "no test row is nearly a training row"
        )
        return Outcome(Line(check, _CODE, nothing), left_out=search.left_out)
    labels = _labels(split, search)
    chance = tally.coincidence and not tally.beyond_training
    if chance and not search.differing and _outcomes_prove(split, search.rows, labels):
        search = _with_the_outcome(search, labels)
        tally, labels = search.tally, _labels(split, search)
    share = percent(tally.share)
    if tally.coincidence and not tally.beyond_training:
        result = f"{len(search.rows):,} test rows ({share}), about as many as such columns give by chance"
        return Outcome(Line(check, _CODE, result), left_out=search.left_out)
    finding = duplicates_across_the_split.finding(
        _message(split, search, keys, labels, tolerance),
        location=Location(split.test_numbers.file),
        severity=_severity(search, labels),
        confidence=Confidence.HIGH if _certain(search, labels) else Confidence.MEDIUM,
        evidence=[tally.evidence(), note(_origin(search)), *_which(split, search.rows, search.partners, keys)],
    )
    columns = "all features" if not search.differing else f"all but at most {search.differing}"
    rows = [_rows(split, check, columns, search.rows[labels.agree], search.partners[labels.agree])]
    if not labels.agree.all():
        other = ~labels.agree
        rows.append(_rows(split, f"{check}, other label", columns, search.rows[other], search.partners[other]))
    result = f"{len(search.rows):,} test rows ({share}){labels.words}"
    return Outcome(Line(check, _CODE, result), [finding], rows, left_out=search.left_out)


def _outcomes_prove(split: Split, rows: Ints, labels: _Labels) -> bool:
    """Whether rows that are alike by their features share an outcome of many values far more often than chance does.

    Rows that are alike have outcomes that are alike, so chance gets several times the agreement of any two rows; and
    it has as many tries as there are training rows with the same features.
    """
    target = split.roles.target
    if target is None:
        return False
    counts = np.array([count for _, count in counted(split.train.get_column(target).drop_nulls())])
    meet = float(((counts / counts.sum()) ** 2).sum()) if counts.size else 1.0
    train, asked = split.row_keys
    ordered, own = np.sort(train), asked[rows]
    tries = np.searchsorted(ordered, own, "right") - np.searchsorted(ordered, own)
    expected = float((1 - (1 - min(1.0, _ALIKE_OUTCOMES * meet)) ** tries).mean())
    agreeing = int(labels.agree.sum())
    if agreeing < _FEWEST_COPIES or expected >= 1:
        return False
    from scipy.stats import binom

    return bool(binom.sf(agreeing - 1, len(labels.agree), expected) < _UNLIKELY)


def _with_the_outcome(search: _Search, labels: _Labels) -> _Search:
    """The copies that have the outcome of their training row too, which chance no longer explains."""
    copies = int(labels.agree.sum())
    tally = replace(search.tally, copies=copies, isolated=copies, near_misses=0)
    return replace(
        search, rows=search.rows[labels.agree], partners=search.partners[labels.agree], tally=tally, by_outcome=True
    )


def _message(split: Split, search: _Search, keys: list[str], labels: _Labels, tolerance: float) -> str:
    number, share = len(search.rows), percent(search.tally.share)
    if not search.differing:
        of_all = f"{number:,} of {split.test_height:,} test rows ({share})"
        return f"{of_all} repeat the features of a training row{labels.words}"
    return (
        f"{number:,} more test rows ({share}) differ from a training row in at most {search.differing} of "
        f"{len(keys)} columns (numbers within {tolerance:g} standard deviations are equal){labels.words}"
    )


def _origin(search: _Search) -> str:
    if search.tally.beyond_training:
        return _ACROSS
    return _THROUGHOUT if search.differing else _BEFORE


@dataclass(frozen=True)
class _Labels:
    """Which copies carry the outcome of their training row, and how the sentence goes on."""

    agree: Flags
    words: str

    @property
    def contradict(self) -> bool:
        """Rows with the same features and another outcome are no copies of each other."""
        return bool(self.agree.mean() < _SAME_OUTCOME)


def _certain(search: _Search, labels: _Labels) -> bool:
    """Copies that stand throughout the table are certain if all have its label: one that has not is another row."""
    return search.tally.beyond_training or not (search.differing or search.by_outcome or not labels.agree.all())


def _severity(search: _Search, labels: _Labels) -> Severity:
    """By what the copies can do to a score: their share of the test rows.

    Near copies throughout the table are repeated measurements or windows as often as copies: a question.
    """
    tally = search.tally
    if labels.contradict or tally.share < _MATTERS or tally.copies < _FEWEST_COPIES:
        return Severity.NOTE
    grave = _certain(search, labels) and tally.share >= _GRAVE and tally.copies >= _FEWEST_GRAVE
    return Severity.ERROR if grave else Severity.WARNING


def _labels(split: Split, search: _Search) -> _Labels:
    """Whether the copies carry the label of their training row; of equal rows, of any of them."""
    target = split.roles.target
    if target is None or split.test is None:
        return _Labels(np.ones(len(search.rows), bool), "")
    own = split.test.get_column(target).gather(search.rows)
    agree = own.eq_missing(split.train.get_column(target).gather(search.partners)).to_numpy()
    if not search.differing:
        both = [*split.key_columns, target]
        train, asked = split.row_keys
        concerned, _ = _in_sorted(np.sort(asked[search.rows]), train)
        known = row_keys_of(split.train.filter(concerned), both)
        agree = np.isin(
            row_keys_of(split.test[search.rows], both), known, kind="sort"
        )  # numpy 2.0 counts large keys wrongly otherwise
    conflicting = int((~agree).sum())
    return _Labels(agree, f"; {conflicting:,} of them with another label" if conflicting else ", label included")


def _reported_of_table(split: Split, again: Ints, tally: _Tally, keys: list[str]) -> Outcome:
    check = "exact copies"
    if not len(again):
        return Outcome(Line(check, _CODE, "no row repeats another"))
    share = percent(tally.share)
    if tally.coincidence:
        return Outcome(Line(check, _CODE, f"{len(again):,} rows ({share}) repeat others, as chance would have it"))
    finding = duplicates_across_the_split.finding(
        f"{len(again):,} of {split.train.height:,} rows ({share}) repeat the features of an earlier row; "
        "a split by rows puts copies on both sides",
        location=Location(split.train_numbers.file),
        severity=Severity.WARNING if tally.share >= _MATTERS else Severity.NOTE,
        confidence=Confidence.HIGH,
        evidence=[
            numbers(
                {
                    "rows": len(again),
                    "share": round(tally.share, 6),
                    "other rows that miss a row by one column": tally.near_misses,
                    "first rows": split.train_numbers.first(again),
                    "columns compared": len(keys),
                }
            )
        ],
    )
    rows = Rows(_CODE, check, "all features", split.train_numbers.file, split.train_numbers.numbers[again])
    return Outcome(Line(check, _CODE, f"{len(again):,} rows ({share})"), [finding], [rows])


def _which(split: Split, rows: Ints, partners: Ints, keys: list[str]) -> list[Evidence]:
    aside = [c.name for c in split.columns.values() if c.kind in (Kind.IDENTIFIER, Kind.CONSTANT)]
    shown: dict[str, Value] = {
        "first test rows": split.test_numbers.first(rows),
        "their training rows": split.train_numbers.first(partners),
        "columns compared": len(keys),
    }
    if aside:
        shown["left out of the comparison"] = listed(aside)
    return [numbers(shown)]


def _rows(split: Split, check: str, columns: str, rows: Ints, partners: Ints) -> Rows:
    return Rows(
        _CODE,
        check,
        columns,
        split.test_numbers.file,
        split.test_numbers.numbers[rows],
        split.train_numbers.file,
        split.train_numbers.numbers[partners],
    )
