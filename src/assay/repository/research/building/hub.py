"""Asking a BinderHub to build a repository, and listening to its event stream until it is done or time is up."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import field
from enum import StrEnum
from http.client import HTTPException, HTTPResponse
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass

_LONGEST_LINE = 64 * 1024
_MOST_BYTES = 16 * 1024 * 1024
_KEPT_MESSAGES = 5
_LONGEST_MESSAGE = 300
_SPEC = regex(r"[a-z]+(?:/[^\s/?#]+)+")


class Build(StrEnum):
    """How it ended."""

    READY = "built"
    FAILED = "failed"
    UNREACHABLE = "undecided: hub not reached"
    REFUSED = "undecided: hub refused"
    TIMED_OUT = "undecided: not done in time"
    BROKEN_OFF = "undecided: stream ended early"


_ENDS = {"ready": Build.READY, "failed": Build.FAILED}


@dataclass(frozen=True, slots=True)
class HubAnswer:
    """What the hub said: the phases it went through and the last messages."""

    outcome: Build
    phases: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    seconds: float = 0.0


def build_on_hub(
    hub: str, spec: str, *, seconds: float = 1800.0, silence: float = 120.0, clock: Callable[[], float] = time.monotonic
) -> HubAnswer:
    """Ask for a build of `spec` (as in gh/owner/name/reference), and for no server to be started.

    `seconds` bound the whole, `silence` the wait for a sign of life: hubs send one at least every half minute.
    """
    request = Request(_address(hub, spec), headers={"Accept": "text/event-stream"})  # noqa: S310 - checked to be HTTP
    started = clock()
    heard = _Heard()
    try:
        with urlopen(request, timeout=min(silence, seconds)) as stream:  # noqa: S310 - checked to be HTTP
            outcome = _listened(stream, heard, lambda: clock() - started > seconds)
    except HTTPError as error:
        heard.messages.append(f"HTTP {error.code}")
        outcome = Build.REFUSED
    except TimeoutError:
        outcome = Build.TIMED_OUT
    except (URLError, HTTPException, OSError) as error:
        heard.messages.append(str(getattr(error, "reason", error))[:_LONGEST_MESSAGE])
        late = isinstance(getattr(error, "reason", None), TimeoutError)
        outcome = Build.TIMED_OUT if late else Build.BROKEN_OFF if heard.phases else Build.UNREACHABLE
    kept = tuple(heard.messages[-_KEPT_MESSAGES:])
    return HubAnswer(outcome, tuple(dict.fromkeys(heard.phases)), kept, round(clock() - started, 1))


@dataclass(slots=True)
class _Heard:
    """What the hub has said so far."""

    phases: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)


def _listened(stream: HTTPResponse, heard: _Heard, is_over: Callable[[], bool]) -> Build:
    """Listen until the build ends, the stream ends, or time is up."""
    for event in _events(stream):
        phase, message = str(event.get("phase") or ""), str(event.get("message") or "").strip()
        heard.phases += [phase] if phase else []
        heard.messages += [message[:_LONGEST_MESSAGE]] if message else []
        if phase in _ENDS:
            return _ENDS[phase]
        if is_over():
            return Build.TIMED_OUT
    return Build.BROKEN_OFF


def _address(hub: str, spec: str) -> str:
    parts = urlsplit(hub)
    if parts.scheme not in {"http", "https"} or not parts.netloc:
        raise InputError("is not the address of a BinderHub", where=hub, fix="It begins with http:// or https://.")
    if not _SPEC.fullmatch(spec):
        fix = "Write provider, repository and reference: gh/owner/name/commit."
        raise InputError("is not a specification for Binder", where=spec, fix=fix)
    return f"{hub.rstrip('/')}/build/{quote(spec, safe='/%')}?build_only=true"


def _events(stream: HTTPResponse) -> Iterator[dict[str, object]]:
    """The objects that lines of `data:` hold, and an empty one whenever something arrives, so that time is watched."""
    waiting, received = b"", 0
    while received < _MOST_BYTES and (chunk := stream.read1(_LONGEST_LINE)):
        received += len(chunk)
        *lines, waiting = (waiting + chunk).split(b"\n")
        yield from (_event(line) for line in lines)
        yield {}
        waiting = waiting[:_LONGEST_LINE]


def _event(line: bytes) -> dict[str, object]:
    text = line.decode("utf-8", errors="replace").strip()
    if not text.startswith("data:"):
        return {}
    try:
        event = json.loads(text.removeprefix("data:"))
    except (ValueError, RecursionError):
        return {}
    return event if isinstance(event, dict) else {}
