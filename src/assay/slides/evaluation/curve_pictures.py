"""ROC and FROC curves with their bands, the sets side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from assay.findings import Figure
from assay.report.drawing import COLOURS, DASHES, FRAME, MUTED, shortened, svg_of
from assay.slides.evaluation.evaluation import LEVEL, Curve, CurveKind, Evaluation, SetEvaluation
from assay.slides.evaluation.measures import FALSE_POSITIVES

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_MOST_SETS = 4
_AXES = {
    CurveKind.ROC: ("ROC", "1 - specificity", "sensitivity", (-0.01, 1.01)),
    CurveKind.FROC: ("FROC", "false positives per slide", "share of lesions found", (-0.1, 8.1)),
}
"""Title, labels of the two axes, and limits of the first."""


def curve_figures(evaluation: Evaluation) -> Iterator[Figure]:
    """One figure with a panel for each kind of curve; none when nothing was scored."""
    shown = [one for one in evaluation.sets if one.curves][:_MOST_SETS]
    there = {curve.kind for one in shown for curve in one.curves}
    kinds = [kind for kind in CurveKind if kind in there]
    if not kinds:
        return

    def draw(drawing: Drawing) -> None:
        panels = drawing.subplots(1, 2, squeeze=False)[0]
        for panel, kind in zip(panels, kinds, strict=False):
            _panel(panel, kind, shown)
        for panel in panels[len(kinds) :]:
            panel.set_axis_off()

    named = " and ".join(kind.value for kind in kinds)
    bands = (
        f", bands of {100 * LEVEL:.0f} % from {evaluation.resamples:,} resamples of patients"
        if evaluation.resamples
        else ""
    )
    yield Figure(
        f"{named} of {', '.join(one.name for one in shown)}{bands}", svg_of(3.6, draw, tidy=True), _words(evaluation)
    )


def _panel(panel: Any, kind: CurveKind, shown: Sequence[SetEvaluation]) -> None:
    for place, one in enumerate(shown):
        for curve in (curve for curve in one.curves if curve.kind is kind):
            _line(panel, curve, shortened(one.name, 28), place)
    _frame(panel, kind)


def _line(panel: Any, curve: Curve, name: str, place: int) -> None:
    rates = [float(point.name) for point in curve.points]
    colour = COLOURS[place % len(COLOURS)]
    if all(point.low is not None and point.high is not None for point in curve.points):
        low, high = ([getattr(point, end) for point in curve.points] for end in ("low", "high"))
        panel.fill_between(rates, low, high, color=colour, alpha=0.12, linewidth=0)
    values = [point.value for point in curve.points]
    panel.plot(rates, values, color=colour, linestyle=DASHES[place % len(DASHES)], linewidth=1.5, label=name)


def _frame(panel: Any, kind: CurveKind) -> None:
    title, x, y, limits = _AXES[kind]
    if kind is CurveKind.ROC:
        panel.plot([0, 1], [0, 1], color=FRAME, linewidth=0.8, zorder=1)
    else:
        panel.set_xticks(FALSE_POSITIVES, ["¼", "", *(f"{rate:g}" for rate in FALSE_POSITIVES[2:])])
    panel.set(xlim=limits, ylim=(-0.01, 1.01), xlabel=x, ylabel=y, title=title)
    panel.grid(color="#e3e7eb", linewidth=0.7)
    panel.set_axisbelow(True)
    panel.tick_params(color=MUTED)
    panel.legend(loc="lower right")


def _words(evaluation: Evaluation) -> str:
    wanted = {"auc": "AUC", "slide_auc": "slide AUC", "froc": "FROC"}
    told = (
        f"{one.name}: {wanted[measure.name]} {measure.value:.3f}"
        for one in evaluation.sets
        for measure in one.measured
        if measure.name in wanted and measure.value is not None
    )
    return "; ".join(told) or "Curves without a defined area."
