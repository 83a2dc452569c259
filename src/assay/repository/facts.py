"""All that is known about one repository, gathered once; rules and factors judge it without opening a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from assay.code import Code, Language, read_code
from assay.findings import Evidence, Location, quote
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.availability import Answer, answer_of
from assay.repository.commands import CommandFacts, read_commands
from assay.repository.configurations import MissingConfiguration, read_missing_configurations
from assay.repository.data import DataFacts, read_data
from assay.repository.definitions import MissingDefinition, read_missing_definitions
from assay.repository.documentation import DocumentationFacts, read_documentation
from assay.repository.environment import EnvironmentFacts, read_environment
from assay.repository.infrastructure import InfrastructureFacts, read_infrastructure
from assay.repository.licence import LicenceFacts, read_licences
from assay.repository.models import ModelFacts, read_models
from assay.repository.notebooks import NotebookRun, read_notebooks
from assay.repository.randomness import (
    Entry,
    EntryPoint,
    Framework,
    RandomnessFacts,
    Seeding,
    evaluates,
    judge_seeding,
    read_randomness,
)
from assay.repository.reach import Reach, reach_of
from assay.repository.readme import Checked, CodeBlock, Passage, ReadmeFacts, read_readme
from assay.repository.selection import Choice, read_selection
from assay.tree import Tree

_LONGEST_QUOTE = 300
NETWORKS = frozenset(
    {
        Framework.TORCH, Framework.CUDA, Framework.TENSORFLOW, Framework.JAX, Framework.MXNET, Framework.PADDLE,
        Framework.MINDSPORE,
    }
)  # fmt: skip
_MAIN = regex(r"train|main|run|fit|experiment|tune|learn", re.IGNORECASE)


@dataclass(frozen=True)
class Repository:
    """The facts, one field for each concern; every fact has its place in the tree."""

    name: str
    tree: Tree
    code: Code
    licence: LicenceFacts
    environment: EnvironmentFacts
    randomness: RandomnessFacts
    notebooks: tuple[NotebookRun, ...]
    infrastructure: InfrastructureFacts
    documentation: DocumentationFacts
    readme: ReadmeFacts
    commands: CommandFacts
    data: DataFacts
    models: ModelFacts
    selection: tuple[Choice, ...]
    missing_definitions: tuple[MissingDefinition, ...] = ()
    missing_configurations: tuple[MissingConfiguration, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether there is no code of the authors' own."""
        return not self.code.own

    @property
    def trains(self) -> bool:
        """Whether some run fits or optimises something."""
        return any(entry.trains for entry in self.randomness.entry_points)

    @property
    def trains_networks(self) -> bool:
        """Whether neural networks are trained, for which the machine matters most."""
        return any(c.framework in NETWORKS for e in self.randomness.entry_points if e.trains for c in e.coverage)

    @property
    def plays(self) -> bool:
        """Whether learning is by reinforcement, in a simulated world: then there are no data to hold out."""
        return any(entry.of(Framework.GYM) for entry in self.randomness.entry_points)

    @cached_property
    def main_runs(self) -> tuple[EntryPoint, ...]:
        """The runs that make the result: those the README names, else those called like it, else all."""
        runs = self.randomness.main_entry_points
        named = tuple(e for e in runs if self._is_named(e))
        called = tuple(e for e in runs if _is_called_main(e))
        return named or called or tuple(e for e in runs if not self._is_demonstration(e))

    def is_main(self, run: EntryPoint) -> bool:
        """Whether pages name a run, or its own name says that it makes the result."""
        return self._is_named(run) or _is_called_main(run)

    @cached_property
    def reach(self) -> Reach:
        """The files that commands start, that the README names, and the main runs, with all that they import."""
        said = "\n".join((*self.readme_texts, *(link.target for link in self.readme.links)))
        named = (s.path for s in self.code.python if s.path.rpartition("/")[2] in said)
        commands = (c.path for c in self.commands.commands if c.path)
        return reach_of({*commands, *(run.path for run in self.main_runs), *named}, self.code)

    @cached_property
    def obtaining(self) -> Answer:
        """How somebody else comes by the data."""
        return answer_of(self.data)

    @cached_property
    def seeding(self) -> Seeding:
        """How much is seeded of what the main runs draw, and the others that the README tells to run."""
        runs = self.randomness.entry_points
        told = self._documented
        named = [e for e in runs if self._is_named(e)]
        main = [e for e in self.main_runs if e.trains or not evaluates(e)] or self.main_runs
        if named and not any(e.trains or e in named for e in main):
            main = ()  # the README names runs that draw nothing; others only try themselves out
        also = [e for e in runs if e.path in told and e not in self.main_runs and not evaluates(e)]
        beside = [e for e in runs if e.trains or e in named]
        return judge_seeding([*main, *also], beside, self.randomness.seeds)

    @cached_property
    def _documented(self) -> frozenset[str]:
        """What commands run: those on the pages at the root, where any does; the others may be of copied projects."""
        found = [(command.path, "/" in command.location.path) for command in self.commands.commands]
        near = frozenset(path for path, deep in found if path.endswith(".py") and not deep)
        return near or frozenset(path for path, _ in found)

    def _is_named(self, run: EntryPoint) -> bool:
        """Whether the pages name a run, or tell a command for it."""
        return run.path in self._documented or self.readme_names(run.path) or self.readme_names(run.name)

    def _is_demonstration(self, run: EntryPoint) -> bool:
        """Whether a module of a package to install shows itself when it is run; not if the runs may be unreadable."""
        beside = self.tree.get(f"{run.path.rpartition('/')[0]}/__init__.py") is not None
        installs = any(self.tree.get(name) is not None for name in ("setup.py", "setup.cfg", "pyproject.toml"))
        if not (beside and installs and run.kind is Entry.SCRIPT):
            return False
        return all(source.tree is not None for source in self.code.python)

    def tells(self, kind: str) -> bool:
        """Whether the README explains a step: by a section, by how to use the whole, or by a command that runs it."""
        sections = {section.kind.value for section in self.readme.sections}
        if kind in sections or (kind in {"train", "evaluate"} and "usage" in sections):
            return True
        training = {entry.path for entry in self.randomness.entry_points if entry.trains}
        started = any(command.path in training for command in self.commands.commands)
        return kind == "train" and (started or any(self.readme_names(path) for path in training))

    def readme_names(self, word: str) -> bool:
        """Whether the README, in its text, commands or links, has this word: a file's name, a command's."""
        linked = (link.target.partition("#")[0] for link in self.readme.links)
        return bool(word) and (any(word in text for text in self.readme_texts) or any(word in to for to in linked))

    @cached_property
    def readme_texts(self) -> tuple[str, ...]:
        """The passages and code of the README."""
        blocks = self.readme.document.blocks if self.readme.document else ()
        return tuple(block.text for block in blocks if isinstance(block, CodeBlock | Passage))

    def written_in(self, language: Language) -> bool:
        """Whether the authors' own code has a file in this language."""
        return any(source.language is language for source in self.code.own)

    def quote(self, location: Location) -> Evidence:
        """The line at a place, as evidence; the first that is not empty where no line is named."""
        lines = self._text(location).split("\n", location.line or -1)
        if location.line is None:
            said = next((line for line in lines if line.strip()), "")
        else:
            said = lines[location.line - 1] if location.line <= len(lines) else ""
        return quote(said.strip()[:_LONGEST_QUOTE], location)

    def _text(self, location: Location) -> str:
        """What a place is in: a cell of a notebook, or a file."""
        source = self.code.source(location.path)
        if location.cell is not None and source is not None and source.notebook is not None:
            return next((c.text for c in source.notebook.cells if c.number == location.cell), "")
        file = self.tree.get(location.path)
        return file.text() if file is not None else ""


def _is_called_main(run: EntryPoint) -> bool:
    return _MAIN.search(run.path.rpartition("/")[2]) is not None


def read_repository(tree: Tree) -> Repository:
    """Read every concern of a tree."""
    code = read_code(tree)
    readme = read_readme(tree, code)
    environment = read_environment(tree, code)
    data = read_data(tree, code)
    outside = {one.module.partition(".")[0] for one in environment.outside}.difference(code.local_modules)
    outside |= {one.name.lower().replace("-", "_") for one in environment.declared}
    return Repository(
        name=tree.name,
        tree=tree,
        code=code,
        licence=read_licences(tree, code),
        environment=environment,
        randomness=read_randomness(tree, code),
        notebooks=read_notebooks(tree, code),
        infrastructure=read_infrastructure(tree, code),
        documentation=read_documentation(tree, code),
        readme=readme,
        commands=read_commands(tree, code, readme),
        data=data,
        models=read_models(tree, code),
        selection=read_selection(code),
        missing_definitions=read_missing_definitions(tree, code, frozenset(outside)),
        missing_configurations=read_missing_configurations(tree, code, data.settings),
    )


def with_answers(facts: Repository, answers: Iterable[Checked]) -> Repository:
    """The same facts, with what servers said about the links of the README."""
    told = {answer.url: answer.status for answer in answers}
    links = tuple(replace(k, status=told.get(k.target.partition("#")[0], k.status)) for k in facts.readme.links)
    return replace(facts, readme=replace(facts.readme, links=links))
