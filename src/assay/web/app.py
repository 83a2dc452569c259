"""The application, put together: pages, guard, errors for people, and what runs beside the pages."""

from __future__ import annotations

import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, PlainTextResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException

from assay.database import open_database
from assay.errors import InputError, UnavailableError
from assay.files import worded
from assay.web import audits, checklists, doors, rules, scores, start, studies
from assay.web.expiry import Housekeeping
from assay.web.jobs import Jobs
from assay.web.models import Kind
from assay.web.pages import is_piece, page
from assay.web.score_checks import Checker
from assay.web.security import Guard, Keys, confirm
from assay.web.settings import Settings
from assay.web.state import House, settings_of
from assay.web.study_reports import StudyReports
from assay.web.study_stores import StudyStores
from assay.web.tokens import EndedSessions, read_secret

_TITLES = {
    400: "That did not work",
    403: "Refused",
    404: "There is no such page",
    413: "Too large",
    422: "Not understood",
    503: "Not available at the moment",
}


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings; it starts its helpers when the server starts and stops them with it."""
    settings.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lifetime = settings.session.total_seconds()
    keys = Keys(read_secret(settings.folder), settings.token, lifetime)
    ended = EndedSessions(settings.folder, lifetime)
    engine = open_database(settings.where, migrations="assay.web.migrations")

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        house = House(
            settings,
            engine,
            Checker(settings.limits),
            Jobs(engine, settings, {Kind.AUDIT: audits.finish, Kind.PROPOSALS: checklists.finish}),
            StudyStores(settings, engine),
            StudyReports(settings.limits),
        )
        app.state.house = house
        helpers = (house.jobs, Housekeeping(engine, settings, house.studies))
        for helper in helpers:
            helper.start()
        try:
            yield
        finally:
            for closing in (*helpers, house.checker, house.studies):
                closing.close()
            engine.dispose()

    app = FastAPI(
        title="Assay",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        lifespan=lifespan,
        dependencies=[Depends(confirm)],
    )
    for part in (start, scores, audits, checklists, studies, rules, doors):
        app.include_router(part.router)
    app.mount("/static", StaticFiles(directory=Path(__file__).with_name("static")), name="static")
    app.add_exception_handler(InputError, _bad_input)
    app.add_exception_handler(OSError, _system_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(Exception, _our_fault)
    app.add_middleware(Guard, settings=settings, keys=keys, ended=ended)
    app.state.ended = ended
    return app


def _error_page(request: Request, status: int, message: str) -> Response:
    """An error as a page, or as one line where only a piece of a page is wanted."""
    if is_piece(request):
        return PlainTextResponse(message, status)
    made: HTMLResponse = page(
        request, "web/error.html", status=status, title=_TITLES.get(status, "That did not work"), message=message
    )
    return made


def _our_fault(_: Request, __: Exception) -> Response:
    """The log has the traceback; the visitor learns that it was not his doing."""
    return PlainTextResponse("Something went wrong inside Assay. Please report it, with the server's log.", 500)


def _bad_input(request: Request, error: Exception) -> Response:
    """What is wrong; but not where the server keeps its files and its database, which is no visitor's concern."""
    if isinstance(error, InputError) and ("://" in error.where or str(settings_of(request).folder) in error.where):
        error = type(error)(error.what, fix=error.fix)
    return _error_page(request, 503 if isinstance(error, UnavailableError) else 400, str(error))


def _system_error(request: Request, error: Exception) -> Response:
    """A full disk is said in words; anything else of the kind is a fault of ours, which the log explains."""
    if isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return _error_page(request, 503, "The disk is full; nothing was changed. Make room and try again.")
    raise error


def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    return _error_page(
        request, status, "Check the address, or begin at the start." if detail == "Not Found" else detail
    )


def _not_understood(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        return _error_page(request, 422, "")
    first = error.errors()[0]
    message, fix = worded(first)
    return _error_page(request, 422, f"The field {first['loc'][-1]} {message}. {fix}".rstrip())
