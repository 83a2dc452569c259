"""The feasible region without matplotlib or numpy: for the browser and for the core alone.

Bands with straight borders are drawn, from the same exact polygons as in `region`; curved ones are named beneath.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain

from assay.findings import Figure
from assay.report.drawing import FRAME, INK, MUTED
from assay.scores.answers import Answer
from assay.scores.constraints import Constraint
from assay.scores.plots import words
from assay.scores.plots.canvas import STYLES, Style
from assay.scores.plots.strips import Strip, meeting, outline, strips
from assay.scores.polygon import Polygon

_WIDTH, _PANEL, _LEFT, _TOP, _ROW = 720, 320, 70, 34, 22
"""Sizes in pixels: the picture, the height of the plane, the space to its left and above it, a line of the key."""
_RIGHT = 20
_LABELS = 52
_SLANTS = (45, -45, 0, 90, 22, -22)
"""Hatches, as angles: they tell bands apart for those who do not see colours."""

Band = tuple[Constraint, Style, tuple[Strip, ...]]


def plain_region_figure(p: int, n: int, constraints: Sequence[Constraint], answer: Answer) -> Figure | None:
    """The picture of an answer about one test set; None where no band has straight borders or a class is missing."""
    named = [c for c in constraints if (c.name or c.score.name) in answer.conflict]
    shown = named or list(constraints)
    parts = [strips(constraint, p, n) for constraint in shown]
    bands = [(c, style, part) for c, style, part in zip(shown, STYLES * len(shown), parts, strict=False) if part]
    if not (p and n and bands):
        return None
    common = meeting(parts, p, n)
    outcome = words.outcome_of(shown, answer, apart=common is not None and common.empty)
    remarks = _remarks(answer, [c for c, part in zip(shown, parts, strict=True) if part is None])
    pieces = chain(_plane(p, n, bands, answer), _key(bands, remarks))
    height = _TOP + _PANEL + _LABELS + _ROW * (len(bands) + len(remarks))
    heading = _text(_LEFT, 20, outcome, size=14)
    source = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        f'font-family="DejaVu Sans, Verdana, Arial, sans-serif"><rect width="{_WIDTH}" height="{height}" fill="white"/>'
        f"{heading}{''.join(pieces)}</svg>"
    )
    description = " ".join([words.described(p, n, shown, outcome), *remarks])
    return Figure(words.title_of(shown, answer.verdict), source, description)


def _remarks(answer: Answer, curved: Sequence[Constraint]) -> list[str]:
    """What the dot is, and what is not drawn."""
    remarks = [f"The dot is one such matrix: {words.cells_of(matrix)}." for matrix in answer.witness[:1]]
    if curved:
        names = words.listed([words.name_of(constraint) for constraint in curved])
        remarks.append(f"Not drawn, because the border is curved: {names}.")
    return remarks


def _plane(p: int, n: int, bands: Sequence[Band], answer: Answer) -> Iterator[str]:
    """The frame with its numbers, the bands, and the witness."""
    right, bottom = _WIDTH - _RIGHT, _TOP + _PANEL
    for number, (_, style, part) in enumerate(bands):
        yield _hatch(number, style)
        for strip in part:
            points = _points(outline([strip], p, n), p, n)
            for fill, opacity in ((style.colour, 0.16), (f"url(#hatch{number})", 0.7)):
                yield f'<polygon points="{points}" fill="{fill}" fill-opacity="{opacity}"/>'
            yield f'<polygon points="{points}" fill="none" stroke="{style.colour}" stroke-width="1.4"/>'
    yield (
        f'<rect x="{_LEFT}" y="{_TOP}" width="{right - _LEFT}" height="{_PANEL}" fill="none" stroke="{FRAME}"/>'
        f"{_text(_LEFT, bottom + 16, '0')}{_text(right, bottom + 16, f'{p:,}', anchor='end')}"
        f"{_text(_LEFT - 6, bottom, '0', anchor='end')}{_text(_LEFT - 6, _TOP + 10, f'{n:,}', anchor='end')}"
        f"{_text((_LEFT + right) / 2, bottom + 16, 'true positives, tp', anchor='middle')}"
        f'<g transform="rotate(-90 {_LEFT - 12} {_TOP + _PANEL / 2})">'
        f"{_text(_LEFT - 12, _TOP + _PANEL / 2, 'true negatives, tn', anchor='middle')}</g>"
    )
    if answer.witness:
        x, y = _place(answer.witness[0].tp, answer.witness[0].tn, p, n)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5.5" fill="{INK}" stroke="white" stroke-width="1.5"/>'


def _key(bands: Sequence[Band], remarks: Sequence[str]) -> Iterator[str]:
    y = _TOP + _PANEL + _LABELS - 10
    for number, (constraint, style, _) in enumerate(bands):
        look = f'x="{_LEFT}" y="{y - 11}" width="26" height="14"'
        yield f'<rect {look} fill="{style.colour}" fill-opacity="0.16"/>'
        yield f'<rect {look} fill="url(#hatch{number})" stroke="{style.colour}"/>'
        yield _text(_LEFT + 36, y, f"{words.claim_of(constraint)}, which means {words.meaning_of(constraint)}")
        y += _ROW
    for line, remark in enumerate(remarks):
        yield _text(_LEFT, y + line * _ROW, remark, colour=MUTED)


def _hatch(number: int, style: Style) -> str:
    turned = _SLANTS[number % len(_SLANTS)]
    return (
        f'<defs><pattern id="hatch{number}" width="6" height="6" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate({turned})"><line x1="0" y1="0" x2="0" y2="6" stroke="{style.colour}"/>'
        "</pattern></defs>"
    )


def _points(polygon: Polygon, p: int, n: int) -> str:
    places = (_place(x / w, y / w, p, n) for x, y, w in polygon.vertices)
    return " ".join(f"{x:.2f},{y:.2f}" for x, y in places)


def _place(tp: float, tn: float, p: int, n: int) -> tuple[float, float]:
    """Where a matrix is on the picture."""
    return _LEFT + tp / p * (_WIDTH - _RIGHT - _LEFT), _TOP + _PANEL - tn / n * _PANEL


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = INK) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
