"""The picture of staged leaks: each model's score with the leak and without it, a panel for each leak."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.findings import Figure
from assay.leakage.impact.advantage import gap_of
from assay.leakage.impact.experiment import Impact, Paired
from assay.records import dataclass
from assay.report.drawing import COLOURS, shortened, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_LEAKY, _CLEAN = COLOURS[1], COLOURS[0]
_PANELS_IN_A_ROW = 2
_LONGEST_NAME = 24
_HIGHEST = 1.0
"""Neither an AUC nor an R² goes beyond."""
_LONGEST_TITLE = 46
_APART = 0.14
"""How far the two points of a model stand apart, in rows."""


@dataclass(frozen=True, slots=True)
class _Look:
    label: str
    colour: str


def impact_figure(impacts: Sequence[Impact]) -> Figure:
    """Scores with the leak (open) and without it (filled), with their 95 % intervals."""
    columns = min(_PANELS_IN_A_ROW, len(impacts))
    rows = ceil(len(impacts) / columns)
    tallest = max(len(impact.results) for impact in impacts)

    def draw(drawing: Drawing) -> None:
        axes = drawing.subplots(rows, columns, sharex=True, squeeze=False).ravel()
        for one, impact in zip(axes, impacts, strict=False):
            _panel(one, impact)
        for one in axes:
            one.tick_params(axis="x", labelbottom=True)
        for empty in axes[len(impacts) :]:
            empty.set_visible(False)
        handles, labels = axes[0].get_legend_handles_labels()
        drawing.legend(handles, labels, loc="outside lower center", ncols=2)

    return Figure(
        title=f"{impacts[0].measure} with the leak and without it",
        svg=svg_of(0.5 + rows * (0.75 + 0.25 * tallest), draw, tidy=True),
        alt="; ".join(_in_words(impact, result) for impact in impacts for result in impact.results),
    )


def _panel(axes: Any, impact: Impact) -> None:
    results = list(reversed(impact.results))
    for place, result in enumerate(results):
        first = place == 0
        _point(axes, result.leaky, result.test_share, place + _APART, _Look("with the leak" if first else "", _LEAKY))
        _point(axes, result.clean, result.test_share, place - _APART, _Look("without it" if first else "", _CLEAN))
    axes.set_yticks(range(len(results)), [shortened(result.model, _LONGEST_NAME) for result in results])
    axes.set_ylim(-0.6, len(results) - 0.4)
    axes.set_title(shortened(f"{impact.about or impact.leak} ({impact.code})", _LONGEST_TITLE))
    axes.set_xlabel(impact.measure)
    axes.grid(axis="x", color="#e3e7eb", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _point(axes: Any, scores: Sequence[float], test_share: float, place: float, look: _Look) -> None:
    mean = gap_of(np.asarray(scores), test_share)
    if np.isfinite(mean.low):
        axes.plot([mean.low, min(mean.high, _HIGHEST)], [place, place], color=look.colour, linewidth=1.8, zorder=2)
    face = "white" if look.colour == _LEAKY else look.colour
    marks = {"markersize": 5.5, "markeredgecolor": look.colour, "markerfacecolor": face}
    axes.plot([mean.value], [place], "o", **marks, label=look.label, zorder=3)


def _in_words(impact: Impact, result: Paired) -> str:
    leaky, clean = result.means
    return f"{impact.about or impact.leak}, {result.model}: {leaky:.3f} with the leak, {clean:.3f} without it"
