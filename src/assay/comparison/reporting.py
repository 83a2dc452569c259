"""A comparison as the report that every format is made from, and as one flat table of all its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING

from assay.comparison.multiplicity import Correction
from assay.comparison.predictions import Predictions
from assay.comparison.results import Comparison, Difference, Interval, Method
from assay.comparison.rules import comparison as instrument
from assay.comparison.sentences import figure_of, interval_of, percent, sentences, statistic_name
from assay.findings import Figure, Report, Table, Value

if TYPE_CHECKING:
    import polars as pl


def report_of(comparison: Comparison, *, command: str = "", figures: bool = True) -> Report:
    """Findings, then sentences, scores, differences and the positives needed."""
    return Report(
        title="Comparison of " + _counted(len(comparison.models), "model"),
        question=instrument.question,
        findings=tuple(instrument.run(comparison)),
        tables=tuple(_tables(comparison)),
        figures=tuple(_figures(comparison)) if figures else (),
        left_out=comparison.left_out,
        command=command,
    )


def numbers_of(comparison: Comparison) -> pl.DataFrame:
    """Every estimate and every difference with all its digits, a row for each."""
    import polars as pl

    def ends(interval: Interval | None) -> dict[str, float | str | None]:
        return {"low": interval.low if interval else None, "high": interval.high if interval else None}

    estimates = [
        {"model": e.model, "against": None, "score": e.measure.name, "method": e.method.value, "value": e.value}
        | ends(e.interval)
        for e in comparison.estimates
    ]
    differences = [
        {"model": d.first, "against": d.second, "score": d.measure.name, "method": d.method.value, "value": d.value}
        | ends(d.interval)
        | {"statistic": d.statistic, "p": d.p, "corrected_p": d.adjusted}
        for d in comparison.differences
    ]
    text = dict.fromkeys(("model", "against", "score", "method"), pl.String)
    number = dict.fromkeys(("value", "low", "high", "statistic", "p", "corrected_p"), pl.Float64)
    return pl.DataFrame([*estimates, *differences], schema={**text, **number})


def _tables(comparison: Comparison) -> Iterator[Table]:
    yield Table("For the paper", ("sentences",), tuple((sentence,) for sentence in sentences(comparison)))
    level = percent(comparison.settings.level)
    yield Table(
        "Scores",
        ("score", "model", "value", f"{level} interval", "by"),
        tuple(
            (
                e.measure.label,
                e.model,
                figure_of(e.value),
                interval_of(e.interval) if e.interval else None,
                e.method.value if e.interval else None,
            )
            for e in comparison.estimates
        ),
    )
    for _, members in groupby(comparison.differences, key=lambda d: (d.measure.name, d.method)):
        yield _difference_table(list(members), comparison)
    if comparison.needed:
        yield _needed_table(comparison)


def _difference_table(members: list[Difference], comparison: Comparison) -> Table:
    settings, first = comparison.settings, members[0]
    letter, has_interval = statistic_name(first.method), first.interval is not None
    is_corrected = settings.correction is not Correction.NONE and len(members) > 1
    columns = ["model", "against", "difference"]
    columns += [f"{percent(settings.level)} interval"] if has_interval else []
    columns += [letter] if letter else []
    columns += ["p", *([settings.correction.label] if is_corrected else [])]
    rows: list[tuple[Value, ...]] = []
    for d in members:
        row: list[Value] = [d.first, d.second, _signed(d.value)]
        row += [interval_of(d.interval) if d.interval else None] if has_interval else []
        row += [f"{d.statistic:.2f}"] if letter and d.statistic is not None else []
        row += [_p(d.p), *([_p(d.adjusted)] if is_corrected else [])]
        rows.append(tuple(row))
    sides = ", one-sided" if settings.one_sided and first.method is not Method.FIVE_BY_TWO_F else ""
    return Table(f"Difference in {first.measure.label}: {first.method.value}{sides}", tuple(columns), tuple(rows))


def _needed_table(comparison: Comparison) -> Table:
    rows: list[tuple[Value, ...]] = []
    for (first, second), members in groupby(comparison.needed, key=lambda n: (n.first, n.second)):
        rows.append((first, second, *(n.positives for n in members)))
    head = tuple(f"for {difference:g}" for difference in comparison.settings.detect)
    alpha = percent(round(comparison.settings.alpha, 10))
    title = f"Positives needed to see a difference in AUC (two-sided test at {alpha}, power 80 %)"
    return Table(title, ("model", "against", *head), tuple(rows))


def _figures(comparison: Comparison) -> Iterator[Figure]:
    from assay.comparison.plots import curves_figure, forest_figure

    if isinstance(comparison.source, Predictions):
        yield curves_figure(comparison.source, comparison.settings)
    yield forest_figure(comparison)


def _signed(value: float) -> str:
    return f"{value:+.4f}" if abs(value) >= 0.001 or value == 0 else f"{value:+.2g}"


def _p(p: float) -> str:
    if not isfinite(p):
        return "—"
    if p >= 0.0001:
        return f"{p:.4f}"
    return f"{p:.1e}" if p >= 1e-300 else "< 1e-300"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
