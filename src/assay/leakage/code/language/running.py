"""One run: the statements of a file, then the functions that nobody in it calls."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from assay.code import Code, Import, Source
from assay.leakage.code.language.binding import bind
from assay.leakage.code.language.call import Call
from assay.leakage.code.language.calling import apply, unknown_call
from assay.leakage.code.language.expressions import evaluate
from assay.leakage.code.language.functions import call_function, instantiate
from assay.leakage.code.language.statements import execute, is_main
from assay.leakage.code.reading.other_scripts import DEEPEST, files_run, runs_at, writers_of
from assay.leakage.code.state.events import Evaluation, Trace
from assay.leakage.code.state.machine import Exhausted, Interpreter, Limits, Machine, State
from assay.leakage.code.state.rows import Site
from assay.leakage.code.state.scopes import Scope
from assay.leakage.code.state.values import UNKNOWN, Class, Const, Data, Function, Instance, Mapping, Ref, Seq, Value
from assay.records import dataclass, replace

_STACK = 12_000
"""Python frames that the analysis may use: the readers let no tree pass that nests deeper than 250."""
_MOST_MODULES = 30
_DEEPEST_RESULT = 3
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


INTERPRETER = Interpreter(evaluate, execute, bind, apply, call_function, unknown_call)


@dataclass(frozen=True, slots=True)
class Run:
    """What one run saw, and what it did not."""

    trace: Trace
    notes: tuple[str, ...]
    switched: bool = False
    """Whether a switch of the program's own decided what was followed."""


class Modules:
    """The local modules that a file imports, each followed once, with the memory of the run that asks."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.scopes: dict[str, Scope | None] = {}

    def find(self, m: Machine, node: ast.Import | ast.ImportFrom, name: str) -> Scope | None:
        """The scope of an imported module of the tree, or None for libraries."""
        path = self.code.find(_import(m.source, node, name), m.source)
        if path is None:
            return None
        if path not in self.scopes:
            if len(self.scopes) >= _MOST_MODULES:
                m.notes[f"local modules beyond the first {_MOST_MODULES} were not followed"] = None
                return None
            self.scopes[path] = None  # a circle of imports ends here
            self.scopes[path] = self._followed(m, path)
        return self.scopes[path]

    def _followed(self, m: Machine, path: str) -> Scope | None:
        source = self.code.source(path)
        tree = None if source is None else source.tree
        if source is None or tree is None:
            return None
        outer = m.scope, m.source
        m.scope, m.source = scope, _ = Scope(source), source
        try:
            execute(m, [s for s in tree.body if not is_main(s)])
        finally:
            m.scope, m.source = outer
        return scope


def _import(importer: Source, node: ast.Import | ast.ImportFrom, name: str) -> Import:
    place = importer.location(node)
    if isinstance(node, ast.Import):
        return Import(name, (), place)
    module = node.module or ""
    if name:
        return Import(f"{module}.{name}".strip("."), (), place, level=node.level)
    return Import(module, tuple(a.name for a in node.names), place, level=node.level)


def run(code: Code, source: Source, body: Sequence[ast.stmt], limits: Limits, *, either_way: bool = False) -> Run:
    """Follow one file from top to bottom; with switches as they are set, or either way."""
    modules = Modules(code)
    machine = Machine(source, Scope(source), INTERPRETER, modules.find, limits, code.text, either_way=either_way)
    with _room():
        for writer in writers_of(code, source):
            _follow_writer(machine, code, writer)
        finished = _guarded(machine, code, body)
        names = machine.scope.top.names.values()
        machine.trace.handed_out[Site(source, ast.Module([], []))] = tuple(
            table for value in names for table in _tables(machine, value)
        )
        if finished:
            _uncalled(machine)
    return Run(machine.trace, tuple(machine.notes), bool(machine.switches))


def _follow_writer(m: Machine, code: Code, writer: Source) -> None:
    """Another script, for the sake of the files that it writes; what it evaluates is its own matter."""
    outer = m.scope, m.source, m.trace
    m.scope, m.source, m.trace = Scope(writer), writer, Trace()
    try:
        _guarded(m, code, writer.tree.body if writer.tree is not None else (), DEEPEST)
    finally:
        m.scope, m.source, m.trace = outer
        m.called, m.switches, m.notes = set(), set(), {}
    _forget_raw(m)


def _forget_raw(m: Machine) -> None:
    """Only what has a past is kept: a file that was copied as it is is better taken for a file."""
    for path, value in list(m.stored.items()):
        data = m.data(value)
        if data.rows and not data.marks and not any(part.cuts for part in data.rows):
            del m.stored[path]


def _guarded(m: Machine, code: Code, body: Sequence[ast.stmt], depth: int = 0) -> bool:
    """Statement by statement: what one of them does wrong does not spoil the others."""
    others = files_run(code, m.source) if depth < DEEPEST else {}
    for statement in body:
        other = others.get(runs_at(m.source, statement)) if others and isinstance(statement, ast.Pass) else None
        done = _execute(m, statement) if other is None else _run_in_place(m, code, other, depth)
        if not done:
            return False
    return True


def _execute(m: Machine, statement: ast.stmt) -> bool:
    """One statement; False when a limit is reached."""
    try:
        execute(m, [statement])
    except Exhausted as limit:
        _note_limit(m, limit)
        return False
    except RecursionError:
        m.notes[f"{m.source.location(statement)} is nested too deeply to follow"] = None
        _reset(m)
    return True


def _note_limit(m: Machine, limit: Exhausted) -> None:
    m.notes[f"the analysis stopped {limit}; what comes later was not followed"] = None


def _run_in_place(m: Machine, code: Code, other: Source, depth: int) -> bool:
    """`%run`: the other file in a space of its own, the names of which are then those of this one, too."""
    outer = m.scope, m.source
    m.scope, m.source = Scope(other), other
    try:
        goes_on = _guarded(m, code, other.tree.body if other.tree is not None else (), depth + 1)
        made = m.scope.names
    finally:
        m.scope, m.source = outer
    for name, value in made.items():
        m.scope.bind(name, value)
    return goes_on


def _reset(m: Machine) -> None:
    m.stack, m.loops, m.rounds, m.sides, m.ways, m.returned, m.left = (), (), (), (), frozenset(), None, []
    m.picked = frozenset()
    m.scope = m.scope.top
    m.source = m.scope.source


def _uncalled(m: Machine) -> None:
    """Functions and methods for others to call: with arguments that nothing is known of."""
    m.guessing = True
    known = {e.site for e in m.trace.events if isinstance(e, Evaluation)}
    _follow_uncalled(m)
    m.trace.uncalled.update({e.site for e in m.trace.events if isinstance(e, Evaluation)} - known)


def _follow_uncalled(m: Machine) -> None:
    objects: dict[ast.ClassDef, Value] = {}
    for cls, function in _callers_first(_functions(m)):
        if function.node in m.called or isinstance(function.node, ast.Lambda) or _is_test(function):
            continue
        try:
            _follow_from_outside(m, function.node, function, _object_of(m, cls, function, objects))
        except Exhausted as limit:
            _note_limit(m, limit)
            return
        except RecursionError:
            _reset(m)


def _object_of(m: Machine, cls: Class | None, function: Function, objects: dict[ast.ClassDef, Value]) -> Value | None:
    """The object that a method is called on, one for all methods of its class; None for functions."""
    if cls is None:
        return None
    if cls.node not in objects:
        unknown = _made(m, cls) or _is_estimator(cls)
        objects[cls.node] = UNKNOWN if unknown else instantiate(_unseen_call(m, cls.node), cls)
    named_self = [a.arg for a in function.node.args.args[:1]] == ["self"]
    return objects[cls.node] if named_self else None


def _follow_from_outside(m: Machine, node: _Definition, function: Function, bound: Value | None) -> None:
    """Call a function with arguments that nothing is known of, and keep what it gives."""
    before = m.snapshot()
    result = call_function(_unseen_call(m, node), replace(function, bound=bound))
    handed = (*_tables(m, result), *(() if bound is None else _tables(m, bound)))
    m.trace.handed_out[Site(function.scope.source, node)] = handed
    if isinstance(bound, Ref):
        _remember(m, bound, before)


def _tables(m: Machine, value: Value, depth: int = 0) -> Iterator[Data]:
    """The tables in what a function gives back, or in the object that it belongs to."""
    plain = m.plain(value)
    if isinstance(plain, Data):
        yield plain
    elif depth < _DEEPEST_RESULT and isinstance(plain, Seq | Mapping | Instance):
        inside = plain.items if isinstance(plain, Seq) else dict(_entries(plain)).values()
        for item in inside:
            yield from _tables(m, item, depth + 1)


def _entries(plain: Mapping | Instance) -> tuple[tuple[str, Value], ...]:
    return plain.items if isinstance(plain, Mapping) else plain.attributes


def _callers_first(functions: Iterable[tuple[Class | None, Function]]) -> list[tuple[Class | None, Function]]:
    """Those that no other function mentions, then the rest: what a caller hands on is more than what nobody knows.

    A part that a caller splits off to choose by is a mere parameter to the function that chooses by it.
    """
    listed = list(functions)
    mentioned = {id(node): _mentions(node) for node in (f.node for _, f in listed)}
    count = Counter(name for names in mentioned.values() for name in names)

    def called_inside(item: tuple[Class | None, Function]) -> bool:
        cls, function = item
        name = getattr(function.node, "name", "")
        called = name if cls is None else f"self.{name}"
        return count[called] > (called in mentioned[id(function.node)])

    return sorted(listed, key=called_inside)


def _mentions(node: ast.AST) -> set[str]:
    """The functions that a function may call, and the methods of its own object."""
    found: set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            found.add(n.id)
        elif isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self":
            found.add(f"self.{n.attr}")
    return found


def _unseen_call(m: Machine, node: _Definition) -> Call:
    """The call that somebody out of sight makes."""
    call = ast.Call(func=ast.Name(id=node.name), args=[], keywords=[])
    return Call(m, ast.copy_location(call, node), node.name, [], {})


def _remember(m: Machine, bound: Ref, before: State) -> None:
    """What a method sets for the first time is there for the others; what it changes, another may have met unchanged.

    Nobody knows in which order somebody out of sight calls them.
    """
    earlier, now = m.once(bound.id, before), m.plain(bound)
    m.restore_heap(before)
    if isinstance(earlier, Instance) and isinstance(now, Instance):
        known = {name: value for name, value in earlier.attributes if not isinstance(m.plain(value), Const)}
        m.store(bound, replace(earlier, attributes=tuple((dict(now.attributes) | known).items())))


def _is_estimator(cls: Class) -> bool:
    """Whether somebody fits objects of this class: a part that they set aside of their rows is there to choose by."""
    return "fit" in cls.members and not cls.members.keys().isdisjoint({"predict", "transform"})


def _made(m: Machine, cls: Class) -> bool:
    """Whether the program makes objects of a class: then its methods are for those, each in its own state."""
    return any(isinstance(value, Instance) and value.cls.node is cls.node for value in m.heap.values())


def _is_test(function: Function) -> bool:
    """Tests of software make no claim about the world: pytest's functions are not followed."""
    path = function.scope.source.path
    of_tests = path.rpartition("/")[2].startswith("test_") or "/tests/" in f"/{path}"
    return of_tests and getattr(function.node, "name", "").startswith("test")


def _functions(m: Machine) -> Iterator[tuple[Class | None, Function]]:
    """The functions and methods of the file, with the class of each method."""
    for value in list(m.scope.names.values()):
        if isinstance(value, Function) and value.scope.source is m.source:
            yield None, value
        elif isinstance(value, Class) and value.scope.source is m.source:
            yield from ((value, v) for v in list(value.members.values()) if isinstance(v, Function))


@contextmanager
def _room() -> Iterator[None]:
    """Room on Python's stack for programs that nest."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _STACK))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
