"""``assay compare``: how sure are these scores, and is one model really better?"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.options import Delivery, a_number, reporting
from assay.comparison.measures import Task
from assay.comparison.multiplicity import Correction
from assay.comparison.results import Comparison, Settings
from assay.errors import InputError
from assay.records import dataclass

if TYPE_CHECKING:
    import polars as pl

    from assay.comparison.curves import Counts
    from assay.comparison.prediction_files import Columns

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
            help="Report the positives needed to see it.",
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
    dataset: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="Compare over data sets; this names the data set of a row."),
    ] = None,
    rope: Annotated[
        float,
        typer.Option(callback=a_number, min=0, help="With --dataset: differences up to this count as equal."),
    ] = 0.01,
    task: Annotated[
        Task | None,
        typer.Option(help="Kind of outcome.", show_default="from the outcome and the models' columns"),
    ] = None,
    numbers: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write every number there (CSV, Parquet).")
    ] = None,
    *,
    delivery: Delivery,
) -> int:
    """How sure are these scores, and is one model really better?

    Give predictions with their outcomes, or (with --fold) a table of scores per fold.
    """
    from assay.comparison.datasets import compare_datasets
    from assay.comparison.folds import compare_folds
    from assay.comparison.prediction_files import Columns, folds_of, read_table
    from assay.comparison.report import numbers_of, report_of
    from assay.comparison.tasks import datasets_in
    from assay.findings import Severity
    from assay.report import Format

    single, general = _thresholds(threshold or [])
    settings = Settings(
        measures=_names(measure) if fold is None and dataset is None else (),
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
    columns = Columns(y, _names(scores), _names(group), _names(time), _names(key))
    if dataset is not None:
        if fold is not None:
            raise InputError("--dataset and --fold are given together", fix="Give one of them.")
        path = _only_table(tables, "data sets")
        named = (_names(measure) or (None,))[0]
        given = datasets_in(read_table(path), dataset, columns, named, str(path))
        found: Comparison = compare_datasets(given, settings, rope)
    elif fold is not None:
        path = _only_table(tables, "folds")
        folds = folds_of(
            read_table(path),
            where=str(path),
            fold=fold,
            repeat=repeat,
            scores=columns.scores,
            test_share=test_share,
            measure=(_names(measure) or ("score",))[0],
        )
        found = compare_folds(folds, settings)
    else:
        found = _compare_rows(tables, columns, task, Binary(positive, last_outcome), settings)
    if numbers is not None:
        _write_numbers(numbers_of(found), numbers, force=delivery.force)
    report = report_of(
        found,
        command=f"assay compare {shlex.join(map(str, tables))}",
        figures=delivery.wants(Format.HTML),
    )
    return delivery.send(report, least=Severity.WARNING)


@dataclass(frozen=True, slots=True)
class Binary:
    """Options for outcomes with two classes."""

    positive: str | None
    last_outcome: bool


def _compare_rows(
    tables: list[Path], columns: Columns, task: Task | None, binary: Binary, settings: Settings
) -> Comparison:
    """Compare predictions of single rows, for any kind of outcome."""
    from assay.cli.progress import tracked
    from assay.comparison.analysis import compare as compare_predictions
    from assay.comparison.prediction_files import read_predictions, read_table
    from assay.comparison.resampled import compare_classes, compare_numbers
    from assay.comparison.tasks import classes_in, read_numbers, task_of

    def track(blocks: Iterator[Counts], total: int) -> Iterable[Counts]:
        return tracked(blocks, total, "resampling")

    only_binary = binary.positive is not None or binary.last_outcome
    first = read_table(tables[0])
    kind = task or (Task.BINARY if only_binary else task_of(first, columns, str(tables[0])))
    if kind is not Task.BINARY and only_binary:
        raise InputError("--positive and --last-outcome need an outcome of two classes", fix="Leave out --task.")
    if kind is Task.CLASSES:
        return compare_classes(classes_in(first, columns, str(_only_table(tables, "classes"))), settings, track)
    if kind is Task.NUMBERS:
        return compare_numbers(read_numbers(tables, columns), settings, track)
    read = read_predictions(tables, columns, positive=binary.positive, last_outcome=binary.last_outcome)
    return compare_predictions(read, settings, track)


def _only_table(tables: list[Path], what: str) -> Path:
    if len(tables) > 1:
        raise InputError(f"several tables of {what}", fix="Give one at a time.")
    return tables[0]


def _write_numbers(numbers: pl.DataFrame, path: Path, *, force: bool) -> None:
    """All numbers as CSV or Parquet; the ending decides."""
    import io

    from assay.report import write

    if path.suffix.lower() not in {".csv", ".parquet"}:
        fix = "Known: .csv, .parquet."
        raise InputError(f'numbers cannot be written as "{path.suffix}"', where=str(path), fix=fix)
    if path.suffix.lower() == ".csv":
        write(numbers.write_csv(), path, force=force)
    else:
        out = io.BytesIO()
        numbers.write_parquet(out)
        write(out.getvalue(), path, force=force)


def _names(given: list[str] | None) -> tuple[str, ...]:
    """Names from repeated or comma-separated options, without repeats."""
    return tuple(dict.fromkeys(name.strip() for word in given or [] for name in word.split(",") if name.strip()))


def _thresholds(given: list[str]) -> tuple[dict[str, float], float | None]:
    """Thresholds of single models, and the threshold of all others."""
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
