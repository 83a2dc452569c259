"""The same row put into a list several times: by a loop around it, by several lines of one round, by `rows * 3`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.values import Data, Kind, Mark, Shape, Value

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine


def comprehended(m: Machine, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, value: Value) -> Value:
    """`[row for row in rows for _ in range(3)]`: each row as it is, once for each number."""
    match node:
        case ast.ListComp(
            elt=ast.Name(id=row),
            generators=[
                ast.comprehension(target=over),
                ast.comprehension(target=ast.Name(id=number), iter=ast.Call(func=ast.Name(id="range")), ifs=[]),
            ],
        ) if row != number and row in {n.id for n in ast.walk(over) if isinstance(n, ast.Name)}:
            return _copied(m, node, m.data(value)) or value
    return value


def _copied(m: Machine, node: ast.AST, data: Data) -> Data | None:
    known = any(map(is_table, data.rows)) and data.shape is not Shape.SUMMARY
    return data.marked(Mark(Kind.COPY, "list", m.site(node), data.rows)) if known else None
