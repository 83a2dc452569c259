"""From labelled repositories to a scale: sections 6.2.2 and 6.2.3 of the thesis as a procedure.

min(d) and max(d) are quartiles and medians of the two sets, T and L the mean scores of the two sets under them. The
thesis takes a quartile as the next value at or above it (its 18, 8.73 and 16.18 come out so and not by interpolation)
and a median as usual.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from assay.repository.factors import Thresholds
from assay.repository.research.calibration.labelled import Labelled
from assay.repository.research.loos2022 import LOOS2022, Factor, Indicators, Scale, Span, worst_scores

GRADED = (Factor.SCAD, Factor.SE, Factor.RSC)
"""Factors whose score may lie between 0 and 1, and which so have thresholds."""
Value = Callable[[Indicators], float | None]


def derive(sets: Labelled) -> Scale:
    """Representative values and thresholds from two sets, under the weights of the thesis."""
    good, bad = sets.reproducible, sets.irreproducible

    def column(rows: Sequence[Indicators], value: Value) -> list[float]:
        return [v for v in map(value, rows) if v is not None]

    rated = column(bad, _pylint) and column(good, _pylint)
    scale = Scale(
        readme_lines=Span(upper_quartile(column(bad, _lines)), median(column(good, _lines))),
        readme_links=Span(upper_quartile(column(bad, _links)), median(column(good, _links))),
        comment_ratio=Span(upper_quartile(column(good, _comments)), upper_quartile(column(bad, _comments))),
        pylint=Span(lower_quartile(column(bad, _pylint)), median(column(good, _pylint))) if rated else LOOS2022.pylint,
    )
    return replace(scale, thresholds=_thresholds(sets, scale))


def _lines(i: Indicators) -> float:
    return i.readme_lines


def _links(i: Indicators) -> float:
    """All links of a repository, as the thesis has it, though the score then counts those of one README that work."""
    return i.links


def _comments(i: Indicators) -> float:
    return i.comment_ratio


def _pylint(i: Indicators) -> float | None:
    return i.pylint


def _thresholds(sets: Labelled, scale: Scale) -> dict[Factor, Thresholds]:
    top, lower = mean_scores(sets.reproducible, scale), mean_scores(sets.irreproducible, scale)
    return {f: Thresholds(top[f], lower[f], (top[f] + lower[f]) / 2) for f in GRADED}


def mean_scores(rows: Iterable[Indicators], scale: Scale) -> dict[Factor, float]:
    """The mean score of each factor; what was not measured counts as the worst."""
    scored = [worst_scores(row, scale) for row in rows]
    return {f: sum(one[f] for one in scored) / len(scored) for f in Factor}


def upper_quartile(values: Sequence[float]) -> float:
    """The value at or above three quarters of the way through the ordered values."""
    return _at(values, 3)


def lower_quartile(values: Sequence[float]) -> float:
    """The value at or above a quarter of the way."""
    return _at(values, 1)


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _at(values: Sequence[float], quarters: int) -> float:
    ordered = sorted(values)
    return ordered[-(-(len(ordered) - 1) * quarters // 4)]
