"""``assay leakage``: did the test set leak into training?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.cli import leakage_data, leakage_sheet
from assay.cli.options import Delivery, reporting

if TYPE_CHECKING:
    from assay.cli.config import LeakageConfig
    from assay.leakage.code.checks.leak import Policy

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Did the test set leak into training?")


@app.command("code")
@reporting()
def code(
    what: Annotated[
        list[Path],
        typer.Argument(metavar="PATHS...", help="Scripts, notebooks, folders, archives, commits (path@revision)."),
    ],
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw the path of each leak (in HTML as a picture).")
    ] = False,
    encoders: Annotated[
        bool | None,
        typer.Option("--encoders/--no-encoders", help="Count categorical encoders fitted on all rows (default: no)."),
    ] = None,
    scalers: Annotated[
        bool | None,
        typer.Option("--scalers/--no-scalers", help="Count unsupervised scalers fitted on all rows (default: yes)."),
    ] = None,
    comparisons: Annotated[
        bool | None,
        typer.Option("--comparisons/--no-comparisons", help="Note two models scored on one test part (default: yes)."),
    ] = None,
    rivals: Annotated[
        int | None,
        typer.Option(min=2, help="So many models scored on one test part count as a choice (default: 4)."),
    ] = None,
    *,
    delivery: Delivery,
) -> int:
    """Does this code let test rows into training or choices?

    Follows the rows through the code: where they are read, what is learnt from them, where they are
    split, where models are scored. Nothing is run.
    """
    from assay.cli.progress import tracked
    from assay.leakage.code.analysis import analyse_source, gathered
    from assay.leakage.code.reading.opening import open_code
    from assay.leakage.code.reporting import report_of, suppressions_in, with_imported
    from assay.report import Format
    from assay.suppressions import apply_suppressions

    policy = _policy(
        delivery.config.leakage, encoders=encoders, scalers=scalers, comparisons=comparisons, rivals=rivals
    )
    opened = [open_code(path, project=True) for path in what]
    files = [(one.code, source) for one in opened for source in one.sources]
    analyses = (analyse_source(every, source, policy=policy) for every, source in files)
    analysis = gathered(tracked(analyses, len(files), "following"))
    if not any(source.tree for _, source in files):
        _refuse_unread(analysis.left_out)
    html = delivery.wants(Format.HTML)
    named = [str(path) for path in what]
    report = report_of(
        analysis,
        named,
        command=" ".join(["assay leakage code", *named]),
        explain=explain and not html,
        pictures=explain and html,
    )
    report = replace(report, left_out=(*(note for one in opened for note in one.left_out), *report.left_out))
    beside = (source for one in opened for source in one.code.python)
    comments = list(suppressions_in(with_imported(analysis, (source for _, source in files), beside)))
    return delivery.send(apply_suppressions(report, comments))


def _refuse_unread(reasons: Sequence[str]) -> None:
    """Where no file could be followed, "nothing was found" would be true and would mislead."""
    from assay.errors import InputError
    from assay.report.wording import counted

    first = reasons[0] if reasons else "it is not Python"
    more = f" (and {counted(len(reasons) - 1, 'reason')} more)" if len(reasons) > 1 else ""
    raise InputError(f"nothing here can be followed: {first}{more}", fix="Name code that Python 3 can read.")


def _policy(config: LeakageConfig, **options: int | None) -> Policy:
    """An option wins over ``[tool.assay.leakage]``, and that over the defaults."""
    from assay.leakage.code.checks.leak import DEFAULT_POLICY

    given: dict[str, Any] = {name: getattr(config, name) if value is None else value for name, value in options.items()}
    return replace(DEFAULT_POLICY, **{name: value for name, value in given.items() if value is not None})


leakage_data.add_to(app)
leakage_sheet.add_to(app)
