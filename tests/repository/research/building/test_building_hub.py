"""Asking a BinderHub: a server on this machine plays it."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from assay.errors import InputError
from assay.findings import Verdict
from assay.repository.research.building import Asked, attempts, report_of, try_building
from assay.repository.research.building.hub import Build, build_on_hub
from assay.tree import tree_of

SPEC = "gh/owner/name/" + "a" * 40


class Hub:
    """A hub that sends these lines, then perhaps falls silent."""

    def __init__(self, lines: list[bytes], *, code: int = 200, hang: bool = False) -> None:
        self.asked: list[str] = []
        self.released = threading.Event()
        hub = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                hub.asked.append(self.path)
                self.send_response(code)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                try:
                    for line in lines:
                        self.wfile.write(line)
                        self.wfile.flush()
                    if hang:
                        hub.released.wait(20)
                except OSError:
                    pass

            def log_message(self, *arguments: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        self.released.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


MakeHub = Callable[..., Hub]


@pytest.fixture
def hub() -> Iterator[MakeHub]:
    made: list[Hub] = []

    def make(*events: object, **how: object) -> Hub:
        lines = [e if isinstance(e, bytes) else f"data: {json.dumps(e)}\n\n".encode() for e in events]
        made.append(Hub(lines, **how))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_build_that_is_ready_is_built(hub: MakeHub) -> None:
    here = hub({"phase": "waiting", "message": "in the queue\n"}, b": keep-alive\n\n", {"phase": "ready", "url": "x"})
    answer = build_on_hub(here.url, SPEC)
    assert (answer.outcome, answer.phases, answer.messages) == (Build.READY, ("waiting", "ready"), ("in the queue",))


def test_only_a_build_is_asked_for_and_no_server(hub: MakeHub) -> None:
    here = hub({"phase": "ready"})
    build_on_hub(here.url + "/", SPEC)
    assert here.asked == [f"/build/{SPEC}?build_only=true"]


def test_a_failed_build_is_failed(hub: MakeHub) -> None:
    here = hub({"phase": "building"}, {"phase": "failed", "message": "no such file"})
    answer = build_on_hub(here.url, SPEC)
    assert (answer.outcome, answer.messages) == (Build.FAILED, ("no such file",))


@pytest.mark.parametrize(
    "junk", [b"data: {not json\n\n", b"data: [1, 2]\n\n", b"\xff\xfe\x00\n", b"data: " + b"[" * 50_000 + b"\n\n"]
)
def test_junk_in_the_stream_is_passed_over(hub: MakeHub, junk: bytes) -> None:
    assert build_on_hub(hub(junk, {"phase": "ready"}).url, SPEC).outcome is Build.READY


def test_an_endless_line_is_bounded(hub: MakeHub) -> None:
    assert build_on_hub(hub(b"x" * 20_000_000).url, SPEC).outcome is Build.BROKEN_OFF


def test_a_stream_that_ends_early_is_undecided(hub: MakeHub) -> None:
    assert build_on_hub(hub({"phase": "building"}).url, SPEC).outcome is Build.BROKEN_OFF


def test_silence_is_undecided(hub: MakeHub) -> None:
    here = hub({"phase": "building"}, hang=True)
    assert build_on_hub(here.url, SPEC, silence=0.3).outcome is Build.TIMED_OUT


def test_a_build_without_end_is_undecided(hub: MakeHub) -> None:
    times = iter(range(0, 10_000, 100))
    here = hub(*[{"phase": "building", "message": "still"}] * 50)
    answer = build_on_hub(here.url, SPEC, seconds=500, clock=lambda: float(next(times)))
    assert answer.outcome is Build.TIMED_OUT
    assert set(answer.messages) == {"still"}


def test_a_refusal_is_undecided(hub: MakeHub) -> None:
    answer = build_on_hub(hub(code=403).url, SPEC)
    assert (answer.outcome, answer.messages) == (Build.REFUSED, ("HTTP 403",))


def test_a_hub_that_is_not_there_is_undecided() -> None:
    assert build_on_hub("http://127.0.0.1:9", SPEC, seconds=5).outcome is Build.UNREACHABLE


@pytest.mark.parametrize(
    ("address", "spec"),
    [
        ("file:///etc", SPEC),
        ("ftp://a.org", SPEC),
        ("hub", SPEC),
        ("http://a.org", "owner name"),
        ("http://a.org", "x?y"),
    ],
)
def test_other_addresses_and_specifications_are_refused(address: str, spec: str) -> None:
    with pytest.raises(InputError):
        build_on_hub(address, spec)


# --- through the whole -----------------------------------------------------------------------------


def test_the_hub_needs_leave_to_use_the_network() -> None:
    with pytest.raises(InputError, match="needs the network"):
        try_building(tree_of({}), Asked(hub="http://127.0.0.1:9", spec=SPEC))


def test_the_binder_link_says_what_to_build(hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.repository.research.building import attempts

    monkeypatch.setattr(attempts, "find_uv", lambda: "uv")
    here = hub({"phase": "failed", "message": "boom"})
    tree = tree_of({"README.md": "[b](https://mybinder.org/v2/gh/o/n/v1.0)"})
    found = try_building(tree, Asked(online=True, hub=here.url))
    assert found.spec == "gh/o/n/v1.0"
    assert found.fails
    hub_said = report_of(found).judgements[-1]
    assert (hub_said.subject, hub_said.verdict, hub_said.evidence[0].text) == (
        "gh/o/n/v1.0",
        Verdict.INCONSISTENT,
        "boom",
    )


def test_without_a_link_the_specification_must_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.repository.research.building import attempts

    monkeypatch.setattr(attempts, "find_uv", lambda: "uv")
    with pytest.raises(InputError, match="no Binder link"):
        try_building(tree_of({}), Asked(online=True, hub="http://127.0.0.1:9"))


def test_a_hub_builds_for_those_who_have_no_uv(hub: MakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> str:
        raise InputError("uv is not installed")

    monkeypatch.setattr(attempts, "find_uv", nowhere)
    here = hub({"phase": "ready", "url": "x"})
    tree = tree_of({"requirements.txt": "numpy==1.26.4\n"})
    found = attempts.try_building(tree, attempts.Asked(online=True, hub=here.url, spec=SPEC))
    assert found.attempts == ()
    assert any("uv is not installed" in sentence for sentence in found.left_out)
    with pytest.raises(InputError):
        attempts.try_building(tree, attempts.Asked(online=True))
