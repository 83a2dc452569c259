"""The path of a leak as a drawing: lines of text, and a picture."""

from __future__ import annotations

import textwrap
from xml.sax.saxutils import escape

from assay.findings import Evidence, EvidenceKind, Figure
from assay.leakage.code.leak import Leak

_WIDTH, _LINE, _GAP, _MARGIN = 640, 17, 26, 12
_CHARACTERS = 84
_MOST_LINES = 4


def steps_of(leak: Leak) -> list[Evidence]:
    """The stages of the path, in order."""
    return [e for e in leak.evidence if e.kind is EvidenceKind.STEP]


def as_text(leak: Leak) -> str:
    """The path from top to bottom, one stage a line, the leaking one marked."""
    lines: list[str] = []
    steps = steps_of(leak)
    for number, step in enumerate(steps):
        words, _, code = step.text.partition(": ")
        sign = "●" if step.location == leak.location else "○"
        lines += [f"{sign} {step.location or 'out of sight'}  {words}", *([f"│     {code}"] if code else [])]
        if number < len(steps) - 1:
            lines.append("▼")
    return "\n".join(lines)


def picture(leak: Leak, number: int) -> Figure:
    """The path as boxes joined by arrows."""
    y = _MARGIN
    parts: list[str] = []
    for index, step in enumerate(steps_of(leak)):
        words, _, code = step.text.partition(": ")
        lines = [str(step.location or "out of sight") + " · " + words, *_wrapped(code)]
        height = _LINE * len(lines) + 12
        if index:
            middle = _WIDTH // 2
            parts.append(f'<line x1="{middle}" y1="{y - _GAP}" x2="{middle}" y2="{y - 6}" stroke="#555"/>')
            parts.append(f'<polygon points="{middle - 5},{y - 8} {middle + 5},{y - 8} {middle},{y}" fill="#555"/>')
        colour = "#b3261e" if step.location == leak.location else "#555"
        box = f'x="{_MARGIN}" y="{y}" width="{_WIDTH - 2 * _MARGIN}" height="{height}" rx="4"'
        parts.append(f'<rect {box} fill="none" stroke="{colour}"/>')
        for line, text in enumerate(lines):
            weight = ' font-weight="bold"' if line == 0 else ' font-family="monospace"'
            place = f'x="{_MARGIN + 8}" y="{y + _LINE * (line + 1)}"'
            parts.append(f'<text {place} font-size="12"{weight} fill="currentColor">{escape(text)}</text>')
        y += height + _GAP
    height = max(y - _GAP + _MARGIN, 2 * _MARGIN)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}">{"".join(parts)}</svg>'
    return Figure(f"Path {number}: {leak.code}, {leak.location}", svg, as_text(leak))


def _wrapped(code: str) -> list[str]:
    lines = textwrap.wrap(code, _CHARACTERS)
    return lines if len(lines) <= _MOST_LINES else [*lines[: _MOST_LINES - 1], "…"]
