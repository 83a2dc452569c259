"""One file of code. It is parsed on first use, and again if its tree was dropped to save memory."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import field
from enum import StrEnum
from functools import cached_property
from typing import TypeVar, cast

from assay.code.exported import opened
from assay.code.index import Calls, index_calls
from assay.code.magics import Magic, neutralised
from assay.code.names import absolute, aliases, full_name, stars
from assay.code.notebook import Notebook
from assay.code.parsing import Problem, parse, parse_mended, without_broken_cells
from assay.code.scanning import Function, Import, Scan, children, salvaged_imports, scan
from assay.findings import Location
from assay.records import dataclass

Node = TypeVar("Node", bound=ast.AST)
Answer = TypeVar("Answer")
_IMPORTING = frozenset({"importlib.import_module", "__import__"})


class Language(StrEnum):
    """The languages that Assay distinguishes. Only Python is parsed."""

    PYTHON = "python"
    R = "r"
    JULIA = "julia"


@dataclass(frozen=True, eq=False)
class Syntax:
    """A parsed file and the results of one walk over it."""

    tree: ast.Module | None = None
    problems: tuple[Problem, ...] = ()
    scan: Scan = field(default_factory=Scan, repr=False)
    magics: tuple[Magic, ...] = ()
    answers: dict[object, object] = field(default_factory=dict, init=False, repr=False)
    """Facts that readers derived from it; dropped with the tree."""

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """The parent of each node."""
        return {child: node for nodes in self.scan.nodes.values() for node in nodes for child in children(node)}

    @cached_property
    def calls(self) -> Calls:
        """Its calls, indexed."""
        return index_calls(cast("list[ast.Call]", self.scan.nodes.get(ast.Call, [])))


@dataclass(slots=True, weakref_slot=True)
class Shelf:
    """Keeps syntax trees while there is room; beyond that, only the latest, because readers go file by file."""

    room: int
    kept: dict[str, Syntax] = field(default_factory=dict)
    latest: tuple[str, Syntax] | None = None

    def get(self, path: str) -> Syntax | None:
        """The tree of this file, if it is still kept."""
        found = self.kept.get(path)
        return self.latest[1] if found is None and self.latest is not None and self.latest[0] == path else found

    def put(self, path: str, size: int, syntax: Syntax) -> Syntax:
        """Keep a tree, permanently or until the next one arrives."""
        if size <= self.room:
            self.room -= size
            self.kept[path] = syntax
        else:
            self.latest = (path, syntax)
        return syntax


@dataclass(frozen=True, eq=False)
class Source:
    """A script, or a notebook as its joined code cells; lines of `text` count from 1.

    `location` turns a node or a line of `text` into a place in the file, with the cell for notebooks.
    """

    path: str
    language: Language
    vendored: bool
    package: tuple[str, ...] = ()
    """The package that relative imports start from."""
    notebook: Notebook | None = field(default=None, repr=False)
    cells: tuple[tuple[int, int], ...] = field(default=(), repr=False)
    """In notebooks: the first line of each code cell in `text`, and the cell's number."""
    cell_magics: tuple[Magic, ...] = field(default=(), repr=False)
    unread: str = ""
    """Why the file was not read; empty if it was."""
    size: int = field(default=0, repr=False)
    read: Callable[[], str] = field(default=str, repr=False)
    shelf: Callable[[], Shelf | None] = field(default=lambda: None, repr=False)
    """The holder of the repository's trees; None if the repository is gone."""
    _own_shelf: Shelf = field(default_factory=lambda: Shelf(0), init=False, repr=False)

    @property
    def text(self) -> str:
        """The code; in notebooks, the code cells with magics neutralised."""
        return self.read()

    @property
    def lines(self) -> list[str]:
        """The lines of `text`, split as Python counts them."""
        return self.text.split("\n")

    @property
    def tree(self) -> ast.Module | None:
        """The syntax tree; None for other languages and for files that cannot be parsed."""
        return self._syntax.tree

    @property
    def error(self) -> str | None:
        """Why it, or part of it, is not valid Python 3; there may still be a tree, after repairs."""
        first = next(iter(self.errors), None)
        return None if first is None else first[1]

    @property
    def errors(self) -> tuple[tuple[Location, str], ...]:
        """Each problem with its place."""
        if self.unread:
            return ((Location(self.path), self.unread),)
        return tuple((self.location(problem.line), problem.message) for problem in self._syntax.problems)

    @property
    def magics(self) -> tuple[Magic, ...]:
        """IPython syntax: in notebooks, and in scripts exported from them."""
        return self.cell_magics or self._syntax.magics

    def mentions(self, words: str) -> bool:
        """True if the text contains this: a quick test before a slow one."""
        return words in self.text

    def hints_at(self, words: Iterable[str]) -> bool:
        """True if the text contains one of these in any case; much faster than a pattern."""
        lowered = self.text.lower()
        return any(word in lowered for word in words)

    def once(self, ask: Callable[[Source], Answer]) -> Answer:
        """The answer of `ask` about this file, computed once while its tree is kept."""
        syntax = self._syntax
        if syntax is _NOTHING:
            return ask(self)
        if ask not in syntax.answers:
            syntax.answers[ask] = ask(self)
        return cast("Answer", syntax.answers[ask])

    def nodes(self, kind: type[Node]) -> list[Node]:
        """All nodes of one type in source order, without a walk."""
        return self._syntax.scan.nodes.get(kind, [])  # type: ignore[return-value]  # the key is the type

    @property
    def calls(self) -> Calls:
        """All calls, indexed."""
        return self._syntax.calls

    @property
    def strings(self) -> list[ast.Constant]:
        """All string constants."""
        return self._syntax.scan.strings

    @property
    def words(self) -> Set[str]:
        """Names that stand alone or begin a dotted name."""
        return self._syntax.scan.words

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The parent of a node."""
        return self._syntax.parents.get(node)

    def location(self, node: ast.AST | int | None) -> Location:
        """The place of a node, or of a line of `text`; None for the file as a whole."""
        if node is None:
            return Location(self.path)
        if isinstance(node, int):
            line, cell = self._in_cell(node)
            return Location(self.path, line, cell=cell)
        line, cell = self._in_cell(getattr(node, "lineno", 1))
        end = getattr(node, "end_lineno", None)
        column, end_column = getattr(node, "col_offset", None), getattr(node, "end_col_offset", None)
        return Location(
            self.path,
            line,
            None if column is None else self._characters(getattr(node, "lineno", 1), column) + 1,
            None if end is None else self._in_cell(end)[0],
            None if end is None or end_column is None else self._characters(end, end_column) + 1,
            cell,
        )

    def _characters(self, line: int, column: int) -> int:
        """Convert columns: syntax nodes count bytes, places count characters."""
        written = self._beyond_ascii.get(line)
        return column if written is None else len(written[:column].decode(errors="ignore"))

    @cached_property
    def _beyond_ascii(self) -> dict[int, bytes]:
        """Lines in which byte and character columns differ."""
        text = self.text
        if text.isascii():
            return {}
        return {n: line.encode(errors="replace") for n, line in enumerate(text.split("\n"), 1) if not line.isascii()}

    def resolve(self, node: ast.expr, function: Function | None = None) -> str:
        """The full name of an expression such as `np.random.seed`; see `Call.name`."""
        return full_name(node, self.aliases, function)

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The full name behind each imported name."""
        return aliases(self._syntax.scan, self.package)

    @cached_property
    def stars(self) -> tuple[str, ...]:
        """Modules imported with `*`."""
        return stars(self._syntax.scan, self.package)

    @cached_property
    def imports(self) -> tuple[Import, ...]:
        """All imports in source order; guessed line by line if the text does not parse."""
        if self.language is not Language.PYTHON or self.unread:
            return ()
        if self.tree is None:
            return tuple(self._salvaged())
        return tuple(sorted(self._imported(), key=lambda i: (i.location.cell or 0, i.location.line or 0)))

    @cached_property
    def bound(self) -> frozenset[str]:
        """Every name that the file binds, at any level."""
        functions = [f.name for f in self.nodes(ast.FunctionDef)] + [f.name for f in self.nodes(ast.AsyncFunctionDef)]
        classes = [c.name for c in self.nodes(ast.ClassDef)]
        stored = [n.id for n in self.nodes(ast.Name) if type(n.ctx) is ast.Store]
        return frozenset([*functions, *classes, *stored, *self.aliases])

    @cached_property
    def open_ended(self) -> bool:
        """True if it may define more names than `bound`: it does not parse, imports `*`, or creates names."""
        return self.tree is None or bool(self.stars) or "__getattr__" in self.bound or self.mentions("globals()")

    @cached_property
    def attributes(self) -> dict[str, frozenset[str]]:
        """The attributes used of each name: `random` for `np` in `np.random.seed`."""
        found: dict[str, set[str]] = {}
        for node in self.nodes(ast.Attribute):
            if type(node.value) is ast.Name:
                found.setdefault(node.value.id, set()).add(node.attr)
        return {name: frozenset(attributes) for name, attributes in found.items()}

    def absolute(self, imported: Import) -> str:
        """The full name of an imported module, with relative imports resolved."""
        return absolute(imported.module, imported.level, self.package)

    @property
    def _syntax(self) -> Syntax:
        shelf = self.shelf() or self._own_shelf
        found = shelf.get(self.path)
        if found is not None:
            return found
        if self.language is not Language.PYTHON or self.unread:
            return _NOTHING
        return shelf.put(self.path, self.size, read_syntax(self.text, self.path, self.cells))

    def _in_cell(self, line: int) -> tuple[int, int | None]:
        if not self.cells:
            return line, None
        start, cell = self.cells[max(0, bisect_right(self.cells, (line, 1 << 60)) - 1)]
        return line - start + 1, cell

    def _imported(self) -> Iterator[Import]:
        found = self._syntax.scan
        for plain in self.nodes(ast.Import):
            place, context = self.location(plain), (plain in found.guarded, found.functions[plain] is not None)
            alone = self._is_in_main(plain)
            yield from (Import(a.name, (), place, *context, alias=a.asname or "", in_main=alone) for a in plain.names)
        for node in self.nodes(ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            guarded, inside = node in found.guarded, found.functions[node] is not None
            alone = self._is_in_main(node)
            yield Import(node.module or "", names, self.location(node), guarded, inside, node.level, in_main=alone)
        for call in calls_of(self, _IMPORTING):
            name = next(iter(call.node.args), None)
            if isinstance(name, ast.Constant) and isinstance(name.value, str) and name.value:
                module = name.value.lstrip(".")
                level = len(name.value) - len(module)
                guarded = call.node in found.guarded
                yield Import(module, (), call.location, guarded, call.function is not None, level)

    def _is_in_main(self, node: ast.stmt) -> bool:
        return any(first < node.lineno <= last for first, last in self._mains)

    @cached_property
    def _mains(self) -> tuple[tuple[int, int], ...]:
        """Lines under `if __name__ == "__main__":`."""
        tests = (n for n in (self.tree.body if self.tree else ()) if isinstance(n, ast.If))
        asked = (n for n in tests if isinstance(n.test, ast.Compare) and ast.unparse(n.test.left) == "__name__")
        return tuple((n.lineno, n.end_lineno or n.lineno) for n in asked)

    def _salvaged(self) -> Iterator[Import]:
        for line, origin, names in salvaged_imports(self.lines):
            module = origin.lstrip(".")
            yield Import(module, names, self.location(line), level=len(origin) - len(module))


@dataclass(frozen=True, slots=True)
class Call:
    """A call. `name` is resolved through the imports: "numpy.random.seed" for `np.random.seed(1)`."""

    name: str
    node: ast.Call
    source: Source
    function: Function | None
    """The innermost enclosing function; None at module level."""

    @property
    def location(self) -> Location:
        """The place of the call."""
        return self.source.location(self.node)


def calls(source: Source) -> tuple[Call, ...]:
    """Every call in the file, in source order."""
    return source.once(_calls)


def calls_of(source: Source, names: frozenset[str]) -> Iterator[Call]:
    """Calls of functions with these full names; much faster than filtering all calls."""
    lasts = {name.rpartition(".")[2] for name in names}
    lasts.update([name for name, target in source.aliases.items() if target.rpartition(".")[2] in lasts])
    return (call for call in _resolved(source, source.calls.of(lasts)) if call.name in names)


def _calls(source: Source) -> tuple[Call, ...]:
    return tuple(_resolved(source, source.nodes(ast.Call)))


def _resolved(source: Source, nodes: Iterable[ast.Call]) -> Iterator[Call]:
    around = source._syntax.scan.functions
    return (Call(source.resolve(node.func, around[node]), node, source, around[node]) for node in nodes)


def read_syntax(text: str, path: str, cells: tuple[tuple[int, int], ...] = ()) -> Syntax:
    """Parse a text; if that fails, parse it without magics and syntax errors."""
    parsed = parse(text)
    problems: tuple[Problem, ...] = () if parsed.problem is None else (parsed.problem,)
    magics: tuple[Magic, ...] = ()
    if parsed.tree is None and parsed.problem is not None and parsed.problem.line is not None:
        if cells:
            text, problems = without_broken_cells(text, [start for start, _ in cells])
            parsed = parse(text)
        else:
            plain, found = neutralised(text, path)
            parsed, magics = parse_mended(plain), tuple(found)
    if parsed.tree is None:
        return Syntax(None, problems, magics=magics)
    found_in_tree = scan(opened(parsed.tree, text))
    if found_in_tree.too_deep:
        return Syntax(None, (*problems, Problem("is nested too deeply to be looked at")))
    return Syntax(parsed.tree, problems, found_in_tree, magics)


_NOTHING = Syntax()
