"""``assay scores``: can these numbers be true?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import ForceOption, FormatOption, IgnoreOption, OutputOption, SelectOption
from assay.scores.constraints import Undefined
from assay.scores.printed import Rounding

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Can these numbers be true?")


@app.command("check")
def check(
    what: Annotated[
        list[str],
        typer.Argument(metavar="WORDS|FILES...", help="p=1000 n=6000 acc=0.68 …, or files (TOML, YAML, JSON, CSV)."),
    ],
    rounding: Annotated[Rounding | None, typer.Option(help="How figures were rounded.", show_default="nearest")] = None,
    undefined: Annotated[Undefined | None, typer.Option(help="What 0/0 was counted as.", show_default="any")] = None,
    format_: FormatOption = None,
    output: OutputOption = None,
    force: ForceOption = False,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
) -> int:
    """Can the reported scores come from the described experiment?

    Words describe one experiment: the sizes of the classes and the scores as printed (0.940 is not
    0.94; 94.0% is fine). Files hold many.
    """
    from assay.cli.config import find_config
    from assay.cli.delivery import deliver
    from assay.scores.check import check as check_experiment
    from assay.scores.reading import read_file, read_words
    from assay.scores.reporting import report_of
    from assay.suppressions import apply_suppressions, read_suppressions

    config = find_config()
    defaults = {
        key: value
        for key, value in (
            ("rounding", rounding or config.scores.rounding),
            ("undefined", undefined or config.scores.undefined),
        )
        if value
    }
    files = [Path(word) for word in what if "=" not in word]
    words = [word for word in what if "=" in word]
    experiments = [read_words(words, defaults)] if words else []
    for path in files:
        experiments += read_file(path, defaults)
    report = report_of([check_experiment(e) for e in experiments], command=" ".join(["assay scores check", *what]))
    comments = [s for path in files if path.suffix != ".csv" for s in read_suppressions(path.read_text(), str(path))]
    return deliver(
        apply_suppressions(report, comments),
        config,
        format_=format_,
        output=output,
        force=force,
        select=select,
        ignore=ignore,
    )
