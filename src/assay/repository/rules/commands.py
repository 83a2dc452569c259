"""R211 to R213: commands of the documentation that the repository cannot follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Evidence, Finding, Severity, note, quote
from assay.repository.rules.instrument import applies_if, repository
from assay.rules import Source

if TYPE_CHECKING:
    from assay.repository.commands import Command, Problem
    from assay.repository.facts import Repository

_SOURCE = Source("Papers with Code, ML Code Completeness Checklist, 2020", "items 2, 3 and 5: commands that work")
_EXAMPLE = """\
==> README.md <==
# Model
## Training
```bash
{}
```
==> train.py <==
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--data", required=True)
parser.add_argument("--learning-rate", type=float, default=0.1)
args = parser.parse_args()
print(args.data, args.learning_rate)
"""
_GOOD = _EXAMPLE.format("python train.py --data cifar --learning-rate 0.1")


def _has_commands(facts: Repository) -> bool:
    return facts.commands is not None and bool(facts.commands.commands)


def _evidence(facts: Repository, command: Command, problem: Problem) -> list[Evidence]:
    said = [quote(command.text, command.location)]
    if problem.declared is not None and problem.declared.line is not None:
        said.append(facts.quote(problem.declared))
    elif command.folder:
        said.append(note(f"typed in {command.folder}, as `cd` tells"))
    return said


@repository.rule(
    "R211",
    title="Command that names what is not there",
    severity=Severity.ERROR,
    failing=_EXAMPLE.format("python main.py --data cifar"),
    passing=_GOOD,
    source=_SOURCE,
    advice="Commit the file, or correct the command.",
)
@applies_if(_has_commands, otherwise="the documentation has no commands")
def missing_file(facts: Repository) -> Iterator[Finding]:
    """The first thing that a reader types fails, and where the script went is known to its authors alone."""
    from assay.repository.commands import Fault

    for command, problem in facts.commands.problems(Fault.FILE, Fault.MODULE, Fault.TARGET):
        instead = f"Did you mean {problem.nearest}?" if problem.nearest else ""
        yield missing_file.finding(
            f"there is no {problem.fault.value} {problem.missing}",
            subject=problem.missing,
            location=command.location,
            evidence=_evidence(facts, command, problem),
            advice=instead,
        )


@repository.rule(
    "R212",
    title="Option that the program does not know",
    severity=Severity.ERROR,
    failing=_EXAMPLE.format("python train.py --data cifar --lr 0.1"),
    passing=_GOOD,
    source=_SOURCE,
    advice="Correct the command, or add the option to the program.",
)
@applies_if(_has_commands, otherwise="the documentation has no commands")
def unknown_option(facts: Repository) -> Iterator[Finding]:
    """The program stops with an error, or worse, runs without the setting that gave the result."""
    from assay.repository.commands import Fault

    for command, problem in facts.commands.problems(Fault.OPTION, Fault.CHOICE):
        choice = problem.fault is Fault.CHOICE
        said = (
            f"{command.path} does not accept {problem.missing}"
            if choice
            else f"{command.path} has no option {problem.missing}"
        )
        among = f"Choose from: {problem.nearest}." if choice else f"Did you mean {problem.nearest}?"
        yield unknown_option.finding(
            said,
            subject=f"{command.path} {problem.missing}",
            location=command.location,
            evidence=_evidence(facts, command, problem),
            advice=among if problem.nearest else "",
        )


@repository.rule(
    "R213",
    title="Required option left out",
    severity=Severity.WARNING,
    failing=_EXAMPLE.format("python train.py --learning-rate 0.1"),
    passing=_GOOD,
    source=_SOURCE,
    advice="Add the option to the command.",
    confidence=Confidence.MEDIUM,
)
@applies_if(_has_commands, otherwise="the documentation has no commands")
def required_option(facts: Repository) -> Iterator[Finding]:
    """The command stops with an error, and the reader does not know the value that was used."""
    from assay.repository.commands import Fault

    for command, problem in facts.commands.problems(Fault.REQUIRED):
        yield required_option.finding(
            f"{command.path} requires {problem.missing}, which the command leaves out",
            subject=f"{command.path} {problem.missing}",
            location=command.location,
            evidence=_evidence(facts, command, problem),
            advice=f"Add {problem.missing} with the value that was used.",
        )
