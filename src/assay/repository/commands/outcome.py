"""One command against the repository: does what it names exist, and would it accept the options."""

from __future__ import annotations

import posixpath
from dataclasses import replace

from assay.findings import Location
from assay.records import dataclass
from assay.repository.commands.arguments import missing_configurations
from assay.repository.commands.facts import Command, Fault, Outcome, Problem
from assay.repository.commands.hydra import hydra_problems
from assay.repository.commands.interfaces import Interfaces
from assay.repository.commands.makefiles import make_targets
from assay.repository.commands.placement import Placed
from assay.repository.commands.programs import Program, Runs, find_program
from assay.repository.commands.shell import is_placeholder
from assay.repository.commands.targets import WHOSE, Site, absence, files_elsewhere, is_example, locate, nearest_folder

_PYTHON = frozenset({Runs.SCRIPT, Runs.MODULE, Runs.COMMAND})


@dataclass(frozen=True, slots=True)
class _Answer:
    """What is known of a command before it is judged; calling it adds the judgement."""

    program: Program
    placed: Placed
    document: str
    within: str = ""

    def __call__(
        self, outcome: Outcome, path: str = "", problems: tuple[Problem, ...] = (), reason: str = ""
    ) -> Command:
        written = self.placed.written
        return Command(
            text=written.text[:500],
            location=Location(self.document, written.line),
            folder=self._folder(path),
            target=self.program.target,
            path=path,
            outcome=outcome,
            problems=problems,
            reason=reason,
            arguments=self.program.arguments,
            inline=self.placed.inline,
            within=self.within,
        )

    def _folder(self, path: str) -> str | None:
        """The folder that the command is typed in: the one from which what it names is found."""
        folders, target = self.placed.folders, self.program.target
        joined = (f for f in folders if posixpath.normpath(posixpath.join(f, target)) == path)
        meant = [path.removesuffix("/" + target.removeprefix("./"))] if path and path != target else []
        return next(joined, next(iter((*(m for m in meant if m != path), *folders)), None))


def check(placed: Placed, document: str, site: Site, interfaces: Interfaces, within: str = "") -> Command | None:
    """The command with its outcome; None when it has nothing to do with the repository."""
    if placed.absent_folder:
        return _entered(placed, document, site, within)
    program = find_program(placed.written.words)
    judged = None
    if program is not None and _concerns(program, site):
        judged = _judge(program, placed, site, interfaces, _Answer(program, placed, document, within))
    text = placed.written.text
    site.downloads = site.downloads or any(
        word in text for word in ("download", "wget", "curl", "clone", "unzip", "tar ")
    )
    named = {posixpath.basename(w) for w in placed.written.words[1:] if "." in w}
    site.mentioned |= named - {posixpath.basename(program.target) if program is not None else ""}
    return judged


def _entered(placed: Placed, document: str, site: Site, within: str) -> Command | None:
    """A `cd` into a folder that is not there; that of a page about a part may be meant for another project."""
    if site.secondary or placed.inline or site.downloads:
        return None
    folder = placed.absent_folder
    near = nearest_folder(folder, site.tree)
    signs_only = near.replace("_", "-") == folder.replace("_", "-")  # a package is often called so like its repository
    certain = near and not signs_only
    doubt = "" if certain else "Is it the repository itself, under another name, or made by an earlier step?"
    answer = _Answer(Program(Runs.READS, folder), placed, document, within)
    return answer(Outcome.BROKEN, problems=(Problem(Fault.FOLDER, folder, near, doubt=doubt),))


def _concerns(program: Program, site: Site) -> bool:
    if program.runs is Runs.COMMAND:
        return program.target in site.entry_points
    if program.runs is Runs.MODULE:
        top = program.target.partition(".")[0]
        return top.replace("-", "_") in site.code.local_modules or top in site.tree.folders
    return True


def _judge(program: Program, placed: Placed, site: Site, interfaces: Interfaces, answer: _Answer) -> Command:
    reason = _why_not_followed(program, placed)
    if reason:
        return answer(Outcome.UNKNOWN, reason=reason)
    if program.runs is Runs.MAKE:
        return _make(program, placed, site, answer)
    path = locate(program, placed, site)
    if path is None:
        return _absent(program, placed, site, interfaces, answer)
    if program.runs in _PYTHON and not _has_content(path, site):
        return answer(Outcome.BROKEN, path, (Problem(Fault.EMPTY, path),))
    problems = list(missing_configurations(program, placed, path, site)) if program.runs in _PYTHON else []
    found, reason = _options(program, placed, path, site, interfaces)
    problems += found
    if problems and (placed.outside or (placed.cloned and site.secondary)):
        return answer(Outcome.UNKNOWN, path, reason="it may belong to another project that is cloned before")
    outcome = Outcome.BROKEN if problems else Outcome.UNKNOWN if reason else Outcome.OK
    return answer(outcome, path, tuple(problems), "" if problems else reason)


def _why_not_followed(program: Program, placed: Placed) -> str:
    """Why nothing can be said about a command from the repository alone."""
    target = program.target
    if is_placeholder(target) or is_example(target):
        return "it names something that the reader is to fill in"
    if not placed.folders:
        return "it is typed in a folder outside the repository"
    outside = target.startswith(("/", "~")) or "\\" in target or "://" in target
    return "it names a place outside the repository" if outside else ""


def _absent(program: Program, placed: Placed, site: Site, interfaces: Interfaces, answer: _Answer) -> Command:
    """A command whose program is not there; the options of the one that is meant, as it seems, are still checked."""
    missing = absence(program, placed, site)
    if isinstance(missing, str):
        alone = files_elsewhere(program.target, site)
        return answer(Outcome.UNKNOWN, alone[0] if len(alone) == 1 else "", reason=missing)
    near = missing.nearest if program.runs is Runs.SCRIPT and missing.doubt else ""
    beyond = _options(program, placed, near, site, interfaces)[0] if near else []
    beyond = [replace(problem, doubt=problem.doubt or missing.doubt) for problem in beyond]
    return answer(Outcome.BROKEN, problems=(missing, *beyond))


def _has_content(path: str, site: Site) -> bool:
    """Whether there is anything to run: a package's first file may be empty."""
    file = site.tree.get(path)
    return file is None or bool(file.size) or path.endswith("__init__.py")


def _make(program: Program, placed: Placed, site: Site, answer: _Answer) -> Command:
    for folder in placed.folders:
        base = posixpath.normpath(posixpath.join(folder, program.folder))
        found = make_targets(site.tree, "" if base == "." else base)
        if found is None:
            continue
        if not program.target or found.open or program.target in found.targets:
            return answer(Outcome.OK, found.path)
        if placed.outside or placed.lost:
            return answer(Outcome.UNKNOWN, reason="it may belong to another project")
        problem = Problem(Fault.TARGET, program.target, found.nearest(program.target), Location(found.path))
        return answer(Outcome.BROKEN, found.path, (problem,))
    return answer(Outcome.UNKNOWN, reason="there is no Makefile where it is typed")


def _questioned(problem: Problem) -> Problem:
    """A refused option beside a link to another project, whose program may be meant unless this one's is so alike."""
    alike = problem.nearest and problem.fault is Fault.OPTION
    return problem if alike or problem.doubt else replace(problem, doubt=WHOSE, foreign=True, nearest="")


def _options(
    program: Program, placed: Placed, path: str, site: Site, interfaces: Interfaces
) -> tuple[list[Problem], str]:
    """What is wrong with the options, and why they could not be checked."""
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
        problems = interface.problems(program.arguments, complete=complete)
        return [_questioned(p) if placed.beside_project else p for p in problems], ""
    if any(w.startswith("-") and len(w) > 1 for w in program.arguments):
        return [], interface.open if interface is not None else "how it reads its arguments is unknown"
    return [], ""
