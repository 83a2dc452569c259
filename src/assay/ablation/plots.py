"""Ranked ranges against the band of seeds: the picture of an ablation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from assay.ablation.effects import ItemEffect, MeasureEffects
from assay.ablation.sentences import moves
from assay.findings import Figure
from assay.report.drawing import COLOURS, FRAME, INK, MUTED, SMALL, shortened, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

MOST_ITEMS = 30
_LONGEST_LABEL, _LONGEST_NAME = 44, 34
_BAND = "#e6e9ed"


def ranges(found: MeasureEffects) -> Figure:
    """A bar for each item from its lowest to its highest change, a mark for each alternative, seeds behind."""
    items = found.items[:MOST_ITEMS]
    listed = "; ".join(f"{item.label} {moves(item, found.decimals)}" for item in items)
    band = f" Seeds alone: ±{found.seed_sd:.{found.decimals}f}." if found.seed_sd else ""
    band += f" Test cases alone: ±{found.test_sd:.{found.decimals}f}." if found.test_sd else ""
    title = f"What each unreported item does to {found.measure}"
    return Figure(
        title,
        svg_of(1.0 + 0.42 * len(items), partial(_draw_ranges, found), tidy=True),
        f"Ranges, widest first. {listed}.{band}",
    )


def _draw_ranges(found: MeasureEffects, drawing: Drawing) -> None:
    items = found.items[:MOST_ITEMS]
    axes = drawing.add_subplot()
    _draw_spread(axes, found)
    for row, item in enumerate(items):
        _draw_item(axes, row, item)
    axes.set_yticks(range(len(items)), [shortened(item.label, _LONGEST_LABEL) for item in items])
    axes.set_ylim(len(items) - 0.4, -0.6)
    axes.margins(x=0.08)
    about = f"change of {shortened(found.measure, 60)} against {found.base.value:.{found.decimals}f} as stated"
    band = f"\ngrey: ±1 standard deviation over {found.base.seeds} seeds" if found.seed_sd else ""
    band += "\ndashed: ±1 standard deviation over test cases" if found.test_sd else ""
    axes.set_xlabel(about + band, color=MUTED)
    axes.spines[["top", "right"]].set_visible(False)


def _draw_spread(axes: Any, found: MeasureEffects) -> None:
    """What seeds and test cases alone change: a grey band and two dashed lines around no change."""
    if found.seed_sd:
        axes.axvspan(-found.seed_sd, found.seed_sd, color=_BAND, zorder=0)
    for end in (-found.test_sd, found.test_sd) if found.test_sd else ():
        axes.axvline(end, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
    axes.axvline(0, color=FRAME, linewidth=0.8, zorder=1)


def _draw_item(axes: Any, row: int, item: ItemEffect) -> None:
    """The bar of one item with a mark for each alternative; the two at its ends by name, for more would collide."""
    axes.plot([item.lowest, item.highest], [row, row], color=COLOURS[0], linewidth=5, alpha=0.45, solid_capstyle="butt")
    for _, estimate in item.alternatives:
        if estimate.low is not None and estimate.high is not None:
            axes.plot([estimate.low, estimate.high], [row, row], color=INK, linewidth=0.9)
        axes.plot(estimate.value, row, marker="o", ms=4, color=COLOURS[0], markeredgecolor=INK)
    for name, value in {shortened(name, _LONGEST_NAME): e.value for name, e in item.alternatives}.items():
        if value and value in (item.lowest, item.highest):
            axes.annotate(
                name,
                (value, row),
                xytext=(3 if value < 0 else -3, 5),
                textcoords="offset points",
                ha="right" if value < 0 else "left",
                va="bottom",
                fontsize=SMALL - 1,
                color=MUTED,
            )
