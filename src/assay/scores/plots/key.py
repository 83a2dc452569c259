"""The key beneath a picture of the region: for each band what was reported, what it means, and what a matrix gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.findings import Verdict
from assay.report.drawing import INK, MUTED, NORMAL, SMALL, shortened
from assay.scores.constraints import Constraint
from assay.scores.plots import words
from assay.scores.plots.canvas import Look, Style, layers
from assay.scores.plots.panel import CLOSEST, FITTING, OTHER, WITNESS
from assay.scores.plots.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 0.2
"""Height of a row in inches."""
_SWATCH = 0.32
_LONGEST_REMARK = 120
_COLUMNS = (0.42, 2.75, 5.2)


def key_height(scene: Scene) -> float:
    """Inches that the key takes."""
    return ROW * (1 + len(scene.bands) + len(_signs(scene)) + len(_remarks(scene)))


def draw_key(axes: Axes, scene: Scene) -> None:
    """Write the key into axes as wide and high as its inches."""
    axes.set_axis_off()
    y = key_height(scene) - ROW / 2
    at = "" if scene.marked is None else "the witness gives" if scene.answer.witness else "the closest matrix gives"
    for x, heading in zip(_COLUMNS, ("reported", "which means", at), strict=True):
        _write(axes, x, y, heading, MUTED)
    for band in scene.bands:
        y -= ROW
        _draw_swatch(axes, y, band.style)
        row = (words.claim_of(band.constraint), words.meaning_of(band.constraint), _value(band.constraint, scene))
        for x, text in zip(_COLUMNS, row, strict=True):
            _write(axes, x, y, text)
    for look, text in _signs(scene):
        y -= ROW
        axes.plot(_SWATCH / 2, y, linestyle="none", clip_on=False, **look)
        _write(axes, _COLUMNS[0], y, text)
    for text in _remarks(scene):
        y -= ROW
        _write(axes, _COLUMNS[0], y, text, MUTED)


def _value(constraint: Constraint, scene: Scene) -> str:
    if scene.marked is None:
        return ""
    return (words.value_at if scene.answer.witness else words.judged_at)(constraint, scene.marked)


def _signs(scene: Scene) -> list[tuple[Look, str]]:
    """Marks and their meaning."""
    signs: list[tuple[Look, str]] = []
    if scene.marked is not None:
        cells = words.cells_of(scene.marked)
        if scene.answer.witness:
            signs.append((WITNESS, f"the witness: {cells}"))
        else:
            signs.append((CLOSEST, f"the closest matrix found: {cells}"))
    window = scene.enlarged or scene.box
    if scene.few_points(window):
        if scene.answer.verdict is Verdict.CONSISTENT:
            signs.append((FITTING, "a whole-number point with all these scores"))
        signs.append((OTHER, "a whole-number point without"))
    return signs


def _remarks(scene: Scene) -> list[str]:
    """What is not drawn, and why."""
    remarks = []
    drawn = scene.bands if scene.enlarged is None else scene.visible(scene.enlarged)
    filling = [words.tag_of(band.constraint) for band in scene.bands if band not in drawn]
    if filling:
        bands = "band" if len(filling) == 1 else "bands"
        remarks.append(f"All of the enlarged part lies in the {bands} of {words.listed(filling)}, not drawn there.")
    if scene.left_out:
        names = words.listed([words.tag_of(constraint) for constraint in scene.left_out])
        remarks.append(f"Not drawn, since the conflict needs no more: {names}.")
    return [shortened(remark, _LONGEST_REMARK) for remark in remarks]


def _draw_swatch(axes: Axes, y: float, style: Style) -> None:
    from matplotlib.patches import Rectangle

    for look in layers(style):
        axes.add_patch(Rectangle((0, y - 0.3 * ROW), _SWATCH, 0.6 * ROW, **look))


def _write(axes: Axes, x: float, y: float, text: str, colour: str = INK) -> None:
    axes.text(x, y, text, va="center_baseline", fontsize=NORMAL if colour == INK else SMALL, color=colour)
