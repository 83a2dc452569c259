"""Running the instruments side by side, each in a process of its own that may fail without harm to the others."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field
from enum import Enum, StrEnum, auto
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread

from assay.audit.facts import Crossing
from assay.audit.instruments import Job, Outcome, checklist_jobs, jobs_of, parts_of
from assay.audit.submission import Submission
from assay.audit.worker import performed
from assay.findings import Finding
from assay.records import dataclass
from assay.workers import is_starved

DEFAULT_LIMIT = 300.0
_MOST_PROCESSES = 8
_PATIENCE = 0.5
_EXIT_GRACE = 30.0
"""Seconds that a process may take to exit after its last answer; a loaded machine takes a while."""
_WORKER = [sys.executable, "-P", "-m", "assay.audit.worker"]
"""Without the working folder on the path: it may be the audited one."""


class State(StrEnum):
    """How far a step has come."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Step:
    """One part of the work, for a progress display; `message` says why it failed."""

    name: str
    about: str
    state: State = State.WAITING
    seconds: float = 0.0
    message: str = ""


@dataclass(frozen=True)
class Audit:
    """All that the instruments gave. `failed` are the steps that came to nothing, each with its reason."""

    submission: Submission
    outcomes: tuple[tuple[str, Outcome], ...]
    failed: tuple[Step, ...] = ()
    crossed: tuple[Finding, ...] = ()
    facts: Crossing = field(default_factory=Crossing, repr=False)


Told = Callable[[Step], None]
Done = tuple[Step, Outcome | None]


def run_audit(
    submission: Submission,
    *,
    told: Told | None = None,
    workers: int | None = None,
    limit: float = DEFAULT_LIMIT,
    figures: bool = False,
) -> Audit:
    """Every instrument on its part of the submission, then the cross-checks.

    `told` hears of every step that changes its state. With `workers` = 0 everything happens in this process, without
    time limits; otherwise each instrument has `limit` seconds.
    """
    from assay.audit.rules import crossing

    hear = told or (lambda _: None)
    jobs = jobs_of(submission, figures=figures)
    later = checklist_jobs(submission, ())
    for name, about in (part for job in (*jobs, *later) for part in job.parts):
        hear(Step(name, about))

    apart = partial(_run_apart, hear=hear, workers=workers or _usual_workers(), limit=limit)
    run = partial(_run_here, hear=hear) if workers == 0 else apart
    done = run(jobs)
    done += run(checklist_jobs(submission, _findings(outcome for _, outcome in done)))
    outcomes = tuple((step.name, outcome) for step, outcome in done if outcome)
    facts = Crossing(findings=tuple(_findings(outcome for _, outcome in outcomes)))
    for _, outcome in outcomes:
        facts |= outcome.facts
    failed = tuple(step for step, outcome in done if outcome is None)
    return Audit(submission, outcomes, failed, tuple(crossing.run(facts)), facts)


def _findings(outcomes: Iterable[Outcome | None]) -> list[Finding]:
    return [finding for outcome in outcomes if outcome for finding in outcome.report.findings]


def _usual_workers() -> int:
    return max(1, min(os.cpu_count() or 1, _MOST_PROCESSES))


def _run_here(jobs: Sequence[Job], hear: Told) -> list[Done]:
    done: list[Done] = []
    for job in jobs:
        for (name, about), part in zip(job.parts, parts_of(job), strict=True):
            hear(Step(name, about, State.RUNNING))
            started = time.monotonic()
            outcome, message = performed(part)
            done.append((_ended(name, about, time.monotonic() - started, outcome, message), outcome))
            hear(done[-1][0])
    return done


def _ended(name: str, about: str, seconds: float, outcome: Outcome | None, message: str) -> Step:
    return Step(name, about, State.DONE if outcome else State.FAILED, seconds, message)


@dataclass
class _Worker:
    """A process at work on a job, and how much of it has come back."""

    job: Job
    process: subprocess.Popen[bytes]
    started: float
    since: float
    done: list[Done] = field(default_factory=list)

    @property
    def finished(self) -> bool:
        """Whether every part has ended, one way or the other."""
        return len(self.done) == len(self.job.parts)

    def record(self, outcome: Outcome | None, message: str, hear: Told) -> None:
        """Note how the part at hand ended."""
        now = time.monotonic()
        step = _ended(*self.job.parts[len(self.done)], now - self.since, outcome, message)
        self.done.append((step, outcome))
        self.since = now
        hear(step)

    def give_up(self, message: str, hear: Told) -> None:
        """All parts that have not ended failed, for the same reason."""
        while not self.finished:
            self.record(None, message, hear)

    def exit_code(self) -> int:
        """The exit code of a process that has closed its output; one that still goes on is killed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self.process.wait(_EXIT_GRACE)
        self.close()
        return self.process.returncode

    def close(self) -> None:
        """End the process and what it has started; the thread that reads from it ends with it."""
        if self.process.poll() is None:
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class _NoMore(Enum):
    """Why nothing more comes from a process."""

    ENDED = auto()
    UNREADABLE = auto()


_Arrived = tuple[_Worker, tuple[Outcome | None, str] | _NoMore]


def _run_apart(jobs: Sequence[Job], hear: Told, workers: int, limit: float) -> list[Done]:
    """Each job in a process of its own, some at a time; the results in the order of the jobs."""
    waiting = list(jobs)[::-1]
    everyone: list[_Worker] = []
    arrived: SimpleQueue[_Arrived] = SimpleQueue()
    try:
        while waiting or any(not worker.finished for worker in everyone):
            while waiting and sum(not worker.finished for worker in everyone) < workers:
                everyone.append(_start(waiting.pop(), arrived, hear))
            _attend(everyone, arrived, hear, limit)
    finally:
        for worker in everyone:
            worker.close()
    return [done for worker in everyone for done in worker.done]


def _start(job: Job, arrived: SimpleQueue[_Arrived], hear: Told) -> _Worker:
    process = subprocess.Popen(  # noqa: S603 - our own module
        _WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    now = time.monotonic()
    worker = _Worker(job, process, now, now)
    Thread(target=_listen, args=(worker, arrived), daemon=True).start()
    hear(Step(*job.parts[0], State.RUNNING))
    return worker


def _listen(worker: _Worker, arrived: SimpleQueue[_Arrived]) -> None:
    """Hand the job over and pass on the answers, then why there are no more of them."""
    source, answers = worker.process.stdin, worker.process.stdout
    if source is None or answers is None:  # pragma: no cover - both are pipes
        return
    reason = _NoMore.UNREADABLE
    try:
        with contextlib.suppress(OSError), source:
            pickle.dump(worker.job, source)
        with answers, contextlib.suppress(pickle.UnpicklingError):
            try:
                while True:
                    arrived.put((worker, pickle.load(answers)))  # noqa: S301 - from our own process
            except (EOFError, OSError):
                reason = _NoMore.ENDED
    finally:  # also when an answer does not fit into memory
        arrived.put((worker, reason))


def _attend(busy: Sequence[_Worker], arrived: SimpleQueue[_Arrived], hear: Told, limit: float) -> None:
    """Take what has arrived; end what has taken too long or died."""
    with contextlib.suppress(Empty):
        worker, answer = arrived.get(timeout=_PATIENCE)
        if answer is _NoMore.ENDED:
            worker.give_up(f"its process ended unexpectedly (exit code {worker.exit_code()})", hear)
        elif isinstance(answer, _NoMore):
            worker.close()
            worker.give_up("its process sent an unreadable answer", hear)
        elif not worker.finished:
            worker.record(*answer, hear)
            if not worker.finished:
                hear(Step(*worker.job.parts[len(worker.done)], State.RUNNING))
    for worker in busy:
        if not worker.finished and time.monotonic() - worker.started > limit:
            worker.close()
            worker.give_up(f"stopped after {limit:g} seconds", hear)
        elif not worker.finished and is_starved(worker.process.pid):
            worker.close()
            worker.give_up("not enough memory", hear)
