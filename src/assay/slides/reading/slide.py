"""Slides: a pyramid of pictures, read region by region through OpenSlide; a plain TIFF is read whole."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.extras import optional
from assay.records import dataclass
from assay.slides.reading.annotation_xml import Frame

Picture = NDArray[np.uint8]

_MAX_SIDE = 1_000_000
_MAX_REGION = 128 * 1024 * 1024
"""Pixels of one region: what one piece of work may hold."""
_MAX_PLAIN = 256 * 1024 * 1024
"""Pixels of a plain TIFF, which has to be read whole."""


class _Pixels(Protocol):
    """What reads pixels: (x, y) in pixels of level 0, the size in pixels of the level."""

    def region(self, x: int, y: int, level: int, width: int, height: int) -> Picture: ...


@dataclass(frozen=True)
class Slide:
    """An open slide."""

    path: Path
    dimensions: tuple[tuple[int, int], ...]
    """Width and height of each level."""
    um_per_pixel: float
    pixels: _Pixels
    frame: Frame | None = None
    """Where the picture lies on the glass, where the file says so (Hamamatsu)."""

    @property
    def width(self) -> int:
        """Pixels across at level 0."""
        return self.dimensions[0][0]

    @property
    def height(self) -> int:
        """Pixels down at level 0."""
        return self.dimensions[0][1]

    def downsample(self, level: int) -> float:
        """How many pixels of level 0 one pixel of the level covers, along a side."""
        self.require(level)
        return self.width / self.dimensions[level][0]

    def require(self, level: int) -> None:
        """Refuse a level that the file does not hold."""
        if level >= len(self.dimensions):
            has = f"levels 0 to {len(self.dimensions) - 1}" if len(self.dimensions) > 1 else "level 0 alone"
            fix = "Ask for a level it has, or for µm per pixel."
            raise InputError(f"has {has}, not level {level}", where=str(self.path), fix=fix)

    def nearest_level(self, downsample: float) -> int:
        """The coarsest level that is still at least as fine as asked for."""
        fine = [k for k in range(len(self.dimensions)) if self.downsample(k) <= downsample * 1.01]
        return max(fine, default=0, key=self.downsample)

    def region(self, x: int, y: int, level: int, width: int, height: int) -> Picture:
        """Pixels of a level as height × width × 3; what lies outside the slide or is transparent is white."""
        self.require(level)
        if width * height > _MAX_REGION:
            raise InputError(
                f"a region of {width:,} × {height:,} pixels is too large",
                where=str(self.path),
                fix="Use a coarser level.",
            )
        return self.pixels.region(x, y, level, width, height)

    def whole(self, level: int) -> Picture:
        """A whole level."""
        self.require(level)
        return self.region(0, 0, level, *self.dimensions[level])


def require_file(path: Path) -> None:
    """Refuse a slide whose file is missing."""
    if not path.is_file():
        raise InputError("is not there", where=str(path), fix="Check the column `file` of slides.csv.")


@contextmanager
def open_slide(path: Path, um_per_pixel: float | None = None) -> Iterator[Slide]:
    """Open a slide; `um_per_pixel` stands in for what the file does not say."""
    require_file(path)
    openslide = optional("openslide")
    try:
        handle = openslide.OpenSlide(str(path))
    except openslide.OpenSlideError:
        yield _plain(path, um_per_pixel)
        return
    try:
        yield _opened(handle, path, um_per_pixel)
    finally:
        handle.close()


@dataclass(frozen=True)
class _ThroughOpenSlide:
    handle: Any
    path: Path

    def region(self, x: int, y: int, level: int, width: int, height: int) -> Picture:
        openslide = optional("openslide")
        try:
            tile = self.handle.read_region((x, y), level, (width, height))
        except openslide.OpenSlideError as error:
            raise InputError(f"cannot be read ({error})", where=str(self.path), fix="The file is damaged.") from None
        pixels = np.asarray(tile)
        colours = np.ascontiguousarray(pixels[..., :3])
        opaque = pixels[..., 3]
        if not opaque.all():
            colours[opaque == 0] = 255
        return colours


@dataclass(frozen=True)
class _InMemory:
    levels: tuple[Picture, ...]

    def region(self, x: int, y: int, level: int, width: int, height: int) -> Picture:
        picture = self.levels[level]
        scale = self.levels[0].shape[1] / picture.shape[1]
        left, top = int(x / scale), int(y / scale)
        out = np.full((height, width, 3), 255, np.uint8)
        part = picture[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
        y0, x0 = max(-top, 0), max(-left, 0)
        out[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]] = part
        return out


def _opened(handle: Any, path: Path, um_per_pixel: float | None) -> Slide:
    dimensions = tuple((int(w), int(h)) for w, h in handle.level_dimensions)
    told = handle.properties.get("openslide.mpp-x")
    return Slide(
        path,
        _bounded(dimensions, path),
        _resolution(told, um_per_pixel, path),
        _ThroughOpenSlide(handle, path),
        hamamatsu_frame(handle.properties),
    )


def hamamatsu_frame(properties: Mapping[str, str]) -> Frame | None:
    """The frame that the properties of a Hamamatsu slide state; None for other slides."""
    names = (
        "openslide.mpp-x",
        "openslide.mpp-y",
        "hamamatsu.XOffsetFromSlideCentre",
        "hamamatsu.YOffsetFromSlideCentre",
    )
    try:
        across, down, x, y = (float(properties[name]) for name in names)
    except (KeyError, ValueError):
        return None
    return Frame((across, down), (x, y)) if across > 0 and down > 0 else None


def _plain(path: Path, um_per_pixel: float | None) -> Slide:
    """A TIFF that OpenSlide does not take, such as one without tiles."""
    tifffile = optional("tifffile")
    try:
        with tifffile.TiffFile(path) as file:
            levels, told = _levels(file.series[0], path), _tagged_resolution(file.pages[0])
    except InputError:
        raise
    except Exception:  # noqa: BLE001 - a damaged TIFF fails in as many ways as there are fields in it
        raise _no_slide(path) from None
    dimensions = tuple((int(p.shape[1]), int(p.shape[0])) for p in levels)
    return Slide(path, _bounded(dimensions, path), _resolution(told, um_per_pixel, path), _InMemory(levels))


def _levels(series: Any, path: Path) -> tuple[Picture, ...]:
    shapes = [level.shape for level in series.levels]
    if any(len(s) != 3 or s[2] not in {3, 4} for s in shapes) or str(series.dtype) != "uint8":
        raise _no_slide(path)
    if sum(math.prod(s[:2]) for s in shapes) > _MAX_PLAIN:
        raise InputError("is too large to be read whole", where=str(path), fix="Save it as a tiled pyramid.")
    return tuple(np.ascontiguousarray(level.asarray()[..., :3]) for level in series.levels)


def _no_slide(path: Path) -> InputError:
    return InputError(
        "is not a slide", where=str(path), fix="It must be a format that OpenSlide reads, or an RGB TIFF."
    )


def _tagged_resolution(page: Any) -> str | None:
    """µm per pixel from the tags of a TIFF page."""
    tags = page.tags
    if "XResolution" not in tags:
        return None
    pixels, units = tags["XResolution"].value
    per_unit = {2: 25_400.0, 3: 10_000.0}.get(int(tags["ResolutionUnit"].value) if "ResolutionUnit" in tags else 2)
    return str(per_unit * units / pixels) if per_unit and pixels else None


def _bounded(dimensions: tuple[tuple[int, int], ...], path: Path) -> tuple[tuple[int, int], ...]:
    if not dimensions or any(not 0 < side <= _MAX_SIDE for size in dimensions for side in size):
        raise InputError("has an impossible size", where=str(path), fix="The file is damaged.")
    return dimensions


def _resolution(told: str | None, given: float | None, path: Path) -> float:
    try:
        value = float(told) if told else 0.0
    except ValueError:
        value = 0.0
    if given is not None:
        return given
    if not 0.01 <= value <= 1_000:
        fix = "Add a column um_per_pixel to slides.csv."
        raise InputError("does not say how many µm a pixel is", where=str(path), fix=fix)
    return value
