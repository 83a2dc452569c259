"""Remote links are asked for politely: one request a host at a time, cached, and never believed dead without proof."""

import json
import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from urllib.error import URLError

import pytest

from assay.code import read_code
from assay.public_addresses import is_public, public_opener
from assay.repository.readme import Link, Status, check_links, read_readme
from assay.repository.readme.online import fetch_status
from assay.tree import tree_of


class Handler(BaseHTTPRequestHandler):
    """Answers by path; `/nohead` refuses HEAD."""

    seen: list[tuple[str, str]]

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        self.answer()

    def answer(self) -> None:
        type(self).seen.append((self.command, self.path))
        code = {"/gone": 404, "/busy": 503, "/moved": 301}.get(
            self.path, 302 if self.path.startswith("/inwards") else 200
        )
        self.send_response(405 if self.path == "/nohead" and self.command == "HEAD" else code)
        if code == 301:
            self.send_header("Location", "/there")
        if self.path.startswith("/inwards"):
            scheme, _, port = self.path.partition("?")[2].rpartition("-")
            self.send_header("Location", f"{scheme or 'http'}://localhost:{port}/secret")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        pass


@pytest.fixture
def server() -> Iterator[str]:
    Handler.seen = []
    with HTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()
        thread.join()


ASK = partial(fetch_status, allowed=["127.0.0.1"])
"""As `--online` asks, by a user who has named this machine."""


def links(*targets: str) -> tuple[Link, ...]:
    tree = tree_of({"README.md": "\n\n".join(f"[a]({target})" for target in targets)})
    return read_readme(tree, read_code(tree)).links


def test_statuses_are_told_apart(server: str) -> None:
    asked = links(*(f"{server}/{path}" for path in ("there", "gone", "busy", "moved", "nohead")), "local.md", "#x")
    found = {c.url.rpartition("/")[2]: c.status for c in check_links(asked, fetch=ASK, delay=0)}
    assert found == {
        "there": Status.OK, "gone": Status.BROKEN, "busy": Status.UNKNOWN, "moved": Status.OK, "nohead": Status.OK,
    }  # fmt: skip


def test_each_address_is_asked_for_once_and_remembered(server: str, tmp_path: Path) -> None:
    cache = tmp_path / "deep" / "links.json"
    asked = links(f"{server}/there", f"{server}/there#part", f"{server}/there")
    check_links(asked, fetch=ASK, cache=cache, delay=0)
    check_links(asked, fetch=ASK, cache=cache, delay=0)
    assert Handler.seen == [("HEAD", "/there")]
    assert json.loads(cache.read_text())[0]["code"] == 200


def test_there_is_a_pause_between_requests_to_one_host() -> None:
    pauses: list[float] = []
    now = [0.0]
    check_links(
        links("https://a.org/1", "https://a.org/2", "https://b.org/1"),
        fetch=lambda method, url, timeout: (200, ""),
        delay=2.0,
        pause=pauses.append,
        clock=lambda: now[0],
    )
    assert pauses == [2.0]


def test_a_server_that_does_not_answer_proves_nothing() -> None:
    [checked] = check_links(links("http://127.0.0.1:9/x"), fetch=ASK, delay=0, timeout=30)
    assert checked.status is Status.UNKNOWN


@pytest.mark.parametrize(
    "content", ["", "[1]", '[{"url": 1}]', "{" * 100, '[{"url":"u","code":"x","reason":"","at":0}]']
)
def test_a_broken_cache_is_no_cache(content: str, tmp_path: Path, server: str) -> None:
    cache = tmp_path / "links.json"
    cache.write_text(content)
    [checked] = check_links(links(f"{server}/there"), fetch=ASK, cache=cache, delay=0)
    assert checked.status is Status.OK


def test_only_so_many_addresses_are_asked_for() -> None:
    asked = links(*(f"https://a{i}.org/" for i in range(20)))
    assert len(check_links(asked, fetch=lambda m, u, t: (200, ""), delay=0, most=5)) == 5


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
    ],
)
def test_this_machine_is_not_asked_in_any_notation(server: str, host: str) -> None:
    port = server.rpartition(":")[2]
    code, reason = fetch_status("HEAD", f"http://{host}:{port}/secret", 30)
    assert (code, Handler.seen) == (0, [])
    assert "private network" in reason or "refused" in reason or "no such host" in reason


def test_a_public_name_that_leads_to_a_private_address_is_refused(server: str) -> None:
    opener = public_opener(resolve=lambda host, port: ["93.184.216.34", "192.168.0.10"])
    with pytest.raises(URLError, match="private network"):
        opener.open(f"http://public.example:{server.rpartition(':')[2]}/", timeout=30)
    assert Handler.seen == []


def test_a_redirect_to_a_private_address_is_refused_and_head_stays_head(server: str) -> None:
    """The first host is named by the user, the one that it redirects to is not."""
    port = server.rpartition(":")[2]
    assert ASK("HEAD", f"{server}/inwards?{port}", 30)[0] == 0
    assert Handler.seen == [("HEAD", f"/inwards?{port}")]
    assert ASK("HEAD", f"{server}/moved", 30) == (200, "")
    assert Handler.seen[1:] == [("HEAD", "/moved"), ("HEAD", "/there")]


@pytest.mark.parametrize("scheme", ["ftp", "file", "data", "gopher"])
def test_a_redirect_leads_to_no_other_protocol(server: str, scheme: str) -> None:
    """FTP would connect without any check; here nobody may even be connected to."""
    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.setblocking(False)
        assert ASK("HEAD", f"{server}/inwards?{scheme}-{inside.getsockname()[1]}", 30)[0] in {0, 302}
        with pytest.raises(BlockingIOError):
            inside.accept()


def test_a_proxy_on_this_machine_does_not_open_this_machine(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment's proxy is asked for public addresses, and for no private one, its own included."""
    monkeypatch.setenv("http_proxy", server)
    monkeypatch.delenv("no_proxy", raising=False)
    assert fetch_status("HEAD", "http://93.184.216.34/there", 30) == (200, "")
    assert Handler.seen == [("HEAD", "http://93.184.216.34/there")]
    for host in ("127.0.0.1", "localhost", "10.0.0.1"):
        code, reason = fetch_status("HEAD", f"http://{host}:{server.rpartition(':')[2]}/secret", 30)
        assert (code, len(Handler.seen)) == (0, 1)
        assert "private network" in reason


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True), ("2606:4700::1", True), ("10.1.2.3", False), ("172.16.0.1", False), ("192.168.1.1", False),
        ("169.254.169.254", False), ("100.64.0.1", False), ("0.0.0.0", False), ("224.0.0.1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False), ("::ffff:10.0.0.1", False), ("2002:7f00:1::", False), ("64:ff9b::7f00:1", False),
    ],
)  # fmt: skip
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public
