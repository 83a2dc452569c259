"""Which text an expression stands for, as far as the code shows it: paths are put together in many ways.

The answer is a pattern. `*` stands for what is not known; a path that is known from the root of the repository
(because it is built from `__file__`) begins with `ROOT`.
"""

from __future__ import annotations

import ast
import posixpath
import re
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import field

from assay.code import Code, Source
from assay.code.index import Calls
from assay.code.names import last_name
from assay.code.scanning import Function
from assay.patterns import regex
from assay.program.settings import Settings
from assay.records import dataclass
from assay.repository.randomness.frames import default_of

ROOT = "\0"
UNKNOWN = "*"
_MAX_DEPTH = 10
_MAX_TEXTS = 4
_MAX_LENGTH = 400
_MAX_STEPS = 200
_KEPT = 64
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
_PLACEHOLDER = regex(r"\{[^{}]*\}")
_PERCENT = regex(r"%(?:\([^)]*\))?[-+ #0-9.*]*[a-zA-Z]")


@dataclass(slots=True)
class Names:
    """What names get inside one file: values with the lines they stand on."""

    calls: Calls
    assigned: dict[str, list[tuple[int, ast.expr]]] = field(default_factory=lambda: defaultdict(list))


def names_in(source: Source) -> Names:
    """Index assignments, to attributes and keys by their last name."""
    found = Names(source.calls)
    for node in source.nodes(ast.Assign):
        for target in node.targets:
            found.assigned[last_name(target)].append((node.lineno, node.value))
    for annotated in source.nodes(ast.AnnAssign):
        if annotated.value is not None:
            found.assigned[last_name(annotated.target)].append((annotated.lineno, annotated.value))
    for item in source.nodes(ast.withitem):
        if item.optional_vars is not None:
            found.assigned[last_name(item.optional_vars)].append((item.context_expr.lineno, item.context_expr))
    for loop in source.nodes(ast.For):
        if isinstance(loop.iter, ast.List | ast.Tuple) and loop.iter.elts:
            found.assigned[last_name(loop.target)].append((loop.lineno, loop.iter.elts[0]))
    return found


@dataclass(slots=True)
class Texts:
    """Answers for one repository. Each question may take only so many steps."""

    code: Code
    settings: Settings
    _names: OrderedDict[str, Names] = field(default_factory=OrderedDict)
    _steps: int = 0

    def values(self, node: ast.expr | None, source: Source, function: Function | None = None) -> list[str]:
        """The few texts that an expression may stand for; none when nothing at all is known."""
        if node is None:
            return []
        self._steps = 0
        found = dict.fromkeys(self._texts(node, _Scope(source, function), 0))
        return [t for t in found if t.strip("*/. ")][:_MAX_TEXTS]

    def _texts(self, node: ast.expr, scope: _Scope, depth: int) -> list[str]:
        self._steps += 1
        if depth > _MAX_DEPTH or self._steps > _MAX_STEPS:
            return [UNKNOWN]
        match node:
            case ast.Constant(value=value):
                return [value[:_MAX_LENGTH] if isinstance(value, str) else _printed(value)]
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
        return [UNKNOWN]

    def _any_of(self, several: list[ast.expr], scope: _Scope, depth: int) -> list[str]:
        return [text for part in several[:_MAX_TEXTS] for text in self._texts(part, scope, depth + 1)]

    def _joined(self, parts: list[ast.expr], scope: _Scope, depth: int, between: str = "") -> list[str]:
        """Every combination of what the parts may be, up to the limit."""
        whole = [""]
        for i, part in enumerate(parts):
            options = self._texts(part, scope, depth + 1)[:_MAX_TEXTS] or [UNKNOWN]
            separator = between if i else ""
            whole = [_put(before, separator, after) for before in whole for after in options][:_MAX_TEXTS]
        return whole

    def _operation(self, node: ast.BinOp, scope: _Scope, depth: int) -> list[str]:
        if isinstance(node.op, ast.Add):
            return self._joined([node.left, node.right], scope, depth)
        if isinstance(node.op, ast.Div):
            return self._joined([node.left, node.right], scope, depth, "/")
        if isinstance(node.op, ast.Mod):
            return [_PERCENT.sub(UNKNOWN, text) for text in self._texts(node.left, scope, depth + 1)]
        return [UNKNOWN]

    def _call(self, node: ast.Call, scope: _Scope, depth: int) -> list[str]:
        last, arguments = last_name(node.func), node.args
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if last in _JOINS and arguments and not isinstance(receiver, ast.Constant):
            return self._joined(arguments, scope, depth, "/")
        if last in _PATHS:
            parts = [receiver, *arguments] if last == "joinpath" and receiver is not None else arguments
            return self._joined(parts, scope, depth, "/") if parts else ["."]
        if last in {"getcwd", "cwd"}:
            return ["."]
        inner = _unchanged(last, receiver, arguments)
        if inner is None:
            return [UNKNOWN]
        change = {"format": _without_placeholders, "dirname": _parent}.get(last, str)
        return [change(text) for text in self._texts(inner, scope, depth + 1)]

    def _name(self, node: ast.Name, scope: _Scope, depth: int) -> list[str]:
        if node.id == "__file__":
            return [f"{ROOT}/{scope.source.path}"]
        names = self._index(scope.source)
        value = _nearest(names.assigned.get(node.id, ()), node, scope.function)
        if value is not None:
            return self._texts(value, scope, depth + 1)
        if scope.function is not None and node.id in _parameters(scope.function):
            return self._parameter(node.id, scope.function, scope, depth)
        outer = next((value for _, value in names.assigned.get(node.id, ())), None)
        return [UNKNOWN] if outer is None else self._texts(outer, _Scope(scope.source, None), depth + 1)

    def _parameter(self, name: str, function: Function, scope: _Scope, depth: int) -> list[str]:
        """What the file's own calls give, or the default, or the option of that name."""
        found: list[str] = []
        calls = self._index(scope.source).calls
        wanted = _class_of(function, scope.source) if function.name == "__init__" else function.name
        for call in calls.of((wanted,) if wanted else ())[:_MAX_TEXTS]:
            given = _argument(call, function, name)
            if given is not None:
                found += self._texts(given, _Scope(scope.source, around(call, scope.source)), depth + 2)
        default = default_of(function, name)
        if default is not None and not (isinstance(default, ast.Constant) and default.value is None):
            found += self._texts(default, _Scope(scope.source, None), depth + 1)
        known = [t for t in found if t != UNKNOWN]
        # an option of the same name is only where it may begin
        return known or [_put(t, "", UNKNOWN) for t in self._declared(name, scope, depth)]

    def _member(self, node: ast.Attribute | ast.Subscript, scope: _Scope, depth: int) -> list[str]:
        if isinstance(node, ast.Attribute) and node.attr == "parent":
            return [_parent(t) for t in self._texts(node.value, scope, depth + 1)]
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            return [UNKNOWN]
        key = last_name(node)
        own = self._index(scope.source).assigned.get(key, ())
        for _, value in own[:_MAX_TEXTS]:
            found = [t for t in self._texts(value, scope, depth + 2) if t != UNKNOWN]
            if found:
                return found
        return self._declared(key, scope, depth)

    def _declared(self, key: str, scope: _Scope, depth: int) -> list[str]:
        found: list[str] = []
        for declared in self.settings.of(key):
            source = self.code.source(declared.location.path) or scope.source
            found += self._texts(declared.value, _Scope(source, None), depth + 2)
        return [t for t in found if t not in {UNKNOWN, ""}] or [UNKNOWN]

    def _index(self, source: Source) -> Names:
        if source.path not in self._names:
            self._names[source.path] = source.once(names_in)
            if len(self._names) > _KEPT:
                self._names.popitem(last=False)
        return self._names[source.path]


@dataclass(frozen=True, slots=True)
class _Scope:
    source: Source
    function: Function | None


def _unchanged(last: str, receiver: ast.expr | None, arguments: list[ast.expr]) -> ast.expr | None:
    """The expression that a call makes little or nothing of: a path, a text with places to fill, a default."""
    first = arguments[0] if arguments else None
    if last in {"get", "getenv", "pop"}:
        return arguments[1] if len(arguments) == 2 else None
    if last == "format":
        return receiver
    if last == "dirname":
        return first
    return (first or receiver) if last in _WRAPS else None


def _without_placeholders(text: str) -> str:
    return _PLACEHOLDER.sub(UNKNOWN, text)


def _printed(value: object) -> str:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else UNKNOWN


def _put(before: str, separator: str, after: str) -> str:
    if separator == "/":
        absolute = after.startswith(("/", "~", ROOT)) or re.match(r"[A-Za-z]:[\\/]", after)
        joined = after if absolute else f"{before.rstrip('/')}/{after}" if before else after
    else:
        joined = before + after
    return re.sub(r"\*{2,}(?!/)", UNKNOWN, joined)[:_MAX_LENGTH]


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


def around(node: ast.AST, source: Source) -> Function | None:
    """The innermost function around a node."""
    line = getattr(node, "lineno", 0)
    functions: list[Function] = [*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef)]
    inside = [f for f in functions if f.lineno <= line <= (f.end_lineno or 0)]
    return max(inside, key=lambda f: f.lineno, default=None)
