"""Which components of documentation go with the outcome, alone and two together (Cappelen & Mølnå 2018, section 5.5).

Components and outcomes are ranked. An interaction is what the product of two components' centred ranks adds once both
are known: its partial correlation with the outcome. With 22 attempts and 11 components there are 66 questions, so
p-values are corrected by Holm's method within each table, and hardly anything can be shown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from assay.findings import Table, Value
from assay.records import dataclass
from assay.reproduction.attempted import Tried
from assay.reproduction.intervals import Interval, of_correlation
from assay.reproduction.outcomes import AttemptOutcome
from assay.statistics import holm

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]

_FEWEST = 8
"""Attempts below which nothing is computed: three coefficients and an intercept need some more."""
_RANKS = {outcome: -float(place) for place, outcome in enumerate(AttemptOutcome)}


@dataclass(frozen=True, slots=True)
class Association:
    """How one component, or two together, go with the outcome."""

    name: str
    n: int
    value: float
    interval: Interval | None
    p: float


def component_tables(attempts: Sequence[Tried]) -> list[Table]:
    """Single components, and pairs of them."""
    known = [one for one in attempts if one.outcome is not AttemptOutcome.UNDECIDED and one.paper.components]
    names = list(dict.fromkeys(name for one in known for name, _ in one.paper.components))
    singles = [found for name in names if (found := _single(known, name))]
    pairs = [found for one, other in combinations(names, 2) if (found := _pair(known, one, other))]
    return [
        _table("Components and outcome: Spearman's correlation, 95 % intervals", singles),
        _table("Interactions of components and outcome: partial rank correlation, 95 % intervals", pairs),
    ]


def _table(title: str, found: Sequence[Association]) -> Table:
    adjusted = holm([one.p for one in found])
    rows: list[tuple[float, tuple[Value, ...]]] = []
    for one, p in zip(found, adjusted, strict=True):
        ends = (round(one.interval.low, 2), round(one.interval.high, 2)) if one.interval else (None, None)
        row = (one.name, one.n, round(one.value, 2), *ends, round(one.p, 3), round(p, 3))
        rows.append((-abs(one.value), row))
    columns = ("component", "n", "value", "low", "high", "p", "p (Holm)")
    return Table(title, columns, tuple(row for _, row in sorted(rows, key=lambda item: item[0])))


def _single(attempts: Sequence[Tried], name: str) -> Association | None:
    from scipy import stats

    scores, outcomes = _columns(attempts, (name,))
    if not _vary(scores[0], outcomes):
        return None
    found = stats.spearmanr(scores[0], outcomes)
    value, n = float(found.statistic), len(outcomes)
    return Association(name, n, value, of_correlation(value, n, ranks=True), float(found.pvalue))


def _pair(attempts: Sequence[Tried], one: str, other: str) -> Association | None:
    import numpy as np
    from scipy import stats

    scores, outcomes = _columns(attempts, (one, other))
    n = len(outcomes)
    if not all(_vary(column, outcomes) for column in scores):
        return None
    a, b, y = (stats.rankdata(column) - (n + 1) / 2 for column in (*scores, outcomes))
    known = np.column_stack([np.ones(n), a, b])
    left, right = (_residue(known, column) for column in (a * b, y))
    if left is None or right is None:
        return None
    value = float(np.corrcoef(left, right)[0, 1])
    freedom = n - 4
    p = 2 * float(stats.t.sf(abs(value) * math.sqrt(freedom / max(1e-12, 1 - value * value)), freedom))
    return Association(f"{one} × {other}", n, value, of_correlation(value, n - 2, ranks=True), p)


def _residue(known: np.ndarray[tuple[int, int], np.dtype[np.float64]], column: Floats) -> Floats | None:
    """What the known columns leave of another; None if that is nothing."""
    import numpy as np

    left: Floats = column - known @ np.linalg.lstsq(known, column, rcond=None)[0]
    return left if float(np.abs(left).max()) > 1e-9 * max(1.0, float(np.abs(column).max())) else None


def _columns(attempts: Sequence[Tried], names: Sequence[str]) -> tuple[list[list[float]], list[float]]:
    """The scores of some components and the outcomes, over the attempts at papers to which all of them apply."""
    kept = [(dict(one.paper.components), _RANKS[one.outcome]) for one in attempts]
    kept = [(scores, rank) for scores, rank in kept if all(scores.get(name) for name in names)]
    return [[float(scores[name]) for scores, _ in kept] for name in names], [rank for _, rank in kept]


def _vary(scores: Sequence[float], outcomes: Sequence[float]) -> bool:
    return len(outcomes) >= _FEWEST and len(set(scores)) > 1 and len(set(outcomes)) > 1
