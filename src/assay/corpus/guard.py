"""Runs one cell: sends it batches, watches its time, and replaces it when it dies or must be killed.

What a death costs is known to the subject: the cell tells through shared memory where it is. Subjects before that one
which were not sent yet are done again, the one itself is given a last chance if the cell died by itself, and all others
go on in a new cell.
"""

from __future__ import annotations

import mmap
import os
import platform
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import IO, Any

from assay.corpus.cell import FINISHED, PULSE, READY
from assay.corpus.instruments import kind_of
from assay.corpus.subject import Outcome, Record, Subject, Task
from assay.corpus.tables import encoded
from assay.records import dataclass

_LOOK_EVERY = 0.1
_SLOWEST_START = 120.0
_ONE_ARENA = {"MALLOC_ARENA_MAX": "1"}
"""Otherwise glibc sets 64 MB of addresses aside for each thread that asks for memory, whenever it first does so: they
would be counted against the subject of that moment."""


class StartError(RuntimeError):
    """A cell does not start: the installation is at fault, not a subject."""


class Stopped(RuntimeError):  # noqa: N818 - an event, not an error
    """The run ended while a batch was in progress."""


@dataclass(frozen=True, slots=True)
class Part:
    """The result of a batch: table files ready to be written, and a count of failures."""

    rows: tuple[int, ...]
    failed: int
    tables: dict[str, bytes]


def examine(task: Task, groups: Sequence[str], subjects: Sequence[Subject]) -> Part:
    """Examine a batch in this thread's own cell. Executors call this function, here or on a cluster."""
    return part_of(task, groups, _guard(task).run(subjects))


def part_of(task: Task, groups: Sequence[str], records: Sequence[Record]) -> Part:
    """Records encoded as files."""
    failed = sum(record.outcome is not Outcome.DONE for record in records)
    return Part(tuple(r.subject.row for r in records), failed, encoded(records, groups, kind_of(task)))


_HERE = threading.local()
_ALL: set[Guard] = set()
_LOCK = threading.Lock()


def _guard(task: Task) -> Guard:
    """The guard of this thread and task."""
    found: Guard | None = getattr(_HERE, "guard", None)
    if found is None or found.stopped or found.task != task:
        if found is not None:
            found.close()
        found = _HERE.guard = Guard(task)
        with _LOCK:
            _ALL.add(found)
    return found


def stop_all() -> None:
    """End every cell of this process, even in the middle of a batch."""
    with _LOCK:
        guards = set(_ALL)
        _ALL.clear()
    for guard in guards:
        guard.stopped = True
        guard.close()


class _Death(Exception):  # noqa: N818 - an event, not an error
    """A cell ended, or had to be killed, in the middle of a batch."""

    def __init__(self, outcome: Outcome, message: str, at: int) -> None:
        super().__init__(message)
        self.outcome, self.message, self.at = outcome, message, at


@dataclass(frozen=True, slots=True)
class _Batch:
    """Subjects to examine; `last_chance` marks one whose cell died before."""

    subjects: list[Subject]
    last_chance: bool = False

    def after(self, death: _Death, found: list[Record]) -> list[_Batch]:
        """The remaining batch; the subject that ended the cell gets its record, or a last chance."""
        sent = len(found)
        if found and found[-1].outcome is Outcome.MEMORY:  # the subject has said so itself
            return _batches(self.subjects[sent:])
        at = max(sent, death.at)
        culprit, rest = self.subjects[at : at + 1], _batches(self.subjects[sent:at], self.subjects[at + 1 :])
        if culprit and death.outcome is Outcome.CRASH and not self.last_chance:
            return [_Batch(culprit, last_chance=True), *rest]
        found += [Record(s, death.outcome, death.message, worker=platform.node()) for s in culprit]
        return rest


def _batches(*parts: list[Subject]) -> list[_Batch]:
    return [_Batch(part) for part in parts if part]


class _Watch:
    """Measures how long the pulse of a cell has not changed."""

    def __init__(self, pulse: tuple[int, int]) -> None:
        self._pulse, self._since = pulse, time.monotonic()

    def still(self, pulse: tuple[int, int]) -> float:
        """Seconds since the last change."""
        if pulse != self._pulse:
            self._pulse, self._since = pulse, time.monotonic()
        return time.monotonic() - self._since


class Guard:
    """One cell at a time, for one task."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.stopped = False
        self._cell: _Cell | None = None
        self._batch: list[Subject] = []

    def run(self, subjects: Sequence[Subject]) -> list[Record]:
        """A record for every subject, in any order."""
        records: list[Record] = []
        waiting = deque([_Batch(list(subjects))])
        while waiting:
            batch = waiting.popleft()
            found: list[Record] = []
            try:
                self._attempt(batch.subjects, found)
            except _Death as death:
                self.close()
                waiting += batch.after(death, found)
            records += found
        return records

    def _attempt(self, batch: list[Subject], found: list[Record]) -> None:
        """Collect what the cell sends into `found`; a `_Death` says how it ended early."""
        cell = self._cell = self._cell or _Cell.started(self.task)
        self._batch = batch
        cell.give(batch)
        watch = _Watch(cell.pulse())
        while not self.stopped:
            if cell.line.poll(_LOOK_EVERY):
                sent = cell.received()
                if sent == FINISHED:
                    return
                found += [Record(subject, *one) for subject, one in zip(batch[len(found) :], sent, strict=False)]
            if watch.still(cell.pulse()) > self.task.seconds:
                raise _Death(Outcome.TIME, f"took more than {self.task.seconds:g} s", cell.pulse()[0])
        self.close()  # perhaps the cell was starting when all were stopped, and there was nothing to close yet
        raise Stopped

    @property
    def at(self) -> Subject | None:
        """The current subject."""
        cell, batch = self._cell, self._batch
        index = cell.pulse()[0] if cell is not None else 0
        return batch[index] if index < len(batch) else None

    def close(self) -> None:
        """End the cell."""
        cell, self._cell = self._cell, None
        if cell is not None:
            cell.end()


@dataclass(slots=True)
class _Cell:
    """A running process, its connection, and the shared memory."""

    process: subprocess.Popen[bytes]
    line: Connection
    page: mmap.mmap
    errors: IO[bytes]

    @classmethod
    def started(cls, task: Task) -> _Cell:
        """Start a process and wait until it has loaded its instrument."""
        ours, theirs = socket.socketpair()
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the cell
        with tempfile.TemporaryFile() as shared:
            shared.truncate(mmap.PAGESIZE)
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                [sys.executable, "-P", "-m", "assay.corpus.cell", str(theirs.fileno()), str(shared.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=os.environ | _ONE_ARENA,
                pass_fds=(theirs.fileno(), shared.fileno()),
            )
            page = mmap.mmap(shared.fileno(), PULSE.size)
        theirs.close()
        cell = cls(process, Connection(ours.detach()), page, errors)
        try:
            cell.line.send(task)
            if cell.line.poll(_SLOWEST_START) and cell.line.recv() == READY:
                return cell
            told = f"did not start within {_SLOWEST_START:g} s"
        except (EOFError, OSError):
            told = cell.last_words()
        cell.end()
        raise StartError(told)

    def give(self, batch: list[Subject]) -> None:
        """Send a batch; a cell that died while idle is noticed when it does not answer."""
        PULSE.pack_into(self.page, 0, 0, 0)
        try:
            self.line.send(batch)
        except OSError:
            raise _Death(Outcome.CRASH, self.last_words(), 0) from None

    def received(self) -> Any:
        """The next message of the cell."""
        try:
            return self.line.recv()
        except (EOFError, OSError):
            raise _Death(Outcome.CRASH, self.last_words(), self.pulse()[0]) from None

    def pulse(self) -> tuple[int, int]:
        """The current pulse."""
        at, beats = PULSE.unpack_from(self.page)
        return at, beats

    def last_words(self) -> str:
        """How the process ended, with the last line it wrote."""
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            code = 0
        self.errors.seek(0)
        lines = self.errors.read().decode("utf-8", "replace").strip().splitlines() or [""]
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        fault = next((line for line in lines if line.startswith("Fatal Python error")), lines[-1])
        return f"the process {how}" + (f": {fault[:300]}" if fault else "")

    def end(self) -> None:
        """Kill the process unless it has ended."""
        self.line.close()
        self.process.kill()
        self.process.wait()
        self.errors.close()
        self.page.close()
