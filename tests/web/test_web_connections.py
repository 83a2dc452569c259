"""Slow, half-sent and too many requests do not stop the server for others."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from served import served

from assay.web.connections import Patience
from assay.web.settings import Settings

FORM = b"POST /theme HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
FOREVER = 60
"""Seconds that no working server takes to close a connection, on a machine under any load."""


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that waits for nobody."""
    patience = Patience(header_seconds=0.2, body_seconds=0.2, body_bytes=1000, per_address=20)
    with served(Settings(tmp_path_factory.mktemp("hasty")), patience) as base:
        yield base


def connected(base: str, sent: bytes = b"") -> socket.socket:
    address = urlsplit(base)
    connection = socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=FOREVER)
    connection.sendall(sent)
    return connection


def is_closed_by_server(connection: socket.socket) -> bool:
    """Wait until the server ends the connection without an answer."""
    try:
        return connection.recv(1000) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        FORM + b"Content-Length: 1000\r\n\r\nhalf",
        FORM + b"Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
    ids=["nothing", "half a line", "half of the headers", "half of a body", "half of the chunks"],
)
def test_a_request_that_does_not_end_is_dropped(hasty: str, sent: bytes) -> None:
    with connected(hasty, sent) as connection:
        assert is_closed_by_server(connection)


def test_a_second_request_on_a_connection_has_its_deadline_too(hasty: str) -> None:
    with connected(hasty, b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n") as connection:
        answer = b""
        while not answer.endswith(b"ok"):
            answer += connection.recv(1000)
        connection.sendall(b"GET /health HT")
        assert is_closed_by_server(connection)


def test_an_upload_that_keeps_coming_is_taken(tmp_path: Path) -> None:
    patience = Patience(body_seconds=0.2, body_bytes=1)
    body = b"x" * 1_000_000
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    with served(Settings(tmp_path), patience) as base:

        def pieces() -> Iterator[bytes]:
            for start in range(0, len(body), 50_000):
                yield body[start : start + 50_000]

        answer = httpx.post(f"{base}/theme", content=pieces(), headers=kind, timeout=FOREVER)
    assert answer.status_code == 403, "all of it was read: only then can the missing form token be seen"


def test_one_address_cannot_take_every_connection(tmp_path: Path) -> None:
    with served(Settings(tmp_path), Patience(per_address=3)) as base, contextlib.ExitStack() as many:
        first = [many.enter_context(connected(base)) for _ in range(3)]
        for connection in first:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert connection.recv(1000).startswith(b"HTTP/1.1 200")
        assert is_closed_by_server(many.enter_context(connected(base)))
        first.pop().close()
        while True:  # until the server has noticed
            with contextlib.suppress(httpx.TransportError):
                assert httpx.get(f"{base}/health", timeout=FOREVER).text == "ok"
                break


def test_one_address_cannot_take_every_connection_of_a_process_with_few_file_handles(tmp_path: Path) -> None:
    with served(Settings(tmp_path), Patience().within(256)) as base, contextlib.ExitStack() as many:
        address = urlsplit(base)
        for _ in range(200):
            other = many.enter_context(socket.socket())
            other.bind(("127.0.0.2", 0))
            other.connect((str(address.hostname), int(address.port or 0)))
        assert httpx.get(f"{base}/health", timeout=FOREVER).text == "ok"


def test_every_limit_fits_into_the_file_handles() -> None:
    assert Patience().within(4096) == Patience()
    for handles in (64, 256, 1024):
        least = Patience().within(handles)
        assert 4 * least.per_address <= least.in_all <= handles // 2
        assert least.backlog <= handles // 16
