"""What goes with what over a study's attempts: correlations with their number, p-value and interval.

Counts, metrics and outcomes are ranked (Spearman; interval by Fisher's z with the variance of Bonett & Wright).
Where one side is yes or no the coefficient is the point-biserial one (Pearson's; interval by Fisher's z). The
p-values are those of the t approximation, and all of them treat attempts as independent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from assay.findings import Table
from assay.records import dataclass
from assay.reproduction.attempted import GOOD, Tried
from assay.reproduction.intervals import Interval, of_correlation
from assay.reproduction.levels import Level
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.records import KINDS

Known = Callable[[Tried], float | None]
_BEST_FIRST = list(AttemptOutcome)


@dataclass(frozen=True, slots=True)
class Correlation:
    """How two things known of each attempt go together."""

    one: str
    other: str
    n: int
    method: str
    value: float
    interval: Interval | None
    p: float


def correlations(attempts: Sequence[Tried]) -> Iterator[Correlation]:
    """Table 4.6 and the correlation of section 5.4, with those that a reader asks for next.

    Discrepancies are compared over the attempts with a result: the others report no errors. "Reproduced" means at
    least in part, "metric" is the mean documentation of a paper.
    """
    ended = [one for one in attempts if one.has_result]
    for one, other in combinations(KINDS, 2):
        yield from _ranked(ended, (one, _count(KINDS[one])), (other, _count(KINDS[other])))
    for kind, letter in KINDS.items():
        yield from _ranked(ended, (kind, _count(letter)), ("outcome", _rank))
    yield from _ranked(attempts, ("metric", _metric), ("outcome", _rank))
    yield from _ranked(attempts, ("hours", _hours), ("outcome", _rank))
    yield from _point_biserial(attempts, ("metric", _metric), ("reproduced", _good))
    yield from _point_biserial(attempts, ("code shared", _has_code), ("reproduced", _good))


def correlation_table(attempts: Sequence[Tried]) -> Table:
    """All of them; the first three make Table 4.6."""
    columns = ("between", "n", "coefficient", "value", "low", "high", "p")
    rows = tuple(
        (
            *(f"{c.one} and {c.other}", c.n, c.method, round(c.value, 3)),
            *((round(c.interval.low, 3), round(c.interval.high, 3)) if c.interval else (None, None)),
            round(c.p, 4),
        )
        for c in correlations(attempts)
    )
    return Table("Correlations over attempts, with 95 % intervals (as Table 4.6)", columns, rows)


def _ranked(attempts: Sequence[Tried], one: tuple[str, Known], other: tuple[str, Known]) -> Iterator[Correlation]:
    from scipy import stats

    left, right = _pairs(attempts, one[1], other[1])
    if _vary(left, right):
        found = stats.spearmanr(left, right)
        value = float(found.statistic)
        interval = of_correlation(value, len(left), ranks=True)
        yield Correlation(one[0], other[0], len(left), "Spearman", value, interval, float(found.pvalue))


def _point_biserial(
    attempts: Sequence[Tried], one: tuple[str, Known], other: tuple[str, Known]
) -> Iterator[Correlation]:
    from scipy import stats

    left, right = _pairs(attempts, one[1], other[1])
    if _vary(left, right):
        found = stats.pearsonr(left, right)
        value = float(found.statistic)
        interval = of_correlation(value, len(left), ranks=False)
        yield Correlation(one[0], other[0], len(left), "point-biserial", value, interval, float(found.pvalue))


def _pairs(attempts: Sequence[Tried], one: Known, other: Known) -> tuple[list[float], list[float]]:
    """What is known on both sides."""
    known = [(a, b) for attempt in attempts if (a := one(attempt)) is not None and (b := other(attempt)) is not None]
    return [a for a, _ in known], [b for _, b in known]


def _vary(left: Sequence[float], right: Sequence[float]) -> bool:
    return len(left) > 2 and len(set(left)) > 1 and len(set(right)) > 1


def _count(letter: str) -> Known:
    return lambda one: float(one.kinds(letter))


def _rank(one: Tried) -> float | None:
    """Higher for a better outcome."""
    return None if one.outcome is AttemptOutcome.UNDECIDED else -float(_BEST_FIRST.index(one.outcome))


def _good(one: Tried) -> float | None:
    return None if one.outcome is AttemptOutcome.UNDECIDED else float(one.outcome in GOOD)


def _metric(one: Tried) -> float | None:
    metric = one.paper.metric
    return None if metric is None else float(metric)


def _hours(one: Tried) -> float | None:
    return None if one.attempt.hours is None else float(one.attempt.hours)


def _has_code(one: Tried) -> float | None:
    return None if one.paper.level is None else float(one.paper.level in {Level.EXPERIMENT, Level.CODE})
