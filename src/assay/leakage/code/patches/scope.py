"""Where a step stands in its program, and who else uses the names that it uses."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from assay.code import Source
from assay.findings import Location
from assay.leakage.code.patches.program_text import NotCertainError
from assay.records import dataclass

_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_LOOPS = ast.For | ast.AsyncFor | ast.While
_DESCRIBED = frozenset({"columns", "shape", "index", "dtype", "dtypes", "feature_names"})
"""Attributes that a preparation of the values leaves as they were."""


@dataclass(frozen=True)
class Scope:
    """A statement, the statements beside it, and the function or file around them."""

    source: Source
    statement: ast.stmt
    suite: list[ast.stmt]
    around: ast.AST

    @property
    def later(self) -> list[ast.stmt]:
        """The statements that follow in the same suite."""
        return self.suite[self.suite.index(self.statement) + 1 :]

    def before(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements between this one and a later one of the same suite."""
        return self.later[: self.later.index(statement)]

    def names(self, name: str) -> Iterator[ast.Name]:
        """Every mention of a name in the function or file."""
        return (n for n in ast.walk(self.around) if isinstance(n, ast.Name) and n.id == name)

    def reads_after(self, name: str, statement: ast.stmt, known: Iterable[ast.expr]) -> Iterator[ast.Name]:
        """Where a name is read after a statement, other than at the known places and for its columns or shape."""
        expected = {n for expression in known for n in ast.walk(expression)}
        end = (statement.end_lineno or statement.lineno, statement.end_col_offset or 0)
        for found in self.names(name):
            read = not isinstance(found.ctx, ast.Store) and (found.lineno, found.col_offset) > end
            if read and found not in expected and not self._only_described(found):
                yield found

    def _only_described(self, name: ast.Name) -> bool:
        around = self.source.parent(name)
        return isinstance(around, ast.Attribute) and around.attr in _DESCRIBED

    def line(self, node: ast.expr | ast.stmt) -> str:
        """The place of a node in words."""
        place = self.source.location(node)
        return f"line {place.line}" if place.cell is None else f"cell {place.cell}, line {place.line}"


def node_at(source: Source, place: Location) -> ast.expr | None:
    """The expression that covers exactly this place."""
    wanted = (place.cell, place.line, place.column, place.end_line, place.end_column)
    for node in ast.walk(source.tree) if source.tree else ():
        if isinstance(node, ast.expr) and node.lineno:
            found = source.location(node)
            if (found.cell, found.line, found.column, found.end_line, found.end_column) == wanted:
                return node
    return None


def scope_of(source: Source, node: ast.AST) -> Scope:
    """The statement around an expression; one that runs in a loop cannot be moved with certainty."""
    statement: ast.AST | None = node
    while statement is not None and not isinstance(statement, ast.stmt):
        statement = source.parent(statement)
    if statement is None:
        raise NotCertainError("the step stands in no statement")
    suite = _suite(source.parent(statement), statement)
    around: ast.AST = statement
    while (above := source.parent(around)) is not None and not isinstance(around, _FUNCTION):
        around = above
        if isinstance(around, _LOOPS):
            raise NotCertainError("the step stands in a loop")
    return Scope(source, statement, suite, around)


def _suite(around: ast.AST | None, statement: ast.stmt) -> list[ast.stmt]:
    for block in _BLOCKS:
        suite = getattr(around, block, None)
        if isinstance(suite, list) and statement in suite:
            return suite
    raise NotCertainError("the step stands in no suite of statements")


def same(one: ast.AST, other: ast.AST) -> bool:
    """Whether two expressions are written alike, up to spaces."""
    return ast.dump(one) == ast.dump(other)


def mentioned(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name in some code."""
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


def stored(nodes: Iterable[ast.AST]) -> set[str]:
    """Every name that some code binds or may change in place through an attribute, an item or a method."""
    bound = {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return bound | {root for node in nodes for n in ast.walk(node) for root in _changed(n)}


def _changed(node: ast.AST) -> Iterator[str]:
    """`x[...] = ...`, `x.a = ...`, `x.drop(..., inplace=True)`."""
    changes = isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del)
    in_place = isinstance(node, ast.Call) and any(k.arg == "inplace" for k in node.keywords)
    root = _root(node)
    if (changes or in_place) and isinstance(root, ast.Name):
        yield root.id


def _root(node: ast.AST) -> ast.AST:
    """`x` in `x.a[0].drop()`."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node
