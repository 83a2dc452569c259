"""Copies across the split: the same row, or almost the same, on both sides (L1.4)."""

from __future__ import annotations

import numpy as np

from assay.findings import Confidence, Evidence, Location, Severity, Value, note, numbers
from assay.leakage.data.columns import Kind
from assay.leakage.data.measures import Flags, Ints, Keys, share_difference
from assay.leakage.data.neighbours import Near, Neighbours, sorted_search
from assay.leakage.data.outcome import Line, Outcome, Rows, listed, percent
from assay.leakage.data.split import SEED, Split, row_keys_of
from assay.records import dataclass
from assay.rules import get_rule
from assay.statistics import wilson

_CODE = "L1.4"
_BASELINE_ROWS, _BASELINE_CELLS = 10_000, 1_000_000
_GRAVE = 0.01
"""From this share of test rows on, copies move a score by more than its rounding (forests: 0.013 AUC at 5 %)."""
_FEWEST_COLUMNS = 4
"""With fewer columns rows are alike by nature, so nearness says nothing."""

_ACROSS = "more often than among training rows: rows were copied across the split"
_BEFORE = "as often as among training rows: the rows were repeated before the split"
_THROUGHOUT = (
    "as often as among training rows: rows resemble each other throughout the table, "
    "as repeated measurements, windows or augmented rows do"
)


@dataclass(frozen=True)
class _Shares:
    """How often rows have a (near) copy in training: test rows, training rows, and rows that are mere mixtures."""

    test: tuple[float, float]
    train: tuple[float, float]
    chance: tuple[float, float]

    @property
    def test_share(self) -> float:
        return self.test[0] / self.test[1] if self.test[1] else 0.0

    @property
    def chance_share(self) -> float:
        return self.chance[0] / self.chance[1] if self.chance[1] else 0.0

    @property
    def beyond_chance(self) -> bool:
        """More than twice what mixtures show, and by more than sampling explains."""
        if not self.test[0]:
            return False
        _, low, _ = share_difference(self.test, self.chance)
        return self.test_share > 2 * self.chance_share and (low > 0 or self.chance[0] == 0)

    @property
    def beyond_training(self) -> bool:
        """More often than training rows have among themselves, by more than sampling explains."""
        return share_difference(self.test, self.train)[1] > 0 if self.train[1] else True

    def evidence(self) -> Evidence:
        low, high = wilson(*self.test)
        train = self.train[0] / self.train[1] if self.train[1] else 0.0
        shown: dict[str, Value] = {
            "test rows with one": int(self.test[0]),
            "of test rows": int(self.test[1]),
            "share": round(self.test_share, 6),
            "95 % interval": f"{percent(low)} to {percent(high)}",
            "share among training rows themselves": round(train, 6),
            "share expected by chance": round(self.chance_share, 6),
        }
        return numbers(shown, "chance: rows mixed from parts of different training rows")


def exact_copies(split: Split) -> Outcome:
    """Rows whose features are equal, cell for cell."""
    keys = split.key_columns
    if not keys:
        return Outcome(Line("exact copies", _CODE, "not run: there is no column to compare"))
    train, asked = split.row_keys
    blocks = min(2, len(keys) - 1)
    mixed = row_keys_of(Neighbours(split.train[keys], 0.0, blocks).mixed(_baseline_rows(keys), SEED), keys)
    order = np.argsort(train)
    ordered = train[order]
    chance = (float(_in_sorted(ordered, mixed)[0].sum()), float(len(mixed)))
    as_before = np.r_[False, ordered[1:] == ordered[:-1]]
    repeated = as_before | np.r_[as_before[1:], False]
    within = (float(repeated.sum()), float(len(train)))
    if split.test is None:
        again = np.sort(order[as_before])
        return _told_of_table(split, again, _Shares((float(len(again)), within[1]), (0.0, 0.0), chance), keys)
    copied, place = _in_sorted(ordered, asked)
    shares = _Shares((float(copied.sum()), float(len(asked))), within, chance)
    return _told(split, keys, copied.nonzero()[0], order[place[copied]], shares)


def near_copies(split: Split, tolerance: float = 1e-3) -> Outcome:
    """Rows that differ in a cell or two, or in every number by next to nothing; exact copies are not counted again."""
    keys = split.key_columns
    check = "near copies"
    if split.test is None:
        return Outcome(Line(check, _CODE, "not run: the table is not split"))
    if len(keys) < _FEWEST_COLUMNS:
        return Outcome(Line(check, _CODE, f"not run: fewer than {_FEWEST_COLUMNS} columns to compare"))
    neighbours = _neighbours(split, keys, tolerance)
    train, asked = split.row_keys
    exact, _ = _in_sorted(np.sort(train), asked)
    candidates = (~exact).nonzero()[0]
    found = neighbours.near(split.test[keys][candidates])
    own = split.sample("train", _baseline_rows(keys))
    within = neighbours.near(split.train[keys][own], own)
    chance = neighbours.near(neighbours.mixed(_baseline_rows(keys) // 2, SEED))
    shares = _Shares(found.tally, within.tally, chance.tally)
    return _told_near(split, neighbours, candidates, found, shares)


def _neighbours(split: Split, keys: list[str], tolerance: float) -> Neighbours:
    differing = 0 if len(keys) < _FEWEST_COLUMNS else 1 if len(keys) < 12 else 2
    return Neighbours(split.train[keys], tolerance, differing)


def _baseline_rows(keys: list[str]) -> int:
    return max(100, min(_BASELINE_ROWS, _BASELINE_CELLS // len(keys)))


def _in_sorted(ordered: Keys, asked: Keys) -> tuple[Flags, Ints]:
    place = np.minimum(sorted_search(ordered, asked), len(ordered) - 1)
    return ordered[place] == asked, place


# --- words -----------------------------------------------------------------------------------------


def _told(split: Split, keys: list[str], copies: Ints, partners: Ints, shares: _Shares) -> Outcome:
    check = "exact copies"
    if not len(copies):
        return Outcome(Line(check, _CODE, "no test row repeats a training row"))
    share = percent(shares.test_share)
    if not shares.beyond_chance:
        told = f"{len(copies):,} test rows ({share}), about as many as such columns give by chance"
        return Outcome(Line(check, _CODE, told))
    labels, conflicting = _labels(split, keys, copies)
    finding = get_rule(_CODE, "leakage").finding(
        f"{len(copies):,} of {split.test_height:,} test rows ({share}) repeat the features of a training row{labels}",
        location=Location(split.test_numbers.file),
        severity=Severity.ERROR if shares.test_share >= _GRAVE else Severity.WARNING,
        confidence=Confidence.HIGH,
        evidence=[
            shares.evidence(),
            note(_ACROSS if shares.beyond_training else _BEFORE),
            *_which(split, copies, partners, keys),
        ],
    )
    rows = [
        _rows(split, check, "all features", copies[~conflicting], partners[~conflicting]),
        _rows(split, "exact copies, other label", "all features", copies[conflicting], partners[conflicting]),
    ]
    return Outcome(Line(check, _CODE, f"{len(copies):,} test rows ({share}){labels}"), [finding], rows)


def _labels(split: Split, keys: list[str], copies: Ints) -> tuple[str, Flags]:
    """Whether the copies carry the label of a training row with the same features."""
    target = split.roles.target
    if target is None or split.test is None:
        return "", np.zeros(len(copies), bool)
    train, asked = split.row_keys
    concerned, _ = _in_sorted(np.sort(asked[copies]), train)
    both = [*keys, target]
    agree = np.isin(row_keys_of(split.test[copies], both), row_keys_of(split.train.filter(concerned), both))
    conflicting = int((~agree).sum())
    return (f"; {conflicting:,} of them with another label" if conflicting else ", label included"), ~agree


def _told_of_table(split: Split, again: Ints, shares: _Shares, keys: list[str]) -> Outcome:
    check = "exact copies"
    if not len(again):
        return Outcome(Line(check, _CODE, "no row repeats another"))
    share = percent(shares.test_share)
    if not shares.beyond_chance:
        return Outcome(Line(check, _CODE, f"{len(again):,} rows ({share}) repeat others, as chance would have it"))
    finding = get_rule(_CODE, "leakage").finding(
        f"{len(again):,} of {split.train.height:,} rows ({share}) repeat the features of an earlier row; "
        "a split by rows puts copies on both sides",
        location=Location(split.train_numbers.file),
        severity=Severity.WARNING,
        confidence=Confidence.HIGH,
        evidence=[
            numbers(
                {
                    "rows": len(again),
                    "share": round(shares.test_share, 6),
                    "share expected by chance": round(shares.chance_share, 6),
                    "first rows": split.train_numbers.first(again),
                    "columns compared": len(keys),
                }
            )
        ],
    )
    rows = Rows(_CODE, check, "all features", split.train_numbers.file, split.train_numbers.numbers[again])
    return Outcome(Line(check, _CODE, f"{len(again):,} rows ({share})"), [finding], [rows])


def _told_near(split: Split, neighbours: Neighbours, candidates: Ints, found: Near, shares: _Shares) -> Outcome:
    check = "near copies"
    rows, partners = candidates[found.examined[found.found]], found.partner[found.found]
    skipped = len(candidates) - len(found.examined)
    coarse = "the columns are so coarse that rows share their values with too many others"
    left_out = [f"near copies: {skipped:,} test rows were not compared; {coarse}"] if skipped else []
    share = percent(shares.test_share)
    if not len(rows):
        return Outcome(Line(check, _CODE, "no test row is nearly a training row"), left_out=left_out)
    if not shares.beyond_chance:
        told = f"{len(rows):,} test rows ({share}), about as many as such columns give by chance"
        return Outcome(Line(check, _CODE, told), left_out=left_out)
    differing = neighbours.max_differing
    finding = get_rule(_CODE, "leakage").finding(
        f"{len(rows):,} more test rows ({share}) differ from a training row in at most {differing} of "
        f"{len(neighbours.allowed)} columns (numbers within {neighbours.tolerance:g} standard deviations are equal)",
        location=Location(split.test_numbers.file),
        severity=Severity.ERROR if shares.test_share >= _GRAVE and shares.beyond_training else Severity.WARNING,
        confidence=Confidence.HIGH if shares.beyond_training else Confidence.MEDIUM,
        evidence=[
            shares.evidence(),
            note(_ACROSS if shares.beyond_training else _THROUGHOUT),
            *_which(split, rows, partners, list(neighbours.allowed)),
        ],
    )
    all_rows = _rows(split, check, f"all but at most {differing}", rows, partners)
    return Outcome(Line(check, _CODE, f"{len(rows):,} test rows ({share})"), [finding], [all_rows], left_out=left_out)


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
