"""Can the code do without an import? The conditions and the `try` around it decide.

This takes a closer look at syntax trees, so it is asked only about what nobody declares.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from assay.code import Code, Source
from assay.findings import Location
from assay.records import dataclass
from assay.repository.environment.coverage import Undeclared
from assay.repository.environment.imports import Role, Use
from assay.repository.vocabulary import vocabulary

_WORDS = vocabulary("assay.repository.environment", "guards.toml")
_HINTS = _WORDS.listed("hints")
_LOOKING = _WORDS.listed("looking")
_ENDS = _WORDS.words("ends")
_MOST_PARTS = 60
"""So many parts of a condition are looked at."""


@dataclass(frozen=True, slots=True)
class Guards:
    """Places in one file where imports are conditional, and where a failed import is the end."""

    conditional: tuple[Location, ...] = ()
    """Bodies of `if is_wandb_available():`, `if sys.version_info < (3, 8):` and the like."""
    fatal: tuple[Location, ...] = ()
    """`try` whose handler raises or exits, or passes over a name that is in use."""

    def judged(self, use: Use) -> Use:
        """The use with the role that its surroundings give it."""
        if any(_within(use.location, place) for place in self.conditional):
            weaker = {Role.REQUIRED: Role.OPTIONAL, Role.TESTS: Role.DEVELOPMENT}
            return replace(use, role=weaker.get(use.role, use.role))
        needed = use.role is Role.OPTIONAL and any(_within(use.location, place) for place in self.fatal)
        return replace(use, role=Role.REQUIRED) if needed else use


def judged_closely(uncovered: Iterable[Undeclared], code: Code) -> Iterator[Undeclared]:
    """The same modules, with roles that take conditions around the imports into account."""
    for one in uncovered:
        sources = ((use, code.source(use.location.path)) for use in one.outside.uses)
        uses = [use if source is None else source.once(read_guards).judged(use) for use, source in sources]
        yield replace(one, outside=replace(one.outside, uses=tuple(_if_at_hand(uses))))


def _if_at_hand(uses: list[Use]) -> list[Use]:
    """The uses of a module; where one place does without it, functions that import it are for those who have it."""
    without = any(use.role is Role.OPTIONAL for use in uses)
    required = [use for use in uses if use.role is Role.REQUIRED]
    if not without or not all(use.lazy for use in required):
        return uses
    return [replace(use, role=Role.OPTIONAL) if use.role is Role.REQUIRED else use for use in uses]


def read_guards(source: Source) -> Guards:
    """The guards of a file; most files have none, and are not looked at closely."""
    guarded = any(imported.guarded for imported in source.imports)
    if not guarded and not source.hints_at(_HINTS):
        return Guards()
    conditional = (node for node in source.nodes(ast.If) if _asks_availability(node.test))
    tried = (node for node in source.nodes(ast.Try) if node.handlers)
    fatal = (node for node in tried if _gives_up(node, source) or _passes(node, source))
    return Guards(tuple(map(source.location, conditional)), tuple(map(source.location, fatal)))


def _asks_availability(test: ast.expr) -> bool:
    """Whether a condition asks what is there: a package, its version, a kind of system, a host of notebooks."""
    for node in islice(ast.walk(test), _MOST_PARTS):
        if isinstance(node, ast.Attribute | ast.Name) and _WORDS.finds("available", ast.unparse(node)[-80:]):
            return True
        if isinstance(node, ast.Constant) and node.value == "google.colab":
            return True
    return False


def _gives_up(node: ast.Try, source: Source) -> bool:
    """Whether every handler ends the program: then what is tried is needed.

    Not if the `try` is in a function, and each handler says what to install: all but that function does without.
    """
    if not all(_ends(handler.body[-1]) for handler in node.handlers):
        return False
    advised = all(_says(handler.body[-1], _WORDS.pattern("advice")) for handler in node.handlers)
    return not (advised and _is_in_function(node, source))


def _says(node: ast.AST, what: re.Pattern[str]) -> bool:
    texts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
    return any(isinstance(text, str) and what.search(text) is not None for text in texts)


def _is_in_function(node: ast.stmt, source: Source) -> bool:
    functions = (*source.nodes(ast.FunctionDef), *source.nodes(ast.AsyncFunctionDef))
    return any(function.lineno < node.lineno <= (function.end_lineno or 0) for function in functions)


def _passes(node: ast.Try, source: Source) -> bool:
    """Whether a failure leaves nothing in place of a name that is used all the same: the error only comes later.

    Not if the name may have a value from elsewhere, or if somebody looks whether it has one.
    """
    handled = (statement for handler in node.handlers for statement in handler.body)
    tried = (*node.body, *node.orelse, *node.finalbody)
    bare = all(map(_does_nothing, handled)) and all(isinstance(s, ast.Import | ast.ImportFrom) for s in tried)
    if not bare or any(map(source.mentions, _LOOKING)):
        return False
    names = {name for statement in node.body for name in _bound(statement)}
    used = [name for name in source.nodes(ast.Name) if name.id in names]
    read_only = all(isinstance(name.ctx, ast.Load) for name in used)
    return bool(used) and read_only and not _is_rebound(names, node, source)


def _is_rebound(names: set[str], node: ast.Try, source: Source) -> bool:
    """Whether an import outside of the `try` binds one of its names."""
    others = (s for kind in (ast.Import, ast.ImportFrom) for s in source.nodes(kind) if s not in node.body)
    return any(names & _bound(other) for other in others)


def _does_nothing(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Pass) or (isinstance(statement, ast.Expr) and not _ends(statement))


def _bound(statement: ast.stmt) -> set[str]:
    """Names that an import binds."""
    aliases = statement.names if isinstance(statement, ast.Import | ast.ImportFrom) else []
    return {alias.asname or alias.name.partition(".")[0] for alias in aliases}


def _ends(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Raise):
        return True
    call = statement.value if isinstance(statement, ast.Expr) else None
    function = call.func if isinstance(call, ast.Call) else None
    return (getattr(function, "attr", None) or getattr(function, "id", None)) in _ENDS


def _within(place: Location, around: Location) -> bool:
    line = place.line or 0
    return place.cell == around.cell and (around.line or 0) <= line <= (around.end_line or around.line or 0)
