"""Steps that are fitted anew on each item: a signal, a picture, a recording scaled by itself learns from no other.

A group of rows is no item: its rows may come to lie on both sides of a division.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from assay.leakage.code.learnt import items
from assay.leakage.code.scored.search_loops import names_set_in
from assay.leakage.code.state.values import Data, Mapping, Seq

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call


def fitted_on_one(c: Call, data: Data) -> bool:
    """Whether a loop goes from item to item, and this learns from the one at hand alone."""
    if not (c.m.loops or c.m.gone_through) or not data.rows:
        return False
    around = (*c.m.loops[-1:], *c.m.gone_through[-1:])
    return not any(_takes_rows(c, loop) for loop in around) and items.of_one(c, data)


def _takes_rows(c: Call, loop: ast.AST) -> bool:
    """Whether a round of the loop takes rows out of a table from before it: those of a group, or a column."""
    own = names_set_in(loop)
    return any(name not in own and _has_rows(c, name) for name in _taken_from(loop))


def _has_rows(c: Call, name: str) -> bool:
    value = c.m.scope.find(name)
    return value is not None and isinstance(c.m.plain(value), Data | Seq | Mapping) and bool(c.m.data(value).rows)


@lru_cache(maxsize=256)
def _taken_from(loop: ast.AST) -> frozenset[str]:
    """The names that a loop reads as it gives others a value."""
    given = (n.value for n in ast.walk(loop) if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None)
    return frozenset(n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name))
