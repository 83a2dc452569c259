"""The profile's scores in the words that all profiles share, for the reports of the room."""

from __future__ import annotations

from assay.repository import factors as shared
from assay.repository.research.loos2022.indicators import Indicators
from assay.repository.research.loos2022.scale import Factor
from assay.repository.research.loos2022.scores import FactorScore, score

_TABLES = {Factor.SCAD: ", Tables 6.1 and 6.2", Factor.SE: ", Table 6.3"}
_PARTS = {
    "licence": "open-source licence",
    "readme": "README",
    "pylint": "pylint rating",
    "comment_ratio": "code-comment ratio",
    "declared": "imported libraries that are declared",
    "strict": "declarations of one version",
    "public": "libraries that anybody can install",
}


def factors_of(indicators: Indicators) -> tuple[shared.FactorScore, ...]:
    """All seven factors. A range counts by its lower end; buildability may have no score."""
    return tuple(_factor(one) for one in score(indicators))


def _factor(one: FactorScore) -> shared.FactorScore:
    unknown = one.factor is Factor.OOTB and one.score is None
    parts = tuple(shared.PartScore(_PARTS[p.name], p.weight, p.value, _value_text(p.value, one)) for p in one.parts)
    return shared.FactorScore(
        key=one.factor.value,
        name=one.factor.label,
        score=None if unknown else one.low,
        thresholds=one.thresholds,
        parts=parts,
        section=f"section 6.2.2{_TABLES.get(one.factor, '')}",
    )


def _value_text(value: float | None, one: FactorScore) -> str:
    return f"{value:.2f} of 1" if value is not None else f"not measured; the factor's score may reach {one.high:.2f}"
