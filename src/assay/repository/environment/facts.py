"""What the repository says about the environment it needs."""

from __future__ import annotations

from collections.abc import Iterable

from assay.code import Code, Language
from assay.findings import Location
from assay.records import dataclass
from assay.repository.environment.clones import told_to_clone
from assay.repository.environment.coverage import Undeclared, undeclared_modules
from assay.repository.environment.declared import (
    IN_IMAGE,
    ITSELF,
    PYTHON,
    Declared,
    Kind,
    Manifest,
    Pin,
    Problem,
    Reading,
)
from assay.repository.environment.discovery import Found, is_page, is_readme, read_manifests
from assay.repository.environment.guards import judged_closely
from assay.repository.environment.imports import Outside, Role, outside_modules
from assay.repository.environment.mentions import with_mentions
from assay.repository.environment.standard import JULIA
from assay.repository.environment.switches import judged_by_switches
from assay.repository.environment.unused import unused_declarations
from assay.repository.vocabulary import vocabulary
from assay.tree import Tree

_FROZEN_FROM = 25
"""A manifest with at least so many entries, nearly all exact, is a dump of an environment."""
_ADMINISTRATIVE = vocabulary("assay.repository.environment", "modules.toml").words("administrative")
"""Folders whose manifests speak for the folder above."""
_PASSING = frozenset({Kind.README, Kind.NOTEBOOK, Kind.SCRIPT})
"""Where a version of the language is an example, not a statement."""
_LANGUAGES = frozenset({PYTHON, "r", "julia"})


@dataclass(frozen=True, slots=True)
class Dependency:
    """A distribution with all that manifests say about it."""

    name: str
    language: Language
    declared: tuple[Declared, ...]
    """Where it is asked for."""
    narrowed: tuple[Declared, ...]
    """Constraints and locks that name it."""

    @property
    def pin(self) -> Pin:
        """The strictest statement there is."""
        return min((d.pin for d in (*self.declared, *self.narrowed)), key=lambda pin: pin.rank)


@dataclass(frozen=True)
class EnvironmentFacts:
    """All facts about the environment; every one has its place."""

    manifests: tuple[Manifest, ...]
    declared: tuple[Declared, ...]
    """Dependencies as each manifest states them, locks and commands included."""
    languages: tuple[Declared, ...]
    """Versions of the languages themselves, wherever one is stated."""
    indexes: tuple[tuple[str, Location], ...]
    """Package indexes and channels other than the usual."""
    outside: tuple[Outside, ...]
    """Modules that the code imports from outside the repository."""
    uncovered: tuple[Undeclared, ...]
    """Those of them that no manifest declares where they are used."""
    unused: tuple[Declared, ...]
    """Declarations of what no file imports."""
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]

    @property
    def unread(self) -> tuple[str, ...]:
        """Manifests of which nothing could be read, and why."""
        return tuple(str(problem) for problem in self.problems if problem.unread)

    @property
    def dependencies(self) -> tuple[Dependency, ...]:
        """What the manifests ask for, each distribution once, without commands in passing and standard libraries."""
        return _dependencies(one for one in self.declared if not one.kind.weak)

    @property
    def installed(self) -> tuple[Dependency, ...]:
        """What containers and scripts install: all that says what is needed where there is no manifest."""
        named = (one for one in self.declared if one.group != IN_IMAGE)
        return _dependencies(one for one in named if one.kind in {Kind.DOCKERFILE, Kind.SCRIPT})

    @property
    def pythons(self) -> tuple[Declared, ...]:
        """Versions of Python that are stated."""
        return tuple(d for d in self.languages if d.name == PYTHON)

    @property
    def locks(self) -> tuple[Manifest, ...]:
        """Lock files."""
        return tuple(m for m in self.manifests if m.kind is Kind.LOCK)

    @property
    def undeclared(self) -> tuple[Undeclared, ...]:
        """Modules that the code or its tests need, that PyPI has, and that nothing names."""
        return tuple(u for u in self._wanted(Role.REQUIRED, Role.TESTS) if not u.elsewhere and not u.mentioned)

    @property
    def only_mentioned(self) -> tuple[Undeclared, ...]:
        """Modules that only a command in passing (README, notebook, Dockerfile), a README or a lock name."""
        return tuple(u for u in self._wanted(Role.REQUIRED) if not u.elsewhere and u.mentioned)

    @property
    def declared_elsewhere(self) -> tuple[Undeclared, ...]:
        """Modules whose only declarations are in manifests that speak for other folders."""
        return tuple(u for u in self._wanted(Role.REQUIRED) if u.elsewhere)

    @property
    def unknown(self) -> tuple[Outside, ...]:
        """Undeclared modules that are neither Python's, nor the repository's, nor on PyPI: private, or missing."""
        return tuple(u.outside for u in self.uncovered if not u.outside.public and not u.outside.platform)

    @property
    def missing(self) -> tuple[Outside, ...]:
        """Modules that must be the authors' own, and are not in the repository."""
        return tuple(u.outside for u in self.uncovered if u.outside.generic)

    def _wanted(self, *roles: Role) -> tuple[Undeclared, ...]:
        return tuple(
            u for u in self.uncovered if u.outside.role in roles and u.outside.public and not u.outside.platform
        )


def _dependencies(declared: Iterable[Declared]) -> tuple[Dependency, ...]:
    asked: dict[tuple[str, Language], list[Declared]] = {}
    narrowing: dict[tuple[str, Language], list[Declared]] = {}
    for one in declared:
        if one.name == ITSELF or (one.language is Language.JULIA and one.name in JULIA):
            continue
        (asked if one.kind.asks else narrowing).setdefault((one.name, one.language), []).append(one)
    return tuple(
        Dependency(name, language, tuple(entries), tuple(narrowing.get((name, language), ())))
        for (name, language), entries in sorted(asked.items())
    )


def read_environment(tree: Tree, code: Code) -> EnvironmentFacts:
    """Every manifest, how strict it is, and how it fits the imports."""
    found = read_manifests(tree, code)
    coded = frozenset(source.path.rpartition("/")[0] for source in code.own)
    manifests = tuple(_manifest(path, reading, coded) for path, reading in sorted(found.readings.items()))
    stated = [one for path in sorted(found.readings) for one in found.readings[path].declared]
    declared = tuple(one for one in stated if one.name not in _LANGUAGES)
    own_names = {name for reading in found.readings.values() for name in reading.own_names}
    outside = outside_modules(tree, code, own_names, told_to_clone(filter(is_readme, tree.own)))
    undeclared = undeclared_modules(outside, declared, manifests)
    lists = [file for m in manifests if m.kind is Kind.REQUIREMENTS and (file := tree.get(m.path)) is not None]
    named = with_mentions(undeclared, filter(is_readme, tree.own), filter(is_page, tree.own), lists, code)
    return EnvironmentFacts(
        manifests=manifests,
        declared=declared,
        languages=tuple(one for one in stated if one.name in _LANGUAGES and one.kind not in _PASSING),
        indexes=tuple(index for reading in _ordered(found) for index in reading.indexes),
        outside=outside,
        uncovered=tuple(judged_by_switches(judged_closely(named, code), tree, code)),
        unused=unused_declarations((d for d in declared if d.name not in own_names), manifests, tree, code),
        problems=tuple(problem for reading in _ordered(found) for problem in reading.problems),
        left_out=tuple(found.left_out),
    )


def _ordered(found: Found) -> Iterable[Reading]:
    return (found.readings[path] for path in sorted(found.readings))


def _manifest(path: str, reading: Reading, coded: frozenset[str]) -> Manifest:
    exact = sum(d.pin.strict or d.pin is Pin.PATH for d in reading.declared)
    many = len(reading.declared)
    frozen = reading.kind.asks and many >= _FROZEN_FROM and exact * 10 >= many * 9
    return Manifest(path, reading.kind, _scope(path, coded), len(reading.declared), frozen)


def _scope(path: str, coded: frozenset[str]) -> str:
    """The folder a manifest speaks for: its own, or the nearest above that holds code."""
    folder = path.rpartition("/")[0]
    while folder:
        name = folder.rpartition("/")[2].lower()
        if name not in _ADMINISTRATIVE and any(c == folder or c.startswith(folder + "/") for c in coded):
            break
        folder = folder.rpartition("/")[0]
    return folder
