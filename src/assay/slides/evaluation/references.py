"""The annotated tumour of each slide as a small mask, one slide at a time: from images, or from polygons."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.evaluation.tables import Rows, read_rows

if TYPE_CHECKING:
    Bitmap = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

MAX_PIXELS = 40_000_000
"""A slide at 8 µm per pixel has fewer; the lesion rules need no finer mask."""
POLYGON_UM = 8.0
"""Side of a pixel when polygons are drawn; the challenge's own masks have 7.8 µm where it evaluates."""
COARSEST_UM = 37.5
"""With larger pixels the tolerance of 37.5 µm would be less than one of them."""


@dataclass(frozen=True, slots=True)
class Mask:
    """Where a slide holds tumour."""

    tumour: Bitmap
    um_per_pixel: float


@dataclass(frozen=True)
class References:
    """Which slides have an annotation, and where to read it."""

    images: dict[str, tuple[Path, float]]
    polygons: dict[str, tuple[tuple[tuple[float, float], ...], ...]]

    def __contains__(self, slide: str) -> bool:
        return slide in self.images or slide in self.polygons

    def __iter__(self) -> Iterator[str]:
        yield from self.images
        yield from self.polygons

    def mask(self, slide: str) -> Mask:
        """The slide's mask, read or drawn now: all of them at once would not fit into memory."""
        if slide in self.images:
            return read_mask(*self.images[slide])
        return _drawn(self.polygons[slide])


def read_references(folder: Path) -> References:
    """What masks.csv and polygons.csv of a predictions folder name; a slide may be in one of them."""
    masks, outlines = read_rows(folder, "masks"), read_rows(folder, "polygons")
    images = {} if masks is None else _images(masks, folder)
    polygons = {} if outlines is None else _polygons(outlines)
    if both := sorted(images.keys() & polygons.keys()):
        fix = "Keep one annotation of each slide."
        raise InputError(f'slide "{both[0]}" is in masks.csv and in polygons.csv', where=str(folder), fix=fix)
    return References(images, polygons)


def _images(rows: Rows, folder: Path) -> dict[str, tuple[Path, float]]:
    names, files, sizes = rows.unique_names("slide"), rows.names("file"), rows.numbers("um_per_pixel")
    found = {}
    for row, (name, file, size) in enumerate(zip(names, files, sizes.tolist(), strict=True)):
        if not 0 < size <= COARSEST_UM:
            fix = f"A mask needs pixels of at most {COARSEST_UM} µm for the 75 µm rule."
            raise rows.complaint(f'"um_per_pixel" is {size:g}', row, fix)
        path = folder / file
        if not path.resolve().is_relative_to(folder.resolve()):
            raise rows.complaint(f'"{file}" is outside the folder', row, "Masks lie in the predictions folder.")
        found[name] = (path, size)
    return found


def _polygons(rows: Rows) -> dict[str, tuple[tuple[tuple[float, float], ...], ...]]:
    outlines: dict[str, dict[str, list[tuple[float, float]]]] = {}
    points = zip(rows.numbers("x_um").tolist(), rows.numbers("y_um").tolist(), strict=True)
    for slide, polygon, point in zip(rows.names("slide"), rows.names("polygon"), points, strict=True):
        outlines.setdefault(slide, {}).setdefault(polygon, []).append(point)
    for slide, polygons in outlines.items():
        for name, corners in polygons.items():
            if len(corners) < 3:
                told = f'polygon "{name}" of slide "{slide}" has {len(corners)} corners'
                raise rows.complaint(told, fix="It takes three or more.")
    return {slide: tuple(map(tuple, polygons.values())) for slide, polygons in outlines.items()}


def read_mask(path: Path, um_per_pixel: float) -> Mask:
    """A picture as a mask: what is not zero is marked."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # our own limit is lower
            with Image.open(path, formats=("PNG", "TIFF")) as image:
                small = image.width * image.height <= MAX_PIXELS
                pixels = np.asarray(image) if small else np.zeros(0)
    except FileNotFoundError:
        raise InputError("does not exist", where=str(path), fix="Correct the file name in the table.") from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError(
            f"is no mask ({error})", where=str(path), fix="Give a PNG, non-zero where tumour is."
        ) from None
    if not small:
        fix = "Give it at a lower resolution, such as 8 µm per pixel."
        raise InputError(f"has more than {MAX_PIXELS:,} pixels", where=str(path), fix=fix)
    tumour = pixels.reshape(*pixels.shape[:2], -1) != 0
    return Mask(np.any(tumour, axis=2), um_per_pixel)


def _drawn(polygons: tuple[tuple[tuple[float, float], ...], ...]) -> Mask:
    from PIL import Image, ImageDraw

    corners = np.array([corner for polygon in polygons for corner in polygon])
    room = int(np.ceil(COARSEST_UM / POLYGON_UM)) + 1  # for the tolerance: where the slide ends is not known
    size = np.ceil(np.minimum(corners.max(axis=0), 1e9) / POLYGON_UM).astype(int) + room
    if corners.min() < 0 or int(size[0]) * int(size[1]) > MAX_PIXELS:
        raise InputError("a polygon lies outside any slide", where="polygons.csv", fix="Give µm from the upper left.")
    image = Image.new("1", (int(size[0]), int(size[1])))
    for polygon in polygons:
        ImageDraw.Draw(image).polygon([(x / POLYGON_UM, y / POLYGON_UM) for x, y in polygon], fill=1)
    return Mask(np.asarray(image), POLYGON_UM)
