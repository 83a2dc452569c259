"""One row of each group that a loop takes out: `group["ill"].iloc[0]`, as `groupby("patient").first()` gives it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.state.rows import cut_rows, grouped_by
from assay.leakage.code.state.values import Data, Shape
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.state.machine import Machine

_ENDS = (0, -1)
_IN_ORDER = frozenset({"iloc", "iat", "values"})
_AS_ARRAY = frozenset({"to_numpy", "unique", "tolist", "to_list"})


def end_of_group(m: Machine, value: Data, asked: object, node: ast.AST) -> Data | None:
    """The first or last row of a group, by its place: a table that has one for each group; None for all else.

    What is only grouped, and not gone through, has no places: `groupby("day")[0]` is a column.
    """
    if value.shape is not Shape.GROUPED or asked not in _ENDS or not value.rows:
        return None
    match node:
        case ast.Subscript(value=ast.Attribute(attr=how)) if how in _IN_ORDER:
            pass
        case ast.Subscript(value=ast.Call(func=ast.Attribute(attr=how))) if how in _AS_ARRAY:
            pass
        case _:
            return None
    return replace(value, shape=Shape.SUMMARY, rows=cut_rows(value.rows, [grouped_by(m.site(node))]))
