"""Rows that belong together on both sides of the split: the same patient, country, session (L3.2).

Which column names the groups is asked of the user or guessed from four signs: its name, rows that resemble each other
within its values, traits that never change within them, and a split that avoids cutting its values apart. A panel
(each unit once at each occasion) is certain. One sign is a question, two are a warning, and only for a split by rows: a
forecast for the same countries, or a split by another unit, shares values of such columns on purpose.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from assay.findings import Confidence, Finding, Location, Severity, Table, Value, numbers
from assay.leakage.data.columns import Column, Kind, names_something
from assay.leakage.data.drawing import DrawnBy, Sharing, sharing_of
from assay.leakage.data.measures import Floats, Ints
from assay.leakage.data.outcome import Line, Outcome, Rows, percent
from assay.leakage.data.split import SEED, Split
from assay.leakage.data.target import levels
from assay.leakage.rules.taxonomy_distribution import dependent_rows
from assay.patterns import regex
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

_CODE = "L3.2"
_CHECK = "groups"
_UNIT_NAME = regex(
    r"(.*[_\W])?("
    r"patient|subject|participant|person|people|user|customer|client|member|household|family|group|cluster|site"
    r"|hospital|clinic|ward|school|session|visit|device|sensor|station|cow|plot|farm|cell|donor|animal|mouse|rat|batch"
    r"|author|store|shop|account|speaker|video|document|scan|class|classroom|mother|mom|child|kid|pupil|litter|tank|herd"
    r"|plate|slide|image|study|trial|cohort|twin|pair|run|driver|student|teacher|player|team|company|firm|seller|movie"
    r")s?([_\W]?(id|no|nr|num|number|code|key|name|idx))?",
    re.IGNORECASE,
)
"""Names of what is observed several times. Places are not among them: every table that has a city or a county resembles
itself within it, and few claims are about new cities. A country observed every year is a panel, whatever its name."""
_FEWEST_GROUPS = 10
_SAMPLED_GROUPS = 300
_ROWS_PER_GROUP = 30
_LARGEST_COUNT, _UPPER_HALF = 200, 0.2
_RESEMBLE = 0.3
"""Share of a column's spread that the groups must explain beyond what their order explains."""
_FEWEST_TRAITS, _DIFFER, _CHANGES = 2, 0.2, 0.02
"""Two columns that differ between two rows in five, and change within at most two groups in a hundred."""
_FEWEST_FINGERPRINTS = 3
"""Traits that go with a measurement of many digits, so that together they name a unit that has no column."""
_UNIT_FIXES = 0.3
"""Share of the varying columns that a unit without a name must fix."""
_IN_ORDER = 0.9
"""Rank correlation from which a column is taken for a function of another."""
_AVOIDED = 0.5
"""The split avoids cutting a group when it cuts this much less than a split by rows would."""


@dataclass(frozen=True)
class Candidate:
    """A column that may name groups, and what speaks for it."""

    column: str
    groups: int
    named: bool
    unit_name: bool
    resemblance: float
    shared: float
    """Share of test rows whose group also has training rows."""
    expected: float
    """The same share if rows had been split at random."""
    traits: int = 0
    """Columns that never change within a group, although they do between groups."""
    of_panel: bool = False
    fingerprint: bool = False
    """Whether it is a measurement that rows share to the last digit, together with other traits."""
    by_rows: bool = True
    """Whether the split was drawn by rows, as far as the parts show."""

    @property
    def avoided(self) -> float:
        """How much less groups are cut than at random: 1 for a split by group, 0 for a split by rows."""
        return 1 - self.shared / self.expected if self.expected > 0 else 0.0

    @property
    def signs(self) -> int:
        """How many signs speak for it; a panel is worth two."""
        alike = self.resemblance >= _RESEMBLE or self.traits >= _FEWEST_TRAITS
        avoided = self.avoided >= _AVOIDED and self.expected > 0.2
        return self.unit_name + alike + avoided + 2 * (self.of_panel or self.fingerprint)

    @property
    def severity(self) -> Severity:
        """A warning for a column that the user named, or that two signs speak for."""
        guessed_well = self.signs > 1 and self.by_rows
        return Severity.WARNING if self.named or guessed_well else Severity.NOTE


def group_overlap(split: Split) -> Outcome:
    """Groups with rows on both sides, for named columns or for the best guesses."""
    likely = _likely(split)
    if not likely:
        return Outcome(Line(_CHECK, _CODE, "no column looks like a group; --group names one"))
    table = _table(likely)
    if split.test is None:
        told = f'"{likely[0].column}" may name groups ({likely[0].groups:,}); the table is not split'
        return Outcome(Line(_CHECK, _CODE, told), tables=[table])
    cut = [c for c in likely if c.shared > 0][:3]
    told = "; ".join(f'"{c.column}": {percent(c.shared)} of test rows share a group with training' for c in likely[:3])
    return Outcome(
        Line(_CHECK, _CODE, told), [_finding(split, c) for c in cut], [_rows(split, c) for c in cut], [table]
    )


def _likely(split: Split) -> list[Candidate]:
    """The columns that the user named, or those that some sign speaks for, likeliest first."""
    named = [split.columns[name] for name in split.roles.groups]
    columns = named or [c for c in split.columns.values() if _may_group(c, split)]
    candidates = sorted((_candidate(split, c) for c in columns), key=lambda c: (-c.signs, -c.resemblance))
    return _leading(split.train, [c for c in candidates if c.named or c.signs])


def _leading(train: pl.DataFrame, likely: list[Candidate]) -> list[Candidate]:
    """Without columns that a likelier group fixes, as a patient fixes the age: they repeat what it says."""
    kept: list[Candidate] = []
    for candidate in likely[:10]:
        fixed = any(
            train[[leader.column, candidate.column]].n_unique() == train.get_column(leader.column).n_unique()
            for leader in kept
        )
        if candidate.named or not fixed:
            kept.append(candidate)
    return kept


def _may_group(column: Column, split: Split) -> bool:
    """Values that repeat, yet are many: not a measurement, not a handful of categories, not a count."""
    rows = split.train.height + split.test_height
    if column.name == split.roles.target or column.kind not in (Kind.NUMBER, Kind.CATEGORY) or column.distinct is None:
        return False
    if column.integral and _is_count(split, column.name):
        return False
    return column.distinct >= _FEWEST_GROUPS and 1.5 <= rows / column.distinct <= max(rows / _FEWEST_GROUPS, 2)


def _is_count(split: Split, name: str) -> bool:
    """Whole numbers from 0 or 1 that grow rarer upwards: years of school, visits, children, but no codes.

    Codes are given out evenly. Of a count, the upper half of the range holds few rows.
    """
    values = split.train.get_column(name).drop_nulls().to_numpy()
    if not len(values) or values.min() < 0 or values.max() > _LARGEST_COUNT:
        return False
    low, high = float(values.min()), float(values.max())
    return bool(low <= 1 and (values > (low + high) / 2).mean() < _UPPER_HALF)


def _candidate(split: Split, column: Column) -> Candidate:
    values = split.train.get_column(column.name)
    traits = _traits(split, column.name)
    sharing = Sharing(0.0, 0.0) if split.test is None else sharing_of(values, split.test.get_column(column.name))
    return Candidate(
        column.name,
        column.distinct or 0,
        column.name in split.roles.groups,
        bool(_UNIT_NAME.fullmatch(column.name) or names_something(column.name)),
        _resemblance(split, column),
        sharing.shared,
        sharing.expected,
        traits.independent,
        split.panel is not None and split.panel.unit == column.name,
        _is_fingerprint(column, traits),
        split.drawing.by is DrawnBy.ROWS,
    )


def _resemblance(split: Split, column: Column) -> float:
    """How much of the other columns' spread the groups explain, beyond the order of their values.

    A measurement such as age also explains other columns, but neighbouring ages explain each other; groups do
    not. So what ten quantiles of the column explain is taken off. The best quarter of the columns is passed over:
    some may be derived from the group by definition.
    """
    rows = _rows_of_some_groups(split.train, column.name)
    if rows.height < 4 * _FEWEST_GROUPS:
        return 0.0
    group = rows.get_column(column.name).rank("dense").to_numpy().astype(np.int64)
    order = (
        np.minimum(group * 10 // (int(group.max()) + 1), 9)
        if column.kind is Kind.NUMBER
        else np.zeros(len(group), np.int64)
    )
    others = [c for c in split.features if c.name != column.name and c.kind is not Kind.TEXT][:40]
    gains = []
    for other in others:
        series = rows.get_column(other.name)
        coded, _, _ = levels(series, series.head(1))
        ranks = coded.astype(float)
        gains.append(_explained(ranks, group) - max(0.0, _explained(ranks, order)))
    best = sorted(gains, reverse=True)
    return best[len(best) // 4] if best else 0.0


def _is_fingerprint(column: Column, traits: _Traits) -> bool:
    """True if a measurement of many digits goes with so many other columns that together they identify a unit.

    Its logarithm, its root and its class also never change within a value, but follow from it. A city or a price
    index fixes a few columns of a table about persons; a person fixes many.
    """
    measured = column.kind is Kind.NUMBER and not column.integral
    return measured and traits.unordered >= _FEWEST_FINGERPRINTS and traits.fixed >= _UNIT_FIXES


@dataclass(frozen=True)
class _Traits:
    """What never changes within a group of at least two rows, though two rows at random often differ."""

    independent: int = 0
    """Traits that divide the groups differently: a state and a dummy of that state are one trait."""
    unordered: int = 0
    """The same without columns that rise or fall with the group."""
    fixed: float = 0.0
    """Share of the columns in which rows differ that never change within a group."""


def _traits(split: Split, name: str) -> _Traits:
    rows = _rows_of_some_groups(split.train, name)
    if rows.height < 4 * _FEWEST_GROUPS:
        return _Traits()
    group = rows.get_column(name).rank("dense").to_numpy().astype(np.int64) - 1
    groups, first_rows = np.unique(group, return_index=True)
    differing, fixed = 0, 0
    divisions: dict[bytes, bool] = {}
    for other in split.features:
        if other.name in (name, split.roles.target) or other.kind is Kind.TEXT:
            continue
        value = rows.get_column(other.name).rank("dense").fill_null(0).to_numpy().astype(np.int64)
        if 1 - float(((np.bincount(value) / len(value)) ** 2).sum()) < _DIFFER:
            continue
        differing += 1
        changing = len(np.unique(group * (int(value.max()) + 1) + value)) - len(groups)
        if changing <= _CHANGES * len(groups):
            fixed += 1
            unordered = bool(abs(np.corrcoef(value, group)[0, 1]) < _IN_ORDER)
            division = _numbered_by_appearance(value[first_rows])
            divisions[division] = divisions.get(division, True) and unordered
    return _Traits(len(divisions), sum(divisions.values()), fixed / max(differing, 1))


def _numbered_by_appearance(values: Ints) -> bytes:
    """The same bytes for columns that divide rows in the same way, whatever their values are called."""
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.int32).tobytes()


def _rows_of_some_groups(frame: pl.DataFrame, name: str) -> pl.DataFrame:
    """Rows of a few hundred groups that have at least two."""
    values = frame.get_column(name).drop_nulls()
    repeated = values.filter(values.is_duplicated()).unique().sort()
    chosen = repeated.sample(min(len(repeated), _SAMPLED_GROUPS), seed=SEED)
    rows = frame.filter(frame.get_column(name).is_in(chosen.implode()))
    return rows.head(_SAMPLED_GROUPS * _ROWS_PER_GROUP)


def _explained(values: Floats, group: Ints) -> float:
    """Share of the variance between groups, corrected for the number of groups (adjusted R²)."""
    number = np.bincount(group)
    total = np.bincount(group, values)
    kept = number > 0
    groups, rows = int(kept.sum()), len(values)
    centre = values.mean()
    spread = float(((values - centre) ** 2).sum())
    if spread <= 0 or rows <= groups:
        return 0.0
    between = float((number[kept] * (total[kept] / number[kept] - centre) ** 2).sum())
    return 1 - (1 - between / spread) * (rows - 1) / (rows - groups)


def _finding(split: Split, candidate: Candidate) -> Finding:
    guess = "" if candidate.named else "; the column was guessed, confirm it with --group"
    confidence = Confidence.HIGH if candidate.named else Confidence.MEDIUM if candidate.signs > 1 else Confidence.LOW
    shown: dict[str, Value] = {
        "groups": candidate.groups,
        "share of test rows": round(candidate.shared, 4),
        "expected if rows were split at random": round(candidate.expected, 4),
        "resemblance within groups": round(candidate.resemblance, 3),
        "columns that never change within a group": candidate.traits,
        "each once at each occasion (panel)": candidate.of_panel,
        "name of a unit": candidate.unit_name,
    }
    almost = " although the split keeps most groups together" if candidate.avoided >= _AVOIDED else ""
    return dependent_rows.finding(
        f'{percent(candidate.shared)} of test rows share their "{candidate.column}" with training rows{almost}{guess}',
        subject=candidate.column,
        location=Location(split.test_numbers.file),
        severity=candidate.severity,
        confidence=confidence,
        evidence=[numbers(shown)],
    )


def _rows(split: Split, candidate: Candidate) -> Rows:
    if split.test is None:
        raise ValueError("a split is needed")
    train = split.train.get_column(candidate.column).unique().implode()
    shared = split.test.get_column(candidate.column).is_in(train).fill_null(value=False).to_numpy().nonzero()[0]
    return Rows(_CODE, "shared group", candidate.column, split.test_numbers.file, split.test_numbers.numbers[shared])


def _table(candidates: list[Candidate]) -> Table:
    return Table(
        "Columns that may name groups, likeliest first",
        ("column", "groups", "unit name", "resemblance", "traits", "panel", "test rows shared", "expected at random"),
        tuple(
            (
                c.column,
                c.groups,
                c.unit_name,
                round(c.resemblance, 3),
                c.traits,
                c.of_panel,
                percent(c.shared),
                percent(c.expected),
            )
            for c in candidates[:10]
        ),
    )
