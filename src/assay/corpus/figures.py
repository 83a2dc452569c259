"""The survey as a picture: groups down, findings across, darker where more of a group's subjects are affected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.corpus.study import Study
from assay.findings import Figure
from assay.report.drawing import COLOURS, INK, SMALL, shortened, svg_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

_ACROSS = 14
_LONGEST_LABEL = 30
_DARK = 0.55
"""From this share on, white figures are easier to read on the tint."""


def survey_figure(study: Study) -> Figure:
    """After Figure 1 of Kapoor & Narayanan (2023), with shares instead of circles."""
    groups = [group for group in study.groups if group.examined]
    findings = study.findings[:_ACROSS]
    shares = [[one.counts[g.name][0] / one.counts[g.name][1] for one in findings] for g in groups]

    def draw(drawing: Drawing) -> None:
        from matplotlib.colors import LinearSegmentedColormap
        from matplotlib.patches import Rectangle

        axes = drawing.add_subplot()
        tint = LinearSegmentedColormap.from_list("share", ["#f2f4f7", COLOURS[0]])
        for row, line in enumerate(shares):
            for column, share in enumerate(line):
                axes.add_patch(Rectangle((column - 0.48, row - 0.46), 0.96, 0.92, facecolor=tint(share), linewidth=0))
                if share:
                    colour = "white" if share > _DARK else INK
                    axes.text(column, row, _percent(share), ha="center", va="center", color=colour, fontsize=SMALL)
        axes.set_xlim(-0.5, len(findings) - 0.5)
        axes.set_ylim(len(groups) - 0.5, -0.5)
        axes.set_xticks(range(len(findings)), [one.code for one in findings])
        axes.set_yticks(range(len(groups)), [f"{shortened(g.name, _LONGEST_LABEL)} ({g.examined})" for g in groups])
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)

    told = "; ".join(
        f"{shortened(g.name, _LONGEST_LABEL)}: "
        + ", ".join(f"{one.code} {_percent(share)}" for one, share in zip(findings, line, strict=True) if share)
        for g, line in zip(groups, shares, strict=True)
    )
    return Figure("Share of subjects affected", svg_of(0.8 + 0.34 * len(groups), draw, tidy=True), f"Matrix. {told}.")


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "<1%"
