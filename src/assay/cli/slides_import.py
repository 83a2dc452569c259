"""``assay slides import``: what other programs write, as tables for `assay slides evaluate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import tell

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Read annotations, and results of CLAM and TIAToolbox."
)
_OutOption = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The predictions folder to write.")]


@app.command("clam")
def clam(
    table: Annotated[Path, typer.Argument(metavar="TABLE", help="CLAM's table: case_id, slide_id, label.")],
    results: Annotated[Path, typer.Argument(metavar="RESULTS", help="Folder with fold_N.csv, from its eval.py.")],
    out: _OutOption,
    splits: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Its splits_N.csv: sets, checked for shared patients.")
    ] = None,
    accept_leakage: Annotated[
        bool, typer.Option("--accept-leakage", help="Import a split that has patients on both sides.")
    ] = False,
) -> int:
    """Turn the folds of CLAM into predictions; nothing is unpickled."""
    from assay.cli import CLEAN
    from assay.slides.imports.clam import import_clam
    from assay.slides.storage import stored_safely

    with stored_safely(out):
        for one in import_clam(table, results, out, splits, accept_leakage=accept_leakage):
            tell(f"{one.cases} cases: assay slides evaluate {one.folder} --task {one.task}")
    return CLEAN


@app.command("tiatoolbox")
def tiatoolbox(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="slide, patient, set, label, predictions (.raw.json or .zarr), um_per_pixel; optional annotation.",
        ),
    ],
    out: _OutOption,
    positive: Annotated[int, typer.Option(min=0, help="Which class is tumour, counted from 0.")] = 1,
    pooling: Annotated[str, typer.Option(metavar="max|mean", help="How patches give the score of a slide.")] = "max",
) -> int:
    """Turn patch predictions of TIAToolbox into slides and patches; nothing is unpickled."""
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.slides.imports.tiatoolbox import import_tiatoolbox
    from assay.slides.storage import stored_safely

    if pooling not in {"max", "mean"}:
        raise InputError(f'there is no pooling "{pooling}"', fix="Known: max, mean.")
    with stored_safely(out):
        slides, patches = import_tiatoolbox(table, out, positive, "max" if pooling == "max" else "mean")
    told = "" if patches else "; no patches, for some tumour slide has neither labels nor an annotation"
    tell(f"{slides} slides{told}: assay slides evaluate {out}")
    return CLEAN


@app.command("annotations")
def annotation_masks(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE", help="slide, annotation, file (the slide) or um_per_pixel; optional tumour (groups)."
        ),
    ],
    out: _OutOption,
) -> int:
    """Turn QuPath GeoJSON, ASAP or Aperio XML and Hamamatsu NDPA into masks of a predictions folder."""
    from assay.cli import CLEAN
    from assay.report.wording import counted
    from assay.slides.imports.annotations import import_annotations
    from assay.slides.storage import stored_safely

    with stored_safely(out):
        count = import_annotations(table, out)
    tell(f"{counted(count, 'mask')} in {out}")
    return CLEAN
