"""Which detections hit which lesion, by the rules of the Camelyon16 challenge.

An annotation is widened by half of the 75 µm that may lie between tumour cells of one metastasis; what then
touches is one lesion, its holes filled. A lesion whose widened shape has a major axis below 275 µm is a group of
isolated tumour cells: it is not to be found, and a detection on it is neither right nor wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from assay.records import dataclass
from assay.slides.evaluation.predictions import Detections
from assay.slides.evaluation.references import Mask

if TYPE_CHECKING:
    Labels = np.ndarray[tuple[int, int], np.dtype[np.int32]]

TOLERANCE_UM = 75.0
SMALLEST_LESION_UM = 275.0


@dataclass(frozen=True, slots=True)
class Lesions:
    """The lesions of a slide: a map of their numbers (0 is elsewhere), and which of them are isolated cells."""

    numbers: Labels
    isolated: frozenset[int]
    count: int
    """Lesions to be found: isolated cells are not among them."""
    left: int
    top: int
    um_per_pixel: float

    def at(self, x_um: float, y_um: float) -> int:
        """The number of the lesion at a place, 0 where there is none."""
        column, row = int(x_um // self.um_per_pixel) - self.left, int(y_um // self.um_per_pixel) - self.top
        height, width = self.numbers.shape
        return int(self.numbers[row, column]) if 0 <= row < height and 0 <= column < width else 0


@dataclass(frozen=True, slots=True)
class Hits:
    """What the detections of one slide come to."""

    found: tuple[float, ...] = ()
    """For each lesion that was hit, the highest score on it."""
    false: tuple[float, ...] = ()
    """The score of each detection that hit nothing."""
    lesions: int = 0
    isolated: int = 0
    on_isolated: int = 0
    """Detections on isolated cells: neither right nor wrong."""
    detections: int = 0


def lesions_in(mask: Mask) -> Lesions:
    """The lesions of an annotated slide."""
    from scipy import ndimage

    rows, columns = np.flatnonzero(mask.tumour.any(axis=1)), np.flatnonzero(mask.tumour.any(axis=0))
    if not rows.size:
        return Lesions(np.zeros((0, 0), dtype=np.int32), frozenset(), 0, 0, 0, mask.um_per_pixel)
    reach = TOLERANCE_UM / 2 / mask.um_per_pixel
    margin = int(np.ceil(reach)) + 1
    near = np.pad(mask.tumour[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1], margin)
    height, width = mask.tumour.shape
    top, left = int(rows[0]) - margin, int(columns[0]) - margin
    cut = near[max(0, -top) : height - top, max(0, -left) : width - left]  # a slide ends where its mask does
    widened = ndimage.binary_fill_holes(ndimage.distance_transform_edt(~cut) < reach)
    numbers, found = ndimage.label(widened, structure=np.ones((3, 3)))
    small = frozenset(
        number
        for number, box in enumerate(ndimage.find_objects(numbers), 1)
        if major_axis(numbers[box] == number) * mask.um_per_pixel < SMALLEST_LESION_UM
    )
    return Lesions(numbers.astype(np.int32), small, found - len(small), max(0, left), max(0, top), mask.um_per_pixel)


def major_axis(shape: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> float:
    """Length, in pixels, of the major axis of the ellipse with the same second moments as the shape."""
    points = np.argwhere(shape)
    spread = np.cov(points.T, bias=True) if len(points) > 1 else np.zeros((2, 2))
    return float(4 * np.sqrt(max(0.0, np.linalg.eigvalsh(spread)[-1])))


def hits_on(detections: Detections | None, lesions: Lesions | None) -> Hits:
    """How a slide's detections fall on its lesions; a slide without an annotation holds no tumour."""
    best: dict[int, float] = {}
    false: list[float] = []
    unjudged = 0
    points = () if detections is None else zip(detections.x_um, detections.y_um, detections.score, strict=True)
    for x, y, score in points:
        number = 0 if lesions is None else lesions.at(float(x), float(y))
        if not number:
            false.append(float(score))
        elif lesions is not None and number in lesions.isolated:
            unjudged += 1
        else:
            best[number] = max(best.get(number, -np.inf), float(score))
    total = 0 if detections is None else len(detections.score)
    if lesions is None:
        return Hits(false=tuple(false), detections=total)
    return Hits(tuple(best.values()), tuple(false), lesions.count, len(lesions.isolated), unjudged, total)
