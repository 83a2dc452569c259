"""``assay leakage``: did the test set leak into training?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli import leakage_data, leakage_sheet
from assay.cli.options import Delivery, reporting

if TYPE_CHECKING:
    from assay.leakage.code.analysis import Analysis
    from assay.leakage.code.policies.policy import Policy
    from assay.leakage.code.reading.opened_code import Opened

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
    policy: Annotated[
        str | None,
        typer.Option(metavar="NAME|FILE", help="What counts: kapoor (default), yang, strict, kaggle, or a TOML file."),
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="List every (training, evaluation) pair with the relation of its rows.")
    ] = False,
    why_silent: Annotated[
        int | None,
        typer.Option("--why-silent", metavar="LINE", help="Say why nothing was reported about the pairs of a line."),
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Print patches for pre-processing and selection before the split.")
    ] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Write these patches into the files.")] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 3 where no model or no score could be followed.")
    ] = False,
    *,
    delivery: Delivery,
) -> int:
    """Does this code let test rows into training or choices?

    Follows the rows through the code: where they are read, what is learnt from them, where they are
    split, where models are scored. Nothing is run.
    """
    from assay.findings import Severity
    from assay.leakage.code.leak_report import report_of, suppressions_in, with_imported
    from assay.leakage.code.policies.policy import DEFAULT, load_policy
    from assay.leakage.code.reading.opened_code import open_code
    from assay.report import Format
    from assay.suppressions import apply_suppressions

    chosen = load_policy(policy or delivery.config.leakage.policy or DEFAULT)
    opened = [open_code(path, project=True) for path in what]
    if diff or fix:
        from assay.cli.leakage_patches import patch

        return patch(what, opened, chosen, write=fix)
    with_patches = delivery.wants(Format.JSON) or delivery.wants(Format.SARIF)
    analysis = _examine(opened, chosen, with_patches=with_patches)
    html = delivery.wants(Format.HTML)
    named = [str(path) for path in what]
    report = report_of(
        analysis,
        named,
        command=" ".join(["assay leakage code", *named]),
        explain=explain and not html,
        pictures=explain and html,
        pairs=pairs,
        why_silent=why_silent,
    )
    report = replace(report, left_out=(*(note for one in opened for note in one.left_out), *report.left_out))
    beside = (source for one in opened for source in one.code.python)
    examined = (source for one in opened for source in one.sources)
    comments = list(suppressions_in(with_imported(analysis, examined, beside)))
    code = delivery.send(apply_suppressions(report, comments), least=Severity.WARNING)
    return NOT_EXAMINED if strict and analysis.not_examined else code


NOT_EXAMINED = 3
"""Exit status under `--strict` when no model or no score could be followed."""


def _examine(opened: Sequence[Opened], policy: Policy, *, with_patches: bool) -> Analysis:
    """Analyse all files together; leaks come with patches if the report format can carry them."""
    from assay.cli.progress import tracked
    from assay.leakage.code.analysis import analyse_source, gathered
    from assay.leakage.code.patches.proposal import analyse_with_fixes

    files = [(one.code, source) for one in opened for source in one.sources]
    examine = analyse_with_fixes if with_patches else analyse_source
    analyses = (examine(every, source, policy=policy) for every, source in files)
    analysis = gathered(tracked(analyses, len(files), "following"))
    if not any(source.tree for _, source in files):
        _refuse_unread(analysis.left_out)
    return analysis


def _refuse_unread(reasons: Sequence[str]) -> None:
    """Refuse input of which no file could be followed: "nothing was found" would be true but misleading."""
    from assay.errors import InputError
    from assay.report.wording import counted

    first = reasons[0] if reasons else "it is not Python"
    more = f" (and {counted(len(reasons) - 1, 'reason')} more)" if len(reasons) > 1 else ""
    raise InputError(f"nothing here can be followed: {first}{more}", fix="Name code that Python 3 can read.")


leakage_data.add_to(app)
leakage_sheet.add_to(app)
