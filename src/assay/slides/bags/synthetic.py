"""Bags of synthetic slides: the light features of their patches, so that a run needs no data of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assay.files import is_there
from assay.slides.configuration import SlideModel, read_configuration
from assay.slides.parallel import each
from assay.slides.pipeline import Tracker, untracked
from assay.slides.preparation import Prepared, Task, prepare
from assay.slides.reading import read_cohort
from assay.slides.run_folder import csv_bytes
from assay.slides.slide_model import positive
from assay.slides.storage import write_arrays, write_bytes
from assay.slides.world import make_world


def make_bags(folder: Path, name: str, workers: int = 1, track: Tracker = untracked) -> None:
    """Fill a folder with bags from the slides of a shipped configuration; the table comes last."""
    if is_there(folder / "bags.csv"):
        return
    configuration = read_configuration(name)
    slides = folder / "slides"
    make_world(slides, configuration.data.world, workers, track)
    tasks = [Task(entry, configuration, None, folder / "cache") for entry in read_cohort(slides).entries]
    rows = [_stored(one, folder) for one in track(each(prepare, tasks, workers), len(tasks), "reading slides")]
    table = csv_bytes(("slide", "patient", "label", "features"), (row for row in rows if row))
    write_bytes(folder / "bags.csv", table)


def _stored(prepared: Prepared, folder: Path) -> tuple[str, str, str, str] | None:
    """The row of a slide; None for one without tissue, which has no bag."""
    tiles, entry = prepared.inference.tiles, prepared.entry
    if not len(tiles):
        return None
    file = f"features/{entry.slide}.npz"
    write_arrays(
        folder / file, {"features": prepared.inference.features, "coords": np.column_stack([tiles.x, tiles.y])}
    )
    return entry.slide, entry.patient, "tumour" if positive(entry.kind, SlideModel()) else "normal", file
