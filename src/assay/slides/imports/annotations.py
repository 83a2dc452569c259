"""Annotations of viewers (QuPath GeoJSON, ASAP and Aperio XML, Hamamatsu NDPA) as masks for `assay slides evaluate`."""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
from PIL import Image

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.evaluation.references import MAX_PIXELS
from assay.slides.evaluation.tables import Rows, read_table
from assay.slides.reading import Annotation, open_slide, read_annotation
from assay.slides.run_folder import MASK_UM, csv_bytes
from assay.slides.storage import write_bytes


@dataclass(frozen=True, slots=True)
class Ground:
    """A slide as far as its annotation needs it."""

    annotation: Annotation
    size: tuple[int, int]
    um_per_pixel: float

    def raster(self) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
        """The mask at 8 µm per pixel."""
        cell = MASK_UM / self.um_per_pixel
        shape = math.ceil(self.size[1] / cell), math.ceil(self.size[0] / cell)
        if math.prod(shape) > MAX_PIXELS:
            raise InputError("an outline lies outside any slide", fix="Outlines are in pixels of the full resolution.")
        return self.annotation.raster(cell, shape)


def import_annotations(table: Path, out: Path) -> int:
    """Masks for the slides of a table with the columns slide, annotation, and file or um_per_pixel; how many."""
    rows = read_table(table)
    listed = []
    slides = rows.unique_names("slide")
    for row, (slide, name) in enumerate(zip(slides, rows.names("annotation"), strict=True)):
        if "/" in slide or "\\" in slide or slide.startswith("."):
            raise rows.complaint(f'"{slide}" cannot name a slide', row, "Use letters, digits, _ and -.")
        stream = io.BytesIO()
        mask = _ground(rows, row, table.parent / name).raster()
        Image.fromarray(mask.astype(np.uint8) * 255).save(stream, "PNG")
        write_bytes(out / "masks" / f"{slide}.png", stream.getvalue())
        listed.append((slide, f"masks/{slide}.png", MASK_UM))
    write_bytes(out / "masks.csv", csv_bytes(("slide", "file", "um_per_pixel"), listed))
    return len(listed)


def _ground(rows: Rows, row: int, path: Path) -> Ground:
    tumour = rows.words_at("tumour", row)
    if "file" in rows:
        with open_slide(rows.path.parent / rows.names("file")[row]) as slide:
            size = slide.width, slide.height
            return Ground(read_annotation(path, size, slide.frame, tumour), size, slide.um_per_pixel)
    scale = float(rows.numbers("um_per_pixel")[row])
    if not 0.01 <= scale <= 100:
        raise rows.complaint(
            f'"um_per_pixel" is {scale:g}', row, "Write µm per pixel of the full resolution, as 0.243."
        )
    found = read_annotation(path, (1, 1), tumour=tumour)
    if found.mask is not None:
        raise rows.complaint("a picture needs its slide", row, "Name the slide in the column file.")
    corners = np.concatenate([*found.tumour, *found.normal]).max(axis=0)
    margin = 100 / scale  # the lesion rules widen tumour by 37.5 µm
    return Ground(found, (math.ceil(corners[0] + margin), math.ceil(corners[1] + margin)), scale)
