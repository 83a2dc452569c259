"""Where patches lie on a slide, how much tissue and tumour each holds, and their pixels.

Shares are measured on a raster of sixteen cells along the side of a patch, which also is what "any pixel" means.
Positions are the upper left corners in pixels of level 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.configuration import Labels, Patches
from assay.slides.reading import Annotation, Slide

Mask = NDArray[np.bool_]
Stack = NDArray[np.uint8]
"""Patches: n × side × side × 3."""

_CELLS = 16
_MAX_CELLS = 64 * 1024 * 1024
"""Of the raster of one slide; on a larger one, cells are larger."""
_MAX_TILES = 5_000_000
_BLOCK = 2048
"""Pixels along the side of what is read at once."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """The patches of one slide."""

    x: NDArray[np.int32]
    y: NDArray[np.int32]
    tissue: NDArray[np.float32]
    tumour: NDArray[np.float32]
    centre: Mask
    """Whether the middle of the patch is tumour."""

    def __len__(self) -> int:
        return len(self.x)

    def only(self, chosen: NDArray[np.integer[Any]]) -> Tiles:
        """Some of the patches, in this order."""
        return Tiles(self.x[chosen], self.y[chosen], self.tissue[chosen], self.tumour[chosen], self.centre[chosen])

    def arrays(self) -> dict[str, NDArray[Any]]:
        """For a file."""
        return {"x": self.x, "y": self.y, "tissue": self.tissue, "tumour": self.tumour, "centre": self.centre}


def labels_of(tiles: Tiles, rule: Labels) -> Mask:
    """Which patches count as tumour."""
    match rule.rule:
        case "any":
            return tiles.tumour > 0
        case "centre":
            return tiles.centre
        case "share":
            return tiles.tumour >= rule.share - 1e-6


@dataclass(frozen=True, slots=True)
class Scale:
    """How patches of a configuration are read from one slide."""

    level: int
    downsample: float
    """Pixels of level 0 for one pixel of a patch."""
    size: int

    @property
    def reach(self) -> float:
        """Side of a patch in pixels of level 0."""
        return self.size * self.downsample


def scale_of(slide: Slide, patches: Patches) -> Scale:
    """The level to read, and what a pixel of a patch covers."""
    if patches.um_per_pixel is None:
        level = patches.level or 0
        return Scale(level, slide.downsample(level), patches.size)
    downsample = patches.um_per_pixel / slide.um_per_pixel
    if downsample < 0.5:
        fix = "Ask for a coarser resolution."
        raise InputError(f"has {slide.um_per_pixel:g} µm per pixel at best", where=str(slide.path), fix=fix)
    return Scale(slide.nearest_level(downsample), downsample, patches.size)


@dataclass(frozen=True)
class Ground:
    """What patches are laid on: a slide, its tissue, its tumour, and how much of a patch decides its label."""

    slide: Slide
    tissue: Mask
    annotation: Annotation | None
    core: float = 1.0


def grid_tiles(ground: Ground, patches: Patches, stride: int) -> Tiles:
    """Patches on a regular grid with this stride (in patch pixels) that hold enough tissue."""
    slide, scale = ground.slide, scale_of(ground.slide, patches)
    step = stride * scale.downsample
    across = max(0, math.floor((slide.width - scale.reach) / step) + 1)
    down = max(0, math.floor((slide.height - scale.reach) / step) + 1)
    if across * down > _MAX_TILES:
        raise InputError(f"would give {across * down:,} patches", where=str(slide.path), fix="Use a larger stride.")
    y, x = np.mgrid[:down, :across]
    return _measured(ground, patches, x.ravel() * step, y.ravel() * step)


def random_tiles(ground: Ground, patches: Patches, rng: np.random.Generator) -> Tiles:
    """Patches at random places with enough tissue; fewer than asked for where there is little tissue."""
    reach = scale_of(ground.slide, patches).reach
    room = max(ground.slide.width - reach, 0), max(ground.slide.height - reach, 0)
    places = rng.random((8 * patches.per_slide, 2)) * room
    found = _measured(ground, patches, places[:, 0], places[:, 1])
    return found.only(np.arange(min(patches.per_slide, len(found))))


def _measured(ground: Ground, patches: Patches, left: NDArray[np.float64], top: NDArray[np.float64]) -> Tiles:
    slide, reach = ground.slide, scale_of(ground.slide, patches).reach
    x, y = np.floor(left).astype(np.int32), np.floor(top).astype(np.int32)
    share = _shares(ground.tissue, slide.width / ground.tissue.shape[1], x, y, reach)
    keep = share >= max(patches.minimum_tissue, 1e-6)
    x, y, share = x[keep], y[keep], share[keep]
    cell = max(reach / _CELLS, 1.0, math.sqrt(slide.width * slide.height / _MAX_CELLS))
    shape = math.ceil(slide.height / cell), math.ceil(slide.width / cell)
    if 4 * cell > reach > 4:
        raise InputError("is too large for such small patches", where=str(slide.path), fix="Use larger patches.")
    if ground.annotation is None:
        nothing = np.zeros(len(x), np.float32)
        return Tiles(x, y, share, nothing, nothing.astype(bool))
    raster = ground.annotation.raster(cell, shape)
    middle_y = np.minimum(((y + reach / 2) / cell).astype(int), shape[0] - 1)
    middle_x = np.minimum(((x + reach / 2) / cell).astype(int), shape[1] - 1)
    margin = reach * (1 - ground.core) / 2
    tumour = _shares(raster, cell, x + margin, y + margin, reach * ground.core)
    return Tiles(x, y, share, tumour, raster[middle_y, middle_x])


def _shares(mask: Mask, cell: float, x: NDArray[Any], y: NDArray[Any], reach: float) -> NDArray[np.float32]:
    """The share of each patch that the mask covers, through a summed-area table."""
    table = np.zeros((mask.shape[0] + 1, mask.shape[1] + 1), np.int32)
    np.cumsum(np.cumsum(mask, 0, dtype=np.int32), 1, out=table[1:, 1:])
    left, right = _cells(x, cell, reach, mask.shape[1])
    top, bottom = _cells(y, cell, reach, mask.shape[0])
    covered = table[bottom, right] - table[top, right] - table[bottom, left] + table[top, left]
    return (covered / np.maximum((right - left) * (bottom - top), 1)).astype(np.float32)


def _cells(start: NDArray[Any], cell: float, reach: float, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First and one past the last cell of each patch, at least one cell."""
    first = np.minimum(np.round(start / cell).astype(np.int64), count - 1)
    return first, np.clip(np.round((start + reach) / cell).astype(np.int64), first + 1, count)


def patch_pixels(slide: Slide, tiles: Tiles, patches: Patches) -> Iterator[tuple[NDArray[np.intp], Stack]]:
    """The pixels of the patches, block by block: which patches, and their stack. Empty blocks are not read."""
    scale = scale_of(slide, patches)
    block = max(_BLOCK * scale.downsample, scale.reach)
    column, row = (tiles.x // block).astype(int), (tiles.y // block).astype(int)
    keys = row * (int(slide.width // block) + 1) + column
    for key in np.unique(keys):
        chosen = np.flatnonzero(keys == key)
        yield chosen, _cut(slide, scale, tiles.x[chosen], tiles.y[chosen])


def _cut(slide: Slide, scale: Scale, x: NDArray[np.int32], y: NDArray[np.int32]) -> Stack:
    left, top = int(x.min()), int(y.min())
    width = math.ceil((int(x.max()) - left) / scale.downsample) + scale.size
    height = math.ceil((int(y.max()) - top) / scale.downsample) + scale.size
    coarser = scale.downsample / slide.downsample(scale.level)
    if abs(coarser - 1) < 0.01:
        region = slide.region(left, top, scale.level, width, height)
    else:
        read = slide.region(left, top, scale.level, round(width * coarser), round(height * coarser))
        region = np.asarray(Image.fromarray(read).resize((width, height), Image.Resampling.BOX))
    across = np.minimum(((x - left) / scale.downsample).round().astype(int), width - scale.size)
    down = np.minimum(((y - top) / scale.downsample).round().astype(int), height - scale.size)
    windows = np.lib.stride_tricks.sliding_window_view(region, (scale.size, scale.size), axis=(0, 1))
    return np.ascontiguousarray(windows[down, across].transpose(0, 2, 3, 1))
