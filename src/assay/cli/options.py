"""The options that every reporting command shares, so that they read and behave the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.report import Format

FormatOption = Annotated[
    Format | None, typer.Option("--format", "-f", help="How to write the report.", show_default="text")
]
OutputOption = Annotated[
    list[Path] | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write the report there, not on the screen (-); repeatable."),
]
FileOption = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to this file.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite FILE if it exists.")]
SelectOption = Annotated[
    list[str] | None, typer.Option("--select", metavar="CODES", help="Report only these rules (S, S1, S101,S102).")
]
IgnoreOption = Annotated[list[str] | None, typer.Option("--ignore", metavar="CODES", help="Leave these rules out.")]
BaselineOption = Annotated[
    Path | None,
    typer.Option("--baseline", metavar="FILE", help="An earlier run's JSON report: tell only what changed since."),
]
