"""Which part of a slide is tissue."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from assay.extras import optional
from assay.slides.configuration import Tissue
from assay.slides.reading import Slide

Mask = NDArray[np.bool_]
_PEN_HUES = (0.62, 0.98)
"""Hues of the two stains; ink is coloured otherwise, or dark without colour."""


def tissue_mask(slide: Slide, choice: Tissue) -> Mask:
    """Tissue at the level that the choice names, as a mask of that level's pixels."""
    picture = slide.whole(choice.level)
    pixel_um2 = (slide.um_per_pixel * slide.downsample(choice.level)) ** 2
    mask = _found(picture, choice)
    if choice.artefacts == "remove-pen":
        mask &= ~pen_marks(picture)
    if choice.fill_holes_um2:
        mask = ~_without_small(~mask, choice.fill_holes_um2 / pixel_um2)
    return _without_small(mask, choice.minimum_area_um2 / pixel_um2) if choice.minimum_area_um2 else mask


def _found(picture: NDArray[np.uint8], choice: Tissue) -> Mask:
    if choice.method == "none" or not choice.done:
        return np.ones(picture.shape[:2], bool)
    hue, saturation, grey = _channels(picture)
    match choice.channel:
        case "saturation":
            return saturation > _threshold(saturation, choice)
        case "hue":
            return hue > _threshold(hue, choice)
        case "grey":
            return grey < _threshold(grey, choice)
        case "hue-and-saturation":
            return np.asarray((hue > _threshold(hue, choice)) & (saturation > _threshold(saturation, choice)))


def _threshold(values: NDArray[np.float32], choice: Tissue) -> float:
    if choice.method == "fixed":
        return choice.threshold
    if values.max() - values.min() < 1e-6:
        return float(values.max())  # one colour everywhere: nothing is above it
    return float(optional("skimage.filters").threshold_otsu(values))


def _channels(picture: NDArray[np.uint8]) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """Hue and saturation of the HSV model, and the mean of the three colours, all from 0 to 1."""
    red, green, blue = (picture[..., c].astype(np.float32) for c in range(3))
    largest = np.maximum(np.maximum(red, green), blue)
    range_ = largest - np.minimum(np.minimum(red, green), blue)
    width = np.maximum(range_, np.float32(1))
    sector = np.where(
        largest == red,
        (green - blue) / width,
        np.where(largest == green, 2 + (blue - red) / width, 4 + (red - green) / width),
    )
    hue = np.where(range_ > 0, (sector / 6) % 1, 0)
    saturation, grey = range_ / np.maximum(largest, 1), (red + green + blue) / 765
    return hue.astype(np.float32), saturation.astype(np.float32), grey.astype(np.float32)


def pen_marks(picture: NDArray[np.uint8]) -> Mask:
    """Pixels in the colours of ink, and those next to them."""
    hue, saturation, grey = _channels(picture)
    coloured = (saturation > 0.15) & ((hue < _PEN_HUES[0]) | (hue > _PEN_HUES[1]))
    ink = coloured | ((grey < 0.45) & (saturation < 0.15))
    return np.asarray(ndimage.binary_dilation(ink))


def _without_small(mask: Mask, pixels: float) -> Mask:
    """The mask less its connected parts of fewer pixels."""
    parts, _ = ndimage.label(mask)
    sizes = np.bincount(parts.ravel())
    keep = sizes >= pixels
    keep[0] = False
    return np.asarray(keep[parts])
