"""All that was read about a repository, as one document with a versioned schema, for other programs.

Nothing here is an opinion: rules and factors judge these facts, and are not part of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from assay.findings import Location
from assay.repository.facts import Repository

VERSION = 1


class _Fact(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Licence(_Fact):
    """The licences of the work, as SPDX identifiers, and the files that hold them."""

    spdx: list[str]
    files: list[str]
    stated_elsewhere: list[str]


class Package(_Fact):
    """A declared distribution."""

    name: str
    versions: str
    pin: str
    manifest: str
    place: str


class Import(_Fact):
    """A module from outside the repository that the code imports."""

    module: str
    distributions: list[str]
    declared: bool
    role: str
    places: list[str]


class Stream(_Fact):
    """Random numbers of one framework in one run, and how they are seeded."""

    framework: str
    state: str
    seeded: bool
    seeds: list[str]
    unseeded_draws: int


class Run(_Fact):
    """One way to start the code."""

    path: str
    kind: str
    trains: bool
    streams: list[Stream]


class Data(_Fact):
    """Where the data come from, and how the code gets them."""

    availability: str
    files: list[str]
    downloads: list[str]
    links: list[str]
    names: list[str]
    missing: list[str]
    paths_of_one_machine: list[str]


class Tracker(_Fact):
    """A tool that records runs."""

    name: str
    used: bool


class Command(_Fact):
    """A command of the documentation, or of a script that one starts, and what became of it."""

    text: str
    place: str
    path: str
    outcome: str
    problems: list[str]
    reason: str


class Section(_Fact):
    """A part of the README about one thing."""

    kind: str
    heading: str
    place: str


class Notebook(_Fact):
    """A notebook."""

    path: str


class Infrastructure(_Fact):
    """What surrounds the code: containers, services that test it, a citation."""

    pipelines: list[str]
    tests: int
    citations: list[str]
    builds_with_repo2docker: str


class FactsDocument(_Fact):
    """The whole document."""

    schema_version: int = VERSION
    name: str
    commit: str | None
    files: int
    languages: dict[str, int]
    frameworks: list[str]
    licence: Licence
    manifests: dict[str, str]
    declared: list[Package]
    imported: list[Import]
    undeclared: list[str]
    missing_definitions: list[str]
    missing_configurations: list[str]
    seeding: str
    runs: list[Run]
    data: Data
    trackers: list[Tracker]
    saves_models: list[str]
    weights: list[str]
    commands: list[Command]
    readme: str | None
    sections: list[Section]
    paper: str | None
    notebooks: list[Notebook]
    infrastructure: Infrastructure
    not_examined: list[str]


def facts_document(facts: Repository) -> FactsDocument:
    """The document about one repository; every list is complete."""
    environment, readme = facts.environment, facts.readme
    uncovered = {one.outside.module for one in environment.undeclared}
    commit = facts.tree.commit
    return FactsDocument(
        name=facts.name,
        commit=commit.id if commit else None,
        files=len(facts.tree.files),
        languages=_languages(facts),
        frameworks=sorted({c.framework.value for run in facts.randomness.entry_points for c in run.coverage}),
        licence=Licence(
            spdx=list(facts.licence.main),
            files=[file.path for file in facts.licence.files],
            stated_elsewhere=_places(statement.location for statement in facts.licence.statements),
        ),
        manifests={manifest.path: manifest.kind.value for manifest in environment.manifests},
        declared=[
            Package(name=d.name, versions=d.specifier, pin=d.pin.value, manifest=d.location.path, place=str(d.location))
            for d in environment.declared
        ],
        imported=[
            Import(
                module=one.module,
                distributions=list(one.distributions),
                declared=one.module not in uncovered,
                role=one.role.value,
                places=_places(one.places),
            )
            for one in environment.outside
        ],
        undeclared=sorted(uncovered),
        missing_definitions=[f"{one.location}: {one.home} {one.name}" for one in facts.missing_definitions],
        missing_configurations=[f"{one.location}: {one.path}" for one in facts.missing_configurations],
        seeding=facts.seeding.value,
        runs=_runs(facts),
        data=_data(facts),
        trackers=[Tracker(name=tracker.name, used=tracker.used) for tracker in facts.models.trackers],
        saves_models=_places(save.location for save in facts.models.saves),
        weights=[*(a.path for a in facts.models.artefacts), *(link.url for link in facts.models.links)],
        commands=_commands(facts),
        readme=readme.location.path if readme.location else None,
        sections=[Section(kind=s.kind.value, heading=s.heading, place=str(s.location)) for s in readme.sections],
        paper=readme.paper.target if readme.paper else None,
        notebooks=[Notebook(path=notebook.path) for notebook in facts.notebooks],
        infrastructure=_infrastructure(facts),
        not_examined=[*facts.tree.left_out, *facts.code.left_out, *facts.commands.left_out],
    )


def _places(locations: Iterable[Location]) -> list[str]:
    return [str(location) for location in locations]


def _languages(facts: Repository) -> dict[str, int]:
    found: dict[str, int] = {}
    for source in facts.code.own:
        found[source.language.value] = found.get(source.language.value, 0) + 1
    return dict(sorted(found.items()))


def _runs(facts: Repository) -> list[Run]:
    return [
        Run(
            path=run.path,
            kind=run.kind.value,
            trains=run.trains,
            streams=[
                Stream(
                    framework=stream.framework.value,
                    state=stream.state.value,
                    seeded=stream.seeded,
                    seeds=_places(stream.seeds),
                    unseeded_draws=stream.uncovered_count,
                )
                for stream in run.coverage
            ],
        )
        for run in facts.randomness.entry_points
    ]


def _data(facts: Repository) -> Data:
    data = facts.data
    return Data(
        availability=facts.obtaining.availability.value,
        files=[file.path for file in data.files],
        downloads=[f"{download.location}: {download.name}" for download in data.downloads],
        links=[link.url for link in data.links],
        names=[mention.name for mention in data.mentions],
        missing=sorted({read.path for read in data.reads if read.missing}),
        paths_of_one_machine=[f"{path.location}: {path.path}" for path in data.foreign_paths],
    )


def _commands(facts: Repository) -> list[Command]:
    return [
        Command(
            text=command.text,
            place=str(command.location),
            path=command.path,
            outcome=command.outcome.value,
            problems=[f"{problem.fault.value}: {problem.missing}" for problem in command.problems],
            reason=command.reason,
        )
        for command in facts.commands.commands
    ]


def _infrastructure(facts: Repository) -> Infrastructure:
    found = facts.infrastructure
    winner = found.binder.winner
    return Infrastructure(
        pipelines=[str(pipeline.location) for pipeline in found.pipelines],
        tests=found.tests.functions,
        citations=_places(found.publication.citations),
        builds_with_repo2docker=winner.path if winner is not None else "",
    )
