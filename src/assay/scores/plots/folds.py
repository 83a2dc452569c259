"""The folds of a witness: one small picture for each score, with the score of every fold and what was reported."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite
from typing import TYPE_CHECKING, NamedTuple

from assay.findings import Figure
from assay.report.drawing import INK, SMALL, WIDTH, svg_of
from assay.scores.answers import Answer
from assay.scores.conventions import Undefined
from assay.scores.experiment import Reported
from assay.scores.plots import words
from assay.scores.plots.canvas import STYLES, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_ACROSS = 3
_TOP, _PLOT, _LABELS = 0.3, 1.35, 0.45
"""Heights in inches: a title, a small picture, the labels beneath it."""
_LEFT, _RIGHT = 0.62, 0.45
"""Widths in inches beside a small picture: the numbers, and the names of what is reported."""
_MOST_DOTS = 60
_LINE = 0.1
"""Least distance of two names, as a share of the height."""
_DOT: Look = {
    "marker": "o",
    "markersize": 4.5,
    "markerfacecolor": INK,
    "markeredgecolor": "white",
    "markeredgewidth": 0.6,
}
_NONE: Look = {"marker": "x", "markersize": 5, "markeredgecolor": INK, "markeredgewidth": 1.0}


class Level(NamedTuple):
    """Something reported that has a place on the scale of a score."""

    name: str
    low: float
    high: float

    @property
    def middle(self) -> float:
        """Where its name belongs."""
        return (self.low + self.high) / 2


def folds_figure(reported: Sequence[Reported], answer: Answer) -> Figure:
    """The scores of the folds (or test sets) that a witness consists of, beside the reported mean, extremes and spread.

    The answer must have a witness: without one there is nothing to draw.
    """
    if not (answer.witness and reported):
        raise ValueError("without a witness and a score there are no folds to show")
    rows = ceil(len(reported) / _ACROSS)
    svg = svg_of(rows * (_TOP + _PLOT + _LABELS), lambda drawing: _draw(drawing, reported, answer))
    names = words.listed([words.name_of(one.constraint(Undefined.NEVER)) for one in reported])
    return Figure(f"Scores of the {len(answer.witness)} folds of a witness: {names}", svg, _described(reported, answer))


def _draw(drawing: Drawing, reported: Sequence[Reported], answer: Answer) -> None:
    full_width, full_height = drawing.get_size_inches()
    cell_width, cell_height = WIDTH / min(_ACROSS, len(reported)), _TOP + _PLOT + _LABELS
    for i, (one, style) in enumerate(zip(reported, STYLES * len(reported), strict=False)):
        row, column = divmod(i, _ACROSS)
        x, y = column * cell_width + _LEFT, full_height - (row + 1) * cell_height + _LABELS
        width = cell_width - _LEFT - _RIGHT
        axes = drawing.add_axes((x / full_width, y / full_height, width / full_width, _PLOT / full_height))
        axes.set_title(words.claim_of(one.constraint(Undefined.NEVER)))
        axes.set_ylabel(one.score.name, labelpad=2)
        values, levels = _values(one, answer), _levels(one)
        axes.set_ylim(*_scale(values, levels))
        _draw_levels(axes, levels, style.colour)
        _draw_scores(axes, values)


def _values(one: Reported, answer: Answer) -> list[float | None]:
    """The score of each fold; None where it is 0/0."""
    exact = [one.score.value(matrix) for matrix in answer.witness]
    return [None if value is None else float(value) for value in exact]


def _levels(one: Reported) -> list[Level]:
    """What is reported, as places on the scale."""
    levels = [
        Level(name, float(interval.lo), float(interval.hi))
        for name, interval in (
            ("mean", one.interval),
            ("min", one.minimum),
            ("max", one.maximum),
            ("median", one.median),
        )
        if interval is not None and interval.lo is not None and interval.hi is not None
    ]
    mean = next((level.middle for level in levels if level.name == "mean"), None)
    if mean is None or one.sd is None or one.sd.lo is None or one.sd.hi is None:
        return levels
    sd = float(one.sd.lo + one.sd.hi) / 2
    return [*levels, Level("+ sd", mean + sd, mean + sd), Level("\N{MINUS SIGN} sd", mean - sd, mean - sd)]


def _scale(values: Sequence[float | None], levels: Sequence[Level]) -> tuple[float, float]:
    """From where to where a score is drawn, with room at both ends for folds without a finite score."""
    known = [value for value in values if value is not None and isfinite(value)]
    known += [end for level in levels for end in (level.low, level.high)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = 0.18 * (high - low) or 0.05
    return low - room, high + room


def _draw_levels(axes: Axes, levels: Sequence[Level], colour: str) -> None:
    low, high = axes.get_ylim()
    lowest = 0.0
    for level in sorted(levels, key=lambda level: level.middle):
        solid = level.name == "mean"
        axes.axhspan(level.low, level.high, facecolor=colour, edgecolor="none", alpha=0.25)
        axes.axhline(
            level.middle, color=colour, linewidth=1.3 if solid else 0.9, linestyle="-" if solid else (0, (4, 3))
        )
        place = max(lowest, (level.middle - low) / (high - low))
        lowest = place + _LINE
        beside: Look = {"xycoords": "axes fraction", "xytext": (4, 0), "textcoords": "offset points"}
        axes.annotate(level.name, (1, place), **beside, va="center_baseline", fontsize=SMALL, color=INK)


def _draw_dots(axes: Axes, values: Sequence[float | None], heights: Sequence[float]) -> None:
    """A dot for each fold; one whose score is no number says what it is."""
    plain = [value is not None and isfinite(value) for value in values]
    for look, wanted in ((_DOT, True), (_NONE, False)):
        chosen = [(x, y) for x, (y, known) in enumerate(zip(heights, plain, strict=True), 1) if known is wanted]
        if chosen:
            axes.plot(*zip(*chosen, strict=True), linestyle="none", clip_on=False, zorder=3, **look)
    _draw_names(axes, [(x, value) for x, value in enumerate(values, 1) if not plain[x - 1]])


def _draw_names(axes: Axes, without_number: Sequence[tuple[int, float | None]]) -> None:
    """0/0 or infinity, at the end of the axis."""
    low, high = axes.get_ylim()
    for x, value in without_number:
        name, place, gap, side = ("0/0", low, 5, "bottom") if value is None else ("∞", high, -5, "top")
        look: Look = {"xytext": (0, gap), "textcoords": "offset points", "ha": "center", "va": side}
        axes.annotate(name, (x, place), fontsize=SMALL, **look)


def _draw_scores(axes: Axes, values: Sequence[float | None]) -> None:
    """A dot for each fold, or where they are too many a line through their sorted scores."""
    from matplotlib.ticker import MaxNLocator

    low, high = axes.get_ylim()
    heights = [low if value is None else min(max(value, low), high) for value in values]
    places = range(1, len(values) + 1)
    axes.set_xlim(0.5, len(values) + 0.5)
    if len(values) > _MOST_DOTS:
        axes.plot(places, sorted(heights), color=INK, linewidth=1.2)
    else:
        _draw_dots(axes, values, heights)
    axes.set_xlabel("fold" if len(values) <= _MOST_DOTS else "folds, sorted by score", labelpad=2)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(nbins=4))
    axes.ticklabel_format(axis="y", useOffset=False)
    axes.tick_params(length=3, pad=2)


def _described(reported: Sequence[Reported], answer: Answer) -> str:
    told = [f"Scores of the {len(answer.witness)} folds of the witness, one small picture for each score."]
    for one in reported:
        constraint = one.constraint(Undefined.NEVER)
        known = [value for value in _values(one, answer) if value is not None and isfinite(value)]
        spread = f"from {min(known):.4g} to {max(known):.4g}" if known else "nowhere defined"
        missing = len(answer.witness) - len(known)
        beside = [
            f"{name} {interval}"
            for name, interval in (
                ("sd", one.sd),
                ("minimum", one.minimum),
                ("maximum", one.maximum),
                ("median", one.median),
            )
            if interval is not None
        ]
        told.append(
            f"{words.claim_of(constraint)}: the folds have scores {spread}"
            + (f", {missing} of them 0/0 or infinite" if missing and known else "")
            + f"; reported mean: {words.meaning_of(constraint)}"
            + "".join(f", {text}" for text in beside)
            + "."
        )
    return " ".join(told)
