"""Rows of which nothing is known until they are divided: an attribute that nobody in sight sets, a list out of sight.

What is divided to fit a model on one part and test it on the other is rows, wherever it comes from.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.language.call import fresh
from assay.leakage.code.state.rows import OriginKind
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.state.values import Data, Shape, Value
from assay.patterns import regex
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

_PLACES = regex(r"(?i)idx|ind(?:ex|ices|s?$)|ids?$|pos|perm|order|place|range|len|key|name|file|path|folder|dir")
"""How numbers or labels are called that rows are then chosen by: they are no rows themselves."""
_TABLES = frozenset({Shape.UNKNOWN, Shape.TABLE, Shape.COLUMN})


def divided(c: Call, values: list[Value]) -> list[Value]:
    """The values that are divided, as columns of one table that enters here if nothing at all is known of them."""
    given = [c.m.plain(value) for value in values]
    unknown = all(isinstance(one, Data) and one.blank and one.shape in _TABLES for one in given)
    if not values or not unknown or len(c.node.args) != len(c.args) or any(map(_may_choose, c.node.args)):
        return values
    table = fresh(c, OriginKind.UNDEFINED, text_of(c.node.args[0]), ("divided", c.node, c.m.stack))
    entered = [replace(table, shape=one.shape, columns=one.columns) for one in given if isinstance(one, Data)]
    for value, rows in zip(values, entered, strict=True):
        c.m.store(value, rows)
    return list(entered)


def _may_choose(node: ast.expr) -> bool:
    """Whether this may be places that rows are chosen by, as it is called or computed."""
    return not isinstance(node, ast.Name | ast.Attribute | ast.Subscript) or _PLACES.search(text_of(node)) is not None
