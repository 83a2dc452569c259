"""A painted slide as files that other programs read: pyramidal TIFF, ASAP XML, GeoJSON, mask."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from assay.extras import optional
from assay.slides.world.anatomy import Polygon, drawn

MASK_UM = 8.0


def write_pyramid(path: Path, picture: NDArray[np.uint8], levels: int, um_per_pixel: float) -> None:
    """One tiled page for each level, each half as large, as OpenSlide's generic TIFF has it."""
    tifffile = optional("tifffile")
    with tifffile.TiffWriter(path) as file:
        for level in range(levels):
            per_centimetre = 1e4 / (um_per_pixel * 2**level)
            file.write(
                picture,
                tile=(256, 256),
                photometric="rgb",
                compression="jpeg",
                compressionargs={"level": 90},
                subfiletype=1 if level else 0,
                resolution=(per_centimetre, per_centimetre),
                resolutionunit="CENTIMETER",
                metadata=None,
            )
            picture = _halved(picture)


def _halved(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    wide = picture.astype(np.uint16)
    return ((wide[::2, ::2] + wide[1::2, ::2] + wide[::2, 1::2] + wide[1::2, 1::2] + 2) // 4).astype(np.uint8)


def write_asap(path: Path, polygons: Sequence[Polygon], um_per_pixel: float) -> None:
    """Annotations as ASAP writes them, in pixels of level 0."""
    parts = ['<?xml version="1.0"?>', "<ASAP_Annotations>", "  <Annotations>"]
    for number, polygon in enumerate(polygons):
        parts.append(f'    <Annotation Name="lesion {number}" Type="Polygon" PartOfGroup="metastases" Color="#F4FA58">')
        parts.append("      <Coordinates>")
        parts += [
            f'        <Coordinate Order="{i}" X="{x:.2f}" Y="{y:.2f}" />'
            for i, (x, y) in enumerate(polygon / um_per_pixel)
        ]
        parts += ["      </Coordinates>", "    </Annotation>"]
    group = '    <Group Name="metastases" PartOfGroup="None" Color="#ff0000"><Attributes /></Group>'
    parts += ["  </Annotations>", "  <AnnotationGroups>", group, "  </AnnotationGroups>", "</ASAP_Annotations>"]
    path.write_text("\n".join(parts) + "\n", encoding="utf-8")


def write_geojson(path: Path, polygons: Sequence[Polygon], um_per_pixel: float) -> None:
    """Annotations as QuPath exports them, in pixels of level 0."""
    features = [
        {
            "type": "Feature",
            "properties": {"objectType": "annotation", "classification": {"name": "metastases"}},
            "geometry": {"type": "Polygon", "coordinates": [_ring(polygon / um_per_pixel)]},
        }
        for polygon in polygons
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}) + "\n", encoding="utf-8")


def write_mask(path: Path, polygons: Sequence[Polygon], side_um: float) -> None:
    """Annotations as a picture in which tumour is not black."""
    cells = round(side_um / MASK_UM)
    Image.fromarray(drawn(list(polygons), MASK_UM, (cells, cells)).astype(np.uint8) * 255).save(path, optimize=True)


def _ring(points: NDArray[np.float64]) -> list[list[float]]:
    closed = np.vstack([points, points[:1]]).round(2)
    return [[float(x), float(y)] for x, y in closed]
