"""How far each item moves a measure, next to how far seeds alone move it.

Everything is paired: an alternative is held against the base at the same seed. Intervals come from resampled
seeds; with few seeds they are narrower than they should be, which is why the number of seeds is told with them.

More alternatives spread further by chance alone, so a spread is held against the one that settings without any
effect would show: Tukey's studentized range for a design in blocks, the blocks being seeds. It takes what is left
after settings and seeds for normal and equally large everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from math import floor, log10, sqrt
from typing import TYPE_CHECKING

import numpy as np

from assay.ablation.design import BASE, Run, Setting, joint_runs, pair_settings
from assay.ablation.plan import Plan
from assay.ablation.store import Outcome, Status
from assay.records import dataclass
from assay.statistics import holm

if TYPE_CHECKING:
    Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
    Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]

RESAMPLES = 2_000
LEVEL = 0.95
_LEAST_P = 1e-12
"""The tail of the studentized range is not computed more precisely."""

Results = Mapping[Run, Outcome]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over seeds with its interval over resampled seeds; a single seed has none."""

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
    """Its place by spread, and the middle 95 % of its places over resampled seeds."""

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

    @property
    def decimals(self) -> int:
        """How many decimals show the changes of this measure to two or three digits."""
        largest = max([self.seed_sd or 0.0, *(item.spread.value for item in self.items)])
        return min(9, max(0, 2 - floor(log10(largest)))) if largest > 0 else 3


def measures_in(results: Results) -> list[str]:
    """Every metric that a finished run gave, in the order in which they were met."""
    return list(dict.fromkeys(name for outcome in results.values() for name in outcome.metrics))


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
    base = values.of(BASE)
    if np.isnan(base).all():
        return None
    weights = _resampled(len(plan.seeds))
    ranked = _ranked([item for place in range(len(plan.items)) if (item := _item(values, place, weights))])
    return MeasureEffects(
        measure,
        _estimate(base, weights),
        float(np.nanstd(base, ddof=1)) if (~np.isnan(base)).sum() > 1 else None,
        ranked,
        tuple(_interactions(values, weights)),
        tuple(_joint(values)),
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

    def of(self, setting: Setting) -> Floats:
        """The values of a setting by seed, not a number where there is none."""
        return np.array([self.at(Run(setting, seed)) for seed in self.plan.seeds])


@dataclass(frozen=True)
class _Spread:
    """An item before it has a rank: its effect, and its spread in each resample."""

    effect: ItemEffect
    resampled: Floats


def _item(values: _Values, place: int, weights: Matrix) -> _Spread | None:
    """The effect of one item over the seeds at which the base and its alternatives have a value.

    An alternative that has one at fewer than half of the base's seeds is left out, lest it take the others with it.
    """
    item, base = values.plan.items[place], values.of(BASE)
    columns = [(one.name, values.of(Setting(((place, a),)))) for a, one in enumerate(item.alternatives)]
    least = (~np.isnan(base)).sum() / 2
    columns = [(name, column) for name, column in columns if (~np.isnan(column - base)).sum() >= max(1, least)]
    if not columns:
        return None
    levels = np.column_stack([base, *(column for _, column in columns)])
    whole = ~np.isnan(levels).any(axis=1)
    if not whole.any():
        return None
    levels, drawn = levels[whole], weights[whole]
    changes = levels - levels[:, :1]
    resampled = np.ptp(_means(changes, drawn), axis=1)
    spread = float(np.ptp(changes.mean(axis=0)))
    seeds = len(levels)
    effect = ItemEffect(
        item.label,
        tuple((name, _estimate(changes[:, 1 + n], drawn)) for n, (name, _) in enumerate(columns)),
        Estimate(spread, *_interval(resampled, seeds), seeds),
        *_chance(levels, spread),
    )
    return _Spread(effect, resampled)


def _ranked(spreads: Sequence[_Spread]) -> tuple[ItemEffect, ...]:
    """The items by their spread, each with the places it takes when seeds are resampled."""
    if not spreads:
        return ()
    order = sorted(spreads, key=lambda one: -one.effect.spread.value)
    resampled = np.column_stack([np.nan_to_num(one.resampled, nan=-1.0) for one in order])
    places = (resampled[:, None, :] > resampled[:, :, None]).sum(axis=2) + 1
    low, high = np.quantile(places, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0, method="nearest").astype(int)
    return tuple(
        replace(one.effect, rank=(place + 1, int(min(low[place], place + 1)), int(max(high[place], place + 1))))
        for place, one in enumerate(order)
    )


def _interactions(values: _Values, weights: Matrix) -> Iterable[Interaction]:
    base = values.of(BASE)
    for pair in values.plan.pairs:
        for setting in pair_settings(values.plan, pair):
            one, other = (values.of(Setting((choice,))) - base for choice in setting.choices)
            both = values.of(setting) - base
            excess = both - one - other
            whole = ~np.isnan(excess)
            if whole.any():
                apart = float((one + other)[whole].mean())
                told = setting.described(values.plan)
                yield Interaction(told, float(both[whole].mean()), apart, _estimate(excess, weights))


def _joint(values: _Values) -> Iterable[float]:
    for run in joint_runs(values.plan):
        change = values.at(run) - values.at(Run(BASE, run.seed))
        if not np.isnan(change):
            yield change


def _resampled(seeds: int) -> Matrix:
    """How often each seed is drawn in each resample."""
    drawn = np.random.default_rng(0).multinomial(seeds, np.full(seeds, 1 / seeds), size=RESAMPLES)
    return drawn.T.astype(np.float64)


def _means(columns: Matrix, weights: Matrix) -> Matrix:
    """The mean of each column in each resample (a row each); not a number where none of its seeds was drawn."""
    total = weights.sum(axis=0)[:, None]
    means: Matrix = np.divide(
        weights.T @ columns, total, out=np.full((weights.shape[1], columns.shape[1]), np.nan), where=total > 0
    )
    return means


def _estimate(values: Floats, weights: Matrix) -> Estimate:
    known = ~np.isnan(values)
    means = _means(values[known][:, None], weights[known])[:, 0]
    return Estimate(float(values[known].mean()), *_interval(means, int(known.sum())), int(known.sum()))


def _interval(resampled: Floats, seeds: int) -> tuple[float | None, float | None]:
    if seeds < 2:
        return None, None
    low, high = np.nanquantile(resampled, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


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
