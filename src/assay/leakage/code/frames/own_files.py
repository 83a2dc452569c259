"""Files that are one item each: a loop reads one after the other, and gathers what it makes of each as a row.

A recording scaled by its own mean has learnt from no other. That holds once the list becomes an array with one row for
each file, or is divided as it is; tables that are put one below the other (`concat`) have many rows of each file.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code.scored.search_loops import inside, names_set_in
from assay.leakage.code.state.values import Data, Mark, Seq, Value
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call
    from assay.leakage.code.state.machine import Machine

ONE_ROW_EACH = frozenset({"numpy.array", "numpy.asarray", "numpy.stack", "torch.stack", "torch.tensor"})


def gathered(c: Call, value: Value) -> None:
    """Write down what an item of a list learnt from the very file that this round of the loop has read."""
    loop, item = c.m.loops[-1], c.m.plain(value)
    if isinstance(item, Seq):
        for one in item.items:
            gathered(c, one)
    elif isinstance(item, Data) and item.marks and inside(c.node, loop):
        c.m.learnt_alone.update(mark for mark in item.marks if mark.rows and _of_this_round(mark, loop))


def _of_this_round(mark: Mark, loop: ast.AST) -> bool:
    """Whether something was learnt in a round of a loop from what the same round had read."""
    return inside(mark.site.node, loop) and all(_read_in(part.origin.site.node, loop) for part in mark.rows)


def _read_in(node: ast.AST, loop: ast.AST) -> bool:
    own = names_set_in(loop) if inside(node, loop) else frozenset()
    return bool(own) and any(isinstance(n, ast.Name) and n.id in own for n in ast.walk(node))


def as_rows(m: Machine, value: Value) -> Value:
    """A list that a loop has gathered, as rows: each file without what it learnt from itself."""
    listed = m.plain(value)
    if not m.learnt_alone or not isinstance(listed, Seq) or not listed.open:
        return value
    return replace(listed, items=tuple(_alone(m, item) for item in listed.items))


def _alone(m: Machine, value: Value) -> Value:
    item = m.plain(value)
    if isinstance(item, Seq):
        return replace(item, items=tuple(_alone(m, one) for one in item.items))
    own = isinstance(item, Data) and item.marks & m.learnt_alone
    return replace(item, marks=item.marks - own) if isinstance(item, Data) and own else value
