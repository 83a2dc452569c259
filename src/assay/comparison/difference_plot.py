"""The picture of paired differences: each pair of models against the line of no difference."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from assay.comparison.datasets import DatasetScores
from assay.comparison.folds import FoldScores
from assay.comparison.plots import short_name
from assay.comparison.results import Comparison, Difference, Source
from assay.comparison.sentences import interval_of, percent
from assay.findings import Figure
from assay.report.drawing import COLOURS, FRAME, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from assay.comparison.arrays import Floats

_MOST_PAIRS = 25
_SEEN, _NOT_SEEN = COLOURS[1], COLOURS[0]


def differences_figure(comparison: Comparison) -> Figure | None:
    """The differences that claims are judged by, with intervals and, where there are some, the single differences."""
    shown = comparison.decisive()[:_MOST_PAIRS]
    if not shown:
        return None
    measure, alpha = comparison.primary, comparison.settings.alpha
    intervals = f" with {percent(comparison.settings.level)} intervals" if any(d.interval for d in shown) else ""
    described = (
        f"{one.first} - {one.second}: {one.value:+.3f}" + (f" ({interval_of(one.interval)})" if one.interval else "")
        for one in shown
    )
    ticks = f"; ticks are single {comparison.source.unit}" if _single(comparison.source, shown[0]).size else ""
    return Figure(
        title=f"Paired differences in {measure.label}{intervals} (orange: p < {alpha:.2g}{ticks})",
        svg=svg_of(_height(shown), partial(_draw_differences, comparison, shown)),
        alt="; ".join(described),
    )


def _height(shown: Sequence[Difference]) -> float:
    return 0.85 + 0.26 * len(shown)


def _draw_differences(comparison: Comparison, shown: Sequence[Difference], drawing: Drawing) -> None:
    axes = drawing.subplots()
    axes.axvline(0.0, color=FRAME, linewidth=1, zorder=1)
    for place, one in enumerate(reversed(shown)):
        _draw_difference(axes, place, one, comparison)
    names = [f"{short_name(one.first)} - {short_name(one.second)}" for one in reversed(shown)]
    axes.set_yticks(range(len(shown)), names)
    axes.set_ylim(-0.6, len(shown) - 0.4)
    better = "right" if comparison.primary.larger_is_better else "left"
    axes.set_xlabel(f"difference in {comparison.primary.label} (the first model is better to the {better})")
    axes.grid(axis="x", color="#e3e7eb", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    drawing.subplots_adjust(left=0.36, right=0.97, top=0.97, bottom=0.55 / _height(shown))


def _draw_difference(axes: Axes, place: int, one: Difference, comparison: Comparison) -> None:
    """One pair of models: the difference, its interval, and the single differences below."""
    colour = _SEEN if one.adjusted < comparison.settings.alpha else _NOT_SEEN
    single = _single(comparison.source, one)
    axes.plot(single, np.full(single.size, place - 0.22), "|", color=FRAME, markersize=5, zorder=2)
    if one.interval:
        axes.plot([one.interval.low, one.interval.high], [place, place], color=colour, linewidth=1.8, zorder=3)
    axes.plot([one.value], [place], "o", markersize=4.5, color=colour, zorder=4)


def _single(source: Source, one: Difference) -> Floats:
    """The differences in single folds or data sets; nothing for predictions."""
    if not isinstance(source, FoldScores | DatasetScores):
        return np.empty(0)
    first, second = (source.models.index(name) for name in (one.first, one.second))
    single: Floats = (source.scores[..., first] - source.scores[..., second]).ravel()
    return single
