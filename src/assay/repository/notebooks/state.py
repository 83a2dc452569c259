"""Names that a notebook uses before, or without, giving them a meaning: the traces of hidden state.

Cells are taken in the order of the document. Code at the top level runs where it stands; the body of a
function runs when it is called, so what it uses only has to be defined somewhere.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from dataclasses import field
from typing import get_args

from assay.code import Code, Source
from assay.code.scanning import children
from assay.findings import Location
from assay.patterns import regex
from assay.records import dataclass

_GIVEN = frozenset(dir(builtins)) | {
    "display", "get_ipython", "In", "Out", "exit", "quit", "_", "__", "___", "_i", "_ii", "_oh", "_dh",
    "__file__", "__name__", "__doc__", "__builtins__", "__class__", "spark", "sc", "sqlContext", "dbutils",
    "WindowsError", "unicode", "xrange", "raw_input", "basestring", "long", "unichr", "reduce", "file", "execfile",
    "reload", "cmp",
}  # fmt: skip
"""What is there without being defined: Python's own names (also those of Python 2), IPython's and Databricks'."""
_MAKES_NAMES = frozenset({"run", "pylab", "store", "load", "R", "reload_kedro", "pull"})
"""Magics that may define anything."""
_DEEPEST = 4
"""Modules that star each other are followed so far."""
_Importing = ast.Import | ast.ImportFrom
_WORD = regex(r"[A-Za-z_]\w*")
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, *get_args(_Comprehension))
_TELLING = frozenset(
    {
        ast.Name, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.ListComp, ast.SetComp,
        ast.DictComp, ast.GeneratorExp, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.NamedExpr,
        ast.AugAssign, ast.For, ast.AsyncFor, ast.Global, ast.ExceptHandler, ast.MatchAs, ast.MatchStar,
        ast.MatchMapping, ast.Dict,
    }
)  # fmt: skip
"""Nodes that bind names, or whose parts do not run in the order in which they stand."""


@dataclass(frozen=True, slots=True)
class Dependence:
    """A name used where it has no meaning yet. `defined` is the first place that gives it one, if any."""

    name: str
    used: Location
    defined: Location | None
    deferred: bool = False
    """Whether only bodies of functions use it, so that the run stops where one of them is called."""


def hidden_state(source: Source, code: Code) -> tuple[Dependence, ...]:
    """Each name once, at its first use that a run from top to bottom could not satisfy."""
    sage = source.notebook is not None and source.notebook.kernel.startswith("sage")
    if source.tree is None or sage:
        return ()  # Sage has a thousand names of its own
    flow = _Flow()
    flow.block(source.tree.body)
    starred = _starred(source, code)
    known = _GIVEN | _from_elsewhere(source) | (starred or frozenset())
    closed = starred is not None and not _makes_names(source)
    found: dict[str, Dependence] = {}
    for use in flow.uses:
        first = flow.defined.get(use.name)
        unmet = closed if first is None else _is_early(use, first, open_ended=starred is None)
        if unmet and use.name not in known and _is_graver(use, found.get(use.name)):
            found[use.name] = _dependence(use, first, source)
    return tuple(found.values())


def _dependence(use: _Event, first: _Event | None, source: Source) -> Dependence:
    place = None if first is None else source.location(first.node)
    return Dependence(use.name, source.location(use.node), place, use.deferred)


def _is_graver(use: _Event, before: Dependence | None) -> bool:
    return before is None or (before.deferred and not use.deferred)


def _makes_names(source: Source) -> bool:
    """Whether something in a notebook may define any name."""
    return any(m.name in _MAKES_NAMES for m in source.magics) or source.mentions("globals()")


def _is_early(use: _Event, first: _Event, *, open_ended: bool) -> bool:
    """Whether a name is used before it has a meaning; one that is imported later may come with a star before."""
    imported = open_ended and isinstance(first.node, _Importing)
    return use.order < first.order and not use.deferred and not imported


def _starred(source: Source, code: Code, depth: int = 0) -> frozenset[str] | None:
    """The names that `from module import *` brings, from modules of the repository; None if others bring some too."""
    if not source.stars:
        return frozenset()
    found: frozenset[str] = frozenset()
    for imported in source.imports:
        if "*" not in imported.names:
            continue
        path = code.find(imported, source)
        module = None if path is None else code.source(path)
        if module is None or module.tree is None or depth >= _DEEPEST or module.mentions("globals()"):
            return None
        further = _starred(module, code, depth + 1)
        if further is None:
            return None
        found |= further | frozenset(module.bound)
    return found


def _from_elsewhere(source: Source) -> set[str]:
    """Names that magics and cells that do not parse may give a meaning to."""
    spoken = [m.text for m in source.magics if m.name != "!"]
    broken = {place.cell for place, _ in source.errors}
    cells = source.notebook.cells if source.notebook else ()
    spoken += [c.text for c in cells if c.number in broken]
    return {word for text in spoken for word in _WORD.findall(text[:100_000])}


@dataclass(frozen=True, slots=True)
class _Event:
    """A name used or defined, in the order in which things happen."""

    name: str
    node: ast.AST
    order: int
    deferred: bool = False


@dataclass(slots=True)
class _Flow:
    """Walks over code in the order in which it runs and notes global names as they are used and defined."""

    uses: list[_Event] = field(default_factory=list)
    defined: dict[str, _Event] = field(default_factory=dict)
    scopes: list[set[str]] = field(default_factory=list)
    deferred: bool = False
    time: int = 0

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.visit(statement)

    def visit(self, node: ast.AST) -> None:
        """One node: what it evaluates first, then what it binds."""
        if type(node) not in _TELLING:
            self._all(children(node))
        elif isinstance(node, ast.Name):
            self.use(node.id, node) if isinstance(node.ctx, ast.Load) else self.bind(node.id, node)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            self._function(node)
        elif isinstance(node, ast.ClassDef):
            self._all([*node.decorator_list, *node.bases, *node.keywords])
            self._inside(node.body, set())
            self.bind(node.name, node)
        elif isinstance(node, _Comprehension):
            self._comprehension(node)
        else:
            self._other(node)

    def use(self, name: str, node: ast.AST) -> None:
        if not any(name in scope for scope in self.scopes):
            self.time += 1
            self.uses.append(_Event(name, node, self.time, self.deferred))

    def bind(self, name: str, node: ast.AST) -> None:
        if self.scopes:
            self.scopes[-1].add(name)
        else:
            self._define(name, node)

    def _define(self, name: str, node: ast.AST) -> None:
        self.time += 1
        self.defined.setdefault(name, _Event(name, node, self.time))

    def _all(self, nodes: Iterable[ast.AST | None]) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node)

    def _other(self, node: ast.AST) -> None:
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                for alias in names:
                    self.bind(alias.asname or alias.name.partition(".")[0], node)
            case ast.Assign(targets=targets, value=value):
                self._all([value, *targets])
            case ast.AugAssign(target=ast.Name(id=name) as target, value=value):
                self.use(name, target)
                self._all([value, target])
            case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
                self._all([value, target])
            case ast.For() | ast.AsyncFor():
                self._all([node.iter, node.target, *node.body, *node.orelse])
            case ast.Global(names=names):
                for name in names:
                    self._define(name, node)
            case ast.Dict(keys=keys, values=values):
                self._all(x for pair in zip(keys, values, strict=True) for x in pair)
            case _:
                self._caught(node)

    def _caught(self, node: ast.AST) -> None:
        """`except … as name`, and names that patterns catch."""
        name = getattr(node, "rest" if isinstance(node, ast.MatchMapping) else "name", None)
        if isinstance(name, str):
            self.bind(name, node)
        self._all(children(node))

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> None:
        a = node.args
        self._all([*getattr(node, "decorator_list", ()), *a.defaults, *a.kw_defaults])
        if not isinstance(node, ast.Lambda):
            self.bind(node.name, node)
        parameters = {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg)))}
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        before, self.deferred = self.deferred, True
        self._inside(body, parameters | set(_locals(body)))
        self.deferred = before

    def _comprehension(self, node: _Comprehension) -> None:
        self.visit(node.generators[0].iter)
        self.scopes.append(set())
        for i, part in enumerate(node.generators):
            self._all([*([part.iter] if i else []), part.target, *part.ifs])
        self._all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self.scopes.pop()

    def _inside(self, body: Iterable[ast.AST], names: set[str]) -> None:
        self.scopes.append(names)
        self._all(body)
        self.scopes.pop()


def _locals(body: Iterable[ast.AST]) -> Iterator[str]:
    """Names that a function binds anywhere in it, which makes them its own from the start."""
    waiting = list(body)
    outside: set[str] = set()
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        (outside if isinstance(node, ast.Global | ast.Nonlocal) else found).update(_bound(node))
        if not isinstance(node, _SCOPES):
            waiting += children(node)
    return iter(found - outside)


def _bound(node: ast.AST) -> Iterable[str]:
    """The names that a node itself binds, or calls global."""
    match node:
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            return names
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return [alias.asname or alias.name.partition(".")[0] for alias in aliases]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str() as name):
            return [name]
    return []
