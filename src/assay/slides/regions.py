"""Connected or clustered parts of a heat map, and the shape of each."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import ConvexHull

from assay.records import dataclass
from assay.slides.heatmap import HeatMap

_CORNERS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])


@dataclass(frozen=True, slots=True)
class Region:
    """Cells that belong together: rows and columns, and the probability of each."""

    rows: NDArray[np.int_]
    columns: NDArray[np.int_]
    values: NDArray[np.float32]

    @property
    def area(self) -> int:
        """Cells."""
        return len(self.rows)

    @property
    def box(self) -> tuple[int, int]:
        """Height and width of the bounding box."""
        return int(np.ptp(self.rows)) + 1, int(np.ptp(self.columns)) + 1

    def axes(self) -> tuple[float, float]:
        """Major and minor axis of the ellipse with the same second moments, each cell being a unit square."""
        cells = np.vstack([self.rows, self.columns]).astype(float)
        moments = np.cov(cells, bias=True) if self.area > 1 else np.zeros((2, 2))
        small, large = np.maximum(np.linalg.eigvalsh(moments + np.eye(2) / 12), 0)
        return 4 * float(np.sqrt(large)), 4 * float(np.sqrt(small))

    def solidity(self) -> float:
        """Area over the area of the convex hull."""
        corners = (np.column_stack([self.rows, self.columns])[:, None] + _CORNERS).reshape(-1, 2)
        return self.area / float(ConvexHull(np.unique(corners, axis=0)).volume)

    def middle(self) -> tuple[int, int]:
        """The cell of the region that is nearest to its centroid, so that it never lies outside."""
        nearest = int(np.argmin((self.rows - self.rows.mean()) ** 2 + (self.columns - self.columns.mean()) ** 2))
        return int(self.rows[nearest]), int(self.columns[nearest])


def components(heat: HeatMap, threshold: float, connectivity: int = 8) -> list[Region]:
    """Connected parts above the threshold, the largest first."""
    structure = np.ones((3, 3)) if connectivity == 8 else None
    parts, _ = ndimage.label(heat.values > threshold, structure)
    return _regions(heat, np.nonzero(parts), parts[parts > 0])


def clusters(heat: HeatMap, threshold: float, radius: float, points: int) -> list[Region]:
    """DBSCAN on the cells above the threshold; cells that it calls noise are in no region."""
    from sklearn.cluster import DBSCAN

    rows, columns = np.nonzero(heat.values > threshold)
    if not len(rows):
        return []
    named = DBSCAN(eps=radius, min_samples=points).fit(np.column_stack([rows, columns])).labels_
    kept = named >= 0
    return _regions(heat, (rows[kept], columns[kept]), named[kept])


def _regions(heat: HeatMap, cells: tuple[NDArray[np.int_], ...], names: NDArray[np.int_]) -> list[Region]:
    rows, columns = cells
    order = np.argsort(names, kind="stable")
    borders = np.flatnonzero(np.diff(names[order])) + 1
    groups = np.split(order, borders) if len(order) else []
    found = [Region(rows[g], columns[g], heat.values[rows[g], columns[g]]) for g in groups]
    return sorted(found, key=lambda r: (-r.area, int(r.rows[0]), int(r.columns[0])))
