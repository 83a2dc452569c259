"""Templates: one frame around every page, everything escaped, the same words for values as in reports."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, NamedTuple

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined

from assay import __version__
from assay.findings import Evidence, Severity, Verdict
from assay.report import wording

LONGEST_TEXT = 20_000
FOLDED_SIGNS = 1_400
FOLDED_VALUES = 24
THEMES = frozenset({"light", "dark"})


class Place(NamedTuple):
    """An entry of the navigation."""

    path: str
    title: str


PLACES = (
    Place("/", "Start"),
    Place("/scores", "Scores"),
    Place("/audits", "Audits"),
    Place("/checklists", "Checklists"),
    Place("/studies", "Studies"),
    Place("/rules", "Rules"),
)


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> HTMLResponse:
    """A whole page, or a piece of one, made from a template."""
    session = request.state.session
    shared = {
        "request": request,
        "places": PLACES,
        "here": next((p for p in reversed(PLACES) if request.url.path.startswith(p.path)), PLACES[0]),
        "csrf": session.csrf,
        "login": bool(session.keys.token) and session.entered,
        "theme": theme_of(request),
        "version": __version__,
        "now": datetime.now(UTC),
    }
    return HTMLResponse(environment().get_template(template).render(shared | context), status)


def theme_of(request: Request) -> str:
    """The colours that the visitor chose: light, dark, or empty for those of the system."""
    chosen = request.cookies.get("assay_theme", "")
    return chosen if chosen in THEMES else ""


def is_piece(request: Request) -> bool:
    """Whether htmx asks for a piece of the page that is already there."""
    return request.headers.get("hx-request") == "true" and request.headers.get("hx-boosted") != "true"


@cache
def environment() -> Environment:
    """The templates of the application, and under ``report/`` those of reports."""
    made = Environment(
        loader=PrefixLoader({"web": PackageLoader("assay.web"), "report": PackageLoader("assay.report")}),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.globals |= {
        "wording": wording,
        "MARK": {
            Verdict.CONSISTENT: "✓",
            Verdict.CONDITIONAL: "!",
            Verdict.INCONSISTENT: "✗",
            Verdict.UNDECIDED: "?",
        },
        "Severity": Severity,
        "MOST_ROWS": 1_000,
    }
    clip = partial(wording.clipped, limit=LONGEST_TEXT)
    made.filters |= {"clip": clip, "line": wording.on_one_line, "shown": wording.shown, "since": since, "size": size}
    made.tests["long"] = _is_long
    return made


def _is_long(piece: Evidence) -> bool:
    """Whether evidence is folded away until it is wanted."""
    return len(piece.text) > FOLDED_SIGNS or piece.text.count("\n") > 13 or len(piece.values) > FOLDED_VALUES


def since(moment: datetime, now: datetime) -> str:
    """How long ago something was, in words."""
    seconds = (now - moment.replace(tzinfo=moment.tzinfo or UTC)).total_seconds()
    for length, unit in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= length:
            return f"{wording.counted(int(seconds // length), unit)} ago"
    return "just now"


def size(bytes_: int) -> str:
    """A number of bytes for people."""
    for power, unit in ((3, "GB"), (2, "MB"), (1, "kB")):
        if bytes_ >= 1000**power:
            return f"{bytes_ / 1000**power:.3g} {unit}"
    return wording.counted(bytes_, "byte")
