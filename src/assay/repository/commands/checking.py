"""One command against the repository: does what it names exist, and would it accept the options."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.commands.facts import Command, Fault, Outcome, Problem
from assay.repository.commands.gathering import Placed
from assay.repository.commands.hydra import hydra_problems
from assay.repository.commands.interfaces import Interfaces
from assay.repository.commands.locating import Site, absence, is_example, locate
from assay.repository.commands.makefiles import make_targets
from assay.repository.commands.programs import Program, Runs, find_program
from assay.repository.commands.shell import is_placeholder
from assay.repository.readme import nearest_path

_PYTHON = frozenset({Runs.SCRIPT, Runs.MODULE, Runs.COMMAND})
_CONFIG_OPTION = regex(r"-{1,2}(?:[\w-]*(?:config|cfg|conf|yaml|hparams)[\w-]*|c|f|opt)", re.IGNORECASE)
_CONFIG_FILE = regex(r"[\w./-]{1,200}\.(?:ya?ml|json|toml|cfg|ini|gin|jsonnet|py|conf)")


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known of a command before it is judged; calling it adds the judgement."""

    program: Program
    placed: Placed
    document: str

    def __call__(
        self, outcome: Outcome, path: str = "", problems: tuple[Problem, ...] = (), reason: str = ""
    ) -> Command:
        written = self.placed.written
        return Command(
            text=written.text[:500],
            location=Location(self.document, written.line),
            folder=self.placed.folders[0] if self.placed.folders else None,
            target=self.program.target,
            path=path,
            outcome=outcome,
            problems=problems,
            reason=reason,
            arguments=self.program.arguments,
            inline=self.placed.inline,
        )


def check(placed: Placed, document: str, site: Site, interfaces: Interfaces) -> Command | None:
    """The command with its outcome; None when it has nothing to do with the repository."""
    program = find_program(placed.written.words)
    judged = None
    if program is not None and _concerns(program, site):
        judged = _judge(program, placed, site, interfaces, _Answer(program, placed, document))
    text = placed.written.text
    site.downloads = site.downloads or any(
        word in text for word in ("download", "wget", "curl", "clone", "unzip", "tar ")
    )
    named = {posixpath.basename(w) for w in placed.written.words[1:] if "." in w}
    site.mentioned |= named - {posixpath.basename(program.target) if program is not None else ""}
    return judged


def _concerns(program: Program, site: Site) -> bool:
    if program.runs is Runs.COMMAND:
        return program.target in site.entry_points
    if program.runs is Runs.MODULE:
        return program.target.partition(".")[0] in site.code.local_modules
    return True


def _judge(program: Program, placed: Placed, site: Site, interfaces: Interfaces, answer: _Answer) -> Command:
    if is_placeholder(program.target) or is_example(program.target):
        return answer(Outcome.UNKNOWN, reason="it names something that the reader is to fill in")
    if not placed.folders:
        return answer(Outcome.UNKNOWN, reason="it is typed in a folder outside the repository")
    if program.target.startswith(("/", "~")) or "\\" in program.target or "://" in program.target:
        return answer(Outcome.UNKNOWN, reason="it names a place outside the repository")
    if program.runs is Runs.MAKE:
        return _make(program, placed, site, answer)
    path = locate(program, placed, site)
    if path is None:
        missing = absence(program, placed, site)
        if isinstance(missing, str):
            return answer(Outcome.UNKNOWN, reason=missing)
        return answer(Outcome.BROKEN, problems=(missing,))
    problems = list(_missing_configs(program, placed, path, site))
    found, reason = _options(program, placed, path, site, interfaces)
    problems += found
    if problems and (placed.outside or (placed.cloned and site.secondary)):
        return answer(Outcome.UNKNOWN, path, reason="it may belong to another project that is cloned before")
    outcome = Outcome.BROKEN if problems else Outcome.UNKNOWN if reason else Outcome.OK
    return answer(outcome, path, tuple(problems), "" if problems else reason)


def _make(program: Program, placed: Placed, site: Site, answer: _Answer) -> Command:
    for folder in placed.folders:
        base = posixpath.normpath(posixpath.join(folder, program.folder))
        found = make_targets(site.tree, "" if base == "." else base)
        if found is None:
            continue
        if not program.target or found.open or program.target in found.targets:
            return answer(Outcome.OK, found.path)
        if placed.outside:
            return answer(Outcome.UNKNOWN, reason="it may belong to another project")
        problem = Problem(Fault.TARGET, program.target, found.nearest(program.target), Location(found.path))
        return answer(Outcome.BROKEN, found.path, (problem,))
    return answer(Outcome.UNKNOWN, reason="there is no Makefile where it is typed")


def _options(
    program: Program, placed: Placed, path: str, site: Site, interfaces: Interfaces
) -> tuple[list[Problem], str]:
    """What is wrong with the options, and why that cannot be told."""
    source = site.code.source(path)
    if source is None or program.runs not in _PYTHON or posixpath.basename(path) == "setup.py":
        return [], ""
    hydra = interfaces.hydra(path)
    if hydra is not None:
        structured = source.mentions("ConfigStore")
        return ([] if structured else list(hydra_problems(hydra, path, program.arguments, site.tree))), ""
    interface = interfaces.of(path)
    if interface is not None and not interface.open:
        complete = not placed.inline and not placed.written.sketch
        return list(interface.problems(program.arguments, complete=complete)), ""
    if any(w.startswith("-") and len(w) > 1 for w in program.arguments):
        return [], interface.open if interface is not None else "how it reads its arguments cannot be told"
    return [], ""


def _missing_configs(program: Program, placed: Placed, path: str, site: Site) -> Iterator[Problem]:
    """Configuration files that are named, in a folder that has others of the kind, and are not in it."""
    words = program.arguments
    for at, word in enumerate(words):
        name, equals, value = word.partition("=")
        if not equals or not name.startswith("-"):
            name, value = (words[at - 1] if at else ""), word
        positional = not at and value.startswith(("config", "cfg", "conf"))
        if not positional and not _CONFIG_OPTION.fullmatch(name):
            continue
        if "/" not in value or not _CONFIG_FILE.fullmatch(value) or is_placeholder(value) or placed.outside:
            continue
        folders = dict.fromkeys((*placed.folders, posixpath.dirname(path), ""))
        places = [posixpath.normpath(posixpath.join(folder, value)) for folder in folders]
        if posixpath.basename(value) in site.mentioned or any(site.tree.exists(place) for place in places):
            continue
        home = next((p for p in places if posixpath.dirname(p) and posixpath.dirname(p) in site.tree.folders), None)
        ending = posixpath.splitext(value)[1]
        if home and any(f.suffix == ending for f in site.tree.directly_in(posixpath.dirname(home))):
            yield Problem(Fault.FILE, home, nearest_path(home, site.tree))
