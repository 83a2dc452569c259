"""The instruments for a corpus; each module says how one subject is examined."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from importlib import import_module

from assay.corpus.clones import Beat
from assay.corpus.subject import Examined, Subject, Task
from assay.records import dataclass


class Name(StrEnum):
    """Instruments, named like their commands."""

    REPO = "repo"
    SCORES = "scores"
    LEAKAGE = "leakage"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Instrument:
    """How subjects are examined, and the types of their facts."""

    examine: Callable[[Subject], Examined]
    kind: Callable[[str], type]


_MODULES = {
    Name.REPO: "assay.corpus.instruments.repository",
    Name.SCORES: "assay.corpus.instruments.scores",
    Name.LEAKAGE: "assay.corpus.instruments.leakage",
    Name.PAPER: "assay.corpus.instruments.paper",
}
BATCH = {Name.REPO: 50, Name.SCORES: 2000, Name.LEAKAGE: 50, Name.PAPER: 20}
"""Maximum number of subjects in a batch: a few seconds' work."""


def load(task: Task, beat: Beat) -> Instrument:
    """The instrument of a task, ready to examine."""
    found = import_module(_MODULES[Name(task.instrument)]).instrument(task, beat)
    if not isinstance(found, Instrument):  # pragma: no cover - the modules are ours
        raise TypeError
    return found


def kind_of(task: Task) -> Callable[[str], type]:
    """The type of each fact of the instrument."""
    return import_module(_MODULES[Name(task.instrument)]).kind  # type: ignore[no-any-return]


def is_factor(column: str, task: Task) -> bool:
    """True if a fact of the instrument is a factor scored from 0 to 1."""
    return bool(import_module(_MODULES[Name(task.instrument)]).is_factor(column, task))
