"""The critical-difference diagram: mean ranks on a line, and bars over models that no test tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Any

from assay.comparison.datasets import DatasetComparison
from assay.comparison.plots import short_name
from assay.findings import Figure
from assay.report.drawing import COLOURS, FRAME, INK, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_MARGIN = 0.35
"""Room for the names, as a share of the axis on either side."""


def rank_figure(comparison: DatasetComparison) -> Figure | None:
    """Mean ranks, the best on the left; None without a critical difference."""
    if comparison.omnibus is None:
        return None
    ranks = comparison.mean_ranks
    distance = comparison.omnibus.critical_difference
    bars = cliques(list(ranks.values()), distance)
    rows = ceil(len(ranks) / 2)
    height = 0.75 + 0.28 * rows + 0.12 * len(bars)

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_axes((0.0, 0.0, 1.0, 1.0))
        _Diagram(axes, ranks, len(bars)).draw(bars, distance)

    return Figure(
        title=f"Mean ranks; bars join models within Nemenyi's critical difference of {distance:.2f}",
        svg=svg_of(height, draw),
        alt="; ".join(f"{model}: mean rank {rank:.2f}" for model, rank in ranks.items()),
    )


def cliques(ascending: Sequence[float], distance: float) -> list[tuple[int, int]]:
    """The longest runs of neighbours (first and last place) whose mean ranks lie within the distance."""
    runs: list[tuple[int, int]] = []
    for first, rank in enumerate(ascending):
        last = max(place for place, other in enumerate(ascending) if other - rank <= distance)
        if last > first and not any(start <= first and last <= end for start, end in runs):
            runs.append((first, last))
    return runs


class _Diagram:
    """Names left and right of an axis of ranks."""

    def __init__(self, axes: Any, ranks: dict[str, float], bars: int) -> None:
        self.axes = axes
        self.names, self.ranks = list(ranks), list(ranks.values())
        self.span = max(len(ranks) - 1, 1)
        self.first_name = -0.5 - 0.32 * bars

    def draw(self, bars: Sequence[tuple[int, int]], distance: float) -> None:
        axes, models = self.axes, len(self.names)
        axes.axis("off")
        room = _MARGIN * self.span
        rows = ceil(models / 2)
        axes.set(xlim=(1 - room, models + room), ylim=(self.first_name - 0.75 * rows, 2.1))
        axes.plot([1, models], [0, 0], color=INK, linewidth=1)
        for rank in range(1, models + 1):
            axes.plot([rank, rank], [0, 0.18], color=INK, linewidth=0.8)
            axes.text(rank, 0.3, str(rank), ha="center", va="bottom")
        shown = min(distance, self.span)
        axes.plot([1, 1 + shown], [1.45, 1.45], color=COLOURS[1], linewidth=1.6)
        axes.text(1 + shown / 2, 1.55, f"critical difference {distance:.2f}", ha="center", va="bottom", color=INK)
        for level, (first, last) in enumerate(bars):
            height = -0.3 - 0.32 * level
            axes.plot(
                [self.ranks[first] - 0.04, self.ranks[last] + 0.04], [height, height], color=COLOURS[0], linewidth=3
            )
        for place in range(models):
            self._name(place, rows, room)

    def _name(self, place: int, rows: int, room: float) -> None:
        on_the_left = place < rows
        row = place if on_the_left else len(self.names) - 1 - place
        height, rank = self.first_name - 0.75 * row - 0.2, self.ranks[place]
        end = 1 - 0.08 * room if on_the_left else len(self.names) + 0.08 * room
        self.axes.plot([rank, rank, end], [0, height, height], color=FRAME, linewidth=0.8)
        name, align = f"{short_name(self.names[place])} ({rank:.2f})", "right" if on_the_left else "left"
        self.axes.text(end + (-0.02 if on_the_left else 0.02) * self.span, height, name, ha=align, va="center")
