"""Connections that may not dawdle: deadlines for requests, and a number of connections for each address.

uvicorn waits for the end of a request for ever, so a few hundred half-sent requests would stop a server for everybody.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from assay.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a request may take to arrive, and how many connections one address may hold."""

    header_seconds: float = 15.0
    """From the first byte, or the opening of the connection, to the end of the headers."""
    body_seconds: float = 15.0
    """In each period of this length, `body_bytes` of an unfinished body must arrive."""
    body_bytes: int = 64 * 1024
    per_address: int = 128
    """A browser opens six connections, and one more for each page that waits for an audit."""
    in_all: int = 512
    backlog: int = 256
    """Connections that are accepted at one go: each takes a file handle, also one that is refused a moment later."""
    proxies: frozenset[str] = frozenset()
    """Addresses that speak for many visitors, and so are not counted."""

    def within(self, handles: int) -> Patience:
        """The same for a process with few file handles: half are for connections, and four addresses share these."""
        in_all = max(4, min(self.in_all, handles // 2))
        return replace(
            self,
            in_all=in_all,
            per_address=min(self.per_address, in_all // 4),
            backlog=max(4, min(self.backlog, handles // 16)),
        )


def protocol_with(patience: Patience) -> type[H11Protocol]:
    """Uvicorn's HTTP protocol with these limits."""

    class Limited(_LimitedProtocol):
        limits = patience
        open_by_address: ClassVar[Counter[str]] = Counter()

    return Limited


class _LimitedProtocol(H11Protocol):
    limits: ClassVar[Patience]
    open_by_address: ClassVar[Counter[str]]
    _timer: asyncio.TimerHandle | None = None
    _counted: str = ""
    _received: int = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and close it at once where there are too many."""
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if address not in self.limits.proxies:
            self._counted = address
            self.open_by_address[address] += 1
        too_many = self.open_by_address[address] > self.limits.per_address
        if too_many or len(self.connections) > self.limits.in_all:
            self.connections.discard(self)  # its end comes later, and it must not keep others out until then
            transport.abort()
            return
        self._expect_headers()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_timer()
        if self._counted:
            self.open_by_address[self._counted] -= 1
            if not self.open_by_address[self._counted]:
                del self.open_by_address[self._counted]
            self._counted = ""
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come; a timer runs for as long as the request is unfinished."""
        self._received += len(data)
        before = self.conn.their_state
        if before is h11.IDLE and self._timer is None:
            self._expect_headers()
        super().data_received(data)
        now = self.conn.their_state
        if now is h11.SEND_BODY and (before is not h11.SEND_BODY or self._timer is None):
            self._expect_body()
        elif now not in {h11.IDLE, h11.SEND_BODY}:
            self._stop_timer()

    def on_response_complete(self) -> None:
        """An answered request needs no timer; uvicorn's own bounds the wait for the next one."""
        self._stop_timer()
        super().on_response_complete()

    def _expect_headers(self) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(self.limits.header_seconds, self._give_up)

    def _expect_body(self) -> None:
        self._stop_timer()
        self._received = 0
        self._timer = self.loop.call_later(self.limits.body_seconds, self._look_at_body)

    def _look_at_body(self) -> None:
        waiting_for_us = not self.transport.is_reading()
        if waiting_for_us or self._received >= self.limits.body_bytes:
            self._expect_body()
        else:
            self._give_up()

    def _give_up(self) -> None:
        self._timer = None
        self.transport.abort()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class OncePerMinute(logging.Filter):
    """Lets a message through once in a minute: a server out of file handles logs thousands of them a second."""

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether this message is new in the last minute. Faults of the application are always logged."""
        if record.exc_info and record.name != "asyncio":
            return True
        now = time.monotonic()
        kind = record.getMessage().partition("\n")[0][:80]
        if now - self._last.get(kind, float("-inf")) < 60:
            return False
        if len(self._last) > 1000:
            self._last.clear()
        self._last[kind] = now
        return True


def server_options(patience: Patience) -> dict[str, Any]:
    """What uvicorn is configured with so that these limits hold."""
    return {"http": protocol_with(patience), "ws": "none", "timeout_keep_alive": 5, "backlog": patience.backlog}


def bound_the_log() -> None:
    """Keep a flood of bad requests, or of refused connections, from filling the disk with messages."""
    for name in ("asyncio", "uvicorn.error"):
        logging.getLogger(name).addFilter(OncePerMinute())


def file_handles() -> int:
    """The file handles of this process, which is given as many as it may have."""
    try:
        import resource
    except ImportError:  # Windows
        return _MOST_HANDLES
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    handles = _MOST_HANDLES if hard == resource.RLIM_INFINITY else min(hard, _MOST_HANDLES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (handles, hard))
    return handles


_MOST_HANDLES = 4096
"""Half of them for connections; the rest for uploads, reports, processes and the database."""
