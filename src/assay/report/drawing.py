"""How every picture looks, and how it becomes SVG that is the same for the same input.

Pictures stand on white, whatever the page around them does: hatches and tints are chosen for it. Text
stays text, so that it can be searched, copied and read aloud, and so that pictures stay small.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any

from assay.patterns import regex
from assay.report.wording import on_one_line

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

WIDTH = 7.9
"""Inches; 758 pixels in a browser, so that text of 8 points still has more than 9 pixels where there are but 700."""
INK, MUTED, FRAME = "#1c2128", "#545d68", "#8b949e"
SMALL, NORMAL, LARGE = 8.0, 8.4, 9.4
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""The palette of Okabe and Ito without its yellow, which is lost on white, and its black, which is for answers."""
DASHES = ("-", "--", "-.", ":")
HATCHES = ("", "////", "....", "\\\\\\\\", "xxx", "---")
MARKERS = ("o", "s", "^", "D", "v", "P")
"""What tells series apart for those who do not see colours."""

_SETTINGS: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "assay",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial"],
    "font.size": NORMAL,
    "hatch.linewidth": 0.5,
    "axes.linewidth": 0.8,
    "axes.edgecolor": FRAME,
    "axes.labelcolor": INK,
    "axes.titlesize": LARGE,
    "axes.titlecolor": INK,
    "axes.titlelocation": "left",
    "axes.unicode_minus": True,
    "text.color": INK,
    "text.parse_math": False,
    "xtick.color": FRAME,
    "ytick.color": FRAME,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.frameon": False,
    "legend.fontsize": SMALL,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}
_ONE_AT_A_TIME = Lock()
_PATH_DATA = regex(r'(?<= d=")[^"]*')
_LONG_FRACTION = regex(r"-?\d+\.\d{3,}")


def svg_of(height: float, draw: Callable[[Drawing], None], *, tidy: bool = False) -> str:
    """The SVG source of what `draw` puts on an empty drawing of this height in inches.

    `tidy` leaves it to matplotlib where the axes stand.

    Matplotlib keeps its settings for the whole process, hence the lock.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure as Drawing

    with _ONE_AT_A_TIME, mpl.rc_context(_SETTINGS), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")  # the reader's browser has more fonts
        drawing = Drawing(figsize=(WIDTH, height), layout="constrained" if tidy else None)
        draw(drawing)
        out = io.StringIO()
        drawing.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return _compact(out.getvalue())


def _compact(svg: str) -> str:
    """Paths to a hundredth of a point and on one line: half the size, and no difference to be seen."""

    def path(match: re.Match[str]) -> str:
        return _LONG_FRACTION.sub(lambda number: f"{float(number[0]):.2f}", " ".join(match[0].split()))

    return _PATH_DATA.sub(path, svg)


def shortened(text: str, limit: int) -> str:
    """Words of the audited material, made harmless to show and cut to fit."""
    words = on_one_line(text)
    return words if len(words) <= limit else words[: limit - 1] + "…"
