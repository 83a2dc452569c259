"""``assay leakage code --diff`` and ``--fix``: patches for steps that learn before the split."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from assay.cli.options import tell

if TYPE_CHECKING:
    from assay.code import Code
    from assay.leakage.code.patches.proposal import Patched
    from assay.leakage.code.policies.policy import Policy
    from assay.leakage.code.reading.opened_code import Opened


def patch(paths: Sequence[Path], opened: Sequence[Opened], policy: Policy, *, write: bool) -> int:
    """Show or write the patches; 1 if something remains that a patch could not remove."""
    from assay.leakage.code.patches.proposal import patched

    left = 0
    for path, one in zip(paths, opened, strict=True):
        for source in one.sources:
            made = patched(one.code, source, policy)
            if made.before is not made.after and write:
                _write(made, path, single=len(one.sources) == 1)
            elif made.before is not made.after:
                typer.echo(made.diff, nl=False)
            left += _list_unpatched(made, one.code, policy)
    return 1 if left else 0


def _write(made: Patched, path: Path, *, single: bool) -> None:
    from assay.leakage.code.patches.patched_files import write_patch

    write_patch(made, _file(path, made.before.path, single=single))
    tell(f"changed: {made.before.path}")


def _list_unpatched(made: Patched, code: Code, policy: Policy) -> int:
    """List what the patches left in the file, with a count."""
    from assay.leakage.code.patches.proposal import analyse_with_fixes

    leaks = analyse_with_fixes(made.code(code), made.after, policy=policy).leaks
    left = [(leak, leak.fix) for leak in leaks if leak.fix is not None]
    for leak, fix in left:
        tell(f"{leak.location} {leak.code}: {fix.description}")
    return len(left)


def _file(path: Path, inside: str, *, single: bool) -> Path:
    """The file to write, which must be on disk: not in an archive or a commit."""
    from assay.errors import InputError

    if path.is_dir():
        target = path / inside
        if target.resolve().is_relative_to(path.resolve()):
            return target
    elif path.is_file() and single:
        return path
    raise InputError("cannot be changed in place", where=str(path), fix="Use --diff, or name the file itself.")
