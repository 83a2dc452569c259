"""The small doors of the house: login and logout, the choice of colours, and a sign of life."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from sqlalchemy import text

from assay.database import read
from assay.errors import InputError
from assay.web.pages import THEMES, page
from assay.web.security import COOKIE, Session, cookie_line
from assay.web.state import engine_of, settings_of

router = APIRouter()

_YEAR = 365 * 24 * 3600


@router.get("/health")
def health(request: Request) -> PlainTextResponse:
    """Whether the server and its database answer, for a monitor."""
    try:
        read(engine_of(request), lambda session: session.execute(text("SELECT 1")))
    except InputError:
        return PlainTextResponse("the database does not answer", 503)
    return PlainTextResponse("ok")


@router.get("/login")
def ask(request: Request, next: Annotated[str, Query(max_length=4000)] = "/") -> HTMLResponse:  # noqa: A002 - its name in the address
    """Ask for the token."""
    return page(request, "web/login.html", next=inside(next), error="", loopback=settings_of(request).loopback)


@router.post("/login")
def enter(
    request: Request,
    token: Annotated[str, Form(max_length=200)] = "",
    next: Annotated[str, Form(max_length=4000)] = "/",  # noqa: A002 - its name in the form
) -> Response:
    """Let in anyone who knows the token."""
    session: Session = request.state.session
    if not session.keys.is_token(token):
        error = "This is not the server's token."
        loopback = settings_of(request).loopback
        return page(request, "web/login.html", status=403, next=inside(next), error=error, loopback=loopback)
    answer = RedirectResponse(inside(next), 303)
    answer.headers["set-cookie"] = cookie_line(session.admitted(), secure=request.url.scheme == "https")
    return answer


@router.post("/logout")
def leave(request: Request) -> Response:
    """End the session, here and in the browser."""
    session: Session = request.state.session
    request.app.state.ended.add(session.name)
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(COOKIE)
    return answer


@router.post("/theme")
def colours(
    request: Request,
    theme: Annotated[str, Form(max_length=10)] = "",
    next: Annotated[str, Form(max_length=4000)] = "/",  # noqa: A002 - its name in the form
) -> Response:
    """Keep the colours that the visitor chose, and go back."""
    answer = RedirectResponse(inside(next), 303)
    secure = request.url.scheme == "https"
    chosen = theme if theme in THEMES else ""
    answer.set_cookie("assay_theme", chosen, max_age=_YEAR, samesite="lax", httponly=True, secure=secure)
    return answer


def inside(address: str) -> str:
    """The address if it leads to a page of this server, else the start: a link must not lead elsewhere."""
    plain = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return address if plain and "\\" not in address else "/"
