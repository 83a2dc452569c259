"""The smallest and the largest value of all, by Python's own functions.

Of a column: `max(table["age"])`. One item after the other: `low = min(item.min(), low)` in a loop.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.frames import column_names
from assay.leakage.code.learnt import learning
from assay.leakage.code.scored.search_loops import carried_on
from assay.leakage.code.state.rows import joined
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Kind, Mark, Marks, Ref, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine
    from assay.leakage.code.state.values import Data

_EXTREMES = frozenset({"min", "max", "amin", "amax", "nanmin", "nanmax"})

_SAME = frozenset({"dropna", "astype", "to_numpy", "tolist", "copy", "abs"})
"""Methods of a column that leave it a column of numbers."""


def of_a_column(c: Call, given: Data) -> bool:
    """Whether the largest or smallest value of a column is asked for: of all rows, like the method of that name.

    How long each text is, and what else was found out of each row, is no column of a table.
    """
    one = len(c.args) == 1 and not c.keywords and text_of(c.node.func) in {"min", "max", "sum"}
    return one and bool(given.rows) and not given.predictions and _is_column(c.m, c.node.args[0], given)


def sums_up(c: Call) -> bool:
    """`table["dose"].sum()`, `np.sum(table["dose"])`: of all rows of a column, by which others are divided."""
    owner = c.node.func.value if isinstance(c.node.func, ast.Attribute) and "." not in c.name else None
    summed = owner or next(iter(c.node.args), None)
    known = c.base.shape is Shape.COLUMN and bool(c.base.rows) and not c.base.predictions
    return known and summed is not None and _is_column(c.m, summed, c.base)


def learnt(c: Call, given: Data) -> Value:
    """What `max(table["age"])` knows."""
    c.name, c.effect, c.base = text_of(c.node.func), Effect(Role.STATISTIC), given
    return learning.statistic(c)


def _is_column(m: Machine, node: ast.expr, given: Data) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _SAME:
            return _is_column(m, inner, given)
        case ast.Attribute(value=inner, attr="values"):
            return _is_column(m, inner, given)
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), _])):
            return given.shape in {Shape.UNKNOWN, Shape.TABLE}
        case ast.Subscript(slice=ast.Name(id=name)) if given.shape is not Shape.COLUMN:
            value = m.scope.find(name)
            return value is not None and given.shape is Shape.TABLE and column_names.are_names(m.plain(value))
        case ast.Name(id=name):
            value = m.scope.find(name)
            return isinstance(value, Ref) and (value.id in m.views or _column_by_column(m, name, given))
    return isinstance(node, ast.Subscript | ast.Attribute) and given.shape is Shape.COLUMN


def _column_by_column(m: Machine, name: str, given: Data) -> bool:
    """`table.apply(lambda column: column / max(column))`: a function that is called with one column after the other."""
    match m.stack[-2:]:
        case (
            ast.Call(func=ast.Attribute(attr="apply"), args=[_], keywords=[]),
            ast.Lambda(args=parameters) | ast.FunctionDef(args=parameters),
        ):
            return given.shape is Shape.TABLE and any(name == one.arg for one in parameters.args)
    return False


def running(c: Call, given: Data) -> Marks:
    """What a number has learnt after the loop that holds it against the extreme of each item.

    The extreme of one item is a feature of it; the number that goes from round to round knows all items.
    """
    asked = text_of(c.node.func)
    rows = joined([given.rows, *(mark.rows for mark in given.marks if mark.kind is Kind.STATISTIC)])
    if asked not in _EXTREMES or not rows or given.predictions:
        return frozenset()
    further = carried_on(c.m.loops[-1]) if c.m.loops else frozenset()
    running = any(isinstance(value, ast.Name) and value.id in further for value in c.node.args)
    if not running or not any(map(_of_an_item, c.node.args)):
        return frozenset()
    return frozenset({Mark(Kind.STATISTIC, asked, c.site, rows, given.columns.only or frozenset())})


def _of_an_item(value: ast.expr) -> bool:
    """`item.max()`, `np.amax(item)`."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _EXTREMES
