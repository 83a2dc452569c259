"""``assay study``: what happened when somebody tried?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Delivery, reporting

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What happened when somebody tried?")


@app.command("check")
@reporting()
def check(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A study: study.toml and its CSV tables.")],
    *,
    delivery: Delivery,
) -> int:
    """Do a study's records, its figures and its words agree? Outcomes are computed, and claims counted again."""
    from dataclasses import replace

    from assay.reproduction.checking import check_study
    from assay.reproduction.folder import read_study

    return delivery.send(replace(check_study(read_study(folder)), command=f"assay study check {folder}"))


@app.command("report")
@reporting(findings=False)
def report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A study: study.toml and its CSV tables.")],
    *,
    delivery: Delivery,
) -> int:
    """What was tried, and what came of it? Outcomes, discrepancies and documentation as tables."""
    from dataclasses import replace

    from assay.reproduction.folder import read_study
    from assay.reproduction.tables import report_study

    made = replace(report_study(read_study(folder)), command=f"assay study report {folder}")
    return delivery.send(made)


@app.command("example")
def example(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for it.")],
) -> int:
    """Make a folder with a real study to look at: 22 attempts at 30 papers (Cappelen & Mølnå 2018)."""
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.reproduction.folder import example_study, write_study

    if folder.exists():
        raise InputError("exists already", where=str(folder), fix="Name a new folder.")
    write_study(example_study(), folder)
    typer.echo(f"assay: study written to {folder}; try `assay study check {folder}`", err=True)
    return CLEAN
