"""Sums that the code keeps itself, group by group: `total[kind] += price`, from row to row.

Divided by how many there are, they are the means of a column by group, as `groupby` gives them; of the outcome, a
target encoding.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.scored.search_loops import inside, names_set_in
from assay.leakage.code.state.values import UNKNOWN, Const, Data, Kind, Mapping, Mark, Seq, Shape, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_NAME = "sums by group"
_IN_ORDER = ", in order"


def is_sum(mark: Mark) -> bool:
    """Whether this was learnt by adding up a column, group by group; or it is the order that groups have by that."""
    return mark.kind is Kind.STATISTIC and (mark.name == _NAME or tells_order(mark))


def in_order(mark: Mark) -> Mark:
    """What groups were put in order by: the order of their labels knows it, too."""
    statistic = mark.kind is Kind.STATISTIC and mark.rows and not tells_order(mark)
    return replace(mark, name=f"{mark.name}{_IN_ORDER}") if statistic else mark


def tells_order(mark: Mark) -> bool:
    """Whether groups were put in order by this."""
    return mark.name.endswith(_IN_ORDER)


def added(m: Machine, target: ast.expr, more: Value) -> Data | None:
    """What a dict knows of a group, once a column was added up by another one; None where it is no such sum.

    What a round of the loop begins anew is of one row, and so is what a function of each row keeps.
    """
    place = _entry(target)
    if place is None or not isinstance(place.value, ast.Name) or not _goes_on(m, place.value):
        return None
    kept = m.evaluate(place.value)
    owner, nested = m.plain(kept), place is not target
    if not isinstance(owner, Mapping) and not (nested and isinstance(owner, Data) and owner.shape is Shape.SUMMARY):
        return None
    group, number = m.plain(m.evaluate(place.slice)), m.plain(more)
    group = m.data(group) if isinstance(group, Seq) else group  # `record[host, guest]`
    if isinstance(number, Const) and isinstance(group, Data):
        number = _held_against(m, group)
    if not isinstance(group, Data) or not isinstance(number, Data) or not _of_the_same_rows(group, number):
        return None
    summed = number.columns.only or frozenset()
    mark = Mark(Kind.STATISTIC, _NAME, m.site(target), number.rows, summed, supervised=True)
    known = Data(marks=frozenset({mark}), shape=Shape.SUMMARY)
    if nested:
        _enter(m, kept, place, known)
    return known


def _enter(m: Machine, kept: Value, place: ast.Subscript, known: Data) -> None:
    """Put what was learnt of a group into a dict of dicts, or of lists."""
    owner = m.plain(kept)
    if isinstance(owner, Mapping):
        m.store(kept, replace(owner.put(place, m.boxed(known)), open=True))
    elif isinstance(owner, Data):
        m.store(kept, owner.marked(*known.marks))


def _entry(target: ast.expr) -> ast.Subscript | None:
    """What a dict holds of a group: of `record[team]["wins"]` all of `record[team]`."""
    while isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript):
        target = target.value
    return target if isinstance(target, ast.Subscript) else None


def _held_against(m: Machine, group: Data) -> Data:
    """The column that decides whether a row counts for its group: `if row["winner"] == row["host"]:`."""
    tests = [way.key[0].test for way in m.ways if isinstance(way.key, tuple) and isinstance(way.key[0], ast.If)]
    cases = [case for test in tests for case in (test.values if isinstance(test, ast.BoolOp) else [test])]
    sides = [s for case in cases for s in ((case.left, *case.comparators) if isinstance(case, ast.Compare) else [case])]
    asked = [m.plain(m.evaluate(side)) for side in sides if isinstance(side, _COLUMNS)]
    others = [d for d in asked if isinstance(d, Data) and d.rows and d.columns.only != group.columns.only]
    return others[0] if len(others) == 1 else UNKNOWN


_COLUMNS = (ast.Name, ast.Subscript, ast.Attribute)


def so_far(m: Machine, value: Value) -> Value:
    """What a dict holds, without sums that the very loop at hand keeps: those know the rows before this one alone."""
    data = m.plain(value) if m.loops else None
    if not isinstance(data, Data) or not any(known_by_then(m, mark) for mark in data.marks):
        return value
    return replace(data, marks=frozenset(mark for mark in data.marks if not known_by_then(m, mark)))


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
