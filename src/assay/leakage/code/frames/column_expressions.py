"""Expressions about columns of whatever table they are asked of: `pl.col("age").mean()`.

What they learn, they learn from the rows of that table, once it is asked.
"""

from __future__ import annotations

from assay.leakage.code.language.call import Call
from assay.leakage.code.state.values import Columns, Data, Kind, Mark, Shape
from assay.records import replace

_LEARNS = frozenset({Kind.STATISTIC, Kind.IMPUTE, Kind.DISCRETISE, Kind.SCALE})
_COLUMN_BY_NAME = frozenset({"polars.col", "pyspark.sql.functions.col"})


def made(c: Call, name: str) -> Data | None:
    """A column by its name; None where the call makes none."""
    column = c.constant(0)
    if name in _COLUMN_BY_NAME and isinstance(column, str):
        return Data(shape=Shape.COLUMN, columns=Columns(frozenset({column})))
    return None


def is_one(data: Data) -> bool:
    """Whether this is a column of no table yet."""
    return data.shape is Shape.COLUMN and data.columns.only is not None


def learnt(c: Call, kind: Kind) -> Data:
    """An expression that sums a column up, or fills it by that."""
    return c.base.marked(Mark(kind, c.name, c.site, columns=c.base.columns.only or frozenset()))


def by_group(column: Data) -> Data:
    """`pl.col("price").mean().over("street")`: of each group of rows."""
    return replace(column, marks=frozenset(replace(k, supervised=True) for k in column.marks))


def asked_of(table: Data, expression: Data) -> Data:
    """An expression with what it learns from the rows of a table that is asked for it, in the columns it gives."""
    if expression.rows or not table.rows:
        return expression
    into = expression.columns.only
    learnt = {k: replace(k, rows=table.rows, into=into) for k in expression.marks if not k.rows and k.kind in _LEARNS}
    return replace(expression, marks=frozenset(learnt.get(k, k) for k in expression.marks))
