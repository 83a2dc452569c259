"""Do groups differ by more than chance? One test for each factor and artefact, corrected for there being many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assay.records import dataclass
from assay.repository.research.evaluation.collection import Collection
from assay.statistics import holm, wilson

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_DRAWS = 2000
SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class GroupValue:
    """The mean score, or the share that has an artefact, in one group, with its 95 % interval."""

    group: str
    size: int
    value: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Difference:
    """One factor or artefact over all groups. Without a second group there is no test."""

    name: str
    values: tuple[GroupValue, ...]
    test: str = ""
    p: float | None = None
    adjusted: float | None = None
    """Holm's, over all factors or all artefacts: if no groups differ, one below 0.05 has a chance of at most 5 %."""
    false_discovery: float | None = None
    """Benjamini's and Hochberg's, where it was asked for: of those below 0.05, about one in twenty is by chance."""
    effect: float | None = None
    """First group against second: Cliff's delta, from 1 (always larger) to -1; for artefacts the same as the
    difference of shares."""

    @property
    def significant(self) -> bool | None:
        """Whether the groups differ by more than chance explains."""
        return None if self.adjusted is None else self.adjusted < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Differences:
    """All tests of a study."""

    factors: tuple[Difference, ...]
    artefacts: tuple[Difference, ...]


def differences(found: Collection, *, seed: int = 0) -> Differences:
    """Compare the groups in every factor and artefact."""
    import numpy as np

    chance = np.random.default_rng(seed)
    factors = [_factor(found, index, chance) for index in range(len(found.factors))]
    return Differences(corrected(factors), corrected([_artefact(found, kind) for kind in found.artefacts]))


def corrected(tests: Sequence[Difference]) -> tuple[Difference, ...]:
    """The same tests with Holm's correction for there being so many."""
    adjusted = iter(holm([one.p for one in tests if one.p is not None]))
    return tuple(one if one.p is None else replace(one, adjusted=next(adjusted)) for one in tests)


def _factor(found: Collection, index: int, chance: np.random.Generator) -> Difference:
    return score_difference(
        found.factors[index], {name: found.scores_of(name)[:, index] for name in found.names}, chance
    )


def score_difference(name: str, columns: Mapping[str, NDArray[np.float64]], chance: np.random.Generator) -> Difference:
    """The mean scores of groups, and whether their ranks differ."""
    values = tuple(
        GroupValue(group, len(column), float(column.mean()), _bootstrapped(column, chance))
        for group, column in columns.items()
    )
    if len(columns) < 2:
        return Difference(name, values)
    both = list(columns.values())
    test, p = _rank_test(both)
    return Difference(name, values, test, p, effect=_delta(both[0], both[1]) if len(both) == 2 else None)


def _rank_test(columns: Sequence[NDArray[np.float64]]) -> tuple[str, float]:
    """Scores are bounded, tied and skewed, so ranks are compared and not means."""
    from scipy import stats

    test = "Mann-Whitney" if len(columns) == 2 else "Kruskal-Wallis"
    if len({float(v) for column in columns for v in column}) == 1:
        return test, 1.0
    ended = stats.mannwhitneyu(*columns) if len(columns) == 2 else stats.kruskal(*columns)
    return test, float(ended.pvalue)


def _delta(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    from scipy import stats

    return float(2 * stats.mannwhitneyu(first, second).statistic / (len(first) * len(second)) - 1)


def _bootstrapped(column: NDArray[np.float64], chance: np.random.Generator) -> tuple[float, float]:
    import numpy as np

    rounds = max(50, min(_DRAWS, 4_000_000 // len(column)))
    means = [column[chance.integers(len(column), size=len(column))].mean() for _ in range(rounds)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)


def _artefact(found: Collection, kind: str) -> Difference:
    counts: dict[str, tuple[int, int]] = {}
    for name in found.names:
        there = [has for has, group in zip(found.artefacts[kind], found.groups, strict=True) if group == name]
        counts[name] = (sum(there), len(there))
    return share_difference(kind, counts)


def share_difference(name: str, counts: Mapping[str, tuple[int, int]]) -> Difference:
    """How many of how many have something, by group, and whether the shares differ."""
    values = tuple(
        GroupValue(group, many, there / many, wilson(there, many)) for group, (there, many) in counts.items()
    )
    if len(counts) < 2:
        return Difference(name, values)
    test, p = _count_test([[there, many - there] for there, many in counts.values()])
    return Difference(name, values, test, p, effect=values[0].value - values[1].value if len(counts) == 2 else None)


def _count_test(table: list[list[int]]) -> tuple[str, float]:
    from scipy import stats

    two = len(table) == 2
    test = "Fisher" if two else "chi-squared"
    if 0 in {sum(column) for column in zip(*table, strict=True)}:
        return test, 1.0
    return test, float(stats.fisher_exact(table).pvalue if two else stats.chi2_contingency(table).pvalue)
