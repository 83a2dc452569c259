"""How far each item moves a measure, next to how far seeds alone move it.

Everything is paired: an alternative is compared with the base at the same seed. The interval of a mean change is
Student's t over seeds. Resampling three or five seeds covers the true change only 75 or 83 times in 100.

More alternatives spread further by chance alone, so a spread is compared with the one that settings without any
effect would show: Tukey's studentized range for a design in blocks, the blocks being seeds. It assumes that what is
left after settings and seeds is normal and equally large everywhere. The same range bounds the interval of a spread:
the measured and the true spread differ by at most the range of the errors of the means.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from math import floor, log10, sqrt
from typing import TYPE_CHECKING

import numpy as np

from assay.ablation.design import BASE, Run, Setting, joint_runs, pair_settings
from assay.ablation.noise import deviation_over_test_sets, without_ends
from assay.ablation.plan import Plan
from assay.ablation.store import Outcome, Status
from assay.records import dataclass
from assay.statistics import holm

if TYPE_CHECKING:
    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]

LEVEL = 0.95
_LEAST_P = 1e-12
"""The tail of the studentized range is not computed more precisely."""

Results = Mapping[Run, Outcome]


class Noise(StrEnum):
    """What moves a result besides the choices that are varied."""

    SEEDS = "seeds"
    TEST_SET = "the choice of test cases"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value over seeds with its 95 % interval; a single seed has none."""

    value: float
    low: float | None
    high: float | None
    seeds: int


@dataclass(frozen=True, slots=True)
class ItemEffect:
    """What not reporting one item may do to one measure."""

    label: str
    alternatives: tuple[tuple[str, Estimate], ...]
    """The change that each alternative makes against the base."""
    spread: Estimate
    """From the lowest to the highest of the base and its alternatives."""
    by_chance: float | None
    """The spread that settings without effect stay below 95 times in 100; None with one seed."""
    p: float | None
    """How often settings without effect spread as far."""
    adjusted: float | None = None
    """p by Holm's method for all items and measures of the report."""
    rank: tuple[int, int, int] = (0, 0, 0)
    """Its place by spread, and the first and last place that the intervals of all spreads allow."""

    @property
    def lowest(self) -> float:
        """The lowest mean change, 0 being the base itself."""
        return min(0.0, *(estimate.value for _, estimate in self.alternatives))

    @property
    def highest(self) -> float:
        """The highest mean change."""
        return max(0.0, *(estimate.value for _, estimate in self.alternatives))


@dataclass(frozen=True, slots=True)
class Interaction:
    """Two alternatives together: what they change, and how much of it neither alone explains."""

    settings: str
    together: float
    """Mean change of both against the base."""
    apart: float
    """Sum of the two single changes."""
    excess: Estimate


@dataclass(frozen=True, slots=True)
class MeasureEffects:
    """Everything about one measure."""

    measure: str
    base: Estimate
    seed_sd: float | None
    """Standard deviation of the base over seeds."""
    items: tuple[ItemEffect, ...]
    """Ranked, the widest spread first."""
    interactions: tuple[Interaction, ...] = ()
    joint: tuple[float, ...] = ()
    """Change against the base, at the same seed, of each random fill-in."""
    test_sd: float | None = None
    """Standard deviation of the base over test sets of the same size; None if the runs do not say."""

    def noise(self, item: ItemEffect) -> tuple[Noise, ...]:
        """Every kind of noise that the spread of an item does not exceed."""
        kinds = ((Noise.SEEDS, self.seed_sd), (Noise.TEST_SET, self.test_sd))
        return tuple(kind for kind, size in kinds if size is not None and item.spread.value <= size)

    @property
    def decimals(self) -> int:
        """How many decimals show the changes of this measure to two or three digits."""
        largest = max([self.seed_sd or 0.0, *(item.spread.value for item in self.items)])
        return min(9, max(0, 2 - floor(log10(largest)))) if largest > 0 else 3


def measures_in(results: Results) -> list[str]:
    """Every metric that a finished run gave, in the order in which they were met; ends of intervals are none."""
    return without_ends(name for outcome in results.values() for name in outcome.metrics)


def effects(plan: Plan, results: Results, measures: Iterable[str]) -> list[MeasureEffects]:
    """The effects on each measure; p-values are adjusted over all of them together."""
    found = [one for measure in measures if (one := _measure_effects(plan, results, measure))]
    tested = [item for one in found for item in one.items if item.p is not None]
    adjusted = dict(zip(map(id, tested), holm([item.p for item in tested if item.p is not None]), strict=True))
    return [
        replace(one, items=tuple(replace(item, adjusted=adjusted.get(id(item))) for item in one.items)) for one in found
    ]


def _measure_effects(plan: Plan, results: Results, measure: str) -> MeasureEffects | None:
    values = _Values(plan, results, measure)
    base = values.by_seed(BASE)
    if np.isnan(base).all():
        return None
    ranked = _ranked([item for place in range(len(plan.items)) if (item := _item(values, place))])
    return MeasureEffects(
        measure,
        _mean(base),
        float(np.nanstd(base, ddof=1)) if (~np.isnan(base)).sum() > 1 else None,
        ranked,
        tuple(_interactions(values)),
        tuple(_joint(values)),
        deviation_over_test_sets(values.outcomes(BASE), measure, plan.cases.get(measure)),
    )


@dataclass(frozen=True)
class _Values:
    """One measure of all runs."""

    plan: Plan
    results: Results
    measure: str

    def at(self, run: Run) -> float:
        outcome = self.results.get(run)
        done = outcome is not None and outcome.status is Status.DONE
        return outcome.metrics.get(self.measure, np.nan) if outcome is not None and done else np.nan

    def outcomes(self, setting: Setting) -> list[Outcome]:
        """The finished runs of a setting."""
        found = (self.results.get(Run(setting, seed)) for seed in self.plan.seeds)
        return [outcome for outcome in found if outcome is not None and outcome.status is Status.DONE]

    def by_seed(self, setting: Setting) -> Floats:
        """The values of a setting by seed, not a number where there is none."""
        return np.array([self.at(Run(setting, seed)) for seed in self.plan.seeds])


def _item(values: _Values, place: int) -> ItemEffect | None:
    """The effect of one item over the seeds at which the base and its alternatives have a value.

    An alternative that has one at fewer than half of the base's seeds is left out, lest it take the others with it.
    """
    item, base = values.plan.items[place], values.by_seed(BASE)
    columns = [(one.name, values.by_seed(Setting(((place, a),)))) for a, one in enumerate(item.alternatives)]
    least = (~np.isnan(base)).sum() / 2
    columns = [(name, column) for name, column in columns if (~np.isnan(column - base)).sum() >= max(1, least)]
    if not columns:
        return None
    levels = np.column_stack([base, *(column for _, column in columns)])
    whole = ~np.isnan(levels).any(axis=1)
    if not whole.any():
        return None
    levels = levels[whole]
    changes = levels - levels[:, :1]
    spread = float(np.ptp(changes.mean(axis=0)))
    by_chance, p = _chance(levels, spread)
    return ItemEffect(
        item.label,
        tuple((name, _mean(changes[:, 1 + n])) for n, (name, _) in enumerate(columns)),
        _spread(spread, by_chance, len(levels)),
        by_chance,
        p,
    )


def _ranked(items: Sequence[ItemEffect]) -> tuple[ItemEffect, ...]:
    """The items by their spread, each with the places that the intervals of all spreads allow."""
    order = sorted(items, key=lambda item: -item.spread.value)
    return tuple(
        replace(
            item,
            rank=(
                place,
                1 + sum(_surely_wider(other.spread, item.spread) for other in order),
                len(order) - sum(_surely_wider(item.spread, other.spread) for other in order),
            ),
        )
        for place, item in enumerate(order, 1)
    )


def _surely_wider(one: Estimate, other: Estimate) -> bool:
    """Whether the whole interval of one spread lies above the other's; never with a single seed."""
    return one.low is not None and other.high is not None and one.low > other.high


def _interactions(values: _Values) -> Iterable[Interaction]:
    base = values.by_seed(BASE)
    for pair in values.plan.pairs:
        for setting in pair_settings(values.plan, pair):
            one, other = (values.by_seed(Setting((choice,))) - base for choice in setting.choices)
            both = values.by_seed(setting) - base
            excess = both - one - other
            whole = ~np.isnan(excess)
            if whole.any():
                apart = float((one + other)[whole].mean())
                described = setting.described(values.plan)
                yield Interaction(described, float(both[whole].mean()), apart, _mean(excess))


def _joint(values: _Values) -> Iterable[float]:
    for run in joint_runs(values.plan):
        change = values.at(run) - values.at(Run(BASE, run.seed))
        if not np.isnan(change):
            yield change


def _mean(values: Floats) -> Estimate:
    """The mean of the known values with Student's t interval."""
    from scipy.stats import t

    known = values[~np.isnan(values)]
    mean, seeds = float(known.mean()), len(known)
    if seeds < 2:
        return Estimate(mean, None, None, seeds)
    reach = float(t.ppf((1 + LEVEL) / 2, seeds - 1)) * float(known.std(ddof=1)) / sqrt(seeds)
    return Estimate(mean, mean - reach, mean + reach, seeds)


def _spread(value: float, by_chance: float | None, seeds: int) -> Estimate:
    """A spread with its interval, which cannot start below 0."""
    if by_chance is None:
        return Estimate(value, None, None, seeds)
    return Estimate(value, max(0.0, value - by_chance), value + by_chance, seeds)


def _chance(levels: Matrix, spread: float) -> tuple[float | None, float | None]:
    """The spread that chance alone stays below 95 times in 100, and how often it reaches this one."""
    from scipy.stats import studentized_range

    seeds, settings = levels.shape
    if seeds < 2:
        return None, None
    left = levels - levels.mean(axis=0) - levels.mean(axis=1, keepdims=True) + levels.mean()
    freedom = (seeds - 1) * (settings - 1)
    error = sqrt(float((left**2).sum()) / freedom / seeds)
    if error < 1e-12 * max(1.0, float(np.abs(levels).max())):
        return 0.0, float(spread == 0)
    reached = float(studentized_range.sf(spread / error, settings, freedom))
    return error * _widest_range(settings, freedom), min(1.0, max(_LEAST_P, reached))


@cache
def _widest_range(settings: int, freedom: int) -> float:
    """The studentized range that chance stays below 95 times in 100; slow to compute, and asked for again and again."""
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(LEVEL, settings, freedom))
