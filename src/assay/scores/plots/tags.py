"""Names on bands: each where its band is well visible and the other bands, names and marks are far."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.report.drawing import INK, SMALL
from assay.scores.plots.canvas import Look
from assay.scores.plots.fields import Array
from assay.scores.plots.scene import Scene
from assay.scores.plots.strips import Window
from assay.scores.plots.words import tag_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LETTER, _LINE = 5.2, 14.0
"""How much room a letter takes along a line, and a line on a page, in points."""

_NOTHING: Array = np.empty((0, 2))
_FAR = 1.2
"""Sizes of a tag from which on more distance is no better."""

_BESIDE = (-0.3, 0.3, -0.15, 0.15)
"""Where names stand beside the line that the plane is where a class is missing."""


def place_tags(axes: Axes, scene: Scene, window: Window) -> None:
    """Write the name of each band onto it, one after the other, each at the freest spot."""
    frame = axes.get_window_extent().transformed(axes.figure.dpi_scale_trans.inverted())  # in inches
    page = np.array((frame.width, frame.height)) * 72
    view = np.array((axes.get_xlim(), axes.get_ylim()))

    def on_page(spots: Array) -> Array:
        """In points from the lower left corner of the view."""
        scaled: Array = (spots - view[:, 0]) / (view[:, 1] - view[:, 0]) * page
        return scaled

    bands = scene.visible(window)
    lines = [on_page(_beside(band.field.spots(window), window)) for band in bands]
    taken = on_page(np.array([(scene.marked.tp, scene.marked.tn)])) if scene.marked else _NOTHING
    for i, band in enumerate(bands):
        if not len(lines[i]):
            continue
        tag = tag_of(band.constraint)
        room = np.array((_LETTER * len(tag) + 8, _LINE))
        spots = np.clip(lines[i], room / 2, page - room / 2)  # at most half a tag away: it still touches its band
        others = np.concatenate([_NOTHING, *lines[:i], *lines[i + 1 :]])
        off_centre = np.abs(spots / page - 0.5).max(axis=1)
        free = 3 * _gap(spots, taken, room) + _gap(spots, others, room) - 0.2 * off_centre
        spot = spots[free.argmax()]
        taken = np.append(taken, [spot], axis=0)
        _write(axes, spot / page, tag, band.style.colour)


def _write(axes: Axes, place: Array, tag: str, colour: str) -> None:
    frame: Look = {"boxstyle": "round,pad=0.2", "facecolor": "white", "edgecolor": colour, "linewidth": 0.8}
    looks: Look = {"ha": "center", "va": "center", "fontsize": SMALL, "color": INK, "zorder": 9, "bbox": frame}
    axes.text(place[0], place[1], tag, transform=axes.transAxes, **looks)


def _beside(spots: Array, window: Window) -> Array:
    """Where the plane is but a line: spots on both sides of it, so that names do not cover each other and the mark."""
    if window.width and window.height:
        return spots
    across = np.array((window.width == 0, window.height == 0), dtype=float)
    return np.concatenate([spots + across * distance for distance in _BESIDE])


def _gap(spots: Array, things: Array, room: Array) -> Array:
    """How far each spot is from the nearest thing, in sizes of the tag; far enough is far enough."""
    if not len(things):
        return np.full(len(spots), _FAR)
    apart = np.abs(spots[:, None, :] - things[None, :, :]) / room
    nearest: Array = apart.max(axis=2).min(axis=1)
    return np.minimum(nearest, _FAR)
