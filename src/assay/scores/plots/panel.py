"""One view of the plane: bands, what they have in common, whole-number points, the matrix in question, names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.report.drawing import FRAME, INK
from assay.scores.plots.canvas import Look, layers
from assay.scores.plots.outlines import band_outline, meeting_outline
from assay.scores.plots.scene import Scene
from assay.scores.plots.strips import Window
from assay.scores.plots.tags import place_tags

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.path import Path

_LONG = 10**6
"""From here on a number is too long to stand at every tick."""
_UNITS = {1: "", 10**3: "thousands", 10**6: "millions", 10**9: "billions", 10**12: "trillions"}
FITTING: Look = {
    "marker": "o",
    "markersize": 5,
    "markerfacecolor": INK,
    "markeredgecolor": "white",
    "markeredgewidth": 0.6,
}
OTHER: Look = {
    "marker": "o",
    "markersize": 3,
    "markerfacecolor": "white",
    "markeredgecolor": FRAME,
    "markeredgewidth": 0.7,
}
WITNESS: Look = {
    "marker": "*",
    "markersize": 13,
    "markerfacecolor": INK,
    "markeredgecolor": "white",
    "markeredgewidth": 0.8,
}
CLOSEST: Look = {
    "marker": "X",
    "markersize": 8,
    "markerfacecolor": INK,
    "markeredgecolor": "white",
    "markeredgewidth": 0.8,
}


def draw_plane(axes: Axes, scene: Scene, window: Window) -> None:
    """Everything visible in this window."""
    from matplotlib.patches import PathPatch

    view = _padded(window, scene)
    axes.set_xlim(view.x0, view.x1)
    axes.set_ylim(view.y0, view.y1)
    for band in scene.visible(window):
        for path in band_outline(axes, scene, band, _stretched(view)):
            for look in layers(band.style):
                axes.add_patch(PathPatch(path, **look))
    for path in meeting_outline(scene, _stretched(view)):
        _draw_meeting(axes, path)
    if scene.few_points(window):
        _draw_points(axes, scene, view)
    if scene.marked:
        look = WITNESS if scene.answer.witness else CLOSEST
        axes.plot(scene.marked.tp, scene.marked.tn, **look, linestyle="none", zorder=8)
    place_tags(axes, scene, window)
    _label(axes, scene, window)


def _padded(window: Window, scene: Scene) -> Window:
    """A little more than the window, so that nothing on its rim is cut; half a step where points are drawn."""
    step = 0.5 if scene.few_points(window) else 0.0
    dx, dy = max(step, 0.03 * window.width) or 0.5, max(step, 0.03 * window.height) or 0.5
    return Window(window.x0 - dx, window.x1 + dx, window.y0 - dy, window.y1 + dy)


def _stretched(view: Window) -> Window:
    """Slightly beyond what is seen, so that the cut ends of bands are not drawn as borders."""
    dx, dy = view.width / 30, view.height / 30
    return Window(view.x0 - dx, view.x1 + dx, view.y0 - dy, view.y1 + dy)


def _draw_meeting(axes: Axes, path: Path) -> None:
    from matplotlib.patches import PathPatch

    axes.add_patch(PathPatch(path, facecolor=INK, edgecolor="none", alpha=0.3, zorder=5))
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=INK, linewidth=1.4, capstyle="round", zorder=5))


def _draw_points(axes: Axes, scene: Scene, view: Window) -> None:
    """Filled where a matrix has all the scores, hollow elsewhere."""
    every = list(scene.points(view))
    fitting = [point for point in every if scene.fits(point)]
    other = [point for point in every if point not in fitting]
    for points, look, order in ((other, OTHER, 6), (fitting, FITTING, 7)):
        if points:
            axes.plot(*zip(*points, strict=True), **look, linestyle="none", zorder=order)


def _label(axes: Axes, scene: Scene, window: Window) -> None:
    whole = window == scene.box
    for axis, low, high, total, meaning in (
        (axes.xaxis, window.x0, window.x1, scene.p, "true positives, tp"),
        (axes.yaxis, window.y0, window.y1, scene.n, "true negatives, tn"),
    ):
        unit, base = _unit(high - low, high), 0
        if high / unit >= _LONG:
            base = int(low) // (step := 10 ** len(str(int(high - low)))) * step
        in_units = f" ({_UNITS[unit]})" if unit > 1 else ""
        axis.set_label_text(
            meaning + (f" \N{MINUS SIGN} {base:,}" if base else f", of {total:,}" if whole else "") + in_units
        )
        axis.labelpad = 3
        _set_ticks(axis, unit, base)
        if high == low:
            axis.set_ticks([low])


def _unit(span: float, high: float) -> int:
    """What the numbers at the ticks count, so that they stay short."""
    return max(unit for unit in _UNITS if unit == 1 or (high >= _LONG and unit <= span / 2))


def _set_ticks(axis: Axis, unit: int, base: int) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_locator(MaxNLocator(nbins=5, integer=True))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{(value - base) / unit:,.10g}"))
    axis.set_tick_params(length=3, pad=2)
