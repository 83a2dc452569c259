"""A comparison as the report that every format is made from, and as one flat table of all its numbers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from assay.comparison.calibration import calibration_of
from assay.comparison.datasets import DatasetComparison
from assay.comparison.decision import net_benefit, treat_all
from assay.comparison.multiplicity import Correction
from assay.comparison.predictions import Predictions
from assay.comparison.results import Comparison, Difference, Interval, Method, Settings
from assay.comparison.rules import comparison as instrument
from assay.comparison.sentences import figure_of, interval_of, percent, sentences, statistic_name
from assay.findings import Figure, Report, Table, Value

if TYPE_CHECKING:
    import polars as pl

_THRESHOLDS = np.array([0.05, 0.1, 0.2, 0.3, 0.5])
"""Where the table of net benefit shows the decision curve."""


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
    if isinstance(comparison, DatasetComparison):
        yield from _dataset_tables(comparison)
    for _, members in groupby(comparison.differences, key=lambda d: (d.measure.name, d.method)):
        yield _difference_table(list(members), comparison)
    if isinstance(comparison.source, Predictions) and not comparison.settings.measures:
        yield from _probability_tables(comparison.source, comparison.settings)
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
    rows = (tuple(_difference_row(d, has_interval=has_interval, is_corrected=is_corrected)) for d in members)
    sides = ", one-sided" if settings.one_sided and first.method is not Method.FIVE_BY_TWO_F else ""
    return Table(f"Difference in {first.measure.label}: {first.method.value}{sides}", tuple(columns), tuple(rows))


def _difference_row(d: Difference, *, has_interval: bool, is_corrected: bool) -> Iterator[Value]:
    yield from (d.first, d.second, _signed(d.value))
    if has_interval:
        yield interval_of(d.interval) if d.interval else None
    if statistic_name(d.method) and d.statistic is not None:
        yield f"{d.statistic:.2f}"
    yield _p(d.p)
    if is_corrected:
        yield _p(d.adjusted)


def _dataset_tables(comparison: DatasetComparison) -> Iterator[Table]:
    if comparison.omnibus is not None:
        one = comparison.omnibus
        alpha = percent(round(comparison.settings.alpha, 10))
        yield Table(
            "Do the models differ at all?",
            ("test", "statistic", "p"),
            (
                ("Friedman, chi-squared", f"{one.chi2:.2f}", _p(one.chi2_p)),
                ("Friedman, F of Iman & Davenport", f"{one.f:.2f}", _p(one.f_p)),
                (f"Nemenyi, critical difference of mean ranks at {alpha}", f"{one.critical_difference:.3f}", None),
            ),
        )
    rows = (
        (b.first, b.second, f"{b.posterior.first:.3f}", f"{b.posterior.equal:.3f}", f"{b.posterior.second:.3f}")
        for b in comparison.beliefs
    )
    yield Table(
        f"Bayesian signed rank: probability that a model is better by more than {comparison.rope:g}",
        ("model", "against", "model is better", "practically equal", "against is better"),
        tuple(rows),
    )


def _probability_tables(source: Predictions, settings: Settings) -> Iterator[Table]:
    """Calibration and net benefit of the models that give probabilities."""
    found = []
    for model, scores in source.scores.items():
        one = calibration_of(model, source.y, scores, settings.level, independent=source.groups is None)
        if one is not None:
            found.append(one)
    if not found:
        return
    level = percent(settings.level)
    yield Table(
        "Calibration (ideal: intercept 0, slope 1)",
        ("model", "intercept", f"{level} interval", "slope", f"{level} interval "),
        tuple(
            (
                one.model,
                f"{one.intercept:+.3f}",
                interval_of(one.intercept_interval) if one.intercept_interval else None,
                f"{one.slope:.3f}",
                interval_of(one.slope_interval) if one.slope_interval else None,
            )
            for one in found
        ),
    )
    benefits = [(one.model, net_benefit(source.y, source.scores[one.model], _THRESHOLDS)) for one in found]
    rows = [*benefits, ("treat all", treat_all(source.y, _THRESHOLDS))]
    yield Table(
        "Net benefit by threshold probability (treat none: 0)",
        ("model", *(f"at {threshold:g}" for threshold in _THRESHOLDS)),
        tuple((model, *(_signed(float(value)) for value in values)) for model, values in rows),
    )


def _needed_table(comparison: Comparison) -> Table:
    rows: list[tuple[Value, ...]] = []
    for (first, second), members in groupby(comparison.needed, key=lambda n: (n.first, n.second)):
        rows.append((first, second, *(n.positives for n in members)))
    head = tuple(f"for {difference:g}" for difference in comparison.settings.detect)
    alpha = percent(round(comparison.settings.alpha, 10))
    title = f"Positives needed to see a difference in AUC (two-sided test at {alpha}, power 80 %)"
    return Table(title, ("model", "against", *head), tuple(rows))


def _figures(comparison: Comparison) -> Iterator[Figure]:
    from assay.comparison.difference_plot import differences_figure
    from assay.comparison.plots import curves_figure, forest_figure
    from assay.comparison.probability_plots import probability_figure
    from assay.comparison.rank_plot import rank_figure

    source, settings = comparison.source, comparison.settings
    if isinstance(comparison, DatasetComparison):
        figures = [rank_figure(comparison)]
    elif isinstance(source, Predictions):
        figures = [curves_figure(source, settings), probability_figure(source, settings), forest_figure(comparison)]
    else:
        figures = [forest_figure(comparison)]
    yield from filter(None, [*figures, differences_figure(comparison)])


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
