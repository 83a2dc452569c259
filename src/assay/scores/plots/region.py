"""The feasible region: the band of each reported score in the (tp, tn) plane, and where the bands meet or fail to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.findings import Figure
from assay.report.drawing import FRAME, WIDTH, svg_of
from assay.scores.answers import Answer
from assay.scores.constraints import Constraint
from assay.scores.plots import words
from assay.scores.plots.canvas import Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from assay.scores.plots.scene import Scene
    from assay.scores.plots.strips import Window

_TOP, _PANEL, _LABELS, _BOTTOM = 0.34, 3.0, 0.52, 0.1
"""Heights in inches: the title above a panel, the panel, the labels beneath it, the rim."""
_LEFT, _OVERVIEW, _BETWEEN, _RIGHT = 0.68, 2.65, 0.35, 0.75
"""Widths in inches: the labels of the overview, itself, the gap, the labels of the enlarged part."""
_ALONE = 4.6
"""Width of a panel that needs no other."""

_LEAST = 0.04
"""The share of the overview that the frame of the enlarged part takes at least, so that it can be seen."""


def region_figure(p: int, n: int, constraints: Sequence[Constraint], answer: Answer) -> Figure:
    """The picture that belongs to an answer about one confusion matrix of p positives and n negatives.

    It illustrates; the proof is the answer.
    """
    if not constraints:
        raise ValueError("without a score there is no region to show")
    from assay.scores.plots.key import key_height
    from assay.scores.plots.scene import Scene

    scene = Scene.from_answer(p, n, constraints, answer)
    outcome = words.outcome_of(scene.shown, answer, apart=scene.apart)
    height = _TOP + _PANEL + _LABELS + key_height(scene) + _BOTTOM
    return Figure(
        words.title_of(scene.shown, answer.verdict),
        svg_of(height, lambda drawing: _draw(drawing, scene, outcome)),
        _described(scene, outcome),
    )


def _described(scene: Scene, outcome: str) -> str:
    seen = words.described(scene.p, scene.n, scene.shown, outcome)
    if scene.marked is None:
        return seen
    return f"{seen} {words.described_mark(scene.shown, scene.marked, witness=bool(scene.answer.witness))}"


def _draw(drawing: Drawing, scene: Scene, outcome: str) -> None:
    from assay.scores.plots.key import draw_key, key_height
    from assay.scores.plots.panel import draw_plane

    bottom = _BOTTOM + key_height(scene) + _LABELS
    enlarged = scene.enlarged
    if enlarged is None:
        plane = _panel(drawing, (WIDTH - _ALONE) / 2, bottom, _ALONE, _PANEL)
        draw_plane(plane, scene, scene.box)
        plane.set_title(outcome)
    else:
        overview = _panel(drawing, _LEFT, bottom, _OVERVIEW, _PANEL)
        left = _LEFT + _OVERVIEW + _BETWEEN
        detail = _panel(drawing, left, bottom, WIDTH - left - _RIGHT, _PANEL)
        draw_plane(overview, scene, scene.box)
        draw_plane(detail, scene, enlarged)
        overview.set_title("All confusion matrices")
        detail.set_title(outcome)
        detail.yaxis.tick_right()
        detail.yaxis.set_label_position("right")
        _connect(overview, detail, enlarged)
    key = _panel(drawing, _LEFT - 0.5, _BOTTOM, WIDTH - _LEFT, key_height(scene))
    key.set_xlim(0, WIDTH - _LEFT)
    key.set_ylim(0, key_height(scene))
    draw_key(key, scene)


def _panel(drawing: Drawing, x: float, y: float, width: float, height: float) -> Axes:
    """Axes at a place in inches."""
    full_width, full_height = drawing.get_size_inches()
    return drawing.add_axes((x / full_width, y / full_height, width / full_width, height / full_height))


def _connect(overview: Axes, detail: Axes, enlarged: Window) -> None:
    """Show in the overview which part is enlarged."""
    from matplotlib.patches import ConnectionPatch, Rectangle

    (low, high), (bottom, top) = overview.get_xlim(), overview.get_ylim()
    width = max(enlarged.width, _LEAST * (high - low))
    height = max(enlarged.height, _LEAST * (top - bottom))
    x, y = (enlarged.x0 + enlarged.x1) / 2, (enlarged.y0 + enlarged.y1) / 2
    frame: Look = {"edgecolor": FRAME, "facecolor": "none", "linewidth": 0.8, "zorder": 5}
    overview.add_patch(Rectangle((x - width / 2, y - height / 2), width, height, **frame))
    for side in (0, 1):
        corner = (x + width / 2, y + height * (side - 0.5))
        line = ConnectionPatch(
            corner, (0, side), overview.transData, detail.transAxes, color=FRAME, linewidth=0.7, linestyle=(0, (4, 3))
        )
        detail.add_artist(line)
