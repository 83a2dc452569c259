"""The units of a file: its top level, its main block, its classes and functions; and what is noted about each."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from enum import StrEnum

from assay.code import Source
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass
from assay.repository.randomness.roles import Row
from assay.repository.randomness.values import written

Function = ast.FunctionDef | ast.AsyncFunctionDef
_OBJECTS = frozenset({".", "self"})
_REGISTERS = regex(r"regist|command|main|add_|plugin|impl|task|flow|entrypoint|capture", re.IGNORECASE)
"""Decorators that hand a function on to something that calls it."""


class Kind(StrEnum):
    """What a unit of code is."""

    MODULE = "module"
    MAIN = "main"
    """The block under `if __name__ == "__main__"`, which runs in no other file's run."""
    CLASS = "class"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class Name:
    """A name that may lead to a function or class of the repository.

    `base` is the imported module it is looked up in, "self" or "." for an attribute of the object itself or
    of an unknown one; the name "*" is every name of a module, for those that are looked up by a text.
    """

    name: str
    base: str = ""

    def __hash__(self) -> int:
        return hash(self.name)  # there are thousands, and hardly two differ in the base alone

    @property
    def is_attribute(self) -> bool:
        """Whether it is looked up in an object."""
        return self.base in _OBJECTS


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """A call that the table knows."""

    row: Row
    call: str
    node: ast.Call
    location: Location
    unit: Unit


@dataclass(frozen=True, slots=True)
class Switch:
    """A flag of deterministic computation that is assigned."""

    name: str
    value: ast.expr
    location: Location


Event = Hit | Name


@dataclass(slots=True, eq=False)
class Unit:
    """Code that runs together: a module's top level, its main block, a class's body or a function."""

    path: str
    name: str
    kind: Kind
    first: int
    last: int
    around: Unit | None = None
    parameters: tuple[str, ...] = ()
    bases: tuple[str, ...] = ()
    """What a class inherits from, by the last names; their authors may call its methods."""
    registered: bool = False
    """A decorator hands it on to something that may call it."""
    events: list[Event] = field(default_factory=list)
    """Calls in the order of execution: what stands inside another call comes first."""
    deferred: list[Event] = field(default_factory=list)
    """Calls inside lambdas, which run at some later time."""
    mentions: dict[Name, bool] = field(default_factory=dict)
    """Names that are used otherwise than being called; true if something is known to take them up: a call that gets
    them as arguments, a class that inherits from them, a decorated function, a variable that is called."""
    switches: list[Switch] = field(default_factory=list)
    dynamic: bool = False

    def mention(self, name: Name, taken_up: bool) -> None:
        """Note a name that is not called."""
        self.mentions[name] = taken_up or self.mentions.get(name, False)

    @property
    def everything(self) -> tuple[Event, ...]:
        """All calls, whenever they run."""
        return (*self.events, *self.deferred)

    def attributes(self, taken_up: bool) -> tuple[str, ...]:
        """The attributes of unknown objects that are mentioned."""
        found = (n.name for n, taken in self.mentions.items() if taken is taken_up and n.is_attribute)
        return tuple(dict.fromkeys(found))

    @property
    def is_method(self) -> bool:
        """Whether it is a function of a class."""
        return self.kind is Kind.FUNCTION and self.around is not None and self.around.kind is Kind.CLASS


@dataclass(frozen=True, slots=True)
class Outline:
    """A file's units; the first is the module itself."""

    path: str
    units: tuple[Unit, ...]
    modules: Mapping[str, str]
    """Local modules and what they are called here, with their paths."""
    names: Mapping[str, tuple[str, str]]
    """Names taken from local modules: the path and the name there."""
    stars: tuple[str, ...]
    """Local files of which every name is imported."""
    imported: tuple[str, ...]
    """Local files that importing this one executes."""
    is_test: bool = False


def read_units(source: Source) -> tuple[tuple[Unit, ...], list[ast.AST | None]]:
    """The units in the order of the text, each with its node."""
    tree = source.tree
    body = tree.body if tree is not None else []
    end = max((s.end_lineno or s.lineno for s in body), default=0)
    units = [Unit(source.path, "", Kind.MODULE, 1, end)]
    nodes: list[ast.AST | None] = [None]
    found: list[ast.stmt] = [
        *source.nodes(ast.FunctionDef),
        *source.nodes(ast.AsyncFunctionDef),
        *source.nodes(ast.ClassDef),
        *(s for s in body if is_main_block(s)),
    ]
    stack = [units[0]]
    for node in sorted(found, key=lambda n: (n.lineno, n.col_offset)):
        while stack[-1].last < node.lineno and len(stack) > 1:
            stack.pop()
        unit = _unit(node, stack[-1], source)
        units.append(unit)
        nodes.append(node)
        stack.append(unit)
    return tuple(units), nodes


def _unit(node: ast.stmt, around: Unit, source: Source) -> Unit:
    first, last = node.lineno, node.end_lineno or node.lineno
    if isinstance(node, ast.ClassDef):
        bases = tuple(name for base in node.bases if (name := _last_name(base)) not in {"", "object"})
        return Unit(source.path, node.name, Kind.CLASS, first, last, around, (), bases, _is_registered(node))
    if isinstance(node, Function):
        a = node.args
        names = tuple(p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs))
        return Unit(source.path, node.name, Kind.FUNCTION, first, last, around, names, registered=_is_registered(node))
    return Unit(source.path, "", Kind.MAIN, first, last, around)


def _is_registered(node: ast.ClassDef | Function) -> bool:
    return any(_has_word(d) and _REGISTERS.search(written(d)) for d in node.decorator_list)


def _has_word(decorator: ast.expr) -> bool:
    """Whether a name or text in a decorator may register something: most have none, and need not be written out."""
    fields = (value for inner in ast.walk(decorator) for _, value in ast.iter_fields(inner))
    return any(isinstance(value, str) and _REGISTERS.search(value) for value in fields)


def is_main_block(node: ast.stmt) -> bool:
    """Whether this is `if __name__ == "__main__"`."""
    if not isinstance(node, ast.If) or not isinstance(node.test, ast.Compare):
        return False
    sides = [node.test.left, *node.test.comparators]
    return any(isinstance(s, ast.Name) and s.id == "__name__" for s in sides)


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def owners_of(units: Iterable[Unit]) -> list[int]:
    """For each line, the index of the innermost unit around it."""
    owners: list[int] = []
    for i, unit in enumerate(units):
        if i == 0:
            owners = [0] * (unit.last + 2)
        else:
            owners[unit.first : unit.last + 1] = [i] * (unit.last - unit.first + 1)
    return owners
