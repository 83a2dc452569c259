"""Columns or rows picked one by one: a list of names or places that grows or shrinks by what was learnt from rows."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from assay.leakage.code.frames import masks
from assay.leakage.code.language.call import Call
from assay.leakage.code.learnt import vocabularies
from assay.leakage.code.state.machine import Machine, united
from assay.leakage.code.state.values import Const, Data, Kind, Library, Mark, Marks, Seq, Shape
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

_TELLING = frozenset({Kind.CORRELATION, Kind.SELECT})
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def telling(marks: Marks) -> list[Mark]:
    """The traces by which columns are chosen, as a selection."""
    return [replace(k, kind=Kind.SELECT) for k in marks if k.kind in _TELLING]


def by_gaps(marks: Iterable[Mark]) -> frozenset[Mark]:
    """The traces of how full columns are, where these are chosen by it: `table.isna().mean() < 0.5`."""
    return frozenset(replace(k, kind=Kind.VARIANCE, name="isna") for k in of_gaps(marks))


def of_gaps(marks: Iterable[Mark]) -> frozenset[Mark]:
    """The traces of how full columns are."""
    return frozenset(k for k in marks if k.kind is Kind.GAPS)


def hung_on(m: Machine, node: ast.If) -> Marks:
    """What a condition learnt, where names or places are gathered or dropped in its branches: `if p > 0.05:`."""
    if not _picks(node):
        return frozenset()
    compared = (s for test in _comparisons(node.test) for s in (test.left, *test.comparators))
    known = _looked_at(m, [side for side in compared if not isinstance(side, ast.Constant)])
    words = (k for data in known for k in vocabularies.by_count(data).marks - data.marks)
    outliers = masks.left_out_by(united(known)) if any(data.rows for data in known) else []
    marks = frozenset(k for data in known for k in data.marks)
    return by_gaps(marks).union(telling(marks), words, outliers)


def _looked_at(m: Machine, nodes: list[ast.expr]) -> list[Data]:
    """The data in expressions, without predictions."""
    found = (m.data(value) for value in m.looked_at(nodes) if not isinstance(value, Library))
    return [data for data in found if not data.predictions]


@lru_cache(maxsize=2048)
def _picks(node: ast.If) -> bool:
    """Whether the branches of a condition change a list or drop a column."""
    changes = {*names_of(Group.CHANGES), "drop"}
    inner = (n for branch in (node.body, node.orelse) for statement in branch for n in ast.walk(statement))
    return any(
        isinstance(n, ast.Delete)
        or (isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store))
        or (isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in changes)
        for n in inner
    )


def _comparisons(test: ast.expr) -> list[ast.Compare]:
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    return [part for part in parts if isinstance(part, ast.Compare) and isinstance(part.ops[0], _ORDERED)]


def picked(c: Call) -> list[Mark]:
    """What the condition around learnt, where it decides about the very name that a loop has come to."""
    if not c.m.picked:
        return []
    given = [*c.node.args, *(keyword.value for keyword in c.node.keywords)]
    names = {n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name)}
    return list(c.m.picked) if names & c.m.varied else []


def changed(c: Call, owner: Seq | Data) -> bool:
    """Whether a list of names or places was changed by what was learnt; then it is written down what that was.

    Which are in it is no longer known.
    """
    if c.name not in names_of(Group.CHANGES) or not c.args or (isinstance(owner, Data) and owner.rows):
        return False
    given = united([c.m.data(value) for value in c.args if not isinstance(c.m.plain(value), Const | Library)])
    learnt = [] if given.rows or given.predictions else [*picked(c), *telling(given.marks)]
    if learnt:
        shape = Shape.POSITIONS if any(k.kind is Kind.OUTLIER for k in learnt) else Shape.SUMMARY
        c.m.store(c.receiver, replace(c.m.data(owner), shape=shape).marked(*learnt))
    return bool(learnt)
