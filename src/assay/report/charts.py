"""The kinds of pictures that reports share: bars beside or on top of each other, shades in a grid, boxes.

Series differ by hatch as well as by colour, and the words that stand for a picture hold its numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

from assay.findings import Figure
from assay.records import dataclass
from assay.report.drawing import COLOURS, FRAME, HATCHES, INK, SMALL, shortened, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Series = tuple[str, Sequence[float | None]]
"""A name, and a value for each row; None where there is none."""
Group = tuple[str, Sequence[float]]
_LONGEST_LABEL = 60
_STRIPES = tuple(hatch for hatch in HATCHES if "." not in hatch)
"""Dots would add 150 kB to a picture."""
_LONGEST_ALT = 2_000


def stacked_bars(title: str, rows: Sequence[str], series: Sequence[Series], what: str) -> Figure:
    """A bar for each row, made of the parts that the series contribute."""

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        before = [0.0] * len(rows)
        for number, (name, values) in enumerate(series):
            parts = [value or 0.0 for value in values]
            axes.barh(range(len(rows)), parts, 0.72, left=before, label=_label(name), **_fill(number))
            before = [low + part for low, part in zip(before, parts, strict=True)]
        _rows_down(axes, rows, what)
        axes.locator_params(axis="x", integer=True)
        _legend(drawing, axes)

    return Figure(
        title, svg_of(0.95 + 0.21 * len(rows), draw, tidy=True), _alternative_text("Stacked bars", rows, series)
    )


def grouped_bars(title: str, rows: Sequence[str], series: Sequence[Series], what: str) -> Figure:
    """For each row a bar of each series that has a value there."""
    height = 0.84 / max(1, len(series))

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        for number, (name, values) in enumerate(series):
            shift = (number - (len(series) - 1) / 2) * height
            spots = [row + shift for row in range(len(rows))]
            axes.barh(spots, [value or 0.0 for value in values], height * 0.92, label=_label(name), **_fill(number))
            _name_empty_bars(axes, spots, values, COLOURS[number % len(COLOURS)])
        _rows_down(axes, rows, what)
        _legend(drawing, axes)

    tall = 0.95 + max(0.21, 0.1 * len(series) + 0.06) * len(rows)
    return Figure(title, svg_of(tall, draw, tidy=True), _alternative_text("Bars", rows, series))


def _name_empty_bars(axes: Any, spots: Sequence[float], values: Sequence[float | None], colour: str) -> None:
    """A bar of no length looks the same for 0 and for no value, so words say which it is."""
    for spot, value in zip(spots, values, strict=True):
        if not value:
            text = " n/a" if value is None else " 0"
            axes.text(0, spot, text, va="center_baseline", color=colour, fontsize=6)


def heat_map(title: str, rows: Sequence[str], columns: Sequence[str], values: Sequence[Sequence[int | None]]) -> Figure:
    """Counts in a grid, each row shaded by its own largest count; a field without a count is hatched."""

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        for row, counts in enumerate(values):
            _shaded_row(axes, row, counts)
        axes.set_xlim(-0.5, len(columns) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xticks(range(len(columns)), [_label(name, 8) for name in columns])
        axes.set_yticks(range(len(rows)), [_label(name) for name in rows])
        axes.tick_params(length=0)
        for spine in axes.spines.values():
            spine.set_visible(False)

    series = [(name, list(counts)) for name, counts in zip(rows, values, strict=True)]
    return Figure(
        title, svg_of(0.6 + 0.32 * len(rows), draw, tidy=True), _alternative_text("Heat map", columns, series)
    )


def _shaded_row(axes: Any, row: int, counts: Sequence[int | None]) -> None:
    most = max((count for count in counts if count is not None), default=0) or 1
    for column, count in enumerate(counts):
        _field(axes, column, row, count, most)


def boxes(title: str, panels: Sequence[tuple[str, Sequence[Group]]], what: str) -> Figure:
    """Panels of boxes: median, quartiles, whiskers to the last value within 1.5 quartile ranges, and what is beyond."""

    def draw(drawing: Drawing) -> None:
        all_axes = drawing.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for axes, (name, groups) in zip(all_axes, panels, strict=True):
            parts = axes.boxplot(
                [list(values) for _, values in groups], widths=0.6, patch_artist=True, medianprops={"color": INK}
            )
            _fill_boxes(parts["boxes"])
            labels = [f"{_label(group, 16)} ({len(values)})" for group, values in groups]
            axes.set_xticks(range(1, len(groups) + 1), labels, rotation=30 if len(groups) > 2 else 0, ha=_side(groups))
            axes.set_title(_label(name))
            _plain(axes)
        all_axes[0].set_ylabel(what)
        all_axes[0].locator_params(axis="y", integer=True)

    words = "; ".join(f"{name}, {_boxed(group)}" for name, groups in panels for group in groups)
    return Figure(title, svg_of(2.9, draw, tidy=True), _cut(f"Box plots of {what}. {words}."))


def _fill_boxes(found: Sequence[Any]) -> None:
    for box, colour, hatch in zip(found, cycle(COLOURS), cycle(_STRIPES), strict=False):
        box.set(facecolor=colour, alpha=0.55, hatch=hatch)


@dataclass(frozen=True, slots=True)
class Span:
    """A value with the interval around it, if there is one."""

    name: str
    value: float
    interval: tuple[float, float] | None


def spans(title: str, drawn: Sequence[Span], what: str) -> Figure:
    """A dot for each value and a line for its interval, around a line at 0; without an interval the dot is empty."""

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        axes.axvline(0, color=FRAME, linewidth=0.9)
        for row, one in enumerate(drawn):
            if one.interval:
                axes.plot(one.interval, [row, row], color=COLOURS[0], linewidth=1.6, solid_capstyle="butt")
            face = COLOURS[0] if one.interval else "white"
            axes.plot([one.value], [row], "o", ms=5, color=COLOURS[0], markerfacecolor=face)
        _rows_down(axes, [one.name for one in drawn], what)

    told = "; ".join(
        f"{_label(one.name)}: {one.value:.3g}"
        + (f" ({one.interval[0]:.3g} to {one.interval[1]:.3g})" if one.interval else "")
        for one in drawn
    )
    return Figure(title, svg_of(0.75 + 0.23 * len(drawn), draw, tidy=True), _cut(f"Dots with intervals. {told}."))


def _field(axes: Any, column: int, row: int, count: int | None, most: int) -> None:
    from matplotlib.patches import Rectangle

    shade = 0.0 if count is None else count / most
    look: dict[str, Any] = {"facecolor": COLOURS[0], "alpha": 0.08 + 0.82 * shade, "linewidth": 0}
    if count is None:
        look = {"facecolor": "white", "edgecolor": FRAME, "hatch": "////", "linewidth": 0}
    axes.add_patch(Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, **look))
    if count is not None:
        ink = "white" if shade > 0.55 else INK
        axes.text(column, row, f"{count:,}", ha="center", va="center", color=ink, fontsize=SMALL)


def _rows_down(axes: Any, rows: Sequence[str], what: str) -> None:
    axes.set_yticks(range(len(rows)), [_label(name) for name in rows])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(what)
    _plain(axes)


def _legend(drawing: Drawing, axes: Any) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if len(handles) > 1:
        drawing.legend(handles, labels, loc="outside upper right", ncols=min(6, len(handles)))


def _fill(number: int) -> dict[str, Any]:
    return {
        "color": COLOURS[number % len(COLOURS)],
        "hatch": _STRIPES[number % len(_STRIPES)],
        "edgecolor": "white",
        "linewidth": 0.6,
    }


def _plain(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _side(groups: Sequence[Group]) -> str:
    return "right" if len(groups) > 2 else "center"


def _label(text: str, limit: int = _LONGEST_LABEL) -> str:
    """Words of somebody's file, made harmless to show and cut to fit."""
    return shortened(text, limit)


def _alternative_text(kind: str, rows: Sequence[str], series: Sequence[Series]) -> str:
    lines = []
    for index, row in enumerate(rows):
        known = [(name, values[index]) for name, values in series]
        lines.append(f"{_label(row)}: " + ", ".join(f"{_label(n)} {v:g}" for n, v in known if v is not None))
    return _cut(f"{kind}. {'; '.join(lines)}.")


def _boxed(group: Group) -> str:
    from statistics import median

    name, values = group
    return f"{_label(name)}: median {median(values):g}, {min(values):g} to {max(values):g}" if values else _label(name)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_ALT else text[: _LONGEST_ALT - 1] + "…"
