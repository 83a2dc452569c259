"""Lesions in a heat map: where, and how sure."""

from __future__ import annotations

import numpy as np

from assay.records import dataclass
from assay.slides.configuration import Lesions
from assay.slides.heatmap import HeatMap
from assay.slides.regions import Region, clusters, components

_MOST = 10_000
"""Detections of one slide; no map of real tissue has so many."""


@dataclass(frozen=True, slots=True)
class Detection:
    """A place that is called a lesion."""

    x_um: float
    y_um: float
    score: float


def detections(heat: HeatMap, choice: Lesions) -> list[Detection]:
    """The lesions of a slide, the surest first."""
    if not choice.done:
        return []
    match choice.grouping:
        case "components":
            found = components(heat, choice.threshold, choice.connectivity)
            regions = [region for region in found if region.area >= choice.minimum_points]
        case "dbscan":
            regions = clusters(heat, choice.threshold, choice.radius, choice.minimum_points)
        case "suppression":
            regions = _suppressed(heat, choice)
    made = [_detection(heat, region, choice) for region in regions[:_MOST]]
    return sorted(made, key=lambda d: -d.score)


def _detection(heat: HeatMap, region: Region, choice: Lesions) -> Detection:
    values = region.values
    score = {"max": values.max(), "mean": values.mean(), "sum": values.sum()}[choice.score]
    x, y = heat.place(*region.middle())
    return Detection(x, y, float(score))


def _suppressed(heat: HeatMap, choice: Lesions) -> list[Region]:
    """Take the cell with the largest value, blot out what is around it, go on: each taken cell is a lesion."""
    left = np.where(heat.values > choice.threshold, heat.values, 0)
    rows, columns = np.indices(left.shape)
    taken: list[Region] = []
    while left.max() > 0 and len(taken) < _MOST:
        row, column = divmod(int(left.argmax()), left.shape[1])
        taken.append(Region(np.array([row]), np.array([column]), left[row, column].reshape(1)))
        left[(rows - row) ** 2 + (columns - column) ** 2 <= choice.radius**2] = 0
    return taken
