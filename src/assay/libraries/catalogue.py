"""Asking the tables of libraries: from the name of a call to its row."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache, cached_property, lru_cache
from pathlib import Path

from assay.libraries.loading import UNKNOWN, Spec, Table, owners, read_table, row_of, shipped
from assay.libraries.row import NOT_ABOUT_ROWS, Group, Role, Row, Trait

USER_TABLES = "ASSAY_LIBRARIES"
"""The environment variable with the paths of a user's own tables; worker processes inherit it."""
ENTRY_POINTS = "assay.libraries"
"""The group of entry points under which an installed package offers the path of a table."""
_DEEPEST = 8
_EVALUATING = frozenset({"fits", "predicts", "scores"})
_LEARNERS = frozenset({Role.MODEL, Role.NETWORK, Role.SEARCH, Role.TRAIN})


class Catalogue:
    """All tables, indexed by library and by the last name of a call. Rows are made when they are asked for."""

    def __init__(self, tables: Iterable[Table], own: Iterable[Table] = ()) -> None:
        """The rows of `own` tables come before those of the others, and are only found by their package."""
        self.packages: dict[str, str] = {}
        """The library behind each package."""
        self.aliases: dict[str, str] = {}
        self.groups: dict[Group, frozenset[str]] = dict.fromkeys(Group, frozenset())
        self._otherwise: dict[str, str] = {}
        self._calls: dict[tuple[str, str], list[tuple[str, Spec]]] = {}
        self._bare: dict[str, tuple[str, Spec]] = {}
        self._covers: dict[str, list[tuple[str, Spec]]] = {}
        self._methods: dict[tuple[str, str], tuple[str, Spec]] = {}
        self._types: dict[str, str] = {}
        self._guesses: list[tuple[str, Spec]] = []
        self._described: set[str] = set()
        self._others: list[Spec] = []
        self._found: dict[str, Row | None] = {}
        self._words: dict[str, set[str]] = {}
        for table in own:
            self._add(table, bare=False)
        for table in tables:
            self._add(table, bare=True)

    def _add(self, table: Table, *, bare: bool) -> None:
        self._others += [spec for spec in table.rows if spec.get("effect") in NOT_ABOUT_ROWS]
        rows = [spec for spec in table.rows if spec.get("effect") not in NOT_ABOUT_ROWS]
        if table.rows and not rows:
            return
        library = table.packages[0] if table.packages else ""
        self._add_names(library, table)
        if library == UNKNOWN:
            self._guesses += [(pattern, spec) for spec in table.rows for pattern in spec["names"]]
            return
        self._add_rows(library, rows, bare=bare)

    def _add_names(self, library: str, table: Table) -> None:
        """The packages, aliases and types of a table."""
        for package in (*table.packages, *table.also):
            self.packages.setdefault(package, library)
            if table.otherwise:
                self._otherwise.setdefault(package, table.otherwise)
        self.aliases |= {**table.aliases, **self.aliases}
        self.groups |= {Group(name): self.groups[Group(name)].union(names) for name, names in table.groups.items()}
        above = f"{library}." if library else ""
        self._types |= {f"{above}{name}": parent for name, parent in table.types.items()}

    def _add_rows(self, library: str, rows: Collection[Spec], *, bare: bool) -> None:
        if rows:
            self._described.add(library)
        alike = {name: spec["names"][0] for spec in rows if "covers" in spec for name in spec["names"]}
        for spec in rows:
            if "of" in spec:
                self._add_methods(library, spec, alike)
            else:
                self._add_calls(library, spec, bare=bare)

    def _add_methods(self, library: str, spec: Spec, alike: Mapping[str, str]) -> None:
        """The methods of a type; `alike` are the names that a row with `covers` makes one type, with its first name."""
        if spec.get("effect") in _EVALUATING:
            self._words.setdefault(library, set()).update(spec["names"])
        for owner in owners(spec):
            shared = not library or owner[0].islower()
            of = owner if shared else f"{library}.{alike.get(owner, owner)}"
            for name in spec["names"]:
                self._methods.setdefault((of, name), (library, spec))

    @cached_property
    def evaluating_methods(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Each package whose models have methods of their own, with the names of those that train or evaluate."""
        return tuple((p, frozenset(self._words[lib])) for p, lib in self.packages.items() if lib in self._words)

    @cached_property
    def network_bases(self) -> frozenset[str]:
        """The names of classes from which networks are derived, whichever library they are of."""
        specs = (spec for several in self._calls.values() for _, spec in several)
        return frozenset(n for spec in specs if Trait.NETWORK_BASE in spec.get("traits", ()) for n in spec["names"])

    @cached_property
    def learning(self) -> frozenset[str]:
        """The packages with models, or with functions that train."""
        learns = {lib for (lib, _), several in self._calls.items() for _, spec in several if _trains(spec)}
        return frozenset(package for package, library in self.packages.items() if library in learns)

    def _add_calls(self, library: str, spec: Spec, *, bare: bool) -> None:
        known_by_name = bare and spec.get("bare", True) and "when" not in spec
        for path in spec["names"]:
            last = path.rpartition(".")[2]
            self._calls.setdefault((library, last), []).append((path, spec))
            if known_by_name:
                self._bare.setdefault(path, (library, spec))
        if "covers" in spec:
            self._covers.setdefault(library, []).extend((pattern, spec) for pattern in spec["covers"])
        if "makes" in spec and "when" not in spec:
            self._types |= dict.fromkeys((f"{library}.{path}" for path in spec["names"]), _parent_type(library, spec))

    def described(self, roles: Collection[Role]) -> Iterator[tuple[str, Row]]:
        """The calls with these roles that can be recognised by their last name, with their rows."""
        for path, (library, spec) in self._bare.items():
            if "." not in path and (spec.get("makes") or spec["effect"]) in roles:
                yield path, row_of(spec, library, path)

    def rows(self, roles: Collection[Role]) -> Iterator[tuple[tuple[str, ...], Row]]:
        """All rows with these roles, of those that are not about rows of data, with the names of their calls."""
        return ((tuple(spec["names"]), row_of(spec, "", "")) for spec in self._others if spec["effect"] in roles)

    def library(self, name: str) -> str | None:
        """The library that a dotted name belongs to; None where there is no table for it."""
        return self.packages.get(name.partition(".")[0])

    def describes(self, name: str) -> bool:
        """Whether there are rows about the package of a dotted name."""
        return self.library(name) in self._described

    def guesses(self, last: str) -> Iterator[Row]:
        """What a name of an unknown library gives away, in the order of the table."""
        return (row_of(spec, UNKNOWN, last) for pattern, spec in self._guesses if fnmatchcase(last, pattern))

    def otherwise(self, name: str) -> str:
        """What a call of this name does if no row describes it; empty where nothing is said."""
        while name:
            if name in self._otherwise:
                return self._otherwise[name]
            name = name.rpartition(".")[0]
        return ""

    def call(self, name: str) -> Row | None:
        """The row of a call by its full name, or by its last name alone where the import is not in sight."""
        if name not in self._found:
            self._found[name] = next(self.calls(name), None)
        return self._found[name]

    def calls(self, name: str) -> Iterator[Row]:
        """All rows about a call: first those that hold under no condition."""
        if name in self._bare:
            library, spec = self._bare[name]
            yield row_of(spec, library, name)
            return
        library, last = self.library(name) or name.partition(".")[0], name.rpartition(".")[2]
        known = [one for one in self._calls.get((library, last), ()) if f".{name}".endswith(f".{one[0]}")]
        known += [(last, spec) for pattern, spec in self._covers.get(library, ()) if _covers(pattern, name)]
        for path, spec in sorted(known, key=lambda one: ("when" in one[1], -one[0].count("."))):
            yield row_of(spec, library, path)

    def alternatives(self, row: Row) -> tuple[Row, ...]:
        """The rows about the same call that hold under a condition."""
        specs = self._calls.get((row.library, row.path.rpartition(".")[2]), ())
        return tuple(row_of(spec, row.library, path) for path, spec in specs if path == row.path and "when" in spec)

    def method(self, of: str, name: str) -> Row | None:
        """The row of a method of an object of this type, perhaps of a type that it derives from."""
        key = f"{of}:{name}"
        if key not in self._found:
            self._found[key] = self._inherited(of, name)
        return self._found[key]

    def attribute(self, of: str, name: str) -> Row | None:
        """The row of an attribute of an object of this type, perhaps of a type that it derives from."""
        key = f"{of}:.{name}"
        if key not in self._found:
            self._found[key] = self._inherited(of, name, ".attribute")
        return self._found[key]

    def _inherited(self, of: str, name: str, member: str = "") -> Row | None:
        for _ in range(_DEEPEST):
            found = self._methods.get((f"{of}{member}", name))
            if found is not None:
                return row_of(found[1], found[0], name)
            of = self._types.get(of, "")
        return None

    def methods(self, of: str) -> frozenset[str]:
        """The names of the methods and attributes that rows give to this very type."""
        return frozenset(name for owner, name in self._methods if owner == of)


def _parent_type(library: str, spec: Spec) -> str:
    """The type that the object of a constructor inherits from."""
    parent: str = f"{library}.{spec['inherits']}" if "inherits" in spec else spec["makes"]
    return parent


def _trains(spec: Spec) -> bool:
    return (spec.get("makes") or spec["effect"]) in _LEARNERS


def _covers(pattern: str, name: str) -> bool:
    """Whether a pattern fits the end of a dotted name: `H2O*` one part, `*Model.from_pretrained` two."""
    return fnmatchcase(".".join(name.split(".")[-1 - pattern.count(".") :]), pattern)


def catalogue() -> Catalogue:
    """The shipped tables, those of installed packages, and those that the user named."""
    return _catalogue(os.environ.get(USER_TABLES, ""))


@cache
def names_of(group: Group) -> frozenset[str]:
    """The names in a group."""
    return catalogue().groups[group]


@lru_cache(maxsize=8192)
def ends_in(name: str, group: Group) -> bool:
    """Whether the name of a call ends in one of the names of a group."""
    return name.endswith(tuple(names_of(group)))


@lru_cache(maxsize=2)
def _catalogue(user: str) -> Catalogue:
    own = [read_table(Path(path)) for path in user.split(os.pathsep) if path]
    return Catalogue(_shipped(), [*own, *_installed()])


@cache
def _shipped() -> tuple[Table, ...]:
    return shipped()


def _installed() -> list[Table]:
    from importlib.metadata import entry_points

    return [read_table(Path(str(entry.load()))) for entry in entry_points(group=ENTRY_POINTS)]


_FROM_OUTSIDE = os.environ.get(USER_TABLES, "")
"""What the variable was when Assay was started."""


def use_tables(paths: Iterable[Path]) -> None:
    """Use these tables, and those of the environment, here and in processes that are started from now on."""
    named = [str(path.resolve()) for path in paths]
    for path in named:
        read_table(Path(path))  # report an error now, and not in the middle of the work
    given = dict.fromkeys(path for path in (*_FROM_OUTSIDE.split(os.pathsep), *named) if path)
    os.environ[USER_TABLES] = os.pathsep.join(given)
