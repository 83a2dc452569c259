"""From indicators to the scores of the seven factors (sections 6.2.1 and 6.2.2).

What was not measured is neither forgiven nor punished: the score is then a range, from the worst to the best that
the missing measurement could have given.
"""

from __future__ import annotations

from dataclasses import replace

from assay.records import dataclass
from assay.repository.factors import Band, Thresholds
from assay.repository.research.loos2022.indicators import Indicators
from assay.repository.research.loos2022.scale import LOOS2022, Factor, Scale

_DIGITS = 2
"""The author's tool rounds every weighted term to two digits before it adds them up; so do we, to get its scores."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one indicator adds to a factor: its normalised value (None when not measured) and its weight."""

    name: str
    value: float | None
    weight: float


@dataclass(frozen=True, slots=True)
class FactorScore:
    """The score of one factor. `low` and `high` differ when something was not measured."""

    factor: Factor
    low: float
    high: float
    thresholds: Thresholds
    parts: tuple[Part, ...] = ()

    @property
    def score(self) -> float | None:
        """The score, if everything it takes was measured."""
        return self.low if self.low == self.high else None

    @property
    def band(self) -> Band:
        """Where it lies; not judged when the range reaches over a threshold."""
        worst, best = self.thresholds.band(self.low), self.thresholds.band(self.high)
        return worst if worst is best else Band.NOT_JUDGED

    def __str__(self) -> str:
        return f"{self.low:.2f}" if self.low == self.high else f"{self.low:.2f} to {self.high:.2f}"


def score(indicators: Indicators, scale: Scale = LOOS2022) -> tuple[FactorScore, ...]:
    """The scores of all seven factors, in the order of the thesis."""
    worst, best = _completed(indicators, scale, best=False), _completed(indicators, scale, best=True)
    low, high = _scores(worst, scale), _scores(best, scale)
    parts = {Factor.SCAD: _documentation_parts(indicators, scale), Factor.SE: _environment_parts(indicators, scale)}
    return tuple(FactorScore(f, low[f], high[f], scale.thresholds_of(f), parts.get(f, ())) for f in Factor)


def worst_scores(indicators: Indicators, scale: Scale = LOOS2022) -> dict[Factor, float]:
    """The lower ends alone, for those who score thousands."""
    return _scores(_completed(indicators, scale, best=False), scale)


def _completed(given: Indicators, scale: Scale, *, best: bool) -> Indicators:
    """The indicators with the best or worst in place of what was not measured."""
    if None not in {given.reachable_links, given.pylint, given.built}:
        return given
    return replace(
        given,
        reachable_links=given.reachable_links if given.reachable_links is not None else 100.0 * best,
        pylint=given.pylint if given.pylint is not None else (scale.pylint.high if best else scale.pylint.low),
        built=given.built if given.built is not None else best,
    )


def _scores(given: Indicators, scale: Scale) -> dict[Factor, float]:
    return {
        Factor.SCAD: _sum(_documentation_parts(given, scale)),
        Factor.SE: _environment(given, scale),
        Factor.DSA: float(given.dataset),
        Factor.RSC: round(given.fixed_seeds / 100, _DIGITS) if given.seed_lines else 0.0,
        Factor.MS: float(given.models),
        Factor.HPL: float(given.logging > 0),
        Factor.OOTB: float(bool(given.built)),
    }


def _documentation_parts(given: Indicators, scale: Scale) -> tuple[Part, ...]:
    """Table 6.2."""
    weights = scale.weights
    lines, links = readme_parts(given, scale)
    readme = None if links.value is None else _sum((lines, links))
    licence = round(given.open_licences / given.licences, _DIGITS) if given.licences else 0.0
    return (
        Part("licence", licence, weights.licence),
        Part("readme", readme, weights.readme),
        Part("pylint", None if given.pylint is None else scale.pylint.normal(given.pylint), weights.pylint),
        Part("comment_ratio", 1 - scale.comment_ratio.normal(given.comment_ratio), weights.comment_ratio),
    )


def readme_parts(given: Indicators, scale: Scale) -> tuple[Part, Part]:
    """Length and links of the READMEs (Table 6.1); both are 0 without a README."""
    there = given.readmes > 0
    lines = scale.readme_lines.normal(given.readme_lines) if there else 0.0
    reached = given.links_each
    links = (None if reached is None else scale.readme_links.normal(reached)) if there else 0.0
    return Part("readme_lines", lines, scale.weights.readme_lines), Part("links", links, scale.weights.readme_links)


def _environment_parts(given: Indicators, scale: Scale) -> tuple[Part, ...]:
    """Table 6.3. Without relevant imports there is nothing to declare, which the thesis counts as perfect."""
    weights = scale.weights
    idle, bare = given.imports == 0, given.config_files == 0
    declared = 1.0 if idle else 0.0 if bare else given.declared / 100
    strict = (1.0 if idle else 0.0) if bare else given.strict / 100
    return (
        Part("declared", declared, weights.declared),
        Part("strict", strict, weights.strict),
        Part("public", 1.0 if idle else given.public / 100, weights.public),
    )


def _environment(given: Indicators, scale: Scale) -> float:
    *rounded, public = _environment_parts(given, scale)
    return round(_sum(tuple(rounded)) + (public.value or 0.0) * public.weight, _DIGITS)


def _sum(parts: tuple[Part, ...]) -> float:
    return round(sum(round((part.value or 0.0) * part.weight, _DIGITS) for part in parts), _DIGITS)
