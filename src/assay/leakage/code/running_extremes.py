"""The smallest and the largest value of all, found one item after the other: `low = min(item.min(), low)` in a loop."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.rows import joined
from assay.leakage.code.search_loops import carried_on
from assay.leakage.code.texts import text_of
from assay.leakage.code.values import Kind, Mark, Marks

if TYPE_CHECKING:
    from assay.leakage.code.call import Call
    from assay.leakage.code.values import Data

_EXTREMES = frozenset({"min", "max", "amin", "amax", "nanmin", "nanmax"})


def running_extreme(c: Call, given: Data) -> Marks:
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
