"""Pictures of factor scores: bars for a page, a badge for a README. Plain SVG, drawn by hand."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from assay.findings import Figure
from assay.repository.factors import Band, FactorScore

_COLOUR = {
    Band.GOOD: "#2e7d32",
    Band.FAIR: "#8a6d00",
    Band.WEAK: "#b65c00",
    Band.POOR: "#b3261e",
    Band.NOT_JUDGED: "#6b7280",
}
_ROW, _LABEL, _BAR, _REST = 24, 250, 300, 110
_LETTER = 6.6
"""The mean width of a letter of 11 px, for the badge: badges are read by machines that have no fonts."""


def factors_figure(name: str, factors: Sequence[FactorScore]) -> Figure:
    """A bar for each factor; one that was not judged has words instead."""
    height = _ROW * len(factors) + 8
    rows = "".join(_bar(number, factor) for number, factor in enumerate(factors))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LABEL + _BAR + _REST} {height}" '
        f'width="{_LABEL + _BAR + _REST}" height="{height}" font-family="sans-serif" font-size="13">{rows}</svg>'
    )
    told = "; ".join(f"{f.name} {_score_text(f)}" for f in factors)
    return Figure(f"Factors of {name}", svg, told)


def badge(factors: Sequence[FactorScore]) -> str:
    """A badge: how many of the factors that could be judged are good."""
    judged = [f for f in factors if f.score is not None]
    good = sum(f.band is Band.GOOD for f in judged)
    share = good / len(judged) if judged else 0.0
    band = Band.NOT_JUDGED if not judged else Band.GOOD if share >= 0.8 else Band.FAIR if share >= 0.5 else Band.WEAK
    left, right = "reproducible?", f"{good} of {len(judged)} factors good" if judged else "not judged"
    wide, rest = (round(len(words) * _LETTER) + 12 for words in (left, right))
    label = f"{left} {right}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide + rest}" height="20" role="img" aria-label="{label}">'
        f"<title>{label}</title>"
        f'<rect width="{wide + rest}" height="20" rx="3" fill="{_COLOUR[band]}"/>'
        f'<path d="M3 0h{wide - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#444"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{wide / 2:g}" y="14" textLength="{wide - 12}">{left}</text>'
        f'<text x="{wide + rest / 2:g}" y="14" textLength="{rest - 12}">{right}</text></g></svg>\n'
    )


def _bar(number: int, factor: FactorScore) -> str:
    y = number * _ROW + 4
    colour = _COLOUR[factor.band]
    length = round((factor.score or 0.0) * _BAR)
    return (
        f'<text x="{_LABEL - 8}" y="{y + 14}" text-anchor="end" fill="currentColor">{escape(factor.name)}</text>'
        f'<rect x="{_LABEL}" y="{y}" width="{_BAR}" height="18" fill="{colour}" fill-opacity="0.15"/>'
        f'<rect x="{_LABEL}" y="{y}" width="{length}" height="18" fill="{colour}"/>'
        f'<text x="{_LABEL + _BAR + 8}" y="{y + 14}" fill="currentColor">{_score_text(factor)}</text>'
    )


def _score_text(factor: FactorScore) -> str:
    return factor.band.value if factor.score is None else f"{factor.score:.2f} {factor.band.value}"
