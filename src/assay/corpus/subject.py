"""What is examined, and what comes of it: the plain values that travel between processes."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Value
from assay.records import dataclass

Cells = tuple[Value, ...]
"""A row of a table, in the order of its columns."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One row of a list. `row` counts from 0 and is its identity: the same path may stand in two groups."""

    row: int
    name: str
    source: str
    groups: tuple[str, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    """Columns that the instrument itself reads: the sizes and scores of a row of scores."""
    line: int | None = None
    """Where it stands in the list."""


@dataclass(frozen=True, slots=True)
class Examined:
    """What an instrument has to say about one subject."""

    facts: dict[str, Value]
    findings: tuple[Cells, ...] = ()
    verdicts: tuple[Cells, ...] = ()
    left_out: tuple[str, ...] = ()


class Outcome(StrEnum):
    """How the examination of a subject ended."""

    DONE = "done"
    INPUT = "input"
    """The subject cannot be read: what its message says is wrong with it."""
    TIME = "time"
    """It took longer than the limit and was stopped."""
    MEMORY = "memory"
    """It asked for more memory than the limit."""
    CRASH = "crash"
    """The process that examined it died, twice."""
    FAULT = "fault"
    """A fault of ours."""


@dataclass(frozen=True, slots=True)
class Record:
    """One subject, examined or failed; exactly one is kept for each."""

    subject: Subject
    outcome: Outcome
    message: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float | None = None
    """The largest the examining process has been so far."""
    worker: str = ""
    examined: Examined | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What every worker receives once: the instrument, its options, and the limits for one subject."""

    instrument: str
    options: tuple[tuple[str, str], ...] = ()
    seconds: float = 300.0
    megabytes: int = 2000

    def option(self, name: str, default: str = "") -> str:
        """The value of an option."""
        return dict(self.options).get(name, default)
