"""Start: drop a file or paste scores; examples one click away."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from assay.web.examples import SCORES
from assay.web.models import Kind
from assay.web.pages import page
from assay.web.shelf import list_jobs
from assay.web.state import engine_of, settings_of

router = APIRouter()

_SHOWN = 5


@router.get("/")
def start(request: Request) -> HTMLResponse:
    """The first page."""
    jobs, _ = list_jobs(engine_of(request), Kind.AUDIT, size=_SHOWN)
    return page(request, "web/start/start.html", examples=SCORES, jobs=jobs, settings=settings_of(request))
