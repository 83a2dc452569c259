"""Models written out in arithmetic: what is said of test rows was computed with training rows.

`X_test @ w`, where `w` came from `X_train`, holds rows of both sides of a division; the truth that it is held against
holds those of one. Whatever brought the other side in is a model, be it gradient descent, neighbours or a formula.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from assay.leakage.code import expressions
from assay.leakage.code.effects import GIVEN, Effect, Role
from assay.leakage.code.kinds import ROWS_CHANGED
from assay.leakage.code.rows import Part, Rows, held_out, meet, opposed, share_rows, whichever_way
from assay.leakage.code.values import SOME_COLUMNS, Data, Estimator, Fit, Kind, Prediction, Shape
from assay.records import replace

if TYPE_CHECKING:
    from assay.leakage.code.machine import Machine

_NAME = "a model written by hand"


def as_prediction(m: Machine, node: ast.AST, said: Data, truth: Data) -> Data:
    """What was said, tied to the model that must have said it; the same as before where it cannot be one."""
    if said.via or not (held_out(truth.rows) or whichever_way(truth.rows) <= m.trace.tests):
        return said  # only what the code sets apart to test by tells a model from other arithmetic
    taught = _taught(said, truth, counts=not isinstance(node, ast.BinOp))
    if not taught:
        return said
    taught |= _on_that_side(said.rows, taught, truth.rows)
    fit = Fit(m.site(node), taught, said.marks, SOME_COLUMNS, truth.columns.only or frozenset(), loops=m.loops)
    serial = ("by hand", taught)
    model = Estimator(Effect(Role.MODEL, how=GIVEN), _NAME, m.site(node), serial, fits=frozenset({fit}))
    shown = frozenset(part for part in said.rows if part not in taught) or truth.rows
    made = Prediction(model, shown, said.marks, m.site(node))
    return replace(said, rows=shown, predictions=frozenset({made}))


_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def decided(m: Machine, node: ast.If) -> None:
    """`if share > 0.5: said = 1`, `else: said = 0`: what is said knows what the condition was about."""
    names = _numbers_set(node.body) & _numbers_set(node.orelse)
    test = node.test
    if not names or not isinstance(test, ast.Compare) or not isinstance(test.ops[0], _ORDERED):
        return
    happened = len(m.trace.events)
    about = m.plain(expressions.evaluate(m, test.left))
    while len(m.trace.events) > happened:
        m.trace.events.popitem()
    if isinstance(about, Data) and about.rows and not about.via:
        for name in names:
            m.scope.bind(name, m.boxed(replace(about, shape=Shape.COLUMN, columns=SOME_COLUMNS, cuts=frozenset())))


def _numbers_set(body: list[ast.stmt]) -> frozenset[str]:
    """The names that a branch sets to a number that is written out."""
    found: set[str] = set()
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(name)], value=ast.Constant(value=int() | float() as number)) if (
                not isinstance(number, bool)
            ):
                found.add(name)
    return frozenset(found)


def _taught(said: Data, truth: Data, *, counts: bool) -> Rows:
    """The rows behind what was said that lie on the other side of the division that the truth is one side of.

    Counts and means of those rows are enough where values are held against each other; a difference may be a feature,
    and one of rows that were repeated to be held against each other is a distance.
    """
    if said.predictions or truth.predictions or not truth.rows or not meet(said.rows, truth.rows):
        return frozenset()
    if _across(truth.rows, truth.rows) or (not counts and any(mark.kind in ROWS_CHANGED for mark in truth.marks)):
        return frozenset()
    return _across(said.rows, truth.rows) or (_learnt_across(said, truth) if counts else frozenset())


def _learnt_across(said: Data, truth: Data) -> Rows:
    """Rows of the other side that are gone, but of which counts or means are in what was said."""
    learnt = (mark.rows for mark in said.marks - truth.marks if mark.kind in _COUNTS)
    return frozenset(part for rows in learnt if not meet(rows, truth.rows) for part in _across(rows, truth.rows))


_COUNTS = frozenset({Kind.STATISTIC, Kind.ENCODE})


def _across(rows: Rows, truth: Rows) -> Rows:
    return frozenset(part for part in rows if any(_opposite(part, other) for other in truth))


def _on_that_side(rows: Rows, taught: Rows, truth: Rows) -> Rows:
    """Rows of other tables that were divided as those of the truth were, and lie on the side that was taught."""
    held = {cut for part in truth for cut in part.cuts}
    side = {c for part in taught for c in part.cuts if any(c.key == o.key and opposed(c.side, o.side) for o in held)}
    return frozenset(part for part in rows if not side.isdisjoint(part.cuts))


def _opposite(part: Part, other: Part) -> bool:
    return part.origin == other.origin and not share_rows(part, other)
