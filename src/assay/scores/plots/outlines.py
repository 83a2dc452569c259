"""Outlines of bands within a window, as paths to draw: exact polygons where bands are straight, else contours."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from assay.scores.plots.fields import CELLS, Array, Spot, grid
from assay.scores.plots.scene import Band, Scene
from assay.scores.plots.strips import Strip, Window, outline

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

_LINES = 160
_BAR = 0.4


def band_outline(axes: Axes, scene: Scene, band: Band, window: Window) -> list[Path]:
    """What is visible of a band."""
    if band.strips is None:
        return _contour(axes, _mesh(scene, window, CELLS), band.field.level, *band.field.bounds)
    return [path for strip in band.strips for path in _polygon(scene, [strip], window)]


def meeting_outline(scene: Scene, window: Window) -> list[Path]:
    """What is visible of the area that all bands have in common; nothing when there is but one band."""
    if len(scene.bands) < 2 or scene.apart:
        return []
    if scene.meeting is not None:
        return _polygon(scene, [strip for band in scene.bands for strip in band.strips or ()], window)
    return _ribbons(scene, window) if scene.p and scene.n else []


def _ribbons(scene: Scene, window: Window) -> list[Path]:
    """The same for curved bands, line by line: along every line a band is a single stretch, however thin.

    Lines go upwards or across, whichever way more of them meet the area.
    """
    from matplotlib.path import Path

    return [Path([*rim, rim[0]], closed=True) for rim in _rims(scene, window)]


def _rims(scene: Scene, window: Window) -> list[list[Spot]]:
    tp, tn = _mesh(scene, window, _LINES)
    levels = [band.field.level(tp, tn) for band in scene.bands]
    upwards = [_stretch(scene, [level[:, i] for level in levels], tn[:, 0]) for i in range(_LINES + 1)]
    across = [_stretch(scene, [level[i] for level in levels], tp[0]) for i in range(_LINES + 1)]
    if sum(map(bool, across)) > sum(map(bool, upwards)):
        return list(map(_mirrored, _rims_along(tn[:, 0], across)))
    return _rims_along(tp[0], upwards)


def _rims_along(places: Array, stretches: Sequence[Spot | None]) -> list[list[Spot]]:
    lines = groupby(zip(places, stretches, strict=True), key=lambda line: line[1] is not None)
    return [_rim([(place, *stretch) for place, stretch in group if stretch]) for found, group in lines if found]


def _mirrored(rim: list[Spot]) -> list[Spot]:
    return [(y, x) for x, y in rim]


def _rim(ends: list[tuple[float, float, float]]) -> list[Spot]:
    """Along the lower ends of neighbouring stretches and back along the upper ones."""
    return [(place, low) for place, low, _ in ends] + [(place, high) for place, _, high in reversed(ends)]


def _stretch(scene: Scene, levels: list[Array], places: Array) -> Spot | None:
    """The part of a line that lies in every band."""
    low, high = places.min(), places.max()
    for band, level in zip(scene.bands, levels, strict=True):
        cut = band.field.cut(level, places)
        if cut is None:
            return None
        low, high = max(low, cut[0]), min(high, cut[1])
    return (low, high) if low <= high else None


def _polygon(scene: Scene, strips: Iterable[Strip], window: Window) -> list[Path]:
    from matplotlib.path import Path

    corners = [(x / w, y / w) for x, y, w in outline([*strips, window.planes()], scene.p, scene.n).vertices]
    if corners and not (scene.p and scene.n):
        corners = _broadened(corners, scene)
    return [Path([*corners, corners[0]], closed=True)] if corners else []


def _broadened(corners: list[Spot], scene: Scene) -> list[Spot]:
    """Where a class is missing the plane is but a line: a bar around it shows bands better."""
    xs, ys = zip(*corners, strict=True)
    dx, dy = (0.0 if scene.p else _BAR), (0.0 if scene.n else _BAR)
    x0, x1, y0, y1 = min(xs) - dx, max(xs) + dx, min(ys) - dy, max(ys) + dy
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def _mesh(scene: Scene, window: Window, cells: int) -> tuple[Array, Array]:
    """A grid over the part of the window that lies in the box."""
    return grid(window.intersection(scene.box), cells)


def _contour(
    axes: Axes, mesh: tuple[Array, Array], height: Callable[[Array, Array], Array], lo: float, hi: float
) -> list[Path]:
    """Where the height is between two levels."""
    heights = height(*mesh)
    known = heights[np.isfinite(heights)]
    low, high = known.min(initial=np.inf), known.max(initial=-np.inf)
    if low >= high or hi < low or lo > high:
        return []
    levels = [max(lo, low - 1), min(hi, high + 1)]
    levels[1] = max(levels[1], np.nextafter(levels[0], np.inf))
    contour = axes.contourf(*mesh, np.ma.masked_invalid(heights), levels=levels)
    contour.remove()
    return [path for path in contour.get_paths() if np.size(path.vertices)]
