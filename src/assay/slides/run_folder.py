"""The folder of a run: configuration, system, seeds, counts, every prediction, measures, and a manifest of it all."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from assay import __version__
from assay.errors import InputError
from assay.files import is_there, read_text
from assay.slides.configuration.steps import Pipeline
from assay.slides.counts import counts_csv
from assay.slides.pipeline import Result, Start, held_out
from assay.slides.preparation import Prepared
from assay.slides.slide_model import positive
from assay.slides.storage import write_arrays, write_bytes, write_json
from assay.slides.tiles import labels_of

MASK_UM = 8.0
_KEPT_APART = ("cache", "data", "manifest.json")


def open_run(folder: Path, configuration: Pipeline, text: str) -> None:
    """Begin or resume a run. A folder that holds another run, or something else, is left alone."""
    told = configuration.model_dump(mode="json")
    path = folder / "configuration.json"
    begun = is_there(folder / "counts.csv")
    if begun and not _holds(path, told):
        fix = "Name another folder with --out; the two can share what they have in common with --cache."
        raise InputError("holds a run of another configuration", where=str(folder), fix=fix)
    if not is_there(path) and is_there(folder) and any(entry.name not in _KEPT_APART for entry in folder.iterdir()):
        raise InputError("is not empty and holds no run", where=str(folder), fix="Name a new folder with --out.")
    write_bytes(folder / "configuration.toml", text.encode())
    write_json(path, told)
    write_json(folder / "seeds.json", _seeds(configuration))


def _holds(path: Path, told: object) -> bool:
    try:
        return bool(json.loads(read_text(path)) == told)
    except (ValueError, RecursionError):
        return False


def write_start(folder: Path, start: Start) -> None:
    """What is settled before training: the sets, and the patches by slide and class."""
    write_bytes(folder / "counts.csv", counts_csv(start.counts()).encode())
    rows = ((s.entry.slide, s.entry.patient, start.sets[s.entry.slide]) for s in start.slides)
    write_bytes(folder / "sets.csv", csv_bytes(("slide", "patient", "set"), rows))


def write_result(folder: Path, start: Start, result: Result) -> None:
    """The model, how it was trained, and every prediction as the evaluation kit reads it."""
    epochs = ((e.number, number(e.loss), number(e.accuracy)) for e in result.trained.epochs)
    write_bytes(folder / "training.csv", csv_bytes(("epoch", "validation_loss", "validation_accuracy"), epochs))
    mined = zip((s.entry.slide for s in start.slides), result.trained.mined.tolist(), strict=True)
    write_bytes(folder / "mined.csv", csv_bytes(("slide", "hard_negatives"), mined))
    write_arrays(folder / "classifier.npz", result.trained.state)
    maps = {s.entry.slide: h.values for s, h in zip(start.slides, result.heats, strict=True)}
    write_arrays(folder / "heatmaps.npz", maps)
    into = folder / "predictions"
    _write_slides(into, start, result)
    _write_patches(into, start, result)
    if start.configuration.lesions.done:
        _write_lesions(into, start, result)
    if result.patients:
        rows = ((p.patient, p.set, p.stage, p.predicted) for p in result.patients)
        write_bytes(into / "patients.csv", csv_bytes(("patient", "set", "stage", "predicted_stage"), rows))


def write_manifest(folder: Path) -> None:
    """The hash of every file, last of all: a run with a manifest is whole."""
    files = [p for p in sorted(folder.rglob("*")) if p.is_file() and p.relative_to(folder).parts[0] not in _KEPT_APART]
    hashes = {str(p.relative_to(folder).as_posix()): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    write_json(folder / "manifest.json", {"assay": __version__, "files": hashes})


def _seeds(configuration: Pipeline) -> dict[str, int]:
    """The seed that each random step really used."""
    named = {name: getattr(configuration, name) for name in type(configuration).model_fields}
    luck = {name: configuration.seed + step.seed for name, step in named.items() if hasattr(step, "seed")}
    own = {name: step.seed for name, step in named.items() if name in {"split", "metrics"}}
    world = getattr(named["data"], "world", None)
    return luck | own | ({"world": world.seed} if world else {})


def _write_slides(into: Path, start: Start, result: Result) -> None:
    columns = ("slide", "patient", "set", "label", "score", "class", "predicted_class")
    rows = (
        (
            s.entry.slide,
            s.entry.patient,
            start.sets[s.entry.slide],
            int(positive(s.entry.kind, start.configuration.slide)),
            number(float(score)),
            s.entry.kind,
            kind,
        )
        for s, score, kind in zip(start.slides, result.slides.scores, result.slides.classes, strict=True)
    )
    write_bytes(into / "slides.csv", csv_bytes(columns, rows))


def _write_patches(into: Path, start: Start, result: Result) -> None:
    """Every patch of the inference grid of the sets that are measured."""
    rows: list[tuple[Any, ...]] = []
    for prepared, told in zip(start.slides, result.probabilities, strict=True):
        if start.sets[prepared.entry.slide] not in start.configuration.metrics.sets:
            continue
        tiles, half = prepared.inference.tiles, prepared.scale.reach / 2
        labels, kept = labels_of(tiles, start.configuration.labels), held_out(start, prepared)
        x, y = ((side + half) * prepared.um_per_pixel for side in (tiles.x, tiles.y))
        name = prepared.entry.slide
        rows += [(name, f"{x[i]:.2f}", f"{y[i]:.2f}", int(labels[i]), f"{told[i]:.6f}") for i in np.flatnonzero(kept)]
    write_bytes(into / "patches.csv", csv_bytes(("slide", "x_um", "y_um", "label", "score"), rows))


def _write_lesions(into: Path, start: Start, result: Result) -> None:
    """Detections of all slides, and the masks that they are compared with."""
    measured = [s for s in start.slides if start.sets[s.entry.slide] in start.configuration.metrics.sets]
    found = (
        (s.entry.slide, f"{d.x_um:.2f}", f"{d.y_um:.2f}", f"{d.score:.6f}")
        for s, lesions in zip(start.slides, result.lesions, strict=True)
        for d in lesions
        if s in measured
    )
    write_bytes(into / "lesions.csv", csv_bytes(("slide", "x_um", "y_um", "score"), found))
    masked = [s for s in measured if s.entry.annotation]
    for prepared in masked:
        _write_mask(into / "masks" / f"{prepared.entry.slide}.png", prepared)
    rows = ((s.entry.slide, f"masks/{s.entry.slide}.png", MASK_UM) for s in masked)
    write_bytes(into / "masks.csv", csv_bytes(("slide", "file", "um_per_pixel"), rows))


def _write_mask(path: Path, prepared: Prepared) -> None:
    annotation = prepared.entry.drawn((prepared.width, prepared.height), prepared.frame)
    if annotation is None:
        return
    cell = MASK_UM / prepared.um_per_pixel
    shape = max(1, int(np.ceil(prepared.height / cell))), max(1, int(np.ceil(prepared.width / cell)))
    stream = io.BytesIO()
    Image.fromarray(annotation.raster(cell, shape).astype(np.uint8) * 255).save(stream, "PNG")
    write_bytes(path, stream.getvalue())


def number(value: float) -> str:
    """A cell of a table; empty where there is no number."""
    return "" if np.isnan(value) else f"{value:.6f}"


def csv_bytes(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    """A table as a file."""
    stream = io.StringIO()
    table = csv.writer(stream, lineterminator="\n")
    table.writerow(columns)
    table.writerows(rows)
    return stream.getvalue().encode()
