"""An anatomy as a picture: nuclei and fibres as two stains, light through glass, ink.

Lymphocytes fill the tissue; follicles and tumour have larger, paler nuclei that differ little from one another, so that
a patch classifier makes mistakes. Only their own corner of the slide is painted for each of them: that is what
keeps a slide under half a second.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from assay.records import dataclass
from assay.slides.configuration.steps import World
from assay.slides.world.anatomy import CELL_UM, Anatomy, Polygon, drawn
from assay.slides.world.plan import PlannedSlide

Field = NDArray[np.float32]
Picture = NDArray[np.uint8]

_WHITE = 244
_INK = ((1.2, 0.6, 0.1), (0.2, 0.9, 1.1), (1.1, 1.1, 1.1))
"""Optical density of blue, red and black pens."""
_STEPS = 512
_LIGHT = np.clip(_WHITE * np.exp(-np.arange(4 * _STEPS) / _STEPS), 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class _Texture:
    """Nuclei for each pixel, their size in pixels, and how much pinker than lymphoid tissue."""

    density: float
    size: float
    eosin: float


def paint(slide: PlannedSlide, anatomy: Anatomy, world: World, rng: np.random.Generator) -> Picture:
    """The slide at full resolution, side × side × 3."""
    side, look = world.side, slide.look
    tissue = _enlarged(anatomy.tissue, world)
    haematoxylin = _nuclei(rng, (side, side), 0.018 * np.exp(0.12 * look.density), 1.5) * np.float32(0.95)
    haematoxylin += np.float32(0.06)
    eosin = np.float32(0.30) + np.float32(0.05) * _fibres(rng, side)
    apart = world.contrast
    follicle = _Texture(0.010, 2.10 + 0.05 * look.follicle, 0.025)
    tumour = _Texture(0.010 - 0.001 * apart, 2.10 + 0.12 * apart + 0.05 * look.tumour, 0.025 + 0.005 * apart)
    for texture, polygons in ((follicle, anatomy.follicles), (tumour, anatomy.lesions)):
        for polygon in polygons:
            corner, inside = _inside(polygon, world)
            nuclei = _nuclei(rng, inside.shape, texture.density, texture.size) * np.float32(0.8) + np.float32(0.08)
            haematoxylin[corner] = np.where(inside, nuclei, haematoxylin[corner])
            eosin[corner] += np.float32(texture.eosin) * inside
    haematoxylin *= tissue * np.float32(np.exp(0.08 * look.haematoxylin))
    eosin *= tissue * np.float32(np.exp(0.08 * look.eosin))
    return _seen(haematoxylin, eosin, slide, rng, _ink(world, rng))


def _enlarged(mask: NDArray[np.bool_], world: World) -> Field:
    """A mask of cells at full resolution, by the nearest cell."""
    at = np.minimum((np.arange(world.side) * world.um_per_pixel / CELL_UM).astype(int), len(mask) - 1)
    return mask[np.ix_(at, at)].astype(np.float32)


def _nuclei(rng: np.random.Generator, shape: tuple[int, ...], density: float, sigma: float) -> Field:
    """Round spots of about unit height at random places."""
    seeds = (rng.random(shape, dtype=np.float32) < density).astype(np.float32)
    spots = ndimage.gaussian_filter(seeds, max(sigma, 1.0), truncate=2.5)
    return np.asarray(np.minimum(spots * np.float32(2 * np.pi * sigma**2), np.float32(1.3)))


def _fibres(rng: np.random.Generator, side: int) -> Field:
    """Smooth unevenness, from one tile repeated with a random start."""
    tile = ndimage.gaussian_filter(rng.standard_normal((256, 256), dtype=np.float32), 2, mode="wrap")
    return np.tile(tile, (side // 256, side // 256))


def _inside(polygon: Polygon, world: World) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
    """The corner of the slide that holds a polygon, and what of the corner is inside."""
    low = np.clip(np.floor(polygon.min(0) / world.um_per_pixel).astype(int) - 1, 0, world.side)
    high = np.clip(np.ceil(polygon.max(0) / world.um_per_pixel).astype(int) + 2, low, world.side)
    shape = (int(high[1] - low[1]), int(high[0] - low[0]))
    corner = (slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0])))
    return corner, drawn([polygon - low * world.um_per_pixel], world.um_per_pixel, shape)


def _ink(world: World, rng: np.random.Generator) -> tuple[slice, slice, tuple[float, float, float]] | None:
    """A pen stroke on the glass, on some slides."""
    if rng.random() >= world.pen:
        return None
    side = world.side
    top, left = int(rng.integers(side // 20, side - side // 20)), int(rng.integers(0, side // 3))
    return slice(top, top + max(side // 146, 2)), slice(left, left + side // 3), _INK[int(rng.integers(len(_INK)))]


def _seen(
    haematoxylin: Field,
    eosin: Field,
    slide: PlannedSlide,
    rng: np.random.Generator,
    ink: tuple[slice, slice, tuple[float, float, float]] | None,
) -> Picture:
    """Beer and Lambert: optical density to light."""
    blue, pink = np.array([0.65, 0.70, 0.29]), np.array([0.07, 0.99, 0.11])
    if slide.centre == "B":
        blue, pink = blue * (0.80, 1.05, 0.85), pink * (1.8, 0.82, 1.9)
    blue = blue + 0.03 * np.array(slide.look.stain)
    side = haematoxylin.shape[0]
    picture = np.empty((side, side, 3), np.uint8)
    for channel in range(3):
        grain = rng.standard_normal((256, 256), dtype=np.float32) * np.float32(0.02)
        density = haematoxylin * np.float32(blue[channel]) + eosin * np.float32(pink[channel])
        density += np.tile(grain, (side // 256, side // 256)) + np.float32(0.02)
        if ink:
            density[ink[0], ink[1]] += np.float32(ink[2][channel])
        steps = np.clip(density * _STEPS, 0, len(_LIGHT) - 1).astype(np.uint16)
        picture[..., channel] = _LIGHT[steps]
    return picture
