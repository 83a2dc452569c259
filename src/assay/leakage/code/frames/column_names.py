"""Names of columns as values: those of a table, and what is left of them when some are named."""

from __future__ import annotations

import ast

from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.values import SOME_COLUMNS, Columns, Data, Shape, Value
from assay.records import replace


def are_names(value: Value) -> bool:
    """Whether a value is the names of a table's columns: `table.columns`."""
    return isinstance(value, Data) and value.shape is Shape.SUMMARY and not value.rows and value.columns.sure


def without(listed: Data, names: frozenset[str] | None) -> Data:
    """Names of columns less some; None when it is not known which."""
    columns = listed.columns
    if names is None:
        return replace(listed, columns=SOME_COLUMNS)
    only = None if columns.only is None else columns.only - names
    return replace(listed, columns=Columns(only, columns.without | names))


def among(listed: Data, names: frozenset[str] | None) -> Data:
    """The ones that are named; none is known when it is not known which."""
    return without(listed, None) if names is None else replace(listed, columns=Columns(names))


def others(listed: Data) -> Data:
    """`~table.columns.isin(names)`: all but those."""
    return without(replace(listed, columns=Columns()), listed.columns.only)


def kept_by(m: Machine, listed: Data, generator: ast.comprehension) -> Data:
    """`name for name in table.columns if name not in ("id", "outcome")`."""
    for test in generator.ifs:
        for one in test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]:
            listed = _kept(m, listed, generator.target, one)
    return listed


def _kept(m: Machine, listed: Data, name: ast.expr, test: ast.expr) -> Data:
    match name, test:
        case ast.Name(id=asked), ast.Compare(left=ast.Name(id=held), ops=[sign], comparators=[given]) if asked == held:
            names = m.names(m.evaluate(given))
            if isinstance(sign, ast.NotEq | ast.NotIn) and names is not None:
                return without(listed, names)
            if isinstance(sign, ast.Eq | ast.In) and names is not None:
                return among(listed, names)
    return without(listed, None)
