"""``assay study``: what happened when somebody tried?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli import study_entries, study_flow, study_reports, study_store, study_time
from assay.cli.options import Delivery, reporting, tell

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="What happened when somebody tried?")
study_reports.add_to(app)
study_store.add_to(app)
study_entries.add_to(app)
study_time.add_to(app)
study_flow.add_to(app)


@app.command("check")
@reporting()
def check(
    study: study_reports.StudyArgument,
    *,
    delivery: Delivery,
) -> int:
    """Do a study's records, its figures and its words agree?

    Outcomes are computed, and claims counted again.
    """
    from dataclasses import replace

    from assay.reproduction.study_check import check_study

    checked = check_study(study_store.study_at(study))
    return delivery.send(replace(checked, command=f"assay study check {study_store.shown(study)}"))


@app.command("example")
def example(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new folder for it.")],
    results: Annotated[
        bool, typer.Option("--results", help="Two tables of results to compare instead (Fell et al. 2022).")
    ] = False,
) -> int:
    """Make a folder with a real study to look at.

    22 attempts at 30 papers (Cappelen & Mølnå 2018).
    """
    from assay.cli import CLEAN
    from assay.errors import InputError
    from assay.files import is_there
    from assay.reproduction.folder import example_study, write_study
    from assay.reproduction.result_tables import example_tables

    if is_there(folder):
        raise InputError("exists already", where=str(folder), fix="Name a new folder.")
    if results:
        one, other = example_tables(folder)
        tell(f"two tables written to {folder}; try `assay study compare {one} {other}`")
        return CLEAN
    write_study(example_study(), folder)
    tell(f"study written to {folder}; try `assay study check {folder}`")
    return CLEAN
