"""``assay repo fix``: what would make the rules pass?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import tell


def fix(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="The repository.")],
    write: Annotated[bool, typer.Option("--write", help="Make the changes; otherwise only show them.")] = False,
) -> int:
    """Which changes would make the rules pass?

    Proposes a requirements file, seeds, sections of the README and a citation file, as a diff. Writes with --write.
    """
    from assay.errors import InputError
    from assay.repository.facts import read_repository
    from assay.repository.proposals import propose
    from assay.tree import open_tree

    if not folder.is_dir():
        raise InputError("is no folder", where=str(folder), fix="Give the folder that holds the code.")
    changes = propose(read_repository(open_tree(str(folder))))
    for change in changes:
        if write:
            _write(folder, change.path, change.after)
        else:
            typer.echo(change.diff, nl=False)
        done = "changed" if write else "proposed"
        tell(f"{done}: {change.path} ({', '.join(change.codes)}). {change.question}".rstrip())
    if not changes:
        tell("nothing to propose")
    return 0


def _write(folder: Path, path: str, text: str) -> None:
    """Write inside the folder only; links that lead out of it are refused."""
    from assay.errors import InputError

    target = folder / path
    if not target.resolve().is_relative_to(folder.resolve()):
        raise InputError("leads out of the repository", where=path, fix="Make this change by hand.")
    target.write_text(text, encoding="utf-8")


def add_to(app: typer.Typer) -> None:
    """Add the command to its group."""
    app.command("fix")(fix)
