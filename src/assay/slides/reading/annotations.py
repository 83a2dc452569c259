"""What a pathologist drew (ASAP or Aperio XML, Hamamatsu NDPA, GeoJSON, a mask) as outlines in pixels of level 0."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, UnidentifiedImageError

from assay.errors import InputError
from assay.files import read_text
from assay.records import dataclass
from assay.slides.reading.annotation_xml import Frame, Outline, ndpa_outlines, xml_outlines

Polygon = NDArray[np.float64]
Mask = NDArray[np.bool_]

_MAX_POINTS = 5_000_000
_MAX_MASK = 256 * 1024 * 1024
_NORMAL = frozenset({"_2", "normal", "exclusion", "none tumour", "non-tumour"})
"""Groups whose outlines are cut out of the tumour: Camelyon16 calls them _2, Camelyon17 normal."""
_TUMOUR = frozenset({"_0", "_1", "tumor", "tumour", "metastases", "metastasis", "cancer", "carcinoma"})
"""Groups that are tumour: those of Camelyon16 (_0, _1) and Camelyon17 (metastases), and their plain names."""
_OTHER = frozenset({"stroma", "immune cells", "necrosis", "other", "region*", "ignore*", "negative", "positive"})
"""Classes that QuPath offers beside Tumor: none of them is taken for tumour without a word."""
_NO_ANNOTATION = frozenset({"cell", "tile", "tma_core", "root"})
"""Objects that QuPath exports beside annotations; their outlines are of cells or of the glass, not of tissue."""
EVERY_GROUP = "*"
"""As the name of a group: all but those that are cut out."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Tumour as outlines, less the outlines of what is not; or as a picture of the whole slide."""

    tumour: tuple[Polygon, ...] = ()
    normal: tuple[Polygon, ...] = ()
    mask: Mask | None = None
    size: tuple[int, int] = (0, 0)
    """Width and height of the slide that the mask covers."""

    @property
    def empty(self) -> bool:
        """Whether nothing is marked as tumour."""
        return not self.tumour and (self.mask is None or not self.mask.any())

    def raster(self, cell: float, shape: tuple[int, int]) -> Mask:
        """The tumour in square cells of `cell` pixels of level 0, rows × columns."""
        if self.mask is not None:
            return _resampled(self.mask, self.size, cell, shape)
        canvas = Image.new("L", (shape[1], shape[0]))
        pen = ImageDraw.Draw(canvas)
        for polygons, colour in ((self.tumour, 1), (self.normal, 0)):
            for polygon in polygons:
                pen.polygon([(float(x), float(y)) for x, y in polygon / cell], fill=colour)
        return np.asarray(canvas).astype(bool)


def read_annotation(
    path: Path, size: tuple[int, int], frame: Frame | None = None, tumour: Collection[str] = ()
) -> Annotation:
    """The annotation of a slide that is `size` (width, height) pixels large at level 0; NDPA needs its frame too.

    `tumour` names the groups that are tumour, where the file holds groups that do not say it themselves.
    """
    match path.suffix.lower():
        case ".xml":
            found = _sorted_out(xml_outlines(path), path, tumour)
        case ".ndpa":
            found = _sorted_out(ndpa_outlines(path, size, frame), path, tumour)
        case ".geojson" | ".json":
            found = _sorted_out(_geojson_outlines(path), path, tumour)
        case ".png" | ".tif" | ".tiff":
            found = Annotation(mask=_mask(path, size), size=size)
        case other:
            fix = "Known: ASAP or Aperio .xml, Hamamatsu .ndpa, .geojson, masks as .png or .tif."
            raise InputError(f'"{other}" is no format of annotations', where=str(path), fix=fix)
    if found.empty:
        fix = "Leave the column `annotation` empty for a slide without tumour; else check the export and its classes."
        raise InputError("marks no tumour", where=str(path), fix=fix)
    return found


def _geojson_outlines(path: Path) -> list[Outline]:
    try:
        data = json.loads(read_text(path))
        alone = isinstance(data, dict) and data.get("type") == "Feature"
        features = [data] if alone else data["features"] if isinstance(data, dict) else data
        return [pair for feature in features for pair in _rings(feature)]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, IndexError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not GeoJSON with polygons", where=str(path), fix="Export it as GeoJSON again.") from None


def _rings(feature: Any) -> Iterator[Outline]:
    """Each outline with its group; the holes of a polygon are outlines of what is normal."""
    shape, told = feature["geometry"], feature.get("properties") or {}
    if str(told.get("objectType") or told.get("object_type")).lower() in _NO_ANNOTATION:
        return
    group = _group(told.get("classification") or {})
    match shape["type"]:
        case "Polygon":
            polygons = [shape["coordinates"]]
        case "MultiPolygon":
            polygons = shape["coordinates"]
        case _:  # points and lines enclose nothing
            polygons = []
    for polygon in polygons:
        yield group, [point[:2] for point in polygon[0]]
        yield from (("normal", [point[:2] for point in hole]) for hole in polygon[1:])


def _group(classification: Any) -> str:
    """The class as QuPath shows it: a name, or since 0.4 also the names of a class within a class."""
    if not isinstance(classification, dict):
        return str(classification)
    return ": ".join(map(str, classification.get("names") or [classification.get("name", "")]))


def _sorted_out(outlines: Iterable[Outline], path: Path, tumour: Collection[str]) -> Annotation:
    """The outlines that are tumour and those that are cut out of it; other groups count for nothing."""
    enclosing = [(group.strip(), outline) for group, outline in outlines if len(outline) >= 3]
    if sum(len(outline) for _, outline in enclosing) > _MAX_POINTS:
        raise InputError(f"has more than {_MAX_POINTS:,} points", where=str(path), fix="Simplify the outlines.")
    groups = {group for group, _ in enclosing if group.lower() not in _NORMAL}
    chosen = _tumour_groups(groups, tumour, path)
    return Annotation(
        tuple(_polygon(outline, path) for group, outline in enclosing if group in chosen),
        tuple(_polygon(outline, path) for group, outline in enclosing if group.lower() in _NORMAL),
    )


def _tumour_groups(groups: set[str], named: Collection[str], path: Path) -> set[str]:
    """Which groups are tumour: those that are named; else all, if their names say so, or the only one."""
    wanted = {name.lower() for name in named}
    if wanted - {EVERY_GROUP}:
        return {group for group in groups if group.lower() in wanted}
    if wanted or _clear({group.lower() for group in groups}):
        return groups
    listed = ", ".join(f'"{group}"' if group else "no class" for group in sorted(groups)[:12])
    fix = 'Name those that are tumour in a column "tumour" of the table, with semicolons (* for all).'
    raise InputError(f"has outlines of {listed}: which are tumour?", where=str(path), fix=fix)


def _clear(names: set[str]) -> bool:
    """Whether the groups with these names are tumour without a word; "Stroma: Positive" is a kind of stroma."""
    kinds = {name.partition(":")[0].strip() for name in names}
    return kinds <= _TUMOUR or (len(names) == 1 and not kinds & _OTHER)


def _polygon(outline: list[Any], path: Path) -> Polygon:
    try:
        polygon = np.array(outline, dtype=np.float64)
    except (ValueError, TypeError):
        polygon = np.full((1, 2), np.nan)
    if polygon.ndim != 2 or not np.isfinite(polygon).all() or np.abs(polygon).max() > 1e7:
        raise InputError("has a point that is no place", where=str(path), fix="Export it again.")
    return polygon


def _mask(path: Path, size: tuple[int, int]) -> Mask:
    try:
        with Image.open(path) as picture:
            width, height = picture.size
            if width * height > _MAX_MASK:
                raise InputError("is too large for a mask", where=str(path), fix="Save it at a coarser level.")
            mask = np.asarray(picture.convert("L") if picture.mode not in {"L", "1", "P"} else picture) > 0
    except (OSError, UnidentifiedImageError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("is not a picture", where=str(path), fix="Save the mask as PNG.") from None
    if abs(width * size[1] - height * size[0]) > 0.02 * width * size[1] + size[0] + size[1]:
        shapes = f"{width} × {height} does not have the proportions of the slide ({size[0]} × {size[1]})"
        raise InputError(shapes, where=str(path), fix="Export the mask of the whole slide.")
    return mask


def _resampled(mask: Mask, size: tuple[int, int], cell: float, shape: tuple[int, int]) -> Mask:
    """The mask, stretched over the slide, at the middle of each cell."""
    width, height = size
    rows = ((np.arange(shape[0]) + 0.5) * cell / height * mask.shape[0]).astype(int)
    columns = ((np.arange(shape[1]) + 0.5) * cell / width * mask.shape[1]).astype(int)
    return mask[np.ix_(np.minimum(rows, mask.shape[0] - 1), np.minimum(columns, mask.shape[1] - 1))]
