"""Patch predictions of TIAToolbox: ``N.raw.json`` of version 1, Zarr of version 2.

``file_map.dat`` is a pickle and is not read: the table says which file belongs to which slide.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import InputError
from assay.files import read_text
from assay.records import dataclass
from assay.slides.evaluation.tables import Rows, read_table
from assay.slides.reading import Annotation, read_annotation
from assay.slides.reading.feature_files import zarr_array
from assay.slides.run_folder import csv_bytes
from assay.slides.storage import write_bytes

Pooling = Literal["max", "mean"]
_MAX_JSON = 512 * 1024**2
_FIX = "Save probabilities and coordinates: return_probabilities=True in version 1, output_type='zarr' in version 2."


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a file says of the patches of one slide."""

    centres: NDArray[np.float64]
    """x and y in pixels of the resolution that was read."""
    score: NDArray[np.float64]
    labels: NDArray[np.bool_] | None


def import_tiatoolbox(table: Path, out: Path, positive: int = 1, pooling: Pooling = "max") -> tuple[int, bool]:
    """Slides and, where patches can be labelled, patches; how many slides, and whether there are patches.

    The table has the columns slide, patient, set, label, predictions and um_per_pixel (of the coordinates); an
    optional annotation in the same pixels labels patches by their centres.
    """
    rows = read_table(table)
    slides, files, truth = rows.unique_names("slide"), rows.names("predictions"), rows.flags("label")
    scales = rows.numbers("um_per_pixel")
    cells: list[tuple[Any, ...]] = []
    patches: list[tuple[Any, ...]] | None = []
    for row, (slide, patient, group) in enumerate(zip(slides, rows.names("patient"), rows.names("set"), strict=True)):
        found = read_predicted(table.parent / files[row], positive)
        pooled = found.score.max() if pooling == "max" else found.score.mean()
        cells.append((slide, patient, group, int(truth[row]), f"{pooled:.6f}"))
        labels = _labels(rows, row, found, bool(truth[row]))
        if labels is None:
            patches = None
        if patches is not None and labels is not None:
            places = found.centres * scales[row]
            patches += [
                (slide, f"{x:.2f}", f"{y:.2f}", int(label), f"{score:.6f}")
                for (x, y), label, score in zip(places.tolist(), labels.tolist(), found.score.tolist(), strict=True)
            ]
    write_bytes(out / "slides.csv", csv_bytes(("slide", "patient", "set", "label", "score"), cells))
    if patches is not None:
        write_bytes(out / "patches.csv", csv_bytes(("slide", "x_um", "y_um", "label", "score"), patches))
    return len(slides), patches is not None


def read_predicted(path: Path, positive: int) -> Predicted:
    """The patches of one slide, from JSON or Zarr."""
    if path.suffix == ".zarr":
        arrays = {name: zarr_array(path / name) for name in ("coordinates", "probabilities", "labels")}
    else:
        arrays = _json_arrays(path)
    corners, shares, labels = (arrays.get(name) for name in ("coordinates", "probabilities", "labels"))
    if corners is None or shares is None or not (corners.ndim == shares.ndim == 2 and corners.shape[1] == 4):
        raise InputError("holds no probabilities with coordinates", where=str(path), fix=_FIX)
    if len(corners) != len(shares) or not 0 <= positive < shares.shape[1] or not len(shares):
        told = f"has {len(shares)} patches with {shares.shape[1]} classes and {len(corners)} coordinates"
        raise InputError(told, where=str(path), fix="Name the positive class with --positive, counted from 0.")
    known = labels is not None and len(labels) == len(shares)
    return Predicted(
        (corners[:, :2] + corners[:, 2:]).astype(np.float64) / 2,
        shares[:, positive].astype(np.float64),
        np.asarray(labels).ravel() == positive if known else None,
    )


def _json_arrays(path: Path) -> dict[str, NDArray[Any] | None]:
    try:
        data = json.loads(read_text(path, _MAX_JSON))
        found = {name: data.get(name) for name in ("coordinates", "probabilities", "labels")}
        return {name: None if value is None else np.array(value, np.float64) for name, value in found.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("holds no probabilities with coordinates", where=str(path), fix=_FIX) from None


def _labels(rows: Rows, row: int, found: Predicted, positive: bool) -> NDArray[np.bool_] | None:
    """Which patches hold tumour: none of a normal slide, those of the annotation, or those that the file names."""
    if not positive:
        return np.zeros(len(found.score), bool)
    name = rows.table["annotation"][row] if "annotation" in rows else None
    if name is None:
        return found.labels
    drawn = read_annotation(rows.path.parent / name, (1, 1), tumour=rows.words_at("tumour", row))
    return _inside(drawn, found.centres)


def _inside(annotation: Annotation, centres: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which places lie in the tumour, to a pixel in sixteen."""
    cell = 16.0
    across, down = (np.maximum(centres, 0) // cell).astype(int).T
    raster = annotation.raster(cell, (int(down.max()) + 1, int(across.max()) + 1))
    return np.asarray(raster[down, across])
