"""Who may come in, and what a browser may be made to do: sessions, login, forgery and size checks, headers."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, quote

from fastapi import HTTPException, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.records import dataclass
from assay.web.settings import LOOPBACK, Settings
from assay.web.tokens import EndedSessions, fingerprint

COOKIE = "assay_session"
CSRF_FIELD, CSRF_HEADER = "csrf", "x-csrf-token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = ("/login", "/static/", "/health")
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@dataclass(frozen=True, slots=True)
class Keys:
    """The server's own secret, which signs sessions, and the fingerprint of the token that visitors must know."""

    secret: bytes
    token: str = ""
    lifetime: float = 24 * 3600.0
    """Seconds."""

    def sign(self, *words: str) -> str:
        """A signature that changes with the token, so that a new token sends everybody out."""
        return hmac.new(self.secret, "\x1f".join((*words, self.token)).encode(), hashlib.sha256).hexdigest()

    def is_token(self, given: str) -> bool:
        """Whether a visitor knows the token."""
        return bool(self.token) and hmac.compare_digest(fingerprint(given.strip()), self.token)


@dataclass(frozen=True, slots=True)
class Session:
    """A visitor's browser: a random name, since when, and whether it has shown the token."""

    name: str
    since: int
    entered: bool
    keys: Keys

    @property
    def csrf(self) -> str:
        """What every form of this visitor carries and no other site can know."""
        return self.keys.sign("csrf", self.name)

    @property
    def cookie(self) -> str:
        """The session as the browser keeps it."""
        words = (self.name, str(self.since), "in" if self.entered else "out")
        return ".".join((*words, self.keys.sign("session", *words)))

    def admitted(self) -> Session:
        """The same visitor after login, under a new name."""
        return Session(secrets.token_hex(16), int(time.time()), True, self.keys)


def session_of(cookie: str, keys: Keys) -> Session | None:
    """The session in a cookie, if it is one of ours and not too old."""
    name, _, rest = cookie.partition(".")
    since, _, rest = rest.partition(".")
    state, _, signature = rest.partition(".")
    genuine = hmac.compare_digest(keys.sign("session", name, since, state).encode(), signature.encode())
    if not genuine or time.time() - int(since) > keys.lifetime:
        return None
    return Session(name, int(since), state == "in", keys)


async def confirm(request: Request) -> None:
    """Refuse what another site may have made the browser send: every change must carry the visitor's token."""
    if request.method in _SAFE:
        return
    given = request.headers.get(CSRF_HEADER)
    if given is None:
        field = (await request.form()).get(CSRF_FIELD)
        given = field if isinstance(field, str) else ""
    session: Session = request.state.session
    if not hmac.compare_digest(given.encode(errors="replace"), session.csrf.encode()):
        raise HTTPException(403, "This form is out of date, or it did not come from this page. Load it again.")


class Guard:
    """Stands before the application: host, login, origin and size are settled before anything is read."""

    def __init__(self, app: ASGIApp, settings: Settings, keys: Keys, ended: EndedSessions) -> None:
        self.app, self.settings, self.keys, self.ended = app, settings, keys, ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer it here."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if scope["method"] == "HEAD":  # a client that asks whether a page exists; the server omits the content
            scope = {**scope, "method": "GET"}
        headers = Headers(scope=scope)
        known = session_of(_cookie(headers.get("cookie", "")), self.keys)
        if known is not None and known.name in self.ended:
            known = None
        session = known or Session(secrets.token_hex(16), int(time.time()), False, self.keys)
        scope.setdefault("state", {})["session"] = session
        answer = self._entry(scope, session) or self._refusal(scope, headers, session)
        most = self._most(scope["path"])
        if answer is None and int(headers.get("content-length", "0") or 0) > most:
            answer = PlainTextResponse(f"Larger than {most:,} bytes, which is the most this server takes.", 413)
        dressed = _dressed(send, None if known else session, secure=scope.get("scheme") == "https")
        if answer is not None:
            await answer(scope, receive, dressed)
        else:
            await self.app(scope, _bounded(receive, most), dressed)

    def _entry(self, scope: Scope, session: Session) -> RedirectResponse | None:
        """An address with the token in it, as `assay serve` prints it: let the visitor in, and drop the token."""
        if not self.keys.token or scope["method"] not in _SAFE or self._is_foreign(Headers(scope=scope)):
            return None
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if not self.keys.is_token(given):
            return None
        answer = RedirectResponse(quote(scope["path"]) if not scope["path"].startswith("//") else "/", 303)
        entered = session if session.entered else session.admitted()
        answer.headers["set-cookie"] = cookie_line(entered, secure=scope.get("scheme") == "https")
        return answer

    def _is_foreign(self, headers: Headers) -> bool:
        """Whether the request names another host than this machine, where only this machine may come in."""
        return self.settings.loopback and _host(headers.get("host", "")) not in LOOPBACK

    def _refusal(self, scope: Scope, headers: Headers, session: Session) -> PlainTextResponse | RedirectResponse | None:
        changes = scope["method"] not in _SAFE
        if self._is_foreign(headers):
            return PlainTextResponse("This server answers to localhost only.", 421)
        if changes and headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return PlainTextResponse("Requests from other sites are refused.", 403)
        if self.keys.token and not session.entered and not scope["path"].startswith(_OPEN):
            if changes or headers.get("hx-request"):
                return PlainTextResponse("Log in first.", 401)
            asked = scope["path"] + (f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else "")
            return RedirectResponse(f"/login?next={quote(asked, safe='')}", 303)
        return None

    def _most(self, path: str) -> int:
        limits = self.settings.limits
        return limits.upload_bytes if path.endswith("/upload") else limits.field_bytes


def _host(header: str) -> str:
    """The name in a Host header, without port and brackets."""
    return header[1:].partition("]")[0] if header.startswith("[") else header.partition(":")[0]


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _bounded(receive: Receive, most: int) -> Receive:
    """The request's body, which ends in a refusal when it grows beyond what it may."""
    taken = 0

    async def bounded() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413, f"Larger than {most:,} bytes, which is the most this server takes.")
        return message

    return bounded


def _dressed(send: Send, session: Session | None, *, secure: bool) -> Send:
    """Answers with the headers that every answer has; a page may name a stricter policy of its own."""

    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
            if session is not None and "set-cookie" not in headers:
                headers.append("set-cookie", cookie_line(session, secure=secure))
        await send(message)

    return dressed


def cookie_line(session: Session, *, secure: bool) -> str:
    """The Set-Cookie header of a session."""
    lasts = int(session.keys.lifetime)
    return f"{COOKIE}={session.cookie}; Path=/; Max-Age={lasts}; HttpOnly; SameSite=Lax" + ("; Secure" * secure)
