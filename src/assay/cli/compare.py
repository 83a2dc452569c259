"""``assay compare``: how sure are these scores, and is one model really better?"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from assay.cli.options import Delivery, a_number, reporting
from assay.comparison.multiplicity import Correction
from assay.comparison.results import Settings
from assay.errors import InputError

_USUAL = Settings()


@reporting()
def compare(
    tables: Annotated[
        list[Path],
        typer.Argument(metavar="PREDICTIONS...", help="Tables (CSV, Parquet, Feather, Excel): y, a column per model."),
    ],
    y: Annotated[str, typer.Option("--y", metavar="COLUMN", help="The outcome.")] = "y",
    positive: Annotated[str | None, typer.Option(metavar="VALUE", help="Which outcome is positive.")] = None,
    scores: Annotated[
        list[str] | None,
        typer.Option(metavar="COLUMNS", help="The models' scores.", show_default="all other columns of numbers"),
    ] = None,
    group: Annotated[
        list[str] | None, typer.Option(metavar="COLUMNS", help="Rows that belong together: patient, country.")
    ] = None,
    time: Annotated[list[str] | None, typer.Option(metavar="COLUMNS", help="When a row happened: year,month.")] = None,
    key: Annotated[
        list[str] | None, typer.Option(metavar="COLUMNS", help="What pairs the rows of several files.")
    ] = None,
    claim: Annotated[str | None, typer.Option(metavar="MODEL", help="The model said to be better.")] = None,
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help="Test whether the first of a pair is better, not whether they differ.")
    ] = False,
    last_outcome: Annotated[
        bool, typer.Option("--last-outcome", help="Add a model that predicts the group's last outcome.")
    ] = False,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="Which scores: auc,auc_smooth,ap,brier,logloss,acc,f1,…"),
    ] = None,
    threshold: Annotated[
        list[str] | None, typer.Option(metavar="[MODEL=]NUMBER", help="From where on a row is called positive.")
    ] = None,
    resamples: Annotated[
        int | None,
        typer.Option(help="Bootstrap resamples; 0 for none.", show_default="2000, fewer beyond 50,000 rows"),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same intervals.")] = _USUAL.seed,
    level: Annotated[
        float, typer.Option(callback=a_number, help="What the intervals promise to cover.")
    ] = _USUAL.level,
    correction: Annotated[Correction, typer.Option(help="For the number of comparisons.")] = _USUAL.correction,
    detect: Annotated[
        list[float] | None,
        typer.Option(
            callback=a_number,
            metavar="DIFFERENCE",
            min=1e-6,
            max=1.0,
            help="Tell the positives needed to see it.",
            show_default="0.02 0.05 0.1",
        ),
    ] = None,
    fold: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The table has a score per fold; this names the fold.")
    ] = None,
    repeat: Annotated[str | None, typer.Option(metavar="COLUMN", help="The repeat that a fold belongs to.")] = None,
    test_share: Annotated[
        float | None,
        typer.Option(callback=a_number, help="Share of rows that a fold tests on.", show_default="1/folds"),
    ] = None,
    numbers: Annotated[Path | None, typer.Option(metavar="FILE", help="Write every number there too, as CSV.")] = None,
    *,
    delivery: Delivery,
) -> int:
    """How sure are these scores, and is one model really better?

    Give predictions with their outcomes, or (with --fold) a table of scores per fold.
    """
    from assay.cli.progress import tracked
    from assay.comparison.comparing import compare as compare_predictions
    from assay.comparison.folds import compare_folds
    from assay.comparison.reading import Columns, folds_of, read_predictions, read_table
    from assay.comparison.reporting import numbers_of, report_of
    from assay.report import Format, write

    single, general = _thresholds(threshold or [])
    settings = Settings(
        measures=_names(measure) if fold is None else (),
        thresholds=single,
        threshold=general,
        resamples=resamples,
        seed=seed,
        level=level,
        one_sided=one_sided,
        correction=correction,
        claim=claim,
        detect=tuple(detect or _USUAL.detect),
    )
    if fold is None:
        columns = Columns(y, _names(scores), _names(group), _names(time), _names(key))
        found = compare_predictions(
            read_predictions(tables, columns, positive=positive, last_outcome=last_outcome),
            settings,
            track=lambda blocks, total: tracked(blocks, total, "resampling"),
        )
    else:
        if len(tables) > 1:
            raise InputError("several tables of folds", fix="Give one at a time.")
        [path] = tables
        named = (_names(measure) or ("score",))[0]
        given = folds_of(
            read_table(path),
            where=str(path),
            fold=fold,
            repeat=repeat,
            scores=_names(scores),
            test_share=test_share,
            measure=named,
        )
        found = compare_folds(given, settings)
    if numbers is not None:
        write(numbers_of(found).write_csv(), numbers, force=delivery.force)
    report = report_of(
        found,
        command=f"assay compare {shlex.join(map(str, tables))}",
        figures=delivery.wants(Format.HTML),
    )
    return delivery.send(report)


def _names(given: list[str] | None) -> tuple[str, ...]:
    """Names from repeated options or parted by commas, each once."""
    return tuple(dict.fromkeys(name.strip() for word in given or [] for name in word.split(",") if name.strip()))


def _thresholds(given: list[str]) -> tuple[dict[str, float], float | None]:
    """The thresholds of single models, and that of all others."""
    single: dict[str, float] = {}
    general = None
    for word in given:
        model, is_single, number = word.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            raise InputError(f'"{word}" is no threshold', fix="Write 0.5, or model=0.5.") from None
        if is_single:
            single[model] = value
        else:
            general = value
    return single, general
