"""R211 to R216: commands of the documentation that the repository cannot follow, and what they need."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from assay.findings import Confidence, Evidence, Finding, Severity, note, quote
from assay.repository.commands.facts import Fault
from assay.repository.rules.idle_code import is_idle
from assay.repository.rules.instrument import applies_if, repository
from assay.repository.rules.wording import counted, listed
from assay.rules import Source

if TYPE_CHECKING:
    from assay.findings import Location
    from assay.repository.commands import Command, Problem
    from assay.repository.configurations import MissingConfiguration
    from assay.repository.definitions import MissingDefinition
    from assay.repository.facts import Repository
    from assay.rules import Rule

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


_REFUSED = {
    Fault.OPTION: "{} has no option {}",
    Fault.CHOICE: "{} does not accept {}",
    Fault.SURPLUS: "{} takes no argument {}",
}
_SHOWN = 4
_NOT_FOLLOWED = "no command of the documentation could be followed"


def _follows_commands(facts: Repository) -> bool:
    """Whether of some command it is known if it works: a rule does not pass on what was not looked at."""
    return bool(facts.commands.followed)


def _evidence(facts: Repository, command: Command, problem: Problem) -> list[Evidence]:
    said = [quote(command.text, command.location)]
    if problem.declared is not None and problem.declared.line is not None:
        said.append(facts.quote(problem.declared))
    elif command.folder:
        said.append(note(f"typed in the folder {command.folder}"))
    if command.within:
        said.append(note(f"{command.within} is started by a command of the documentation"))
    return said


def _severity(problem: Problem) -> Severity | None:
    """A warning while an innocent explanation stands; a note if it is likely: another folder, another project."""
    likely = _lies_elsewhere(problem) or (problem.foreign and not problem.nearest)
    return Severity.NOTE if likely else Severity.WARNING if problem.doubt else None


def _lies_elsewhere(problem: Problem) -> bool:
    """Whether the one file of that name is in a folder that the command does not enter."""
    elsewhere = problem.nearest.endswith("/" + problem.missing.removeprefix("./"))
    return problem.fault is Fault.FILE and bool(problem.doubt) and elsewhere


def _absence(problem: Problem) -> str:
    if problem.fault is Fault.EMPTY:
        return f"{problem.missing} is empty"
    if _lies_elsewhere(problem):
        return f"{problem.missing} is {problem.nearest}; the text does not say in which folder to type the command"
    return f"there is no {problem.fault.value} {problem.missing}"


def _advice(rule: Rule[Repository], problem: Problem, instead: str) -> str:
    return " ".join(part for part in (problem.doubt, instead or rule.advice) if part)


def _by_folder(found: Iterable[tuple[Command, Problem]]) -> Iterable[list[tuple[Command, Problem]]]:
    """Missing files, those of one folder that one page names as one: the folder was left out."""
    groups: dict[object, list[tuple[Command, Problem]]] = {}
    for command, problem in found:
        folder = posixpath.dirname(problem.missing.removeprefix("./"))
        alone = not folder or problem.fault is not Fault.FILE
        key = id(problem) if alone else (command.location.path, folder, bool(problem.nearest), problem.doubt)
        groups.setdefault(key, []).append((command, problem))
    return groups.values()


@repository.rule(
    "R211",
    title="Command with a missing file",
    severity=Severity.ERROR,
    failing=_EXAMPLE.format("python main.py --data cifar"),
    passing=_GOOD,
    source=_SOURCE,
    advice="Commit the file, or correct the command.",
)
@applies_if(_follows_commands, otherwise=_NOT_FOLLOWED)
def missing_file(facts: Repository) -> Iterator[Finding]:
    """The documented command fails, and only the authors know where the file is."""
    missing = (Fault.FILE, Fault.FOLDER, Fault.CONFIGURATION, Fault.MODULE, Fault.TARGET, Fault.EMPTY)
    for several in _by_folder(facts.commands.problems(*missing)):
        command, problem = several[0]
        instead = f"Did you mean {problem.nearest}?" if problem.nearest else ""
        others = listed([posixpath.basename(other.missing) for _, other in several[1:]])
        yield missing_file.finding(
            _absence(problem) + (f", nor {others} beside it" if others else ""),
            subject=problem.missing,
            location=command.location,
            evidence=_evidence(facts, command, problem),
            advice=_advice(missing_file, problem, instead),
            severity=_severity(problem),
        )


@repository.rule(
    "R212",
    title="Unknown command-line option",
    severity=Severity.ERROR,
    failing=_EXAMPLE.format("python train.py --data cifar --lr 0.1"),
    passing=_GOOD,
    source=_SOURCE,
    advice="Correct the command, or add the option to the program.",
)
@applies_if(_follows_commands, otherwise=_NOT_FOLLOWED)
def unknown_option(facts: Repository) -> Iterator[Finding]:
    """The program stops with an error, or worse, runs without the setting that gave the result."""
    refused: dict[object, list[tuple[Command, Problem]]] = {}
    for command, problem in facts.commands.problems(*_REFUSED):
        refused.setdefault((command.location, command.path, problem.fault, problem.doubt), []).append(
            (command, problem)
        )
    for several in refused.values():
        command, problem = several[0]
        among = "Choose from: {}." if problem.fault is Fault.CHOICE else "Did you mean {}?"
        instead = listed([each.nearest for _, each in several if each.nearest])
        names = listed([each.missing for _, each in several], _SHOWN)
        yield unknown_option.finding(
            _REFUSED[problem.fault].format(command.path or command.target, names),
            subject=f"{command.path or command.target} {problem.missing}",
            location=command.location,
            evidence=_evidence(facts, command, problem),
            advice=_advice(unknown_option, problem, among.format(instead) if instead else ""),
            severity=_severity(problem),
        )


@repository.rule(
    "R213",
    title="Command without a required option",
    severity=Severity.WARNING,
    failing=_EXAMPLE.format("python train.py --learning-rate 0.1"),
    passing=_GOOD,
    source=_SOURCE,
    advice="Add the option to the command.",
    confidence=Confidence.MEDIUM,
)
@applies_if(_follows_commands, otherwise=_NOT_FOLLOWED)
def required_option(facts: Repository) -> Iterator[Finding]:
    """The command stops with an error, and the reader does not know the value that was used."""
    refused = {(command.location, command.path) for command, _ in facts.commands.problems(*_REFUSED)}
    needed: dict[tuple[Location, str], list[tuple[Command, Problem]]] = {}
    for command, problem in facts.commands.problems(Fault.REQUIRED):
        needed.setdefault((command.location, command.path), []).append((command, problem))
    for place in (p for p in needed if p not in refused):  # R212 reports a command that is refused anyway
        command, problem = needed[place][0]
        names = listed([each.missing for _, each in needed[place]], _SHOWN)
        yield required_option.finding(
            f"{command.path} requires {names}, which the command leaves out",
            subject=f"{command.path} {problem.missing}",
            location=command.location,
            evidence=_evidence(facts, command, problem),
            advice=f"Add {names} with the value that was used.",
        )


@repository.rule(
    "R214",
    title="Missing script",
    severity=Severity.WARNING,
    failing="==> README.md <==\n# Model\nFirst run `prepare.py`.\n==> train.py <==\nprint(1)\n",
    passing="==> README.md <==\n# Model\nFirst run `prepare.py`.\n==> prepare.py <==\nprint(1)\n",
    source=_SOURCE,
    advice="Commit the script, or correct its name.",
    confidence=Confidence.MEDIUM,
)
@applies_if(lambda facts: facts.readme.location is not None, otherwise="there is no README")
def missing_script(facts: Repository) -> Iterator[Finding]:
    """A reader who cannot find the script named in the README cannot run the code."""
    for script in facts.commands.named:
        yield missing_script.finding(
            f"the README names {script.name}, and no file is called so",
            subject=script.name,
            location=script.location,
            evidence=[facts.quote(script.location)],
            advice=f"Did you mean {script.nearest}?" if script.nearest else "",
        )


@repository.rule(
    "R215",
    title="Missing configuration file",
    severity=Severity.WARNING,
    failing='==> train.py <==\nimport yaml\nsettings = yaml.safe_load(open("configs/base.yaml"))\n',
    passing='==> train.py <==\nimport yaml\nsettings = yaml.safe_load(open("configs/base.yaml"))\n'
    "==> configs/base.yaml <==\nlr: 0.1\n",
    source=_SOURCE,
    advice="Commit the configuration that was used, or say how to make it.",
)
@applies_if(lambda facts: facts.code.python, otherwise="there is no Python code")
def missing_configuration(facts: Repository) -> Iterator[Finding]:
    """A configuration holds the settings that gave the result; without it the program stops at its first line."""
    for one in facts.missing_configurations:
        yield missing_configuration.finding(
            f"the code reads {one.path}, which is not in the repository",
            subject=one.path,
            location=one.location,
            evidence=[facts.quote(one.location)],
            severity=Severity.ERROR if one.certain else Severity.NOTE if _may_be_spared(facts, one) else None,
            advice="" if one.certain else f"Does another step make it? {missing_configuration.advice}",
        )


def _may_be_spared(facts: Repository, one: MissingConfiguration) -> bool:
    """Whether a default is replaced by the command that starts its program, or nothing runs what reads it."""
    replaced = one.default and any("config" in w or "cfg" in w for c in facts.commands.commands for w in c.arguments)
    return replaced or is_idle(facts, one.location)


@repository.rule(
    "R216",
    title="Import of an undefined name",
    severity=Severity.ERROR,
    failing="==> train.py <==\nfrom helpers import evaluate\nevaluate()\n==> helpers.py <==\ndef train():\n    pass\n",
    passing="==> train.py <==\nfrom helpers import train\ntrain()\n==> helpers.py <==\ndef train():\n    pass\n",
    source=_SOURCE,
    advice="Commit the missing part, or correct the import.",
)
@applies_if(lambda facts: facts.code.python, otherwise="there is no Python code")
def missing_definition(facts: Repository) -> Iterator[Finding]:
    """Python stops at such an import: neither this file nor anything that imports it can run."""
    alike: dict[tuple[str, str], list[MissingDefinition]] = {}
    for one in facts.missing_definitions:
        alike.setdefault((one.home, "" if one.module else "name"), []).append(one)
    for (home, _), places in alike.items():
        first = next((p for p in places if not p.lazy and p.location.path in facts.reach.at_once), places[0])
        yield missing_definition.finding(
            _undefined(home, first, places),
            subject=f"{home} {first.name}",
            location=first.location,
            evidence=[facts.quote(place.location) for place in places[:_SHOWN]],
            severity=_severity_of_import(facts, first),
        )


def _undefined(home: str, first: MissingDefinition, places: list[MissingDefinition]) -> str:
    names = dict.fromkeys((first.name, *(place.name for place in places)))
    files = counted(len({place.location.path for place in places}), "file")
    if len(names) == 1:
        absent = f"{home} has no such module" if first.module else f"{home} does not define it"
        return f"`{first.name}` is imported by {files}, and {absent}"
    sort = "modules" if first.module else "names"
    absent = f"{home} has no such module" if first.module else f"{home} does not define them"
    return f"`{first.name}` and {len(names) - 1} more of its {sort} are imported by {files}, and {absent}"


def _severity_of_import(facts: Repository, one: MissingDefinition) -> Severity | None:
    """Less for an import inside a function, which the documented run may never come to."""
    path = one.location.path
    if one.lazy:
        return Severity.WARNING if path in facts.reach.started else Severity.NOTE
    return None if path in facts.reach.at_once else Severity.WARNING
