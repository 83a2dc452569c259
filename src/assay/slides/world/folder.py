"""The synthetic world as a folder: slides, annotations in three formats, and the two tables that name them."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from assay.errors import InputError
from assay.records import dataclass
from assay.slides.configuration.steps import World
from assay.slides.parallel import each
from assay.slides.storage import stored_safely
from assay.slides.world.anatomy import lay_out
from assay.slides.world.files import write_asap, write_geojson, write_mask, write_pyramid
from assay.slides.world.picture import paint
from assay.slides.world.plan import PlannedSlide, plan

_NOTE = "world.json"
Tracker = Callable[[Iterable[str], int, str], Iterator[str]]


@dataclass(frozen=True, slots=True)
class _Paths:
    """Where the parts of one slide lie in the folder."""

    folder: Path
    slide: PlannedSlide

    def __call__(self, kind: str, suffix: str) -> Path:
        return self.folder / kind / f"{self.slide.name}.{suffix}"


def make_world(folder: Path, world: World, workers: int = 1, track: Tracker | None = None) -> list[PlannedSlide]:
    """Make the slides that are not there yet; the tables come last, so that a folder with tables is whole."""
    slides = plan(world)
    with stored_safely(folder):
        _begin(folder, world)
        work = each(partial(_make, folder, world), slides, workers)
        for _ in track(work, len(slides), "painting slides") if track else work:
            pass
        _write_tables(folder, slides)
    return slides


def _begin(folder: Path, world: World) -> None:
    note = folder / _NOTE
    told = world.model_dump_json(indent=2) + "\n"
    if note.exists() and json.loads(note.read_text(encoding="utf-8")) != json.loads(told):
        raise InputError("holds another synthetic world", where=str(folder), fix="Name another folder.")
    if not note.exists() and folder.exists() and any(folder.iterdir()):
        raise InputError("is not empty", where=str(folder), fix="Name a new or empty folder.")
    for part in ("slides", "annotations", "masks"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    note.write_text(told, encoding="utf-8")


def _make(folder: Path, world: World, slide: PlannedSlide) -> str:
    where = _Paths(folder, slide)
    final = where("slides", "tif")
    if final.exists():
        return slide.name
    rng = np.random.default_rng(slide.seed)
    side_um = world.side * world.um_per_pixel
    anatomy = lay_out(slide.kind, side_um, rng)
    if anatomy.lesions:
        write_asap(where("annotations", "xml"), anatomy.lesions, world.um_per_pixel)
        write_geojson(where("annotations", "geojson"), anatomy.lesions, world.um_per_pixel)
        write_mask(where("masks", "png"), anatomy.lesions, side_um)
    draft = where("slides", "part")
    write_pyramid(draft, paint(slide, anatomy, world, rng), world.levels, world.um_per_pixel)
    draft.replace(final)
    return slide.name


def _write_tables(folder: Path, slides: list[PlannedSlide]) -> None:
    with (folder / "slides.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["slide", "file", "patient", "centre", "class", "annotation"])
        for s in slides:
            annotation = "" if s.kind == "negative" else f"annotations/{s.name}.xml"
            table.writerow([s.name, f"slides/{s.name}.tif", s.patient, s.centre, s.kind, annotation])
    with (folder / "patients.csv").open("w", newline="", encoding="utf-8") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["patient", "stage"])
        table.writerows({s.patient: (s.patient, s.stage) for s in slides}.values())
