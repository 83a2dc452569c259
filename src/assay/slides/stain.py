"""Bringing the colours of slides to one look: Reinhard et al. (2001) and Macenko et al. (2009).

Both learn a few numbers from places spread over the tissue of a slide, ink left out, and move every pixel so that
the numbers become those of a template slide.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.slides.configuration import Stain, Tissue
from assay.slides.reading import Slide
from assay.slides.tissue import pen_marks, tissue_mask

Pixels = NDArray[np.uint8]
Numbers = NDArray[np.float64]

_PLACES, _PLACE = 20, 64
"""How many squares are looked at, and their side in pixels."""
_WHITE = 240.0
_SEEN = 0.25
"""Length of the optical density below which a pixel is too pale to tell its stains (Macenko's beta)."""
_CONES = np.array([[0.3811, 0.5783, 0.0402], [0.1967, 0.7244, 0.0782], [0.0241, 0.1288, 0.8444]])
_OPPONENT = np.diag(1 / np.sqrt([3.0, 6.0, 2.0])) @ np.array([[1, 1, 1], [1, 1, -2], [1, -1, 0]])


@dataclass(frozen=True)
class Palette:
    """The colours of one slide: means and spreads (Reinhard), or two stains and their strengths (Macenko)."""

    first: Numbers
    second: Numbers


def palette_of(slide: Slide, stain: Stain, tissue: Tissue) -> Palette | None:
    """What the method learns from a slide; None when there is nothing to learn."""
    if stain.method == "none" or not stain.done:
        return None
    pixels = _stained(slide, stain.level, tissue_mask(slide, tissue))
    if len(pixels) < 100:
        return None
    return _reinhard_palette(pixels) if stain.method == "reinhard" else _macenko_palette(pixels)


def _stained(slide: Slide, level: int, mask: NDArray[np.bool_]) -> Pixels:
    """Coloured pixels from squares spread evenly over the tissue."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return np.zeros((0, 3), np.uint8)
    chosen = np.linspace(0, len(rows) - 1, _PLACES).astype(int)
    scale, reach = slide.width / mask.shape[1], _PLACE * slide.downsample(level) / 2
    corners = [(int(columns[i] * scale - reach), int(rows[i] * scale - reach)) for i in chosen]
    squares = [slide.region(max(x, 0), max(y, 0), level, _PLACE, _PLACE) for x, y in corners]
    stained = np.concatenate(squares)
    pixels = stained[~pen_marks(stained)]
    return np.asarray(pixels[np.linalg.norm(_density(pixels), axis=1) > _SEEN])


def _density(pixels: Pixels) -> Numbers:
    return np.asarray(-np.log((pixels.astype(float) + 1) / (_WHITE + 1)))


def normalised(pixels: Pixels, palette: Palette | None, template: Palette | None, stain: Stain) -> Pixels:
    """Pixels with the template's colours; a slide without tissue is left as it is."""
    if palette is None or template is None:
        return pixels
    flat = pixels.reshape(-1, 3)
    moved = _reinhard(flat, palette, template) if stain.method == "reinhard" else _macenko(flat, palette, template)
    return np.clip(moved, 0, 255).astype(np.uint8).reshape(pixels.shape)


def _reinhard_palette(pixels: Pixels) -> Palette:
    opponent = np.log10(pixels.astype(float) @ _CONES.T + 1.0) @ _OPPONENT.T
    return Palette(opponent.mean(0), np.maximum(opponent.std(0), 1e-3))


def _reinhard(pixels: Pixels, palette: Palette, template: Palette) -> NDArray[np.float32]:
    scale = template.second / palette.second
    back = np.linalg.inv(_OPPONENT)
    matrix = (back @ np.diag(scale) @ _OPPONENT).T.astype(np.float32)
    shift = (back @ (template.first - scale * palette.first)).astype(np.float32)
    logs = np.log10(pixels.astype(np.float32) @ _CONES.T.astype(np.float32) + np.float32(1))
    cones = np.float32(10) ** (logs @ matrix + shift) - np.float32(1)
    return np.asarray(cones @ np.linalg.inv(_CONES).T.astype(np.float32))


def _macenko_palette(pixels: Pixels) -> Palette:
    density = _density(pixels)
    # The plane goes through the origin (no stain): second moments, for where eosin hardly varies its variance is noise.
    _, vectors = np.linalg.eigh(density.T @ density)
    plane = vectors[:, 1:] * np.where(vectors[:, 1:].sum(0) < 0, -1.0, 1.0)
    angles = np.arctan2(*(density @ plane).T)
    edges = [plane @ [np.sin(a), np.cos(a)] for a in np.percentile(angles, [1, 99])]
    stains = np.array(sorted(edges, key=lambda v: -v[0]))  # haematoxylin takes more red than eosin does
    stains /= np.linalg.norm(stains, axis=1, keepdims=True)
    amounts = density @ np.linalg.pinv(stains)
    return Palette(stains, np.maximum(np.percentile(amounts, 99, axis=0), 1e-3))


def _macenko(pixels: Pixels, palette: Palette, template: Palette) -> NDArray[np.float32]:
    strengths = np.diag(template.second / palette.second)
    matrix = (np.linalg.pinv(palette.first) @ strengths @ template.first).astype(np.float32)
    # What the two stains do not explain (ink, dust) stays as it is.
    rest = (np.eye(3) - np.linalg.pinv(palette.first) @ palette.first).astype(np.float32)
    steps = -np.log((np.arange(256, dtype=np.float32) + 1) / np.float32(_WHITE + 1))
    return np.asarray((_WHITE + 1) * np.exp(-(steps[pixels] @ (matrix + rest))) - 1)
