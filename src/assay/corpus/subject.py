"""Subjects and their records: plain values that travel between processes."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Value
from assay.records import dataclass

Cells = tuple[Value, ...]
"""A row of a table, in column order."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One row of a list. `row` counts from 0 and is its identity: one path may be in two groups."""

    row: int
    name: str
    source: str
    groups: tuple[str, ...] = ()
    cells: tuple[tuple[str, str], ...] = ()
    """Columns that the instrument reads: the sizes and scores of a row of scores."""
    line: int | None = None
    """Its line in the list."""


@dataclass(frozen=True, slots=True)
class Examined:
    """The result of an instrument for one subject."""

    facts: dict[str, Value]
    findings: tuple[Cells, ...] = ()
    verdicts: tuple[Cells, ...] = ()
    left_out: tuple[str, ...] = ()


class Outcome(StrEnum):
    """How the examination of a subject ended."""

    DONE = "done"
    INPUT = "input"
    """The subject cannot be read; the message says why."""
    TIME = "time"
    """It exceeded the time limit and was stopped."""
    MEMORY = "memory"
    """It exceeded the memory limit."""
    CRASH = "crash"
    """The examining process died, twice."""
    FAULT = "fault"
    """A defect of Assay."""


@dataclass(frozen=True, slots=True)
class Record:
    """One subject, examined or failed; every subject has exactly one record."""

    subject: Subject
    outcome: Outcome
    message: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float | None = None
    """The maximum memory of the examining process so far."""
    worker: str = ""
    examined: Examined | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """What every worker receives once: the instrument, its options, and the limits for a subject."""

    instrument: str
    options: tuple[tuple[str, str], ...] = ()
    seconds: float = 300.0
    megabytes: int = 2000

    def option(self, name: str, default: str = "") -> str:
        """The value of an option."""
        return dict(self.options).get(name, default)
