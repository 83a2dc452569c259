"""Fetch repositories politely: shallow clones, one request at a time for each host, nothing twice.

Whatever is fetched is kept under the address and the commit, so that a resumed run, or another one, asks no more than
which commit a branch is at. A host's queue is a file in the cache: all processes that share the cache share the queue.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO
from urllib.parse import urlsplit

from assay.corpus.subject import Task
from assay.errors import InputError
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.remotes import FetchError, commit_at, fetch, is_url, split_revision

BETWEEN_REQUESTS = 1.0
"""Seconds between requests to a host."""
_TRIES = 5
_FIRST_WAIT, _LONGEST_WAIT = 2.0, 300.0
_BUSY = regex(
    r"\b(429|500|502|503|504)\b|timed? ?out|could not resolve host|early EOF|reset by peer|took more than",
    re.IGNORECASE,
)
_RETRY_AFTER = regex(r"retry-after:\s*(\d{1,6})", re.IGNORECASE)
_COMMIT = regex(r"[0-9a-f]{40}")

Beat = Callable[[], None]
"""Called while a subject waits for others: its time limit starts again."""


@dataclass(frozen=True, slots=True)
class Clone:
    """A commit in the cache, for `open_tree`, with the tags that the host reported."""

    path: str
    tags: tuple[str, ...]


def cache_folder() -> Path:
    """The cache folder: the user's cache, unless an environment variable names another."""
    named = os.environ.get("ASSAY_CORPUS_CACHE")
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(home) / "assay" / "repositories"


def cloned(source: str, task: Task, beat: Beat) -> Clone | None:
    """The repository at an address, fetched if necessary; None if `source` is not an address."""
    if not is_url(source):
        return None
    if not task.option("online"):
        fix = "Add --online to fetch repositories, or clone them yourself."
        raise InputError("needs network access, which is off by default", where=source, fix=fix)
    cache = Path(task.option("cache") or cache_folder())
    url, revision = split_revision(source)
    home = _home(url, cache)
    if _COMMIT.fullmatch(revision) and (home / f"{revision}.git").is_dir():
        return _clone(home / f"{revision}.git")
    home.mkdir(parents=True, exist_ok=True)
    host = Host.of(url, cache, float(task.option("pause") or BETWEEN_REQUESTS))
    return _patiently(lambda: _fetched(source, home, host, beat), host)


def _patiently(ask: Callable[[], Clone], host: Host) -> Clone:
    """Retry at growing intervals while the host is busy or out of reach."""
    for attempt in range(_TRIES - 1):
        try:
            return ask()
        except FetchError as error:
            if not _BUSY.search(f"{error.what}\n{error.log}"):
                raise
            host.rest(_wait(error.log, attempt))
    return ask()


def _fetched(source: str, home: Path, host: Host, beat: Beat) -> Clone:
    """The commit from the cache if the host confirms it, otherwise from the host."""
    with tempfile.TemporaryDirectory(prefix=".fetching-", dir=home) as draft:
        host.turn(beat)
        commit = commit_at(source, Path(draft), headers=True)
        if commit and (home / f"{commit}.git").is_dir():
            return _clone(home / f"{commit}.git")
        host.turn(beat)
        return _filed(source, Path(draft), home)


def _filed(source: str, draft: Path, home: Path) -> Clone:
    """Fetch into a draft folder, then rename it to the commit; the first to finish wins."""
    tree = fetch(source, draft, headers=True)
    commit = tree.commit.id if tree.commit else "unknown"
    (draft / "assay-tags.json").write_text(json.dumps(tree.tags), encoding="utf-8")
    (draft / "HEAD").write_text(f"{commit}\n", encoding="ascii")
    place = home / f"{commit}.git"
    if not place.is_dir():
        try:
            draft.rename(place)
        except OSError:
            if not place.is_dir():
                raise
        draft.mkdir(exist_ok=True)  # its maker will want to remove it
    return _clone(place)


def _clone(place: Path) -> Clone:
    tags = json.loads((place / "assay-tags.json").read_text(encoding="utf-8"))
    return Clone(f"{place}@{place.stem}", tuple(map(str, tags)))


def _home(url: str, cache: Path) -> Path:
    """A folder for each address, with a readable and safe name."""
    words = [w for w in re.split(r"[^\w.-]+", url.partition("://")[2] or url) if w.strip(".")]
    return cache.joinpath(*words[:8])


def _wait(log: str, attempt: int) -> float:
    """Wait as long as the host asks, or twice as long each time, with jitter."""
    asked = _RETRY_AFTER.findall(log)
    wanted = float(asked[-1]) if asked else _FIRST_WAIT * 2**attempt
    return min(_LONGEST_WAIT, wanted) * random.uniform(1.0, 1.1)  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Host:
    """A host's queue: a file with the time from which it may be asked again."""

    queue: Path
    pause: float

    @classmethod
    def of(cls, url: str, cache: Path, pause: float) -> Host:
        """The queue of an address's host."""
        name = re.sub(r"[^\w.-]+", "_", urlsplit(url).hostname or url.partition(":")[0])
        (cache / ".hosts").mkdir(parents=True, exist_ok=True)
        return cls(cache / ".hosts" / name, pause)

    def turn(self, beat: Beat) -> None:
        """Wait for the host's next slot. Waiting does not count against the subject's time."""
        with self.queue.open("a+", encoding="ascii") as stream:
            _lock(stream, beat)
            while (left := min(_moment(stream) - time.time(), _LONGEST_WAIT)) > 0:
                beat()
                time.sleep(min(left, 0.2))
            _put(stream, time.time() + self.pause)
        beat()

    def rest(self, seconds: float) -> None:
        """Block requests to the host for this long."""
        with self.queue.open("a+", encoding="ascii") as stream:
            _lock(stream, lambda: None)
            _put(stream, max(_moment(stream), time.time() + seconds))


def _lock(stream: TextIO, beat: Beat) -> None:
    """Lock the file; the lock ends when its holder closes the file or dies."""
    while True:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            beat()
            time.sleep(0.05)
        else:
            return


def _moment(stream: TextIO) -> float:
    stream.seek(0)
    told = stream.read().strip()
    return float(told) if told else 0.0


def _put(stream: TextIO, moment: float) -> None:
    stream.truncate(0)
    stream.write(repr(moment))
    stream.flush()
