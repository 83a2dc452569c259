"""Functions that a column or table is given to call with one value or one row after the other."""

from __future__ import annotations

import ast
import builtins
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.state.rows import within
from assay.leakage.code.state.values import Const, Data, Estimator, Function, Library, Mark, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

_BY_VALUE = frozenset({"map", "applymap", "map_elements"})
_DEEPEST = 4


def of_one(c: Call, made: Data, function: Function) -> Data:
    """What a function made, without what it learnt from the one value that it was given: that is a feature of it.

    `signals.apply(lambda signal: np.mean(signal))`. A function that knows tables of its own may learn from those.
    """
    return _without_own(c.m, c.base, made, function) if _one_by_one(c) else made


def of_each_item(c: Call, over: Data, made: Data) -> Data:
    """`map(scaled, waves)`: what a function made, without what it learnt from the one item that it was given."""
    function = c.m.plain(c.args[0])
    columns = any(isinstance(n, ast.Attribute) and n.attr == "T" for n in c.node.args)
    return made if columns or not isinstance(function, Function) else _without_own(c.m, over, made, function)


def _without_own(m: Machine, base: Data, made: Data, function: Function) -> Data:
    new = made.marks - base.marks
    inside = _closed(m, function, 0) if new else frozenset()
    own = {k for k in new if k.site.node in inside and _of_the_one(k, base, inside)}
    return replace(made, marks=made.marks - own) if own else made


def _of_the_one(mark: Mark, base: Data, inside: frozenset[ast.AST]) -> bool:
    """Whether something was learnt from the value that a function was given, or from the file that this names."""
    read = frozenset(part for part in mark.rows if _reads_by_name(part.origin.site.node, inside))
    return within(mark.rows - read, base.rows) or (bool(read) and read == mark.rows)


def _reads_by_name(node: ast.AST, inside: frozenset[ast.AST]) -> bool:
    given = node.args if isinstance(node, ast.Call) and node in inside else []
    return any(isinstance(n, ast.Name) for value in given for n in ast.walk(value))


def _one_by_one(c: Call) -> bool:
    """Whether the function sees one value or row at a time, and not a column, a group or a batch."""
    if "batched" in c.keywords:
        return False
    by_row = c.constant(1, "axis") in (1, "columns")
    return c.name in _BY_VALUE or (c.name == "apply" and (by_row or c.base.shape is Shape.COLUMN))


def _closed(m: Machine, function: Function, depth: int) -> frozenset[ast.AST]:
    """What stands in a function and in those that it calls; nothing if one of them knows rows from elsewhere."""
    nodes, names = _written(function.node)
    found = [m.plain(v) for name in names if (v := function.scope.find(name)) is not None]
    called = [v for v in found if isinstance(v, Function)]
    if any(_is_of_elsewhere(v) for v in found) or (called and depth >= _DEEPEST):
        return frozenset()
    inner = [_closed(m, v, depth + 1) for v in called]
    return nodes.union(*inner) if all(inner) else frozenset()


def _is_of_elsewhere(value: Value) -> bool:
    """Whether a value may hold rows that a function was not given."""
    return not isinstance(value, Const | Library | Estimator | Function)


@lru_cache(maxsize=512)
def _written(function: ast.AST) -> tuple[frozenset[ast.AST], frozenset[str]]:
    """The nodes of a function, and the names that it has from outside."""
    nodes = frozenset(ast.walk(function))
    own = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    own |= {n.arg for n in nodes if isinstance(n, ast.arg)}
    used = {n.id for n in nodes if isinstance(n, ast.Name)}
    return nodes, frozenset(name for name in used - own if not hasattr(builtins, name))
