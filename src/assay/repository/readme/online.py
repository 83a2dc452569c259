"""Remote links, asked for politely and only on request: HEAD first, slowly per host, and never twice in a week."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterable
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from assay.records import dataclass
from assay.repository.readme.links import Link, Status

_AGENT = "assay-link-check (reproducibility audit; HEAD requests, one a second)"
_DEAD = frozenset({404, 410})
_HEAD_REFUSED = frozenset({400, 403, 405, 406, 429, 500, 501, 503})
_KEPT_SECONDS = 7 * 24 * 3600
_MOST_CACHED = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Checked:
    """What a server said: its status code, or why there was no answer (code 0)."""

    url: str
    code: int
    reason: str = ""
    at: float = 0.0

    @property
    def status(self) -> Status:
        """Only a clear "not found" is broken; a server that is silent or refuses robots proves nothing."""
        if 200 <= self.code < 400:
            return Status.OK
        return Status.BROKEN if self.code in _DEAD or self.reason == "no such host" else Status.UNKNOWN


Fetch = Callable[[str, str, float], tuple[int, str]]
"""Method, address and time-out to status code and reason."""


def fetch_status(method: str, url: str, timeout: float, allowed: Collection[str] = ()) -> tuple[int, str]:
    """Ask one public server, or one that the user has named; redirects are followed, and no body is read."""
    import socket
    from http.client import HTTPException
    from urllib.error import HTTPError, URLError
    from urllib.request import Request

    from assay.public_addresses import public_opener

    request = Request(url, method=method, headers={"User-Agent": _AGENT, "Range": "bytes=0-0"})  # noqa: S310 - see check_links
    try:
        with public_opener(allowed=allowed).open(request, timeout=timeout) as answer:
            return int(answer.status), ""
    except HTTPError as error:
        with error:
            return error.code, str(error.reason)
    except URLError as error:
        return 0, "no such host" if isinstance(error.reason, socket.gaierror) else str(error.reason)
    except (OSError, HTTPException, ValueError) as error:
        return 0, str(error) or type(error).__name__


def check_links(
    links: Iterable[Link],
    *,
    fetch: Fetch = fetch_status,
    cache: Path | None = None,
    delay: float = 1.0,
    timeout: float = 10.0,
    most: int = 200,
    pause: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.time,
) -> tuple[Checked, ...]:
    """Ask for each remote address once, at most `most` of them, waiting `delay` seconds between requests to one host.

    Answers are kept in the `cache` file for a week.
    """
    known = _load(cache, clock())
    urls = list(dict.fromkeys(link.target.partition("#")[0] for link in links if _askable(link)))[:most]
    last: dict[str, float] = {}
    found = []
    for url in urls:
        answer = known.get(url)
        if answer is None:
            host = urlsplit(url).netloc
            wait = last.get(host, float("-inf")) + delay - clock()
            if wait > 0:
                pause(wait)
            answer = _ask(url, fetch, timeout, clock)
            last[host] = clock()
            known[url] = answer
        found.append(answer)
    if cache is not None:
        _save(cache, known)
    return tuple(found)


def _askable(link: Link) -> bool:
    try:
        parts = urlsplit(link.target)
        return link.remote and parts.scheme.lower() in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        return False


def _ask(url: str, fetch: Fetch, timeout: float, clock: Callable[[], float]) -> Checked:
    """HEAD, and GET where a server will not hear of HEAD or says that nothing is there."""
    code, reason = fetch("HEAD", url, timeout)
    if code in _HEAD_REFUSED | _DEAD:
        code, reason = fetch("GET", url, timeout)
    return Checked(url, code, reason, clock())


def _load(cache: Path | None, now: float) -> dict[str, Checked]:
    """Answers of the last week; a cache that cannot be read is as good as none."""
    if cache is None or not cache.is_file() or cache.stat().st_size > _MOST_CACHED:
        return {}
    try:
        entries = [
            Checked(str(e["url"]), int(e["code"]), str(e["reason"]), float(e["at"]))
            for e in json.loads(cache.read_text("utf-8"))
        ]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return {}
    return {e.url: e for e in entries if 0 <= now - e.at < _KEPT_SECONDS and e.status is not Status.UNKNOWN}


def _save(cache: Path, known: dict[str, Checked]) -> None:
    cache.parent.mkdir(parents=True, exist_ok=True)
    cache.write_text(json.dumps([asdict(answer) for answer in known.values()], indent=0), encoding="utf-8")
