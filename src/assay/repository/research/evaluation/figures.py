"""The pictures of a study: values by group, the choice of the number of clusters, clusters on a polar plot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import add
from typing import TYPE_CHECKING, Any

from assay.findings import Figure
from assay.report.drawing import COLOURS, FRAME, HATCHES, INK, MARKERS, shortened, svg_of
from assay.repository.research.evaluation.clusters import Clustering
from assay.repository.research.evaluation.differences import Difference, GroupValue

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_LONGEST_LABEL = 40


def bars(title: str, what: str, found: Sequence[Difference]) -> Figure:
    """A bar for each group in each row, with its 95 % interval (as Figure 7.6)."""
    groups = [value.group for value in found[0].values]
    height = 0.8 / len(groups)

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        for number in range(len(groups)):
            first = (number - (len(groups) - 1) / 2) * height
            _group_bars(axes, [one.values[number] for one in found], first, height * 0.9, number)
        axes.set_xlim(0, max(1.0, *(v.interval[1] for one in found for v in one.values)))
        _finish_bars(drawing, axes, [_label(one.name) for one in found], what)

    told = _in_words((_label(one.name), [(v.group, f"{v.value:.2f}") for v in one.values]) for one in found)
    return Figure(title, svg_of(1.2 + 0.28 * len(found) * max(2, len(groups)), draw, tidy=True), f"Bars. {told}.")


def _group_bars(axes: Any, values: Sequence[GroupValue], first: float, height: float, number: int) -> None:
    below = [max(0.0, v.value - v.interval[0]) for v in values]
    above = [max(0.0, v.interval[1] - v.value) for v in values]
    look = {"error_kw": {"ecolor": INK, "elinewidth": 0.9, "capsize": 2}, **_look(number)}
    label = f"{_label(values[0].group)} ({values[0].size})"
    spots = [row + first for row in range(len(values))]
    axes.barh(spots, [v.value for v in values], height, xerr=[below, above], label=label, **look)


def _in_words(rows: Iterable[tuple[str, Iterable[tuple[str, object]]]]) -> str:
    """What a picture shows, in words."""
    return "; ".join(f"{name}: " + ", ".join(f"{_label(of)} {value}" for of, value in cells) for name, cells in rows)


def elbow(found: Clustering) -> Figure:
    """Inertia and silhouette for every number of clusters (as Figure 7.2)."""
    numbers = [choice.clusters for choice in found.choices]
    scored = [(choice.clusters, choice.silhouette) for choice in found.choices if choice.silhouette is not None]
    chosen = len(found.clusters)

    def draw(drawing: Drawing) -> None:
        left, right = drawing.subplots(1, 2)
        left.plot(numbers, [choice.inertia for choice in found.choices], color=COLOURS[0], marker=MARKERS[0], ms=4)
        left.set_ylabel("inertia")
        left.set_ylim(bottom=0)
        right.plot([k for k, _ in scored], [s for _, s in scored], color=COLOURS[1], marker=MARKERS[1], ms=4)
        right.set_ylabel("mean silhouette")
        for axes in (left, right):
            axes.axvline(chosen, color=FRAME, linestyle=":", linewidth=1)
            axes.set_xlabel("number of clusters")
            axes.set_xticks(numbers)
            _plain(axes)

    told = ", ".join(f"{choice.clusters}: {choice.inertia:.1f}" for choice in found.choices)
    return Figure("The number of clusters", svg_of(2.6, draw, tidy=True), f"Inertia by number of clusters. {told}.")


def polar(found: Clustering, factors: Sequence[str]) -> Figure:
    """The mean factor scores of each cluster (as Figure 7.3)."""
    angles = [2 * math.pi * i / len(factors) for i in range(len(factors))]

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot(projection="polar")
        for number, one in enumerate(found.clusters):
            axes.plot(
                [*angles, angles[0]],
                [*one.means, one.means[0]],
                color=COLOURS[number % len(COLOURS)],
                marker=MARKERS[number % len(MARKERS)],
                ms=4,
                label=f"cluster {number} ({one.size})",
            )
        axes.set_xticks(angles, [_label(name) for name in factors])
        axes.set_ylim(0, max(1.0, *(v for one in found.clusters for v in one.means)))
        axes.legend(loc="center left", bbox_to_anchor=(1.15, 0.5))

    scores = ([(f, f"{v:.2f}") for f, v in zip(factors, one.means, strict=True)] for one in found.clusters)
    told = _in_words((f"cluster {number}", cells) for number, cells in enumerate(scores))
    return Figure("Mean factor scores of the clusters", svg_of(3.6, draw, tidy=True), f"Polar plot. {told}.")


def origins(found: Clustering, what: str = "repositories") -> Figure:
    """Where the members of each cluster come from (as Figure 7.4)."""

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        before = [0] * len(found.clusters)
        for number, origin in enumerate(zip(*(one.origins for one in found.clusters), strict=True)):
            counts = [many for _, many in origin]
            axes.barh(range(len(counts)), counts, 0.6, left=before, label=_label(origin[0][0]), **_look(number))
            before = list(map(add, before, counts))
        _finish_bars(drawing, axes, [f"cluster {n}" for n in range(len(found.clusters))], what)

    told = _in_words((f"cluster {number}", one.origins) for number, one in enumerate(found.clusters))
    picture = svg_of(1.1 + 0.4 * len(found.clusters), draw, tidy=True)
    return Figure("Where the clusters come from", picture, f"Bars. {told}.")


def _look(number: int) -> dict[str, Any]:
    """How the bars of one series are drawn."""
    return {"color": COLOURS[number % len(COLOURS)], "hatch": HATCHES[number % len(HATCHES)], "edgecolor": "white"}


def _finish_bars(drawing: Drawing, axes: Any, rows: Sequence[str], what: str) -> None:
    axes.set_yticks(range(len(rows)), rows)
    axes.invert_yaxis()
    axes.set_xlabel(what)
    _plain(axes)
    drawing.legend(loc="outside lower center", ncols=3)


def _plain(axes: Any) -> None:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def _label(text: str) -> str:
    """Words of somebody's file, made harmless to show and cut to fit."""
    return shortened(text, _LONGEST_LABEL)
