"""Repositories come from a real git server on this machine: shallow, one request after another, never twice."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from assay.corpus import clones
from assay.corpus.clones import Host, cloned
from assay.corpus.instruments import load
from assay.corpus.subject import Subject, Task
from assay.errors import InputError
from assay.tree import open_tree


def git(*words: str, cwd: Path) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, *words], cwd=cwd, check=True, capture_output=True, text=True)
    return done.stdout.strip()


class Server(ThreadingHTTPServer):
    """Serves what is below a folder by git's own protocol; `busy` requests are sent away first."""

    def __init__(self, root: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.root, self.busy, self.status = root, 0, 429
        self.asked: list[tuple[float, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.answer()

    def do_POST(self) -> None:
        self.answer()

    def answer(self) -> None:
        self.server.asked.append((time.monotonic(), self.path))
        if self.server.busy:
            self.server.busy -= 1
            self.send_response(self.server.status)
            self.send_header("Retry-After", "1")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        path, _, query = self.path.partition("?")
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        environment = {
            "PATH": os.environ["PATH"],
            "GIT_PROJECT_ROOT": str(self.server.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "PATH_INFO": path,
            "QUERY_STRING": query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
        }
        told = subprocess.run(["git", "http-backend"], input=body, env=environment, capture_output=True, check=True)
        headers, _, content = told.stdout.partition(b"\r\n\r\n")
        fields = dict(line.split(": ", 1) for line in headers.decode().split("\r\n"))
        self.send_response(int(fields.pop("Status", "200").split()[0]))
        for name, value in fields.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    root = tmp_path / "hosted"
    work = root / "work"
    work.mkdir(parents=True)
    git("init", "-q", cwd=work)
    for number in range(3):
        (work / "train.py").write_text(f"print({number})\n")
        git("add", ".", cwd=work)
        git("commit", "-q", "-m", f"{number}", cwd=work)
    git("tag", "v1", cwd=work)
    with Server(root) as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def task(tmp_path: Path, pause: float = 0.0) -> Task:
    return Task("repo", (("cache", str(tmp_path / "cache")), ("online", "yes"), ("pause", f"{pause:g}")))


def nothing() -> None:
    pass


def test_a_repository_is_fetched_once_shallowly_under_its_commit(server: Server, tmp_path: Path) -> None:
    source = f"{server.url}/work"
    commit = git("rev-parse", "HEAD", cwd=server.root / "work")
    first = cloned(source, task(tmp_path), nothing)
    assert first is not None
    assert first.tags == ("v1",)
    assert Path(first.path.rpartition("@")[0]).name == f"{commit}.git"
    assert git("rev-list", "--count", commit, cwd=Path(first.path.rpartition("@")[0])) == "1"
    assert open_tree(first.path).get("train.py") is not None

    asked = len(server.asked)
    assert cloned(source, task(tmp_path), nothing) == first  # one question: which commit is it at?
    assert [path for _, path in server.asked[asked:] if "git-upload-pack" not in path] == []
    packs = [path for _, path in server.asked[asked:] if path.endswith("/git-upload-pack")]
    assert len(packs) == 1
    asked = len(server.asked)
    assert cloned(f"{source}@{commit}", task(tmp_path), nothing) == first  # none at all
    assert len(server.asked) == asked

    (server.root / "work" / "train.py").write_text("print('new')\n")
    git("commit", "-q", "-a", "-m", "new", cwd=server.root / "work")
    moved = cloned(source, task(tmp_path), nothing)
    assert moved is not None
    assert moved.path != first.path
    assert not list((tmp_path / "cache").rglob(".fetching-*"))


def test_a_busy_host_is_asked_again_when_it_said(server: Server, tmp_path: Path) -> None:
    server.busy = 1
    beats: list[float] = []
    assert cloned(f"{server.url}/work", task(tmp_path), lambda: beats.append(time.monotonic()))
    (first, _), (second, _) = server.asked[:2]
    assert second - first >= 1.0
    assert len(beats) > 3  # waiting does not count against the subject's time


def test_what_is_not_there_is_not_asked_for_again(server: Server, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be fetched"):
        cloned(f"{server.url}/nowhere", task(tmp_path), nothing)
    assert len(server.asked) <= 2


def test_patience_has_an_end(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clones, "_LONGEST_WAIT", 0.05)
    server.busy, server.status = 1000, 503
    with pytest.raises(InputError, match="503"):
        cloned(f"{server.url}/work", task(tmp_path), nothing)
    assert len(server.asked) == 5


class Clock:
    """A time that passes only for those who sleep."""

    def __init__(self) -> None:
        self.now = 1000.0

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_requests_to_a_host_keep_their_distance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(clones, "time", clock)
    host, other = (Host.of(f"https://{name}/a", tmp_path, 3.0) for name in ("example.org", "example.com"))
    started = []
    for one in (host, host, other, host):
        one.turn(nothing)
        started.append(clock.now)
    assert started == pytest.approx([1000, 1003, 1003, 1006])
    host.rest(60)
    host.turn(nothing)
    assert clock.now == pytest.approx(1066)


def test_nothing_is_fetched_unasked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--online"):
        cloned("https://example.org/a/b", Task("repo"), nothing)


def test_an_address_is_examined_like_a_folder(server: Server, tmp_path: Path) -> None:
    source = f"{server.url}/work"
    for instrument in ("repo", "leakage"):
        told = Task(instrument, task(tmp_path).options)
        examined = load(told, nothing).examine(Subject(0, source, source))
        assert examined.facts["python_files" if instrument == "repo" else "files"] == 1


@pytest.mark.parametrize(
    "url", ["https://../../x", "https://h/../../etc", "git@h:../../a", "https://h/%2e%2e/a\\..\\b"]
)
def test_no_address_leads_out_of_the_cache(url: str, tmp_path: Path) -> None:
    place = clones._home(url, tmp_path / "cache")
    assert place.resolve().is_relative_to(tmp_path / "cache")
    assert place != tmp_path / "cache"
