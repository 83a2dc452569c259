"""Original results against reproduced ones, cell by cell, joined by the names of rows and columns.

A cell that both tables fill is judged as any reproduced result is; where test sizes or spreads are known its difference
has an interval. Many cells find something by luck, so the verdict goes by Holm's corrected p-value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from assay.records import dataclass
from assay.reproduction.intervals import Difference, of_areas
from assay.reproduction.outcomes import ALPHA, Judged, Measured, difference_of, put_to_test, settled
from assay.reproduction.result_tables import Gap, ResultRow, ResultTable, Sizes
from assay.statistics import benjamini_hochberg, holm

_DENOMINATOR = {
    **dict.fromkeys(("accuracy", "acc", "errorrate", "error"), "total"),
    **dict.fromkeys(("recall", "sensitivity", "sens", "tpr", "truepositiverate"), "positives"),
    **dict.fromkeys(("specificity", "spec", "tnr", "truenegativerate"), "negatives"),
}
"""What part of a test set a score is a share of; of others it cannot be known beforehand."""
_AREAS = frozenset({"auc", "rocauc", "auroc", "aucroc"})


class Presence(StrEnum):
    """Which of the two tables fills a cell."""

    BOTH = "in both"
    ORIGINAL = "missing in the reproduction"
    REPRODUCED = "missing in the original"
    NEITHER = "missing in both"
    NOT_APPLICABLE = "not applicable"
    AT_ODDS = "not applicable in one, but not in the other"


@dataclass(frozen=True, slots=True)
class Compared:
    """One cell of both tables, with what can be said about it."""

    row: tuple[str, ...]
    metric: str
    original: Measured | Gap
    reproduced: Measured | Gap
    presence: Presence
    difference: Fraction | None = None
    measured: Difference | None = None
    judged: Judged | None = None
    p_holm: float | None = None
    p_bh: float | None = None


@dataclass(frozen=True, slots=True)
class Comparison:
    """All cells of the rows and columns that both tables have, and what only one of them has."""

    original: ResultTable
    reproduced: ResultTable
    cells: tuple[Compared, ...]
    margin: float | None = None

    @property
    def judged(self) -> list[Compared]:
        """The cells that both fill."""
        return [cell for cell in self.cells if cell.presence is Presence.BOTH]

    @property
    def unmatched(self) -> list[str]:
        """Rows and columns of one table alone, in words."""
        found = []
        sides = ((self.original, self.reproduced, "original"), (self.reproduced, self.original, "reproduction"))
        for one, other, name in sides:
            rows = {row.names for row in other.rows}
            found += [f'row "{row.label}": only in the {name}' for row in one.rows if row.names not in rows]
            found += [f'column "{m}": only in the {name}' for m in one.metrics if m not in other.metrics]
        return found


def compare_results(
    original: ResultTable, reproduced: ResultTable, *, margin: float | None = None, alpha: float = ALPHA
) -> Comparison:
    """Every cell of the rows and columns that both have; verdicts with p-values corrected for their number."""
    theirs = {row.names: row for row in reproduced.rows}
    metrics = [metric for metric in original.metrics if metric in reproduced.metrics]
    shared = [(row, theirs[row.names]) for row in original.rows if row.names in theirs]
    cells = [_compared(ours, other, metric) for ours, other in shared for metric in metrics]
    raised = _raised([cell.measured for cell in cells])
    rivals = [row.baselines.get(metric, ()) for row, _ in shared for metric in metrics]
    judged = (_settled(*known, margin, alpha) for known in zip(cells, raised, rivals, strict=True))
    return Comparison(original, reproduced, tuple(judged), margin)


def _compared(one: ResultRow, other: ResultRow, metric: str) -> Compared:
    left, right = _sized(one, metric), _sized(other, metric)
    presence = _presence(left, right)
    if not isinstance(left, Measured) or not isinstance(right, Measured):
        return Compared(one.names, metric, left, right, presence)
    measured = _area_difference(left, right, one.sizes, other.sizes, metric) or difference_of(left, right)
    return Compared(one.names, metric, left, right, presence, right.exact - left.exact, measured)


def _sized(row: ResultRow, metric: str) -> Measured | Gap:
    """The cell, with the number of answers it is a share of, if the sizes of the test set give it."""
    cell = row.cells[metric]
    part = _DENOMINATOR.get(_key(metric))
    if isinstance(cell, Gap) or cell.items or part is None:
        return cell
    return replace(cell, items=getattr(row.sizes, part))


def _area_difference(one: Measured, other: Measured, first: Sizes, second: Sizes, metric: str) -> Difference | None:
    """Of two areas under ROC curves on sets of the same size; other sizes are other test sets."""
    p, n = first.positives, first.negatives
    if _key(metric) not in _AREAS or first != second or not p or not n:
        return None
    if not (0 <= one.exact <= 1 and 0 <= other.exact <= 1):
        return None
    return of_areas(float(one.exact), float(other.exact), p, n)


def _settled(
    cell: Compared,
    raised: tuple[float, float] | None,
    baselines: Sequence[Measured],
    margin: float | None,
    alpha: float,
) -> Compared:
    if not isinstance(cell.original, Measured) or not isinstance(cell.reproduced, Measured):
        return cell
    tested = put_to_test(cell.original, cell.reproduced, cell.measured, margin)
    if raised:
        tested = replace(tested, p_different=raised[0])
    judged = settled(cell.original, cell.reproduced, baselines, tested, alpha=alpha)
    p_holm, p_bh = raised or (None, None)
    return replace(cell, judged=judged, p_holm=p_holm, p_bh=p_bh)


def _raised(differences: Sequence[Difference | None]) -> list[tuple[float, float] | None]:
    """The p-value of each difference, corrected for the number of all."""
    p = [difference.p for difference in differences if difference]
    corrected = zip(holm(p), benjamini_hochberg(p), strict=True)
    return [next(corrected) if difference else None for difference in differences]


def _presence(one: Measured | Gap, other: Measured | Gap) -> Presence:
    gaps = [cell is Gap.NOT_APPLICABLE for cell in (one, other)]
    if all(gaps):
        return Presence.NOT_APPLICABLE
    if any(gaps):
        return Presence.AT_ODDS
    match one is Gap.MISSING, other is Gap.MISSING:
        case True, True:
            return Presence.NEITHER
        case True, False:
            return Presence.REPRODUCED
        case False, True:
            return Presence.ORIGINAL
    return Presence.BOTH


def _key(metric: str) -> str:
    return re.sub(r"[\W_]", "", metric.casefold())
