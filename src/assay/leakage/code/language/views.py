"""Columns under a name of their own: who changes one in place changes the table that it was taken from.

`ages = table["age"]`, or a function that is given `table["age"]`, and then `ages.fillna(ages.median(), inplace=True)`.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.frames import table_columns
from assay.leakage.code.state.values import Data, Instance, Ref, Shape, Value
from assay.records import dataclass

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine


WRITTEN = (ast.Subscript, ast.Attribute)
"""How a column is written."""


@dataclass(frozen=True, slots=True)
class View:
    """Where a column was taken from; `names` is None where it is not known which it is."""

    table: Ref
    names: frozenset[str] | None
    node: ast.expr


def taken(m: Machine, node: ast.expr, column: Value | None) -> None:
    """Write down that a value is a column of a table; what is anything else, or a copy, is left alone."""
    if isinstance(node, ast.Attribute) and node.attr == "values":
        node = node.value
    if not isinstance(node, WRITTEN) or not isinstance(column, Ref):
        return
    owner = _owner(m, node)
    table, value = (m.plain(v) if v is not None else None for v in (owner, column))
    if not isinstance(owner, Ref) or owner == column or not isinstance(table, Data) or not isinstance(value, Data):
        return
    if not table.rows or table.rows != value.rows or table.shape not in _TABLES:
        return
    of_array = isinstance(node, ast.Subscript) and table.shape is Shape.UNKNOWN and _all_rows(node.slice)
    of_table = value.shape is Shape.COLUMN and value.columns.only is not None
    if of_array or (of_table and _is_name(m, node)):
        m.views[column.id] = View(owner, value.columns.only, node)


def changed(m: Machine, column: Value) -> None:
    """Something was changed in place; if it is a column of a table, that is in the table as well."""
    view = m.views.get(column.id) if isinstance(column, Ref) else None
    table = None if view is None else m.plain(view.table)
    if view is None or not isinstance(table, Data):
        return
    m.store(view.table, table_columns.assigned(m, table, view.names, column, view.node))
    changed(m, view.table)


_TABLES = frozenset({Shape.TABLE, Shape.UNKNOWN})


def _owner(m: Machine, node: ast.Subscript | ast.Attribute) -> Value | None:
    """The table that a column is taken from: a name, or an attribute of an object of the audited code."""
    match node.value:
        case ast.Name(id=name):
            return m.scope.find(name)
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            value = m.scope.find(name)
            holder = None if value is None else m.plain(value)
            return dict(holder.attributes).get(attribute) if isinstance(holder, Instance) else None
    return None


def _all_rows(index: ast.expr) -> bool:
    """`[:, j]`, of an array."""
    match index:
        case ast.Tuple(elts=[ast.Slice(lower=None, upper=None, step=None), _]):
            return True
    return False


def _is_name(m: Machine, node: ast.Subscript | ast.Attribute) -> bool:
    """`["age"]`, `[name]`, `.age`: one column; a list of names gives a copy."""
    if isinstance(node, ast.Attribute):
        return True
    match node.slice:
        case ast.Constant(value=name):
            return isinstance(name, str)
        case ast.Name(id=variable):
            return isinstance(m.constant(m.scope.find(variable)), str)
    return False
