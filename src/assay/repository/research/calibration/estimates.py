"""The whole calibration: a scale from labelled repositories, and how much of it is chance.

Uncertainty comes from resampling the repositories of each set (bootstrap, percentile intervals) and doing everything
again; performance from leaving out one repository at a time, deriving the scale from the others and scoring it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import fields

from assay.records import dataclass
from assay.repository.factors import Band
from assay.repository.research.calibration.derivation import GRADED, derive
from assay.repository.research.calibration.labelled import Labelled
from assay.repository.research.calibration.separation import areas, impurity_shares, separating_weights, table_of
from assay.repository.research.loos2022 import LOOS2022, Factor, Scale, Weights, worst_scores

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
    """How well one score tells the sets apart: as fitted, and on repositories left out of the fit."""

    name: str
    fitted: float
    interval: Interval | None
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
    weights: Mapping[str, Estimate]
    """As the separation suggests them; the scale keeps those of the thesis."""
    impurity: tuple[float, ...]
    separations: tuple[Separation, ...]
    bands: Mapping[Factor, tuple[Counter[Band], Counter[Band]]]
    """Where reproducible and other repositories fall when they are left out of the derivation."""
    draws: int
    left_out: tuple[str, ...]


def calibrate(sets: Labelled, *, draws: int = 500, seed: int = 0) -> Calibration:
    """Derive a scale with the weights of the thesis, and measure how sure it is."""
    affordable = max(20, min(draws, _MOST_SCORED // sets.size))
    notes = [*sets.left_out]
    if affordable < draws:
        notes.append(f"{affordable} instead of {draws} resamples, for there are {sets.size} repositories")
    good, bad = table_of(sets.reproducible), table_of(sets.irreproducible)
    found = areas(good, bad)
    scale, suggested = derive(sets), separating_weights(found)
    resampled = _resampled(sets, affordable, seed)
    held_out = _held_out(sets) if sets.size <= _MOST_LEFT_OUT else None
    if held_out is None:
        notes.append(f"nothing was left out in turn: {sets.size} repositories are more than {_MOST_LEFT_OUT}")
    return Calibration(
        sets=sets,
        scale=scale,
        representative={
            name: (
                _estimate(getattr(scale, name).low, [getattr(d.scale, name).low for d in resampled]),
                _estimate(getattr(scale, name).high, [getattr(d.scale, name).high for d in resampled]),
            )
            for name in SPANS
        },
        thresholds={f: _threshold(f, scale, resampled) for f in GRADED},
        indicators=tuple(_estimate(a, [d.areas[i] for d in resampled]) for i, a in enumerate(found)),
        weights={
            f.name: _estimate(getattr(suggested, f.name), [getattr(d.weights, f.name) for d in resampled])
            for f in fields(Weights)
        },
        impurity=tuple(impurity_shares(sets)),
        separations=_separations(sets, scale, derive(sets, suggested), resampled, held_out),
        bands=_bands(held_out),
        draws=affordable,
        left_out=tuple(notes),
    )


@dataclass(frozen=True, slots=True)
class _Draw:
    scale: Scale
    weights: Weights
    areas: Sequence[float]
    separated: Sequence[float]
    """The AUC of each graded factor under the scale of this draw."""


def _resampled(sets: Labelled, draws: int, seed: int) -> list[_Draw]:
    import numpy as np

    chance = np.random.default_rng(seed)
    good, bad = table_of(sets.reproducible), table_of(sets.irreproducible)
    found = []
    for _ in range(draws):
        first = chance.integers(len(good), size=len(good))
        second = chance.integers(len(bad), size=len(bad))
        drawn = Labelled(tuple(sets.reproducible[i] for i in first), tuple(sets.irreproducible[i] for i in second))
        scale, separated = derive(drawn), areas(good[first], bad[second])
        scored = _scored(drawn, scale)
        found.append(_Draw(scale, separating_weights(separated), separated, [_auc_of(scored, f) for f in GRADED]))
    return found


_Scored = list[tuple[dict[Factor, float], bool]]


def _scored(sets: Labelled, scale: Scale) -> _Scored:
    return [(worst_scores(row, scale), label) for row, label in sets.rows]


@dataclass(frozen=True, slots=True)
class _HeldOut:
    """Each repository scored by a scale that does not know it."""

    scores: _Scored
    by_separation: _Scored
    """The same with weights from the separation among the others."""
    bands: tuple[tuple[dict[Factor, Band], bool], ...]


def _held_out(sets: Labelled) -> _HeldOut:
    plain: _Scored = []
    suggested: _Scored = []
    bands = []
    for index, (row, label) in enumerate(sets.rows):
        others = sets.without(index)
        scale = derive(others)
        weights = separating_weights(areas(table_of(others.reproducible), table_of(others.irreproducible)))
        scores = worst_scores(row, scale)
        plain.append((scores, label))
        suggested.append((worst_scores(row, derive(others, weights)), label))
        bands.append(({f: scale.thresholds_of(f).band(scores[f]) for f in GRADED}, label))
    return _HeldOut(plain, suggested, tuple(bands))


def _separations(
    sets: Labelled, scale: Scale, suggested: Scale, resampled: Sequence[_Draw], held_out: _HeldOut | None
) -> tuple[Separation, ...]:
    fitted, printed, weighed = _scored(sets, scale), _scored(sets, LOOS2022), _scored(sets, suggested)
    found = []
    for number, factor in enumerate(GRADED):
        area = _estimate(_auc_of(fitted, factor), [draw.separated[number] for draw in resampled])
        outside = _auc_of(held_out.scores, factor) if held_out else None
        found.append(Separation(factor.value, area.value, area.interval, outside, _auc_of(printed, factor)))
        if factor is not Factor.RSC:  # which has a single indicator, hence no weights
            name = f"{factor.value}, weights by separation"
            outside = _auc_of(held_out.by_separation, factor) if held_out else None
            found.append(Separation(name, _auc_of(weighed, factor), None, outside, _auc_of(printed, factor)))
    return tuple(found)


def _auc_of(scored: _Scored, factor: Factor) -> float:
    import numpy as np

    good = np.array([[scores[factor]] for scores, label in scored if label])
    return areas(good, np.array([[scores[factor]] for scores, label in scored if not label]))[0]


def _bands(held_out: _HeldOut | None) -> dict[Factor, tuple[Counter[Band], Counter[Band]]]:
    if held_out is None:
        return {}
    return {
        f: (
            Counter(bands[f] for bands, label in held_out.bands if label),
            Counter(bands[f] for bands, label in held_out.bands if not label),
        )
        for f in GRADED
    }


def _threshold(factor: Factor, scale: Scale, resampled: Sequence[_Draw]) -> tuple[Estimate, Estimate, Estimate]:
    here = scale.thresholds[factor]
    drawn = [draw.scale.thresholds[factor] for draw in resampled]
    return (
        _estimate(here.top, [d.top for d in drawn]),
        _estimate(here.average or 0.0, [d.average or 0.0 for d in drawn]),
        _estimate(here.lower, [d.lower for d in drawn]),
    )


def _estimate(value: float, drawn: Sequence[float]) -> Estimate:
    import numpy as np

    low, high = np.quantile(drawn, [0.025, 0.975])
    return Estimate(value, (float(low), float(high)))
