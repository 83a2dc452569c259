"""Pictures of a comparison: the curves with their bands, and the intervals side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.comparison.bands import GRID, Curve, Curves, curves_of
from assay.comparison.sentences import figure_of, interval_of, percent
from assay.findings import Figure
from assay.report.drawing import COLOURS, DASHES, FRAME, INK, MUTED, svg_of
from assay.report.wording import on_one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

    from assay.comparison.predictions import Predictions
    from assay.comparison.results import Comparison, Estimate, Settings

MOST_CURVES = 6
"""With more lines than colours, two lines would look the same."""
_MOST_BANDS = 2
"""More bands than this hide each other."""
_BAND_RESAMPLES = 500
_MOST_ROWS = 30
_LONGEST_NAME = 28


def curves_figure(predictions: Predictions, settings: Settings) -> Figure:
    """The ROC and the precision-recall curve of up to six models, the claimed one first."""
    shown = sorted(predictions.models, key=lambda model: model != settings.claim)[:MOST_CURVES]
    number = min(settings.resamples or 0, _BAND_RESAMPLES)
    curves = list(curves_of(predictions.only(shown), number, settings.seed, settings.level))
    share = predictions.positives / predictions.y.size

    def draw(drawing: Drawing) -> None:
        left, right = drawing.subplots(1, 2)
        for place, one in enumerate(curves):
            _line(left, one.roc, one.model, place)
            _line(right, one.precision_recall, one.model, place, drawstyle="steps-pre")
        left.plot([0, 1], [0, 1], color=FRAME, linewidth=0.8, zorder=1)
        right.axhline(share, color=FRAME, linewidth=0.8, zorder=1)
        _frame(left, "ROC", "1 - specificity", "sensitivity")
        _frame(right, "Precision and recall", "recall", "precision")
        highest = max(float(top) for one in curves for top in (one.precision_recall.y.max(), *_tops(one, curves)))
        right.set_ylim(-0.01 * highest, min(1.01, 1.15 * highest))
        handles, labels = left.get_legend_handles_labels()
        drawing.legend(handles, labels, loc="lower center", ncols=3)
        drawing.subplots_adjust(left=0.07, right=0.985, top=0.93, bottom=0.24, wspace=0.2)

    banded = "" if len(shown) <= _MOST_BANDS else f" for {' and '.join(map(short_name, shown[:_MOST_BANDS]))}"
    bands = f", bands of {percent(settings.level)} from {number:,} resamples{banded}" if number else ""
    more = f" (of {len(predictions.models)})" if len(predictions.models) > len(shown) else ""
    return Figure(
        title=f"Curves of {len(shown)}{more} models{bands}",
        svg=svg_of(4.3, draw),
        alt=(
            f"ROC and precision-recall curves of {', '.join(shown)} on {predictions.y.size:,} rows, "
            f"{predictions.positives:,} of them positive. Grey lines: what guessing reaches."
        ),
    )


def forest_figure(comparison: Comparison) -> Figure:
    """The score that claims are judged by, a line for each model and way of making its interval."""
    measure = comparison.primary
    rows = [e for e in comparison.estimates if e.measure == measure or e.measure.label.endswith(measure.label)]
    shown = rows[:_MOST_ROWS]

    def draw(drawing: Drawing) -> None:
        axes = drawing.subplots()
        for place, one in enumerate(reversed(shown)):
            if one.interval:
                axes.plot([one.interval.low, one.interval.high], [place, place], color=COLOURS[0], linewidth=1.6)
            axes.plot([one.value], [place], marker="o", markersize=4.5, color=INK)
        axes.set_yticks(range(len(shown)), [_row_name(one, measure.label) for one in reversed(shown)])
        axes.set_ylim(-0.6, len(shown) - 0.4)
        axes.set_xlabel(measure.label)
        axes.grid(axis="x", color="#e3e7eb", linewidth=0.7)
        axes.set_axisbelow(True)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        drawing.subplots_adjust(left=0.36, right=0.97, top=0.97, bottom=0.5 / (0.7 + 0.24 * len(shown)))

    told = (f"{e.model} {figure_of(e.value)}" + (f" ({interval_of(e.interval)})" if e.interval else "") for e in shown)
    level = percent(comparison.settings.level)
    return Figure(
        title=f"{measure.label} of each model with its {level} intervals",
        svg=svg_of(0.7 + 0.24 * len(shown), draw),
        alt="; ".join(told),
    )


def _row_name(one: Estimate, label: str) -> str:
    smoothed = "smoothed, " if one.measure.label != label else ""
    by = f" ({smoothed}{one.method.value})" if one.interval else ""
    return short_name(one.model) + by


def _tops(one: Curves, curves: list[Curves]) -> tuple[float, ...]:
    """The highest point of the band, for those whose band is drawn."""
    high = one.precision_recall.high
    return (float(high.max()),) if high.size and one in curves[:_MOST_BANDS] else ()


def _line(axes: Any, curve: Curve, model: str, place: int, drawstyle: str = "default") -> None:
    colour, dash = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
    if curve.low.size and place < _MOST_BANDS:
        axes.fill_between(GRID, curve.low, curve.high, color=colour, alpha=0.11, linewidth=0, zorder=2)
    look = {"color": colour, "linestyle": dash, "drawstyle": drawstyle}
    axes.plot(curve.x, curve.y, **look, linewidth=1.5, label=short_name(model), zorder=3 + place)


def _frame(axes: Any, title: str, x: str, y: str) -> None:
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), xlabel=x, ylabel=y, title=title)
    axes.grid(color="#e3e7eb", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(color=MUTED)


def short_name(name: str) -> str:
    """A model's name, made harmless to show and cut to fit."""
    words = on_one_line(name)
    return words if len(words) <= _LONGEST_NAME else words[: _LONGEST_NAME - 1] + "…"
