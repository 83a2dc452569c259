"""Models written out in arithmetic: what is said of test rows was computed with training rows.

`X_test @ w`, where `w` came from `X_train`, holds rows of both sides of a division; the truth that it is compared
with holds those of one. Whatever brought the other side in is a model, be it gradient descent, neighbours or a formula.
"""

from __future__ import annotations

import ast

from assay.leakage.code.effects import Effect, How, Role
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.state.machine import Machine
from assay.leakage.code.state.provenance import not_drawn
from assay.leakage.code.state.rows import (
    Cut,
    Except,
    Part,
    Rows,
    held_out,
    meet,
    opposed,
    share_rows,
    whichever_way,
    within,
)
from assay.leakage.code.state.values import SOME_COLUMNS, Data, Estimator, Fit, Kind, Prediction
from assay.records import replace

BY_HAND = "a model written by hand"


def as_prediction(m: Machine, node: ast.AST, said: Data, truth: Data) -> Data:
    """What was said, tied to the model that must have said it; the same as before where it cannot be one."""
    if said.via or not (held_out(truth.rows) or whichever_way(truth.rows) <= m.trace.tests):
        # only what the code sets apart to test by tells a model from other arithmetic, or steps that made its weights
        return said
    taught = _taught(said, truth, counts=not isinstance(node, ast.BinOp))
    if not taught:
        return said
    taught |= _on_that_side(said.rows, taught, truth.rows)
    fit = Fit(m.site(node), taught, said.marks, SOME_COLUMNS, truth.columns.only or frozenset(), loops=m.loops)
    serial = ("by hand", taught)
    model = Estimator(Effect(Role.MODEL, how=How.GIVEN), BY_HAND, m.site(node), serial, fits=frozenset({fit}))
    shown = not_drawn(frozenset(part for part in said.rows if part not in taught)) or truth.rows
    made = Prediction(model, shown, said.marks, m.site(node))
    return replace(said, rows=shown, predictions=frozenset({made}))


def as_detection(m: Machine, node: ast.AST, said: Data, truth: Data) -> Data:
    """What a detector of outliers says of its own rows, tied to it where the truth is known.

    What outliers were left out by earlier, the truth knows as well. Where it is asked about others, too, that is
    written down: then this is its training score.
    """
    found = [k for k in said.marks - truth.marks if k.kind is Kind.OUTLIER and k.name[:1].isupper()]
    if len(found) != 1 or said.via or said.predictions or not within(truth.rows, said.rows):
        return said
    if any(k.kind is Kind.OUTLIER for k in truth.marks - said.marks):
        return said  # two detectors, compared with each other
    (mark,) = found
    if _computed(truth):
        return said
    serial = ("detector", mark.site)
    if said.rows != mark.rows:
        m.trace.tested_otherwise.add(serial)
        return said  # other rows; or those of one kind to learn from, among others to judge
    fit = Fit(mark.site, mark.rows, said.marks - {mark}, SOME_COLUMNS, truth.columns.only or frozenset(), loops=m.loops)
    effect = Effect(Role.GROUPER, Kind.OUTLIER)
    detector = Estimator(effect, mark.name, mark.site, serial, fits=frozenset({fit}))
    return replace(said, predictions=frozenset({Prediction(detector, said.rows, said.marks, m.site(node))}))


def is_guess(said: Data, truth: Data) -> bool:
    """Whether models that never saw an outcome are compared with what was itself computed from all rows.

    Flags of another detector, or bounds on z-scores: how far two of them agree describes, and nobody knows the truth.
    """
    models = [p.model for p in said.predictions]
    return bool(models) and all(map(_never_told, models)) and not truth.predictions and _computed(truth)


def _never_told(model: Estimator) -> bool:
    """Whether a model of the code's own was shown rows and nothing beside them: `detector.fit(X)`."""
    calls = [fit.site.node for fit in model.fits]
    alone = all(isinstance(n, ast.Call) and len(n.args) + len(n.keywords) == 1 for n in calls)
    return model.effect.role is Role.MODEL and alone


def _computed(truth: Data) -> bool:
    """Whether a column that is taken for the truth was computed with something learnt from other columns."""
    own = truth.columns.only or frozenset()
    learnt = [k for k in truth.marks if k.rows and k.kind in _COMPUTES]
    return any(k.into is not None and own & k.into and not own & k.columns for k in learnt)


_COMPUTES = frozenset({Kind.STATISTIC, Kind.DISCRETISE, Kind.OUTLIER, Kind.CLUSTER, Kind.SCALE, Kind.PROJECT})


def _taught(said: Data, truth: Data, *, counts: bool) -> Rows:
    """The rows behind what was said that lie on the other side of the division that the truth is one side of.

    Counts and means of those rows are enough where values are compared. A difference may be a feature; between rows
    that were repeated in order to compare them, it is a distance.
    """
    if said.predictions or truth.predictions or not truth.rows or not meet(said.rows, truth.rows):
        return frozenset()
    if _several_sides(said.rows, truth.rows) or (not counts and any(mark.kind in ROWS_CHANGED for mark in truth.marks)):
        return frozenset()
    return _across(said.rows, truth.rows) or (_learnt_across(said, truth) if counts else frozenset())


def _several_sides(said: Rows, truth: Rows) -> bool:
    """Whether the truth lies on both sides of a division; but each class may have been divided by itself."""
    if not _divided(truth):
        return False
    whole = frozenset(part._replace(cuts=frozenset(c for c in part.cuts if not _of_a_class(c))) for part in truth)
    return _divided(whole) and _divided(frozenset(_in_its_portion(part, said - truth) for part in truth))


def _in_its_portion(part: Part, said: Rows) -> Part:
    """Which rows of a portion these are: of `rows[:50]` those from 30 on, where what was said knows the first 30.

    A table that is sorted by class is cut into the classes by position, and then each of them into two sides.
    """
    across = (other for other in said if _opposite(part, other))
    return part._replace(cuts=part.cuts.difference(*(other.cuts for other in across)))


def _divided(rows: Rows) -> bool:
    return any(_opposite(one, other) for one in rows for other in rows)


def _of_a_class(cut: Cut) -> bool:
    """`table[table["kind"] == 1]`, `rows[kinds == 1]`: the rows that have one label, and not those up to a bound."""
    by_label = isinstance(cut.key, tuple) and cut.key[0] in {"column", "text"}
    return by_label and isinstance(cut.side, str | Except)


def _learnt_across(said: Data, truth: Data) -> Rows:
    """Rows of the other side that are gone, but of which counts or means are in what was said."""
    learnt = (mark.rows for mark in said.marks - truth.marks if mark.kind in _COUNTS)
    return frozenset(part for rows in learnt if not meet(rows, truth.rows) for part in _across(rows, truth.rows))


_COUNTS = frozenset({Kind.STATISTIC, Kind.ENCODE})


def _across(rows: Rows, truth: Rows) -> Rows:
    """The rows that lie across a division from some of the truth; those of another class of it do not."""
    across = frozenset(part for part in rows if any(_opposite(part, other) for other in truth))
    return across if len(truth) == 1 else frozenset(part for part in across if part not in truth)


def _on_that_side(rows: Rows, taught: Rows, truth: Rows) -> Rows:
    """Rows of other tables that were divided as those of the truth were, and lie on the side that was taught."""
    held = {cut for part in truth for cut in part.cuts}
    side = {c for part in taught for c in part.cuts if any(c.key == o.key and opposed(c.side, o.side) for o in held)}
    return frozenset(part for part in rows if not (side - held).isdisjoint(part.cuts))


def _opposite(part: Part, other: Part) -> bool:
    return part.origin == other.origin and not share_rows(part, other)
