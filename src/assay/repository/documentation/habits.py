"""Habits that make code hard to trust or to read, as far as its syntax shows them.

A handful of the checks that linters agree on, each a look at nodes that are at hand: thousands of times
faster than running a linter, and meant for comparing repositories rather than for correcting them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum

from assay.code import Source
from assay.code.scanning import Function
from assay.findings import Location
from assay.records import dataclass

_LONG_LINE = 120
_LONG_FUNCTION = 100
_MANY_PARAMETERS = 10
_MUTABLE = (ast.List, ast.Dict, ast.Set)


class HabitKind(Enum):
    """A habit and how much one occurrence weighs in the rating."""

    BARE_EXCEPT = ("catches every exception", 2.0)
    MUTABLE_DEFAULT = ("has a list, dict or set as a default, which all calls share", 2.0)
    STAR_IMPORT = ("imports every name of a module", 2.0)
    EVALUATION = ("runs text as code", 2.0)
    UNUSED_IMPORT = ("imports what it does not use", 1.0)
    NONE_BY_EQUALITY = ("compares with None by == or !=", 1.0)
    GLOBAL = ("changes a global variable", 1.0)
    LONG_FUNCTION = (f"is a function of more than {_LONG_FUNCTION} lines", 3.0)
    MANY_PARAMETERS = (f"has more than {_MANY_PARAMETERS} parameters", 1.0)
    LONG_LINE = (f"is a line of more than {_LONG_LINE} characters", 0.5)

    def __init__(self, what: str, weight: float) -> None:
        self.what = what
        self.weight = weight


@dataclass(frozen=True, slots=True)
class Habit:
    """One occurrence."""

    kind: HabitKind
    location: Location


def find_habits(source: Source, lines: Sequence[str]) -> Iterator[Habit]:
    """Every occurrence in one source with these lines."""
    functions = _functions(source)
    for kind, nodes in (
        (HabitKind.BARE_EXCEPT, _bare_excepts(source)),
        (HabitKind.MUTABLE_DEFAULT, _mutable_defaults(functions)),
        (HabitKind.STAR_IMPORT, [n for n in source.nodes(ast.ImportFrom) if n.names[0].name == "*"]),
        (HabitKind.EVALUATION, _evaluations(source)),
        (HabitKind.UNUSED_IMPORT, _unused_imports(source, lines)),
        (HabitKind.NONE_BY_EQUALITY, _none_by_equality(source)),
        (HabitKind.GLOBAL, source.nodes(ast.Global)),
        (HabitKind.LONG_FUNCTION, [f for f in functions if _length(f) > _LONG_FUNCTION]),
        (HabitKind.MANY_PARAMETERS, [f for f in functions if _parameters(f) > _MANY_PARAMETERS]),
        (HabitKind.LONG_LINE, [n for n, line in enumerate(lines, 1) if len(line) > _LONG_LINE]),
    ):
        for node in nodes:
            yield Habit(kind, source.location(node))


def _functions(source: Source) -> list[Function]:
    return [*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef)]


def _length(function: Function) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


def _parameters(function: Function) -> int:
    a = function.args
    return len(a.posonlyargs) + len(a.args) + len(a.kwonlyargs)


def _bare_excepts(source: Source) -> list[ast.ExceptHandler]:
    """Handlers without a type that do not raise again."""
    return [h for h in source.nodes(ast.ExceptHandler) if h.type is None and not _raises(h)]


def _raises(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(statement, ast.Raise) for statement in handler.body)


def _mutable_defaults(functions: list[Function]) -> list[ast.expr]:
    defaults = (d for f in functions for d in (*f.args.defaults, *f.args.kw_defaults))
    return [d for d in defaults if isinstance(d, _MUTABLE)]


def _evaluations(source: Source) -> list[ast.Call]:
    return [call for call in source.calls.of(("eval", "exec")) if isinstance(call.func, ast.Name)]


def _none_by_equality(source: Source) -> list[ast.Compare]:
    return [
        c
        for c in source.nodes(ast.Compare)
        if isinstance(c.ops[0], ast.Eq | ast.NotEq)
        and isinstance(c.comparators[0], ast.Constant)
        and c.comparators[0].value is None
    ]


def _unused_imports(source: Source, lines: Sequence[str]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports at the top of scripts, all of whose names are never mentioned again; packages import for others."""
    if source.path.endswith("__init__.py") or source.tree is None or source.mentions("__all__"):
        return
    used = {*source.words, *(str(text.value) for text in source.strings), "*"}
    imports = (node for node in source.tree.body if isinstance(node, ast.Import | ast.ImportFrom))
    for node in imports:
        names = {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        kept = "noqa" in lines[node.lineno - 1] or getattr(node, "module", "") == "__future__"
        if used.isdisjoint(names) and not kept:
            yield node
