"""From the table of factors to the scores of one repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.repository.factors import FactorScore, PartScore, rounded, weighted
from assay.repository.profiles.default.table import FACTORS, THRESHOLDS, Factor, Part

if TYPE_CHECKING:
    from assay.repository.facts import Repository


def factors_of(facts: Repository, failed: frozenset[str]) -> tuple[FactorScore, ...]:
    """All ten factors; `failed` are the codes of the rules that found something."""
    return tuple(_factor(factor, facts, failed) for factor in FACTORS)


def _factor(factor: Factor, facts: Repository, failed: frozenset[str]) -> FactorScore:
    parts = tuple(_part(part, facts) for part in factor.parts)
    costliest = _costliest(factor, parts)
    return FactorScore(
        key=factor.key,
        name=factor.name,
        score=rounded(weighted(parts)),  # the band is that of the score as shown
        thresholds=THRESHOLDS,
        parts=parts,
        advice=costliest.advice if costliest else "",
        section=factor.section,
        rules=tuple(code for code in costliest.rules if code in failed) if costliest else (),
    )


def _part(part: Part, facts: Repository) -> PartScore:
    measured = part.measure(facts)
    return PartScore(part.name, part.weight, measured.score, measured.said)


def _costliest(factor: Factor, scores: tuple[PartScore, ...]) -> Part | None:
    """The part through which the factor loses most."""
    losses = [
        (part.weight * (1.0 - found.score), part)
        for part, found in zip(factor.parts, scores, strict=True)
        if found.score is not None and found.score < 1.0
    ]
    return max(losses, key=lambda loss: loss[0])[1] if losses else None
