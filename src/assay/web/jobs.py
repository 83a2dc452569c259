"""Jobs run beside the pages, each in its own bounded process; how far they are stands in the database.

A page that is reloaded, or a server that is started again, finds everything there. Whatever happens to a job's
process is recorded as that job's end and nothing else.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from fastapi import HTTPException
from sqlalchemy import Engine

from assay.errors import InputError
from assay.web import shelf
from assay.web.models import Job, Kind
from assay.web.processes import Child, Ended
from assay.web.settings import Limits, Settings
from assay.web.uploads import job_folder

_LOG = logging.getLogger("assay.web")
_LOOKS_EVERY = 2.0
"""Seconds after which the shelf is looked at even if nobody says that there is something new."""

Finish = Callable[[Engine, Settings, Job, Any], None]


def refuse_a_crowd(engine: Engine, limits: Limits) -> None:
    """Take no more files in while many wait to be read."""
    if shelf.count_waiting(engine) >= limits.jobs_waiting:
        raise HTTPException(429, "Many audits are waiting already. Try again when some of them are done.")


class Jobs:
    """The threads that take jobs from the shelf and watch over their processes."""

    def __init__(self, engine: Engine, settings: Settings, finish: dict[Kind, Finish]) -> None:
        self.engine, self.settings, self.finish = engine, settings, finish
        self._wake = threading.Condition()
        self._closing = False
        self._running: dict[str, Child] = {}
        self._stopped: set[str] = set()
        self._threads = [
            threading.Thread(target=self._watch, name=f"jobs-{i}", daemon=True)
            for i in range(settings.limits.jobs_at_once)
        ]

    def start(self) -> None:
        """Begin, with what an earlier server left unfinished."""
        shelf.reclaim_jobs(self.engine)
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the processes; what they worked on is tried again when the server starts again."""
        self._closing = True
        self.wake()
        for child in list(self._running.values()):
            child.kill()
        for thread in self._threads:
            thread.join(timeout=10)

    def wake(self) -> None:
        """Say that there is something new on the shelf."""
        with self._wake:
            self._wake.notify_all()

    def stop(self, job_id: str) -> None:
        """End a job that somebody does not want any more."""
        self._stopped.add(job_id)
        child = self._running.get(job_id)
        if child is not None:
            child.kill()
        else:
            shelf.fail_job(self.engine, job_id, "It was stopped.")

    def _watch(self) -> None:
        while not self._closing:
            job = None
            try:
                job = shelf.claim_job(self.engine)
                if job is not None:
                    self._run(job)
            except InputError:
                pass  # a database that does not answer now is asked again later
            except Exception:  # noqa: BLE001 - whatever it was, those who wait must not wait for ever
                _LOG.exception("a job could not be run")
            if job is None:
                with self._wake:
                    self._wake.wait(_LOOKS_EVERY)

    def _run(self, job: Job) -> None:
        limits = self.settings.limits
        folder = str(job_folder(self.settings, job.id).resolve())
        words = (job.kind, folder, job.options.get("target", ""), job.options.get("address", ""))
        try:
            child = Child("assay.web.audit_process", *words, memory=limits.job_bytes)
        except (OSError, ValueError) as error:  # no room for another process; a null character in a word
            why = getattr(error, "strerror", None) or error
            shelf.fail_job(self.engine, job.id, f"Its process could not be started ({why}).")
            return
        self._running[job.id] = child
        if job.id in self._stopped:  # while the process was being started
            child.kill()
        try:
            told = self._follow(job, child, time.monotonic() + limits.job_seconds)
            if "error" in told:
                shelf.fail_job(self.engine, job.id, str(told["error"]))
            else:
                self.finish[Kind(job.kind)](self.engine, self.settings, job, told["done"])
        except Ended as ended:
            if not self._closing:
                shelf.fail_job(self.engine, job.id, self._reason(job, ended))
        except Exception as error:  # noqa: BLE001 - one job must not take the others along
            shelf.fail_job(self.engine, job.id, f"Its result could not be stored ({type(error).__name__}).")
        finally:
            child.end()
            del self._running[job.id]
            self._stopped.discard(job.id)

    def _follow(self, job: Job, child: Child, until: float) -> dict[str, Any]:
        """Write down the steps that the process tells, until it tells its result."""
        steps: dict[str, dict[str, Any]] = {}
        while True:
            told: dict[str, Any] = child.receive(until)
            if "step" not in told:
                return told
            steps[told["step"]["name"]] = told["step"]
            shelf.set_steps(self.engine, job.id, list(steps.values()))

    def _reason(self, job: Job, ended: Ended) -> str:
        if job.id in self._stopped:
            return "It was stopped."
        if ended.late:
            return f"It took longer than {self.settings.limits.job_seconds:.0f} seconds and was ended."
        if ended.starved:
            return "It needs more memory than the server gives an audit."
        return "Its process ended without a result. Most often it needed more memory than the server gives an audit."
