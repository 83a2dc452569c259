"""Pictures of predicted probabilities: how often they come true, and what acting on them is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from assay.comparison.calibration import CalibrationCurve, calibration_curve
from assay.comparison.decision import GRID, DecisionCurve, decision_curve, treat_all
from assay.comparison.plots import MOST_CURVES, short_name
from assay.comparison.predictions import Predictions, are_probabilities
from assay.comparison.results import Settings
from assay.comparison.sentences import percent
from assay.findings import Figure
from assay.report.drawing import COLOURS, DASHES, FRAME, MARKERS, MUTED, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_HEADROOM = 1.15


def probability_figure(predictions: Predictions, settings: Settings) -> Figure | None:
    """The calibration and the decision curve of up to six models that give probabilities; None if none does."""
    shown = sorted(predictions.models, key=lambda model: model != settings.claim)
    fitting = [m for m in shown if are_probabilities(predictions.scores[m])][:MOST_CURVES]
    if not fitting:
        return None
    scores, y = predictions.scores, predictions.y
    calibrations = [calibration_curve(m, y, scores[m], settings.level) for m in fitting]
    decisions = [decision_curve(m, y, scores[m]) for m in fitting]
    most = max(float(scores[m].max()) for m in fitting)

    def draw(drawing: Drawing) -> None:
        left, right = drawing.subplots(1, 2)
        _calibration(left, calibrations)
        _decision(right, decisions, treat_all(y, GRID), most)
        handles, labels = left.get_legend_handles_labels()
        more, names = right.get_legend_handles_labels()
        drawing.legend([*handles, *more[-2:]], [*labels, *names[-2:]], loc="lower center", ncols=4)
        drawing.subplots_adjust(left=0.07, right=0.985, top=0.93, bottom=0.24, wspace=0.22)

    return Figure(
        title=f"Calibration with {percent(settings.level)} intervals, and net benefit by threshold",
        svg=svg_of(4.3, draw),
        alt=f"Calibration and decision curves of {', '.join(fitting)}. Grey: perfect calibration; treat all or none.",
    )


def _calibration(axes: Any, curves: list[CalibrationCurve]) -> None:
    axes.plot([0, 1], [0, 1], color=FRAME, linewidth=0.8, zorder=1)
    top = 0.0
    for place, one in enumerate(curves):
        colour = COLOURS[place % len(COLOURS)]
        axes.vlines(one.predicted, one.low, one.high, color=colour, alpha=0.35, linewidth=1.2)
        look = {"color": colour, "linestyle": DASHES[place % len(DASHES)], "marker": MARKERS[place % len(MARKERS)]}
        axes.plot(one.predicted, one.observed, **look, linewidth=1.3, markersize=3.5, label=short_name(one.model))
        top = max(top, float(one.predicted.max()), float(one.high.max()))
    limit = min(1.01, _HEADROOM * top)
    axes.set(xlim=(-0.01, limit), ylim=(-0.01, limit), xlabel="mean prediction", ylabel="share that came true")
    axes.set_title("Calibration")
    _grid(axes)


def _decision(axes: Any, curves: list[DecisionCurve], everyone: np.ndarray[Any, Any], most: float) -> None:
    for place, one in enumerate(curves):
        look = {"color": COLOURS[place % len(COLOURS)], "linestyle": DASHES[place % len(DASHES)]}
        axes.plot(GRID, one.benefit, **look, linewidth=1.5, label=short_name(one.model))
    axes.plot(GRID, everyone, color=FRAME, linewidth=1, label="treat all")
    axes.axhline(0.0, color=FRAME, linewidth=1, linestyle=":", label="treat none")
    highest = max(float(everyone[0]), *(float(one.benefit.max()) for one in curves))
    axes.set(xlim=(0, min(0.99, most)), ylim=(-0.25 * highest, _HEADROOM * highest))
    axes.set(xlabel="threshold probability", ylabel="net benefit", title="Decision curve")
    _grid(axes)


def _grid(axes: Any) -> None:
    axes.grid(color="#e3e7eb", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.tick_params(color=MUTED)
