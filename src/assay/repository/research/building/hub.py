"""Asking a BinderHub to build a repository, and listening to its event stream until it is done or time is up."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
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
    phases: list[str] = []
    messages: list[str] = []

    def answer(outcome: Build) -> HubAnswer:
        kept = tuple(messages[-_KEPT_MESSAGES:])
        return HubAnswer(outcome, tuple(dict.fromkeys(phases)), kept, round(clock() - started, 1))

    try:
        with urlopen(request, timeout=min(silence, seconds)) as stream:  # noqa: S310 - checked to be HTTP
            for event in _events(stream):
                phase, message = str(event.get("phase") or ""), str(event.get("message") or "").strip()
                phases += [phase] if phase else []
                messages += [message[:_LONGEST_MESSAGE]] if message else []
                if phase in {"ready", "failed"}:
                    return answer(Build.READY if phase == "ready" else Build.FAILED)
                if clock() - started > seconds:
                    return answer(Build.TIMED_OUT)
    except HTTPError as error:
        messages.append(f"HTTP {error.code}")
        return answer(Build.REFUSED)
    except TimeoutError:
        return answer(Build.TIMED_OUT)
    except (URLError, HTTPException, OSError) as error:
        messages.append(str(getattr(error, "reason", error))[:_LONGEST_MESSAGE])
        late = isinstance(getattr(error, "reason", None), TimeoutError)
        return answer(Build.TIMED_OUT if late else Build.BROKEN_OFF if phases else Build.UNREACHABLE)
    return answer(Build.BROKEN_OFF)


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
