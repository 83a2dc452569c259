"""Run an instrument over a corpus: send batches out, write the parts that return, skip what is done."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import AbstractContextManager
from itertools import chain, islice
from pathlib import Path

from assay import __version__
from assay.corpus.executors import OtherVersionError, Place
from assay.corpus.guard import Part, StartError, part_of
from assay.corpus.instruments import BATCH, Name
from assay.corpus.store import Store
from assay.corpus.subject import Outcome, Record, Subject, Task
from assay.corpus.subject_list import Listing
from assay.corpus.tables import RESERVED
from assay.errors import InputError
from assay.records import dataclass

_AHEAD = 2
"""Batches waiting for each worker, so that none is idle."""
_SHARES = 16
"""Batches for each worker in small lists, so that all workers end at about the same time."""


_LOOK_EVERY = 0.5
"""Seconds between checks of a waiting driver, so that it notices Ctrl-C."""
_COUNT_EVERY = 2.0
"""Seconds between counts of a cluster's workers."""
_COMPACT_EVERY = 256
"""Parts after which small files are merged: a million files would be slow to open."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The progress of a run."""

    total: int
    before: int
    done: int
    failed: int


def run(
    listing: Listing,
    task: Task,
    folder: Path,
    place: AbstractContextManager[Place],
    *,
    seed: int = 0,
    batch: int | None = None,
    retry: bool = False,
    told: Callable[[Tally], None] = lambda _: None,
) -> Tally:
    """Examine every subject that has no record yet; `told` is called after each part."""
    _refuse_names(listing)
    store = Store(folder)
    with store.locked():
        store.begin(listing, task, seed)
        store.tidy()
        if retry:
            store.forget_failures()
        done = store.done(listing.rows)
        tally = Tally(listing.rows, sum(done), 0, 0)
        if tally.before == listing.rows:
            return tally
        with place as where:
            store.open_session(place=where.words, time_limit=task.seconds, memory_limit=task.megabytes)
            size = batch or max(
                1, min(BATCH[Name(task.instrument)], listing.rows // (max(1, where.capacity()) * _SHARES))
            )
            waiting = _batches((s for s in listing.subjects() if not done[s.row]), size)
            for number, part in enumerate(_parts(where, task, listing.groups, waiting), store.next_number()):
                store.append(part, number)
                tally = Tally(
                    tally.total, tally.before, tally.done + len(part.rows) - part.failed, tally.failed + part.failed
                )
                told(tally)
                if number % _COMPACT_EVERY == _COMPACT_EVERY - 1:
                    store.merge_single_parts()
            store.compact()
        store.close_session(examined=tally.done, failed=tally.failed)
    return tally


def _refuse_names(listing: Listing) -> None:
    """Refuse group names that differ only in case: databases treat them as equal."""
    taken = set(RESERVED)
    for name in listing.groups:
        if name.lower() in taken:
            told = f'the results have a column "{name.lower()}" already'
            raise InputError(told, where=str(listing.path), fix="Rename the column, or name others with --group.")
        taken.add(name.lower())


def _batches(subjects: Iterator[Subject], size: int) -> Iterator[list[Subject]]:
    while batch := list(islice(subjects, size)):
        yield batch


def _parts(place: Place, task: Task, groups: Sequence[str], batches: Iterator[list[Subject]]) -> Iterator[Part]:
    """Finished parts. A batch lost with its worker is repeated, subject by subject."""
    running: dict[Future[Part], list[Subject]] = {}
    lost: deque[list[Subject]] = deque()
    window = _Window(place)
    while True:
        room = max(0, window.size() - len(running))
        for batch in chain(_taken(lost), islice(batches, room)):
            running[place.examine(task, groups, batch)] = batch
        if not running:
            return
        finished, _ = wait(running, _LOOK_EVERY, FIRST_COMPLETED)
        for future in finished:
            batch = running.pop(future)
            part = _result(future, batch, task, groups)
            lost += [[subject] for subject in batch if part is None]
            yield from filter(None, [part])


def _taken(waiting: deque[list[Subject]]) -> Iterator[list[Subject]]:
    while waiting:
        yield waiting.popleft()


class _Window:
    """The number of batches in flight: a few for each worker, adjusted as workers come and go."""

    def __init__(self, place: Place) -> None:
        self._place, self._counted, self._workers = place, float("-inf"), 1

    def size(self) -> int:
        """At least one worker's share, so that a run waits for a cluster that has lost all its workers."""
        if time.monotonic() - self._counted > _COUNT_EVERY:
            self._counted, self._workers = time.monotonic(), max(1, self._place.capacity())
        return self._workers * _AHEAD


def _result(future: Future[Part], batch: Sequence[Subject], task: Task, groups: Sequence[str]) -> Part | None:
    """The part; None if it was lost and may be retried in smaller pieces."""
    try:
        return future.result()
    except OtherVersionError as error:
        fix = f"Install Assay {__version__} where the workers run, then give the same command again."
        raise InputError(str(error), fix=fix) from None
    except StartError as error:
        raise InputError(f"the examining process does not start: {error}", fix="Check the installation.") from None
    except CancelledError:
        told = "the cluster's scheduler is gone"
        raise InputError(told, fix="Give the same command again: what is done is kept.") from None
    except Exception as error:  # noqa: BLE001 - whatever a cluster throws is about this batch alone
        if len(batch) > 1:
            return None
        message = f"the worker was lost ({type(error).__name__}: {error})"
        return part_of(task, groups, [Record(batch[0], Outcome.CRASH, message[:500])])
