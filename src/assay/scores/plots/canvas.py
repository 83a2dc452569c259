"""What distinguishes one score from another in the pictures of this room."""

from __future__ import annotations

from typing import Any, NamedTuple

from assay.report.drawing import COLOURS


class Style(NamedTuple):
    """What distinguishes a score from the others: a colour, and a hatch for readers who cannot see it."""

    colour: str
    hatch: str


_BLUE, _VERMILLION, _GREEN, _PURPLE, _ORANGE, _SKY = COLOURS
STYLES = (
    Style(_BLUE, "////"),
    Style(_VERMILLION, "\\\\\\\\"),
    Style(_GREEN, "||||"),
    Style(_PURPLE, "----"),
    Style(_ORANGE, "xxx"),
    Style(_SKY, "+++"),
    Style(_BLUE, "--"),
    Style(_VERMILLION, "||"),
    Style(_GREEN, "//"),
    Style(_PURPLE, "\\\\"),
    Style(_ORANGE, "++"),
    Style(_SKY, "xx"),
)

Look = dict[str, Any]
"""How something is drawn, in matplotlib's words."""


def layers(style: Style) -> tuple[Look, Look, Look]:
    """What a band is made of, from the ground up: a tint that lets others through, its hatch, its border."""
    return (
        {"facecolor": style.colour, "edgecolor": "none", "alpha": 0.16, "zorder": 2},
        {
            "facecolor": "none",
            "edgecolor": style.colour,
            "hatch": style.hatch,
            "alpha": 0.55,
            "linewidth": 0,
            "zorder": 3,
        },
        {"facecolor": "none", "edgecolor": style.colour, "linewidth": 1.1, "capstyle": "round", "zorder": 4},
    )
