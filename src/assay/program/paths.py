"""Which path an expression stands for, as far as the text of the repository shows it.

A path is put together in many ways: joined, formatted, taken from an option, a constant of another module, a key of a
configuration file or an argument of the caller. The answer has three values: a known path; a pattern in which `*`
stands for an unknown part; and nothing at all. A path that is known from the root of the repository, because it is
built from `__file__`, begins with `ROOT`.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from itertools import chain

from assay.code import Code, Import, Source
from assay.code.index import Calls
from assay.code.names import first_name, last_name
from assay.code.scanning import Function
from assay.findings import Location
from assay.patterns import regex
from assay.program.callables import default_of
from assay.program.settings import Rank, Settings
from assay.records import dataclass

ROOT = "\0"
UNKNOWN = "*"
_MAX_DEPTH = 10
_MAX_TEXTS = 4
_MAX_LENGTH = 400
_MAX_STEPS = 200
_KEPT = 64
_LARGEST = 6 * 1024 * 1024
"""Bytes of code in which callers are looked for in other files: the trees of larger repositories are dropped."""
_JOINS = frozenset({"os.path.join", "posixpath.join", "osp.join", "path.join", "pjoin", "ospj", "join"})
_WRAPS = frozenset(
    {
        "str", "open", "iter", "sorted", "list", "expanduser", "abspath", "realpath", "normpath", "expandvars",
        "fspath", "resolve", "absolute", "as_posix", "to_absolute_path", "get_original_cwd", "u", "rstrip", "strip",
        "lower",
    }
)  # fmt: skip
"""Functions and methods that leave a path what it is."""
_PATHS = frozenset({"Path", "PurePath", "PosixPath", "PurePosixPath", "WindowsPath", "UPath", "EPath", "joinpath"})
_HERE = frozenset({"getcwd", "cwd"})
_PLACE = regex(r"\{([^{}:!.\[]*)[^{}]*\}|%(?:\([^)]*\))?[-+ #0-9.*]*[a-zA-Z]")
"""A place to fill in a text, of `format` or of `%`."""


@dataclass(frozen=True, slots=True)
class Path:
    """One path that an expression may stand for."""

    pattern: str
    written: tuple[Source, ast.expr] | None = None
    """The text of its last known part."""
    replaceable: bool = False
    """It comes from the default of an option, so that a command may replace it."""

    @property
    def location(self) -> Location | None:
        """Where its last known part is written."""
        return None if self.written is None else self.written[0].location(self.written[1])


_NOTHING = Path(UNKNOWN)


@dataclass(slots=True)
class _Names:
    """What names get inside one file: values with the lines they stand on."""

    calls: Calls
    assigned: dict[str, list[tuple[int, ast.expr]]] = field(default_factory=lambda: defaultdict(list))


def _names_in(source: Source) -> _Names:
    """Index assignments, to attributes and keys by their last name."""
    found = _Names(source.calls)
    for target, value in chain(_assigned_in(source), _opened_in(source), _first_items(source)):
        found.assigned[last_name(target)].append((value.lineno, value))
    return found


def _assigned_in(source: Source) -> Iterator[tuple[ast.expr, ast.expr]]:
    yield from ((target, node.value) for node in source.nodes(ast.Assign) for target in node.targets)
    yield from ((node.target, node.value) for node in source.nodes(ast.AnnAssign) if node.value is not None)


def _opened_in(source: Source) -> Iterator[tuple[ast.expr, ast.expr]]:
    items = source.nodes(ast.withitem)
    return ((item.optional_vars, item.context_expr) for item in items if item.optional_vars is not None)


def _first_items(source: Source) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a loop over a list that is written out gives first."""
    for loop in source.nodes(ast.For):
        if isinstance(loop.iter, ast.List | ast.Tuple) and loop.iter.elts:
            yield loop.target, loop.iter.elts[0]


@dataclass(frozen=True, slots=True)
class _Scope:
    source: Source
    function: Function | None


_Part = ast.expr | Path


@dataclass
class Paths:
    """Answers for one repository. Each question may take only so many steps."""

    code: Code
    settings: Settings
    _names: OrderedDict[str, _Names] = field(default_factory=OrderedDict)
    _steps: int = 0

    def values(self, node: ast.expr | None, source: Source, function: Function | None = None) -> list[str]:
        """The patterns of the few paths that an expression may stand for; none when nothing at all is known."""
        return [path.pattern for path in self.read(node, source, function)]

    def read(self, node: ast.expr | None, source: Source, function: Function | None = None) -> list[Path]:
        """The few paths that an expression may stand for."""
        if node is None:
            return []
        self._steps = 0
        found = {path.pattern: path for path in reversed(self._paths(node, _Scope(source, function), 0))}
        return [path for text, path in reversed(found.items()) if text.strip("*/. ")][:_MAX_TEXTS]

    def _paths(self, node: _Part, scope: _Scope, depth: int) -> list[Path]:
        if isinstance(node, Path):
            return [node]
        self._steps += 1
        if depth > _MAX_DEPTH or self._steps > _MAX_STEPS:
            return [_NOTHING]
        match node:
            case ast.Constant(value=value):
                text = value[:_MAX_LENGTH] if isinstance(value, str) else _printed(value)
                return [Path(text, (scope.source, node))]
            case ast.JoinedStr(values=parts):
                pieces = [part.value if isinstance(part, ast.FormattedValue) else part for part in parts]
                return self._joined(pieces, scope, depth)
            case ast.BinOp():
                return self._operation(node, scope, depth)
            case ast.Name():
                return self._name(node, scope, depth)
            case ast.Attribute() | ast.Subscript():
                return self._member(node, scope, depth)
            case ast.Call():
                return self._call(node, scope, depth)
            case ast.IfExp(body=first, orelse=second):
                return self._any_of([first, second], scope, depth)
            case ast.BoolOp(values=several) | ast.List(elts=several) | ast.Tuple(elts=several):
                return self._any_of(several, scope, depth)
        return [_NOTHING]

    def _any_of(self, several: Sequence[ast.expr], scope: _Scope, depth: int) -> list[Path]:
        return [path for part in several[:_MAX_TEXTS] for path in self._paths(part, scope, depth + 1)]

    def _joined(self, parts: Iterable[_Part], scope: _Scope, depth: int, between: str = "") -> list[Path]:
        """Every combination of what the parts may be, up to the limit."""
        whole: list[Path] = []
        for part in parts:
            options = self._paths(part, scope, depth + 1)[:_MAX_TEXTS] or [_NOTHING]
            whole = [_put(a, between, b) for a in whole for b in options][:_MAX_TEXTS] if whole else options
        return whole or [Path("")]

    def _operation(self, node: ast.BinOp, scope: _Scope, depth: int) -> list[Path]:
        if isinstance(node.op, ast.Mod):
            given = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
            return self._filled(node.left, given, {}, scope, depth)
        between = {ast.Add: "", ast.Div: "/"}.get(type(node.op))
        return [_NOTHING] if between is None else self._joined([node.left, node.right], scope, depth, between)

    def _filled(
        self, text: ast.expr, given: Sequence[ast.expr], named: dict[str, ast.expr], scope: _Scope, depth: int
    ) -> list[Path]:
        """A text with its places filled by the arguments of `%` or of `format`."""
        found: list[Path] = []
        for template in self._paths(text, scope, depth + 1):
            order = iter(given)
            parts: list[_Part] = []
            for literal, key in _places(template.pattern):
                parts.append(replace(template, pattern=literal))
                if key is not None:
                    parts.append(_argument_at(key, order, given, named))
            found += self._joined(parts, scope, depth + 1)
        return found

    def _call(self, node: ast.Call, scope: _Scope, depth: int) -> list[Path]:
        last = last_name(node.func)
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        parts = _parts_joined(last, receiver, node.args)
        if parts is not None:
            return self._joined(parts, scope, depth, "/")
        if last == "format" and receiver is not None:
            named = {k.arg: k.value for k in node.keywords if k.arg}
            return self._filled(receiver, node.args, named, scope, depth)
        inner = _unchanged(last, receiver, node.args)
        if inner is None:
            return [_NOTHING]
        change = _parent if last == "dirname" else str
        return [replace(path, pattern=change(path.pattern)) for path in self._paths(inner, scope, depth + 1)]

    def _name(self, node: ast.Name, scope: _Scope, depth: int) -> list[Path]:
        if node.id == "__file__":
            return [Path(f"{ROOT}/{scope.source.path}")]
        names = self._index(scope.source)
        value = _nearest(names.assigned.get(node.id, ()), node, scope.function)
        if value is not None:
            return self._paths(value, scope, depth + 1)
        if scope.function is not None and node.id in _parameters(scope.function):
            return self._parameter(node.id, scope.function, scope, depth)
        outer = next((value for _, value in names.assigned.get(node.id, ())), None)
        if outer is None:
            return self._imported(node, scope, depth)
        return self._paths(outer, _Scope(scope.source, None), depth + 1)

    def _imported(self, node: ast.Name | ast.Attribute | ast.Subscript, scope: _Scope, depth: int) -> list[Path]:
        """A constant of another module of the repository."""
        modules: tuple[str, ...] = ()
        name = last_name(node)
        if first_name(node) in scope.source.aliases:
            modules = (scope.source.resolve(node, scope.function).rpartition(".")[0],)
        elif isinstance(node, ast.Name):
            modules = scope.source.stars
        for module in filter(None, modules):
            home = self._home(module, name, scope.source)
            assigned = () if home is None else self._index(home).assigned.get(name, ())
            if home is not None and assigned:
                return self._paths(assigned[-1][1], _Scope(home, None), depth + 1)
        return [_NOTHING]

    def _home(self, module: str, name: str, importer: Source) -> Source | None:
        level = len(module) - len(module.lstrip("."))
        imported = Import(module.lstrip("."), (name,), Location(importer.path), level=level)
        return self.code.source(self.code.find(imported, importer) or "")

    def _parameter(self, name: str, function: Function, scope: _Scope, depth: int) -> list[Path]:
        """What the calls give, or the default, or the option of that name."""
        found: list[Path] = []
        for source, call in self._callers(function, scope.source):
            given = _argument(call, function, name)
            if given is not None:
                found += self._paths(given, _Scope(source, around(call, source)), depth + 2)
        default = default_of(function, name)
        if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
            found += self._paths(default, _Scope(scope.source, None), depth + 1)
        # an option of the same name is only where it may begin
        return _known(found) or [_put(path, "", _NOTHING) for path in self._declared(name, scope, depth)]

    def _callers(self, function: Function, home: Source) -> list[tuple[Source, ast.Call]]:
        """The first calls of a function: in its own file, and in those that import it."""
        name = _class_of(function, home) if function.name == "__init__" else function.name
        calls = self._index(home).calls.of((name,) if name else ())
        found = [(home, call) for call in calls if first_name(call.func) not in home.aliases]
        if len(found) < _MAX_TEXTS and self._defined[name] == 1:
            found += self._calls_elsewhere(name, home)
        return found[:_MAX_TEXTS]

    def _calls_elsewhere(self, name: str, home: Source) -> Iterator[tuple[Source, ast.Call]]:
        others = (source for source in self.code.python if source.path != home.path and source.mentions(name))
        calls = ((source, call) for source in others for call in source.calls.of((name,)))
        return ((source, call) for source, call in calls if self._leads_to(home, call.func, source))

    def _leads_to(self, home: Source, name: ast.expr, source: Source) -> bool:
        """Whether a name comes from this module by an import."""
        modules: Sequence[str] = source.stars if isinstance(name, ast.Name) else ()
        if first_name(name) in source.aliases:
            modules = [source.resolve(name).rpartition(".")[0]]
        return any(self._home(module, last_name(name), source) is home for module in filter(None, modules))

    @cached_property
    def _defined(self) -> Counter[str]:
        """How many functions and classes of the authors have each name; none of a large repository."""
        if sum(source.size for source in self.code.python) > _LARGEST:
            return Counter()
        found: Counter[str] = Counter()
        for source in self.code.python:
            found.update(node.name for node in source.nodes(ast.FunctionDef))
            found.update(node.name for node in source.nodes(ast.ClassDef))
        return found

    def _member(self, node: ast.Attribute | ast.Subscript, scope: _Scope, depth: int) -> list[Path]:
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            return [replace(p, pattern=_parent(p.pattern)) for p in self._paths(node.value, scope, depth + 1)]
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            return [_NOTHING]
        assigned = self._index(scope.source).assigned.get(last_name(node), ())[:_MAX_TEXTS]
        ways = (self._paths(value, scope, depth + 2) for _, value in assigned)
        found = next(filter(None, map(_known, ways)), None) or _known(self._imported(node, scope, depth))
        return found or self._declared(last_name(node), scope, depth)

    def _declared(self, key: str, scope: _Scope, depth: int) -> list[Path]:
        """The values of the settings with this key; those of the file itself where it has any."""
        declared = self.settings.of(key)
        near = [setting for setting in declared if setting.location.path == scope.source.path]
        found: list[Path] = []
        for setting in near or declared:
            source = self.code.source(setting.location.path) or scope.source
            option = setting.rank is Rank.OPTION
            paths = self._paths(setting.value, _Scope(source, None), depth + 2)
            found += (replace(path, replaceable=path.replaceable or option) for path in paths)
        return [path for path in found if path.pattern not in {UNKNOWN, ""}] or [_NOTHING]

    def _index(self, source: Source) -> _Names:
        if source.path not in self._names:
            self._names[source.path] = source.once(_names_in)
            if len(self._names) > _KEPT:
                self._names.popitem(last=False)
        return self._names[source.path]


def _known(paths: Iterable[Path]) -> list[Path]:
    return [path for path in paths if path.pattern != UNKNOWN]


def _parts_joined(last: str, receiver: ast.expr | None, arguments: list[ast.expr]) -> list[_Part] | None:
    """The parts that a call puts together; None for any other call."""
    if last in _HERE:
        return [Path(".")]
    if last in _JOINS and arguments and not isinstance(receiver, ast.Constant):
        return [*arguments]
    if last == "joinpath" and receiver is not None:
        return [receiver, *arguments]
    return [*arguments] or [Path(".")] if last in _PATHS else None


def _unchanged(last: str, receiver: ast.expr | None, arguments: list[ast.expr]) -> ast.expr | None:
    """The expression that a call makes little or nothing of: a path, a default."""
    first = arguments[0] if arguments else None
    if last in {"get", "getenv", "pop"}:
        return arguments[1] if len(arguments) == 2 else None
    if last == "dirname":
        return first
    return (first or receiver) if last in _WRAPS else None


def _places(text: str) -> Iterator[tuple[str, str | None]]:
    """The literal parts of a text, each with the key of the place that follows; the last has none."""
    found = list(_PLACE.finditer(text))
    ends = [0, *(match.end() for match in found)]
    for start, match in zip(ends, found, strict=False):
        yield text[start : match.start()], match[1] or ""
    yield text[ends[-1] :], None


def _argument_at(key: str, order: Iterator[ast.expr], given: Sequence[ast.expr], named: dict[str, ast.expr]) -> _Part:
    if key.isdigit():
        return given[int(key)] if int(key) < len(given) else _NOTHING
    return named.get(key, _NOTHING) if key else next(order, _NOTHING)


def _printed(value: object) -> str:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else UNKNOWN


def _put(before: Path, separator: str, after: Path) -> Path:
    a, b = before.pattern, after.pattern
    if separator == "/":
        absolute = b.startswith(("/", "~", ROOT)) or re.match(r"[A-Za-z]:[\\/]", b)
        joined = b if absolute else f"{a.rstrip('/')}/{b}" if a else b
    else:
        joined = a + b
    pattern = re.sub(r"\*{2,}(?!/)", UNKNOWN, joined)[:_MAX_LENGTH]
    written = after.written if b.strip(UNKNOWN) else before.written
    return Path(pattern, written or before.written, before.replaceable or after.replaceable)


def _parent(text: str) -> str:
    above = posixpath.dirname(text.rstrip("/"))
    return above or ("." if text != UNKNOWN else UNKNOWN)


def _nearest(
    assigned: list[tuple[int, ast.expr]] | tuple[()], node: ast.expr, function: Function | None
) -> ast.expr | None:
    """The last value before this line inside the same function; at the top of a file, before this line."""
    first, last = (function.lineno, node.lineno) if function is not None else (0, node.lineno)
    inside = [v for line, v in assigned if first <= line <= last and not _within(node, v)]
    if function is None:
        inside = inside or [v for line, v in assigned if not _within(node, v)]
    return inside[-1] if inside else None


def _within(node: ast.expr, value: ast.expr) -> bool:
    """Whether a name stands in the very value that is assigned to it, as in `path = path + "x"`."""
    start, end = (value.lineno, value.col_offset), (value.end_lineno or 0, value.end_col_offset or 0)
    return start <= (node.lineno, node.col_offset) <= end


def _parameters(function: Function) -> Iterator[str]:
    a = function.args
    return (p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs))


def _argument(call: ast.Call, function: Function, name: str) -> ast.expr | None:
    given = next((k.value for k in call.keywords if k.arg == name), None)
    if given is not None:
        return given
    order = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    if name not in order:
        return None
    position = order.index(name) - (1 if order and order[0] in {"self", "cls"} else 0)
    before = call.args[: position + 1]
    if not 0 <= position < len(before) or any(isinstance(a, ast.Starred) for a in before):
        return None
    return before[position]


def _class_of(function: Function, source: Source) -> str:
    inside = [c for c in source.nodes(ast.ClassDef) if c.lineno <= function.lineno <= (c.end_lineno or 0)]
    return inside[-1].name if inside else ""


def may_give(written: str, name: str) -> bool:
    """Whether a path that is written may end in this file name; a pattern without a letter may be anything."""
    last = posixpath.basename(written.rstrip("/"))
    return last == name or (UNKNOWN in last and any(map(str.isalnum, last)) and fnmatchcase(name, last))


def around(node: ast.AST, source: Source) -> Function | None:
    """The innermost function around a node."""
    line = getattr(node, "lineno", 0)
    functions: list[Function] = [*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef)]
    inside = [f for f in functions if f.lineno <= line <= (f.end_lineno or 0)]
    return max(inside, key=lambda f: f.lineno, default=None)
