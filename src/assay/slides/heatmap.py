"""Patch probabilities as a map of the slide: one cell for each step of the inference grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assay.records import dataclass
from assay.slides.configuration import HeatMaps
from assay.slides.tiles import Scale, Tiles

_MAX_COVER = 64


@dataclass(frozen=True, slots=True)
class HeatMap:
    """Probabilities by cell, 0 where there is no tissue."""

    values: NDArray[np.float32]
    tissue: NDArray[np.bool_]
    cell_um: float

    def place(self, row: float, column: float) -> tuple[float, float]:
        """The middle of a cell: x and y in µm."""
        return (column + 0.5) * self.cell_um, (row + 0.5) * self.cell_um


def heat_map(
    tiles: Tiles, probabilities: NDArray[np.float32], scale: Scale, choice: HeatMaps, slide: tuple[float, float, float]
) -> HeatMap:
    """The map of a slide given as (width, height, µm per pixel). A cell takes part in every patch that covers it."""
    width, height, um_per_pixel = slide
    step = choice.stride * scale.downsample
    shape = max(1, round(height / step)), max(1, round(width / step))
    cover = min(max(1, round(scale.reach / step)), _MAX_COVER)
    rows, columns = np.round(tiles.y / step).astype(int), np.round(tiles.x / step).astype(int)
    value, count = np.zeros(shape, np.float64), np.zeros(shape, np.int32)
    latest = np.full(shape, -1, np.int64)
    for down in range(cover):
        for across in range(cover):
            at = np.minimum(rows + down, shape[0] - 1), np.minimum(columns + across, shape[1] - 1)
            np.add.at(count, at, 1)
            match choice.overlap:
                case "mean":
                    np.add.at(value, at, probabilities)
                case "max":
                    np.maximum.at(value, at, probabilities)
                case "last":
                    np.maximum.at(latest, at, np.arange(len(probabilities)))
    if choice.overlap == "mean":
        value = np.divide(value, count, out=value, where=count > 0)
    elif choice.overlap == "last":
        value[latest >= 0] = probabilities[latest[latest >= 0]]
    return HeatMap(value.astype(np.float32), count > 0, step * um_per_pixel)
