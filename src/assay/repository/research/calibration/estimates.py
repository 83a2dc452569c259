"""The whole calibration: a scale from labelled repositories, and how much of it is chance.

Uncertainty comes from resampling the repositories of each set (bootstrap, percentile intervals) and doing everything
again; performance from leaving out one repository at a time, deriving the scale from the others and scoring it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assay.records import dataclass
from assay.repository.research.calibration.derivation import GRADED, derive
from assay.repository.research.calibration.labelled import Labelled
from assay.repository.research.calibration.separation import SIGNS, areas, table_of
from assay.repository.research.loos2022 import LOOS2022, Factor, Scale, Span, worst_scores

Interval = tuple[float, float]
_MOST_SCORED = 400_000
"""Repositories scored over all resamples: about ten seconds."""
_MOST_LEFT_OUT = 2_000
SPANS = ("readme_lines", "readme_links", "comment_ratio", "pylint")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number from the data with the interval in which 95 % of the resamples put it."""

    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Separation:
    """How well one score separates the sets: as fitted, and on repositories left out of the fit."""

    name: str
    fitted: Estimate
    left_out: float | None
    printed: float
    """Under the scale of the thesis as printed."""


@dataclass(frozen=True)
class Calibration:
    """Everything that was derived."""

    sets: Labelled
    scale: Scale
    representative: Mapping[str, tuple[Estimate, Estimate]]
    thresholds: Mapping[Factor, tuple[Estimate, Estimate, Estimate]]
    """T, A and L."""
    indicators: tuple[Estimate, ...]
    """The AUC of each of `SIGNS`."""
    separations: tuple[Separation, ...]
    draws: int
    left_out: tuple[str, ...]


_Scored = list[tuple[dict[Factor, float], bool]]


def calibrate(sets: Labelled, *, draws: int = 500, seed: int = 0) -> Calibration:
    """Derive a scale with the weights of the thesis, and measure how sure it is."""
    affordable = max(20, min(draws, _MOST_SCORED // sets.size))
    notes = [*sets.left_out]
    if affordable < draws:
        notes.append(f"{affordable} instead of {draws} resamples, for there are {sets.size} repositories")
    if sets.size > _MOST_LEFT_OUT:
        notes.append(f"nothing was left out in turn: {sets.size} repositories are more than {_MOST_LEFT_OUT}")
    scale, drawn = derive(sets), _resampled(sets, affordable, seed)
    found = {key: _estimate(value, [one[key] for one in drawn]) for key, value in _numbers(sets).items()}
    return Calibration(
        sets=sets,
        scale=scale,
        representative={name: (found[name, "low"], found[name, "high"]) for name in SPANS},
        thresholds={f: (found[f, "top"], found[f, "average"], found[f, "lower"]) for f in GRADED},
        indicators=tuple(found[sign.name, "area"] for sign in SIGNS),
        separations=_separations(sets, [found[factor, "area"] for factor in GRADED]),
        draws=affordable,
        left_out=tuple(notes),
    )


def _numbers(sets: Labelled) -> dict[tuple[str, str], float]:
    """All that is derived from two sets, by what it is about and what it says."""
    scale = derive(sets)
    scored = _scored(sets, scale)
    found: dict[tuple[str, str], float] = {}
    for name in SPANS:
        span: Span = getattr(scale, name)
        found |= {(name, "low"): span.low, (name, "high"): span.high}
    for factor in GRADED:
        limits = scale.thresholds[factor]
        found |= {(factor, "top"): limits.top, (factor, "average"): limits.average or 0.0}
        found |= {(factor, "lower"): limits.lower, (factor, "area"): _auc_of(scored, factor)}
    separated = areas(table_of(sets.reproducible), table_of(sets.irreproducible))
    return found | {(sign.name, "area"): area for sign, area in zip(SIGNS, separated, strict=True)}


def _resampled(sets: Labelled, draws: int, seed: int) -> list[dict[tuple[str, str], float]]:
    import numpy as np

    chance = np.random.default_rng(seed)

    def drawn() -> Labelled:
        first, second = (chance.integers(len(s), size=len(s)) for s in (sets.reproducible, sets.irreproducible))
        return Labelled(tuple(sets.reproducible[i] for i in first), tuple(sets.irreproducible[i] for i in second))

    return [_numbers(drawn()) for _ in range(draws)]


def _scored(sets: Labelled, scale: Scale) -> _Scored:
    return [(worst_scores(row, scale), label) for row, label in sets.rows]


def _separations(sets: Labelled, fitted: Sequence[Estimate]) -> tuple[Separation, ...]:
    """Every graded factor: each repository is scored once more by a scale that does not know it."""
    printed = _scored(sets, LOOS2022)
    held_out: _Scored = []
    if sets.size <= _MOST_LEFT_OUT:
        rows = enumerate(sets.rows)
        held_out = [(worst_scores(row, derive(sets.without(index))), label) for index, (row, label) in rows]
    return tuple(
        Separation(factor.value, area, _auc_of(held_out, factor) if held_out else None, _auc_of(printed, factor))
        for factor, area in zip(GRADED, fitted, strict=True)
    )


def _auc_of(scored: _Scored, factor: Factor) -> float:
    import numpy as np

    good = np.array([[scores[factor]] for scores, label in scored if label])
    return areas(good, np.array([[scores[factor]] for scores, label in scored if not label]))[0]


def _estimate(value: float, drawn: Sequence[float]) -> Estimate:
    import numpy as np

    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(value, (float(low), float(high)))
