"""``assay leakage code --diff`` and ``--fix``: patches for steps that learn before the split."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.options import tell

if TYPE_CHECKING:
    from assay.leakage.code.policies.policy import Policy
    from assay.leakage.code.reading.opening import Opened


def patch(paths: Sequence[Path], opened: Sequence[Opened], policy: Policy, *, write: bool) -> int:
    """Show or write the patches; 1 where something is left that a patch could not remove."""
    from assay.leakage.code.patches.proposal import analyse_with_fixes, patched
    from assay.leakage.code.patches.writing import write_patch

    left = 0
    for path, one in zip(paths, opened, strict=True):
        for source in one.sources:
            made = patched(one.code, source, policy)
            if made.before is not made.after and write:
                write_patch(made, _file(path, source.path, single=len(one.sources) == 1))
                tell(f"changed: {source.path}")
            elif made.before is not made.after:
                typer.echo(made.diff, nl=False)
            for leak in analyse_with_fixes(made.code(one.code), made.after, policy=policy).leaks:
                if leak.fix is not None:
                    left += 1
                    tell(f"{leak.location} {leak.code}: {leak.fix.description}")
    return 1 if left else 0


def _file(path: Path, inside: str, *, single: bool) -> Path:
    """The file to write: never in an archive or a commit."""
    from assay.errors import InputError

    if path.is_dir():
        target = path / inside
        if target.resolve().is_relative_to(path.resolve()):
            return target
    elif path.is_file() and single:
        return path
    raise InputError("cannot be changed in place", where=str(path), fix="Use --diff, or name the file itself.")
