"""Score checks that end in time: asked of warm processes, which are ended and replaced when they take too long."""

from __future__ import annotations

import contextlib
import time
from queue import Empty, SimpleQueue
from typing import Any

from assay.findings import Report
from assay.records import dataclass
from assay.scores.pasted import Row
from assay.web.processes import Child, Ended
from assay.web.settings import Limits
from assay.web.stored import report_from

_PROCESSES = 2
_STARTING = 60.0


class _Process:
    """A process that is started when it is first wanted; the time that it needs for that is not the check's."""

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.child: Child | None = None
        self.ready = False

    def start(self) -> Child:
        """Start it, if it does not run; do not wait for it."""
        if self.child is None:
            self.child = Child("assay.web.score_process", memory=self.memory)
        return self.child

    def answer(self, question: object, seconds: float) -> Any:
        """What it answers within so many seconds."""
        child = self.start()
        if not self.ready:
            child.receive(time.monotonic() + _STARTING)
            self.ready = True
        child.send(question)
        return child.receive(time.monotonic() + seconds)

    def end(self) -> None:
        """End it; it is started anew when it is wanted again."""
        if self.child is not None:
            self.child.end()
        self.child, self.ready = None, False


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of a check: a report, or why there is none; an obstacle is one that the visitor can remove."""

    report: Report | None = None
    error: str = ""
    late: bool = False
    obstacle: str = ""


class Checker:
    """A few processes that check scores; `ask` may be called from any thread."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        for _ in range(_PROCESSES):
            self._idle.put(_Process(limits.check_bytes))

    def warm(self) -> None:
        """Start a process, since somebody is about to ask: the first answer then takes no longer than others."""
        with contextlib.suppress(Empty):
            process = self._idle.get(block=False)
            process.start()
            self._idle.put(process)

    def ask(self, row: Row, how: str = "verdict") -> Checked:
        """Check a row: `how` is verdict (quick), depth (with diagnosis) or picture."""
        seconds = self.limits.check_seconds if how == "verdict" else self.limits.depth_seconds
        try:
            process = self._idle.get(timeout=self.limits.depth_seconds)
        except Empty:
            return Checked(late=True)
        try:
            return _checked(
                process.answer({"words": row.words, "name": row.name, "total": row.total, "how": how}, seconds)
            )
        except Ended as ended:
            process.end()
            short = "This check needs more memory than the server gives it."
            failed = short if ended.starved else "The check failed. Please report it."
            return Checked(late=True) if ended.late else Checked(error=failed)
        finally:
            self._idle.put(process)

    def close(self) -> None:
        """End all processes."""
        for _ in range(_PROCESSES):
            self._idle.get(timeout=self.limits.depth_seconds + _STARTING).end()


def _checked(answer: dict[str, Any]) -> Checked:
    if "error" in answer:
        return Checked(error=str(answer["error"]))
    return Checked(report_from(answer["report"]))
