"""The process that examines subjects: if it is killed, only its current subject is lost.

Started by `assay.corpus.guard` as ``python -P -m assay.corpus.cell SOCKET PULSE``. It receives its task, then batches
of subjects, and sends results back at least every half second, so that little has to be done again after a death.
"""

from __future__ import annotations

import contextlib
import faulthandler
import mmap
import os
import platform
import resource
import struct
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

from assay.corpus.instruments import Instrument, load
from assay.corpus.subject import Examined, Outcome, Subject, Task
from assay.errors import InputError
from assay.garbage import look_rarely
from assay.rules import load_rules

PULSE = struct.Struct("=qq")
"""The index of the current subject, and a counter that changes while it only waits."""
_EVERY = 0.5
_LONGEST_MESSAGE = 2000
_GRACE = 10.0
"""Seconds beyond the time limit after which an orphan ends itself; a living guard acts earlier."""
READY, FINISHED = "ready", "finished"

Told = tuple[Outcome, str, float, float, float, str, Examined | None]
"""The fields of a `Record` that are sent back, in batch order; the guard has the subject itself."""


class Pulse:
    """The page of memory shared by a cell and its guard."""

    def __init__(self, descriptor: int) -> None:
        self._page = mmap.mmap(descriptor, PULSE.size)
        self._at = self._beats = 0

    def at(self, index: int) -> None:
        """The subject with this index is next."""
        self._at, self._beats = index, 0
        PULSE.pack_into(self._page, 0, index, 0)

    def beat(self) -> None:
        """Report progress while waiting, so that the time limit starts again."""
        self._beats += 1
        PULSE.pack_into(self._page, 0, self._at, self._beats)


def main() -> None:
    """Examine batches until the guard closes the connection."""
    look_rarely()
    descriptor, shared = map(int, sys.argv[1:3])
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    line = Connection(descriptor)
    pulse = Pulse(shared)
    task: Task = line.recv()
    instrument = load(task, pulse.beat)
    load_rules()  # now, so that neither their time nor their memory is counted against the first subject
    _limit_memory(task.megabytes)
    line.send(READY)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            subjects: list[Subject] = line.recv()
            if not _batch(subjects, instrument, task, pulse, line.send):
                return


def _end_with(guard: int) -> None:
    """End this process when its guard is gone, as soon as the subject lets this thread run."""
    while os.getppid() == guard:
        time.sleep(1.0)
    os._exit(1)


def _batch(
    subjects: list[Subject], instrument: Instrument, task: Task, pulse: Pulse, send: Callable[[object], None]
) -> bool:
    """Examine a batch; False if memory ran out, because the process can then no longer be trusted."""
    worker = f"{platform.node()}:{os.getpid()}"
    found: list[Told] = []
    sent = time.monotonic()
    faulthandler.dump_traceback_later(task.seconds + _GRACE, exit=True)
    for index, subject in enumerate(subjects):
        pulse.at(index)
        told = _examination(subject, instrument, task, worker)
        found.append(told)
        if told[0] is Outcome.MEMORY:
            send(found)
            return False
        if time.monotonic() - sent > _EVERY:
            send(found)
            found, sent = [], time.monotonic()
            faulthandler.dump_traceback_later(task.seconds + _GRACE, exit=True)
    faulthandler.cancel_dump_traceback_later()
    send(found)
    send(FINISHED)
    return True


def _examination(subject: Subject, instrument: Instrument, task: Task, worker: str) -> Told:
    """Examine one subject, and catch whatever it raises."""
    started, spent = time.perf_counter(), time.process_time()
    outcome, message, examined = Outcome.DONE, "", None
    try:
        examined = instrument.examine(subject)
    except InputError as error:
        outcome, message = Outcome.INPUT, str(error)
    except MemoryError:
        outcome, message = Outcome.MEMORY, f"asked for more than {task.megabytes} MB"
    except Exception as error:  # noqa: BLE001 - a fault of ours with one subject must not cost the others
        outcome, message = Outcome.FAULT, f"{type(error).__name__}: {error} ({_place(error)})"
    seconds, cpu_seconds = time.perf_counter() - started, time.process_time() - spent
    return outcome, message[:_LONGEST_MESSAGE], seconds, cpu_seconds, _peak_mb(), worker, examined


def _place(error: Exception) -> str:
    """The innermost line of Assay's own code, for bug reports."""
    trace, told = error.__traceback__, ""
    while trace is not None:
        told = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return told


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1024 * 1024 if sys.platform == "darwin" else 1024), 1)


def _limit_memory(megabytes: int) -> None:
    """Limit the address space to this much beyond what the instrument itself uses."""
    statm = Path("/proc/self/statm")
    if not statm.exists():  # macOS enforces no such limit
        return
    now = int(statm.read_text().split()[0]) * resource.getpagesize()
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (now + megabytes * 1024 * 1024, hard))


if __name__ == "__main__":
    main()
