"""The outline of one file: its functions and classes, and in the order of execution what each calls.

No syntax tree is kept but for the few calls that matter, so that outlines of a whole repository fit in memory.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.code import Code, Source
from assay.code.names import first_name
from assay.program.callables import names_taken_up
from assay.records import dataclass
from assay.repository.randomness.idle_draws import changes_no_result
from assay.repository.randomness.imports import Foreign, Local, local_imports
from assay.repository.randomness.lookup import (
    FUNCTIONS,
    METHODS,
    begins_row,
    is_seeding_name,
    method_rows,
    rows_for,
)
from assay.repository.randomness.roles import Role, Row
from assay.repository.randomness.table import DYNAMIC, FLAG_VARIABLES, FLAGS, HELPER
from assay.repository.randomness.units import Event, Hit, Kind, Name, Outline, Switch, Unit, owners_of, read_units
from assay.repository.randomness.values import written

_LAUNCHERS = frozenset({"run", "Fire"})
_LOOSE = DYNAMIC | _LAUNCHERS | {"getattr", "globals"}
"""Functions that reach others by a name they are given, or by none."""
_WATCHED = METHODS | _LOOSE
_TOLD = FUNCTIONS | _WATCHED


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Names that may be local; whatever is not among them is not."""

    defined: frozenset[str]
    """Every function and class of the repository."""
    modules: frozenset[str]
    """Its files and folders, without endings."""


def read_outline(source: Source, code: Code, vocabulary: Vocabulary) -> Outline:
    """The outline of a Python file."""
    local = local_imports(source, code, vocabulary.modules)
    units, nodes = read_units(source)
    foreign = Foreign.of(source, local, code, vocabulary.modules)
    reader = _Reader(source, units, nodes, owners_of(units), vocabulary, local, foreign)
    reader.read_calls()
    reader.read_mentions()
    reader.read_switches()
    paths = dict.fromkeys([*local.modules.values(), *(path for path, _ in local.names.values()), *local.stars])
    return Outline(source.path, units, local.modules, local.names, tuple(local.stars), tuple(paths), _is_test(source))


def _is_test(source: Source) -> bool:
    """Whether it tests the code, rather than the model: a `test.py` that evaluates is no test."""
    *folders, file = source.path.lower().split("/")
    if file == "conftest.py" or any(f in {"tests", "unittests", "unit_tests", "testing"} for f in folders):
        return True
    if not (file.startswith("test") or file.endswith("_test.py") or "test" in folders):
        return False
    tops = {a.partition(".")[0] for a in source.aliases.values()}
    tested = any(f.name.startswith("test_") for f in source.nodes(ast.FunctionDef))
    return bool(tops & {"pytest", "unittest", "nose", "absltest"}) or tested


@dataclass(frozen=True, slots=True)
class _Reader:
    """Fills the units of one file."""

    source: Source
    units: tuple[Unit, ...]
    nodes: list[ast.AST | None]
    owners: list[int]
    vocabulary: Vocabulary
    local: Local
    foreign: Foreign

    def read_calls(self) -> None:
        """Events, sorted so that arguments come before the call that takes them."""
        found: list[tuple[int, int, int, Event]] = []
        lambdas = [((node.lineno, node.col_offset), _end(node)) for node in self.source.nodes(ast.Lambda)]
        defined, foreign = self.vocabulary.defined, self.foreign
        for call in self._candidates():
            func = call.func
            last = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            root = first_name(func)
            if (
                root in foreign.known
                or last in defined
                or last in self.local.names
                or last in _WATCHED
                or (foreign.stars and root == last)
                or (root in foreign.names and is_seeding_name(last))
            ):
                at = self.owners[call.lineno]
                place = (*_end(call), at)
                found += [(*place, event) for event in self._events(call, last, root, at)]
        found.sort(key=lambda f: f[:2])
        for line, column, at, event in found:
            inside = lambdas and any(start < (line, column) <= end for start, end in lambdas)
            (self.units[at].deferred if inside else self.units[at].events).append(event)
        for unit, node in zip(self.units, self.nodes, strict=True):
            if isinstance(node, ast.ClassDef):
                unit.events += self._inherited(node, unit)

    def _candidates(self) -> list[ast.Call]:
        """The calls that may matter, by their first and last names; after `import *` that may be any."""
        calls, foreign = self.source.calls, self.foreign
        if foreign.stars:
            return calls.nodes
        known = (name for names in (self.vocabulary.defined, _TOLD) for name in names.intersection(calls.lasts))
        seeding = (name for name in calls.lasts if is_seeding_name(name))
        whole = [name for name in foreign.known if begins_row(foreign.names[name])]
        return calls.of({*known, *seeding, *self.local.names}, whole)

    def read_mentions(self) -> None:
        """Names of local functions and classes that are handed around."""
        defined, words = self.vocabulary.defined, self.source.words
        known = (words & defined) | (words & self.local.names.keys())
        names = [node for node in self.source.nodes(ast.Name) if node.id in known]
        taken = [node for node in self.source.nodes(ast.Attribute) if node.attr in defined or node.attr == "__dict__"]
        called = {id(c.func) for c in self.source.calls.of({*known, *(n.attr for n in taken)})}
        taken_up = frozenset(map(id, names_taken_up(self.source))) if names or taken else frozenset()
        for node in names:
            unit = self.units[self.owners[node.lineno]]
            if id(node) not in called and node.id not in unit.parameters:
                unit.mention(Name(node.id), id(node) in taken_up)
        for attribute in taken:
            if id(attribute) not in called:
                self._mention_attribute(attribute, id(attribute) in taken_up)

    def _mention_attribute(self, node: ast.Attribute, taken_up: bool) -> None:
        unit = self.units[self.owners[node.lineno]]
        if node.attr in self.vocabulary.defined:
            unit.mention(self._attribute(node), taken_up)
        elif first_name(node) in self.local.modules:  # `module.__dict__`
            unit.mention(Name("*", first_name(node)), False)

    def read_switches(self) -> None:
        """Assignments to flags and to environment variables."""
        if not any(self.source.mentions(word) for word in ("cudnn", "environ", "allow_tf32")):
            return
        for node in self.source.nodes(ast.Assign):
            for target in node.targets:
                name = self._switch(target)
                if name:
                    switch = Switch(name, node.value, self.source.location(node))
                    self.units[self.owners[node.lineno]].switches.append(switch)

    def _events(self, call: ast.Call, last: str, root: str, at: int) -> Iterator[Event]:
        unit, func = self.units[at], call.func
        rows, name = self._rows(func, last, root, at)
        if not (rows and rows[0].role is Role.DRAWS and changes_no_result(call, self.source)):
            yield from (Hit(row, name, call, self.source.location(call), unit) for row in rows)
        if last in _LOOSE:
            self._hand_on(call, last, name, unit)
        hidden = root in self.foreign.names or last in unit.parameters
        if not hidden and (last in self.vocabulary.defined or last in self.local.names):
            yield self._attribute(func) if isinstance(func, ast.Attribute) else Name(last)

    def _hand_on(self, call: ast.Call, last: str, name: str, unit: Unit) -> None:
        """Note what a call reaches by names that it looks up itself."""
        if last == "globals":
            unit.mentions.update({Name(u.name): False for u in self._top_level} | unit.mentions)
        if last == "getattr" and call.args and first_name(call.args[0]) in self.local.modules:
            unit.mention(Name("*", first_name(call.args[0])), False)
        if last in _LAUNCHERS and not call.args:
            unit.mentions.update(dict.fromkeys(self._run_implicitly(name), True))
        if last in DYNAMIC and self._may_be_local(call.args[0] if call.args else None):
            unit.dynamic = True

    def _rows(self, func: ast.expr, last: str, root: str, at: int) -> tuple[tuple[Row, ...], str]:
        """The rows of a called function, and its full name."""
        foreign = self.foreign
        if root in foreign.names:
            name = foreign.full_name(func, root, self.source, self.nodes[at])
            rows = rows_for(name)
            if rows:
                return rows, name
            if is_seeding_name(last) and "(" not in name:
                return (HELPER,), name
        elif root == last:
            for star in foreign.stars:
                if rows := rows_for(f"{star}.{last}"):
                    return rows, f"{star}.{last}"
        if last in METHODS and isinstance(func, ast.Attribute):
            rows = method_rows(self.source.resolve(func.value), last, foreign.packages)
            return rows, written(func) if rows else last
        return (), self.source.resolve(func) if last in _LAUNCHERS else last

    def _run_implicitly(self, name: str) -> Iterator[Name]:
        """What a launcher runs without a function among its arguments: `main`, or any."""
        if name.endswith(".app.run"):
            yield Name("main")
        elif name == "fire.Fire":
            yield from (Name(u.name) for u in self._top_level if u.kind is Kind.FUNCTION)

    @property
    def _top_level(self) -> list[Unit]:
        return [u for u in self.units if u.around is self.units[0] and u.kind is not Kind.MAIN]

    def _may_be_local(self, name: ast.expr | None) -> bool:
        """Whether the name of a module that is put together at run time may be one of the repository's."""
        if isinstance(name, ast.JoinedStr) and name.values:
            name = name.values[0]
        if not isinstance(name, ast.Constant):
            return True
        return str(name.value).partition(".")[0] in self.vocabulary.modules and "." in str(name.value)

    def _attribute(self, node: ast.Attribute) -> Name:
        root = first_name(node)
        own = isinstance(node.value, ast.Name) and root == "self"
        return Name(node.attr, root if root in self.local.modules else "self" if own else ".")

    def _inherited(self, node: ast.ClassDef, unit: Unit) -> Iterator[Hit]:
        """A subclass of something that seeds or draws when it is made, such as a Trainer or a layer, does so too."""
        for base in node.bases:
            if not self.local.knows(first_name(base)):
                name = self.source.resolve(base)
                bare = ast.copy_location(ast.Call(base, [], []), base)
                for row in rows_for(name):
                    if row.role in {Role.SEEDS, Role.FITS} or row.weights:
                        yield Hit(row, name, bare, self.source.location(base), unit)

    def _switch(self, target: ast.expr) -> str:
        if isinstance(target, ast.Attribute):
            name = self.source.resolve(target)
            return name if name in FLAGS else ""
        if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
            key = target.slice.value
            if key in FLAG_VARIABLES and self.source.resolve(target.value) == "os.environ":
                return str(key)
        return ""


def _end(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0
