"""``assay leakage``: did the test set leak into training?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli import leakage_data, leakage_sheet
from assay.cli.options import BaselineOption, ForceOption, FormatOption, IgnoreOption, OutputOption, SelectOption

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Did the test set leak into training?")


@app.command("code")
def code(
    what: Annotated[
        list[Path],
        typer.Argument(metavar="PATHS...", help="Scripts, notebooks, folders, archives, commits (path@revision)."),
    ],
    explain: Annotated[
        bool, typer.Option("--explain", help="Draw the path of each leak (in HTML as a picture).")
    ] = False,
    encoders: Annotated[
        bool, typer.Option("--encoders/--no-encoders", help="Count categorical encoders fitted on all rows.")
    ] = False,
    scalers: Annotated[
        bool, typer.Option("--scalers/--no-scalers", help="Count unsupervised scalers fitted on all rows.")
    ] = True,
    format_: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    baseline: BaselineOption = None,
) -> int:
    """Does this code let test rows into training, pre-processing or choices?

    Follows the rows through the code: where they are read, what is learnt from them, where they are
    split, where models are scored. Nothing is run.
    """
    from assay.cli.config import find_config
    from assay.cli.delivery import deliver, targets
    from assay.cli.progress import tracked
    from assay.leakage.code.analysis import analyse_source, gathered
    from assay.leakage.code.leak import Policy
    from assay.leakage.code.opening import open_code
    from assay.leakage.code.reporting import report_of, suppressions_in
    from assay.report import Format
    from assay.suppressions import apply_suppressions

    config = find_config()
    policy = Policy(encoders=encoders, scalers=scalers)
    opened = [open_code(path) for path in what]
    files = [(one.code, source) for one in opened for source in one.sources]
    analyses = (analyse_source(every, source, policy=policy) for every, source in files)
    analysis = gathered(tracked(analyses, len(files), "following"))
    html = any(how is Format.HTML for _, how in targets(format_, output, config))
    named = [str(path) for path in what]
    report = report_of(
        analysis,
        named,
        command=" ".join(["assay leakage code", *named]),
        explain=explain and not html,
        pictures=explain and html,
    )
    comments = list(suppressions_in(source for _, source in files))
    return deliver(
        apply_suppressions(report, comments),
        config,
        format_=format_,
        output=output,
        force=force,
        select=select,
        ignore=ignore,
        baseline=baseline,
    )


leakage_data.add_to(app)
leakage_sheet.add_to(app)
