"""Sums that the code keeps itself, group by group: `total[kind] += price`, from row to row.

Divided by how many there are, they are the means of a column by group, as `groupby` gives them; of the outcome, a
target encoding.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code import expressions
from assay.leakage.code.search_loops import inside, names_set_in
from assay.leakage.code.values import UNKNOWN, Const, Data, Kind, Mapping, Mark, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.machine import Machine

_NAME = "sums by group"


def is_sum(mark: Mark) -> bool:
    """Whether this was learnt by adding up a column, group by group."""
    return mark.kind is Kind.STATISTIC and mark.name == _NAME


def added(m: Machine, target: ast.expr, more: Value) -> Data | None:
    """What a dict knows of a group, once a column was added up by another one; None where it is no such sum.

    What a round of the loop begins anew is of one row, and so is what a function of each row keeps.
    """
    if not isinstance(target, ast.Subscript) or not isinstance(target.value, ast.Name) or not _goes_on(m, target.value):
        return None
    if not isinstance(m.plain(expressions.evaluate(m, target.value)), Mapping):
        return None
    group, number = m.plain(expressions.evaluate(m, target.slice)), m.plain(more)
    if isinstance(number, Const) and isinstance(group, Data):
        number = _held_against(m, group)
    if not isinstance(group, Data) or not isinstance(number, Data) or not _of_the_same_rows(group, number):
        return None
    summed = number.columns.only or frozenset()
    mark = Mark(Kind.STATISTIC, _NAME, m.site(target), number.rows, summed, supervised=True)
    return Data(marks=frozenset({mark}), shape=Shape.SUMMARY)


def _held_against(m: Machine, group: Data) -> Data:
    """The column that decides whether a row counts for its group: `if row["winner"] == row["host"]:`."""
    tests = [way.key[0].test for way in m.ways if isinstance(way.key, tuple) and isinstance(way.key[0], ast.If)]
    sides = [side for test in tests if isinstance(test, ast.Compare) for side in (test.left, *test.comparators)]
    asked = [m.plain(expressions.evaluate(m, side)) for side in sides if isinstance(side, _COLUMNS)]
    others = [d for d in asked if isinstance(d, Data) and d.rows and d.columns.only != group.columns.only]
    return others[0] if len(others) == 1 else UNKNOWN


_COLUMNS = (ast.Name, ast.Subscript, ast.Attribute)


def put_back(m: Machine, node: ast.Assign) -> Data | None:
    """`total[kind] = total.get(kind, 0) + price`: the same, written out; None where it is nothing of the sort."""
    match node:
        case ast.Assign(
            targets=[ast.Subscript(value=ast.Name(id=kept)) as target],
            value=ast.BinOp(
                left=ast.Call(func=ast.Attribute(value=ast.Name(id=asked), attr="get"))
                | ast.Subscript(value=ast.Name(id=asked)),
                op=ast.Add(),
                right=more,
            ),
        ) if kept == asked and m.loops:
            return added(m, target, expressions.evaluate(m, more))
    return None


def known_by_then(m: Machine, mark: Mark) -> bool:
    """Whether a sum is looked up in the very loop that keeps it: it knows the rows before the one at hand alone."""
    return is_sum(mark) and any(inside(mark.site.node, loop) for loop in m.loops)


def _goes_on(m: Machine, kept: ast.Name) -> bool:
    """Whether a name is kept from round to round of all loops around."""
    functions = [node for node in m.stack if isinstance(node, ast.FunctionDef | ast.Lambda)]
    here = all(inside(loop, functions[-1]) for loop in m.loops) if functions else True
    return bool(m.loops) and not m.each_row and here and not any(kept.id in names_set_in(loop) for loop in m.loops)


def _of_the_same_rows(group: Data, number: Data) -> bool:
    """Whether one column of a table is added up by another one."""
    columns = number.columns.only
    apart = columns is not None and len(columns) == 1 and columns.isdisjoint(group.columns.only or columns)
    told = group.predictions or number.predictions
    tables = {part.origin for part in group.rows}
    return bool(number.rows) and apart and not told and {part.origin for part in number.rows} <= tables
