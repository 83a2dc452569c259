"""Commands that the documentation tells the reader to type, and whether the repository can follow."""

from __future__ import annotations

from enum import StrEnum

from assay.findings import Location
from assay.records import dataclass


class Outcome(StrEnum):
    """What is known about a command without running it."""

    OK = "ok"
    """All that it names in the repository is there, and its options are known."""
    BROKEN = "broken"
    """Something it names is not there; typed as it stands, it fails."""
    UNKNOWN = "unknown"
    """The text does not say."""


class Fault(StrEnum):
    """What can be wrong with a command."""

    FILE = "file"
    FOLDER = "folder"
    CONFIGURATION = "configuration file"
    MODULE = "module"
    TARGET = "make target"
    OPTION = "option"
    REQUIRED = "required option"
    CHOICE = "choice"
    EMPTY = "empty file"
    SURPLUS = "surplus word"

    @property
    def is_absence(self) -> bool:
        """Whether something is not in the repository, whichever program asks for it."""
        return self in {Fault.FILE, Fault.FOLDER, Fault.CONFIGURATION, Fault.MODULE}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is missing; `nearest` is what exists and is called alike."""

    fault: Fault
    missing: str
    nearest: str = ""
    declared: Location | None = None
    """Where the program says what it accepts."""
    doubt: str = ""
    """An innocent explanation that the text does not exclude, as a question."""
    foreign: bool = False
    """The section links to another project, or clones one, and the command may be meant for that."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the documentation that runs or reads something of the repository."""

    text: str
    location: Location
    folder: str | None
    """The folder it is meant for, as far as `cd` tells; None when that is outside the repository."""
    target: str
    """The script, module, make target or file that it names."""
    path: str
    """The file in the repository that it runs or reads; empty when there is none."""
    outcome: Outcome
    problems: tuple[Problem, ...] = ()
    reason: str = ""
    """Why the outcome is unknown."""
    arguments: tuple[str, ...] = ()
    inline: bool = False
    """It stands within a sentence, where it need not be complete."""
    within: str = ""
    """The shell script that it is a line of, if another command starts that script."""


@dataclass(frozen=True, slots=True)
class NamedScript:
    """A script that a sentence tells the reader to run, and that is nowhere in the repository."""

    name: str
    location: Location
    nearest: str = ""


@dataclass(frozen=True)
class CommandFacts:
    """All commands, by document and line."""

    commands: tuple[Command, ...]
    left_out: tuple[str, ...] = ()
    named: tuple[NamedScript, ...] = ()

    @property
    def followed(self) -> tuple[Command, ...]:
        """Those of which it is known whether the repository can follow them."""
        return tuple(c for c in self.commands if c.outcome is not Outcome.UNKNOWN)

    @property
    def broken(self) -> tuple[Command, ...]:
        """Those that fail as they stand."""
        return tuple(c for c in self.commands if c.outcome is Outcome.BROKEN)

    def problems(self, *faults: Fault) -> tuple[tuple[Command, Problem], ...]:
        """Each problem of these kinds once, with the first command that has it; options once for a program."""
        found = [(c, p) for c in self.broken for p in c.problems if p.fault in faults]
        once = {("" if p.fault.is_absence else c.path, p.fault, p.missing): (c, p) for c, p in reversed(found)}
        return tuple(once.values())[::-1]
