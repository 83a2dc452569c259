"""Sums that the code keeps itself, group by group: `total[kind] += price`, from row to row.

Divided by how many there are, they are the means of a column by group, as `groupby` gives them; of the outcome, a
target encoding.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code import expressions
from assay.leakage.code.search_loops import inside, names_set_in
from assay.leakage.code.values import Data, Kind, Mapping, Mark, Shape, Value

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
    if not isinstance(group, Data) or not isinstance(number, Data) or not _of_the_same_rows(group, number):
        return None
    summed = number.columns.only or frozenset()
    mark = Mark(Kind.STATISTIC, _NAME, m.site(target), number.rows, summed, supervised=True)
    return Data(marks=frozenset({mark}), shape=Shape.SUMMARY)


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
