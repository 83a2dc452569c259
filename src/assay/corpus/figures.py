"""The survey as a picture: groups down, findings across, darker where more of a group's subjects are affected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assay.corpus.study import Study
from assay.findings import Figure
from assay.report.drawing import COLOURS, INK, SMALL, shortened, svg_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_ACROSS = 14
_LONGEST_LABEL = 30
_DARK = 0.55
"""Tint from which white figures are easier to read."""


def survey_figure(study: Study) -> Figure:
    """After Figure 1 of Kapoor & Narayanan (2023), with shares instead of circles."""
    groups = [group for group in study.groups if group.examined]
    findings = study.findings[:_ACROSS]
    shares = [[one.counts[g.name][0] / one.counts[g.name][1] for one in findings] for g in groups]
    names = [shortened(g.name, _LONGEST_LABEL) for g in groups]
    codes = [one.code for one in findings]

    def draw(drawing: Drawing) -> None:
        axes = drawing.add_subplot()
        _draw_shares(axes, shares)
        axes.set_xlim(-0.5, len(findings) - 0.5)
        axes.set_ylim(len(groups) - 0.5, -0.5)
        axes.set_xticks(range(len(findings)), codes)
        axes.set_yticks(range(len(groups)), [f"{name} ({g.examined})" for name, g in zip(names, groups, strict=True)])
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    described = "; ".join(f"{name}: {_in_words(codes, line)}" for name, line in zip(names, shares, strict=True))
    height = 0.8 + 0.34 * len(groups)
    return Figure("Share of subjects affected", svg_of(height, draw, tidy=True), f"Matrix. {described}.")


def _draw_shares(axes: Axes, shares: Sequence[Sequence[float]]) -> None:
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.patches import Rectangle

    tint = LinearSegmentedColormap.from_list("share", ["#f2f4f7", COLOURS[0]])
    for row, line in enumerate(shares):
        for column, share in enumerate(line):
            axes.add_patch(Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=tint(share), linewidth=0))
            if share:
                colour = "white" if share > _DARK else INK
                axes.text(column, row, _percent(share), ha="center", va="center", color=colour, fontsize=SMALL)


def _in_words(codes: Sequence[str], shares: Sequence[float]) -> str:
    return ", ".join(f"{code} {_percent(share)}" for code, share in zip(codes, shares, strict=True) if share)


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "<1%"
