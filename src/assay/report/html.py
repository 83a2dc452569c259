"""The report as one self-contained HTML page, and as the fragment that notebooks show."""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assay.findings import Evidence, Figure, Finding, Report, Verdict
from assay.report import chapters, questions, wording
from assay.report.page_one import headline_of, points_of
from assay.report.svg import harmless

LONGEST_TEXT = 20_000
MOST_ROWS = 1_000
QUESTIONS_SHOWN = 5
"""Questions on page one; the others are folded."""
FOLDED_LINES = 14
FOLDED_VALUES = 24

_VERDICT_CLASS = {
    "proven": "error", "likely": "warning", "missing": "warning", "minor": "note", "fine": "consistent",
    "unjudged": "undecided",
}  # fmt: skip
"""Each line of the verdict looks like the findings it counts."""


def render(report: Report) -> str:
    """A whole page that asks nothing of the network."""
    script, allowed = _script()
    context = _context(report, level=1) | {"script": script, "script_hash": allowed}
    return _environment().get_template("page.html.jinja").render(context)


def fragment(report: Report) -> str:
    """The same without the page around it; its style touches nothing else in the notebook."""
    return _environment().get_template("fragment.html.jinja").render(_context(report, level=2))


def _context(report: Report, level: int) -> dict[str, Any]:
    pictures = [(figure, _picture(figure)) for figure in report.figures]
    return {"report": report, "pictures": pictures, "level": level, "page": level == 1, "anchor": _anchors(report)}


def _anchors(report: Report) -> Callable[[Finding], str]:
    """A name for each finding's card: the same in every run, and unique where several findings are alike."""
    seen: Counter[str] = Counter()
    names = {}
    for finding in report.findings if report.sections else ():
        mark = finding.fingerprint
        seen[mark] += 1
        names[id(finding)] = f"f-{mark}" + (f"-{seen[mark]}" if seen[mark] > 1 else "")
    return lambda finding: names[id(finding)]


def _picture(figure: Figure) -> Markup | None:
    """The drawing, its identifiers told apart from those of any other in the page or the notebook."""
    mark = hashlib.sha256(figure.svg.encode(errors="replace")).hexdigest()[:8]
    drawn = harmless(figure.svg, prefix=f"figure-{mark}-", label=figure.alt or figure.title, title=figure.title)
    return None if drawn is None else Markup(drawn)  # noqa: S704 - `harmless` keeps only what it knows to be harmless


@cache
def _script() -> tuple[Markup, str]:
    """Our script, and the one permission that the page's policy gives: to run exactly this text."""
    text = resources.files("assay.report").joinpath("templates/report.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return Markup(text), f"'sha256-{digest}'"  # noqa: S704 - a file of our own


@cache
def _environment() -> Environment:
    made = Environment(
        loader=PackageLoader("assay.report"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
    )
    made.globals |= {
        "wording": wording,
        "chapters": chapters,
        "questions": questions,
        "headline_of": headline_of,
        "points_of": points_of,
        "VERDICT_CLASS": _VERDICT_CLASS,
        "MARK": {
            Verdict.CONSISTENT: "✓",
            Verdict.CONDITIONAL: "!",
            Verdict.INCONSISTENT: "✗",
            Verdict.UNDECIDED: "?",
        },
        "MOST_ROWS": MOST_ROWS,
        "QUESTIONS_SHOWN": QUESTIONS_SHOWN,
    }
    made.filters |= {"clip": _clip, "line": wording.on_one_line, "shown": wording.shown}
    made.tests["long"] = _is_long
    return made


def _clip(text: str) -> str:
    return wording.clipped(text, LONGEST_TEXT)


def _is_long(piece: Evidence) -> bool:
    """Whether evidence is folded away until it is wanted."""
    lines = max(piece.text.count("\n") + 1, len(piece.text) // 100)
    return lines > FOLDED_LINES or len(piece.values) > FOLDED_VALUES
