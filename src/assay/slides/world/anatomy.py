"""Where things are on a synthetic slide: the piece of tissue, follicles that look like tumour, lesions.

Shapes are polygons in µm. Lesions keep the clinical limits by construction: isolated cells stay under 0.2 mm,
micrometastases between 0.2 and 2 mm, macrometastases above 2 mm, whatever their outline.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

from assay.records import dataclass

CELL_UM = 16.0
"""Resolution at which shapes are laid out."""

Polygon = NDArray[np.float64]
"""n × 2: x and y in µm."""
Mask = NDArray[np.bool_]

_RADII = {"itc": (40.0, 65.0), "micro": (165.0, 420.0), "macro": (1200.0, 1400.0)}
_WOBBLE = {"itc": 0.12, "micro": 0.12, "macro": 0.045}
_TRIES = 60


@dataclass(frozen=True, slots=True)
class Anatomy:
    """The layout of one slide."""

    tissue: Mask
    """In cells of `CELL_UM`."""
    follicles: tuple[Polygon, ...]
    lesions: tuple[Polygon, ...]


def lay_out(kind: str, side_um: float, rng: np.random.Generator) -> Anatomy:
    """The anatomy of a slide of one kind."""
    cells = max(round(side_um / CELL_UM), 8)
    tissue = _tissue(cells, rng)
    ys, xs = np.nonzero(ndimage.binary_erosion(tissue, iterations=max(cells // 40, 1)))
    if not ys.size:
        ys, xs = np.nonzero(tissue)
    inside = np.column_stack([xs, ys]).astype(np.float64) * CELL_UM
    lesions = _lesions(kind, side_um, inside, rng)
    taken = drawn(lesions, CELL_UM, (cells, cells))
    follicles = [
        _outline(inside[rng.integers(len(inside))], rng.uniform(60, 180), 0.12, rng) for _ in range(rng.integers(3, 9))
    ]
    free = [f for f in follicles if not (drawn([f], CELL_UM, (cells, cells)) & taken).any()]
    return Anatomy(tissue | taken, tuple(free), tuple(lesions))


def drawn(polygons: list[Polygon] | tuple[Polygon, ...], cell_um: float, shape: tuple[int, int]) -> Mask:
    """The polygons as a mask of square cells."""
    canvas = Image.new("L", (shape[1], shape[0]))
    pen = ImageDraw.Draw(canvas)
    for polygon in polygons:
        if len(polygon) >= 3:
            pen.polygon([(float(x), float(y)) for x, y in polygon / cell_um], fill=1, outline=1)
    return np.asarray(canvas).astype(bool)


def _tissue(cells: int, rng: np.random.Generator) -> Mask:
    smooth = ndimage.gaussian_filter(rng.normal(size=(cells, cells)).astype(np.float32), cells / 11.6)
    y, x = np.mgrid[:cells, :cells] - (cells - 1) / 2
    height = smooth / smooth.std() - 1.1 * (x**2 + y**2) / (cells / 2.6) ** 2
    holes = ndimage.gaussian_filter(rng.normal(size=(cells, cells)).astype(np.float32), 3)
    return np.asarray((height > np.quantile(height, 0.55)) & (holes < 2.6 * holes.std()))


def _lesions(kind: str, side_um: float, inside: NDArray[np.float64], rng: np.random.Generator) -> list[Polygon]:
    if kind == "negative":
        return []
    low, high = _RADII[kind]
    if kind == "macro":
        return [_outline(np.full(2, side_um / 2), min(rng.uniform(low, high), side_um * 0.43), _WOBBLE[kind], rng)]
    placed: list[tuple[NDArray[np.float64], float]] = []
    wanted = int(rng.integers(1, 3 if kind == "itc" else 4))
    for _ in range(_TRIES):
        centre, radius = inside[rng.integers(len(inside))], float(rng.uniform(low, high))
        # Far enough apart that two lesions never grow together into one of another class.
        if all(np.hypot(*(centre - c)) > 1.4 * (radius + r) + 150 for c, r in placed):
            placed.append((centre, radius))
        if len(placed) == wanted:
            break
    return [_outline(c, r, _WOBBLE[kind], rng) for c, r in placed]


def _outline(centre: NDArray[np.float64], radius: float, wobble: float, rng: np.random.Generator) -> Polygon:
    """A closed, star-shaped outline whose radius stays within three wobbles of the given one."""
    angle = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    waves = zip((2, 3, 5), rng.uniform(0, wobble, 3), rng.uniform(0, 2 * np.pi, 3), strict=True)
    reach = radius * (1 + sum(a * np.cos(n * angle + p) for n, a, p in waves))
    return np.column_stack([centre[0] + reach * np.cos(angle), centre[1] + reach * np.sin(angle)])
