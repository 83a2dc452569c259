"""Parts that are prepared and divided here, and handed to a model out of sight.

A module that scales a table, divides it and gives the parts back trains no model. A model that is trained on
the first part and tested on the second knows what the scaler learnt from both: the pair is listed, with that
assumption.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice

from assay.leakage.code.dividing.splits import SIDES
from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.learnt.kinds import COSTS
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import Cut, Interval, Rows, Site, cut_rows, is_fold, meet
from assay.leakage.code.state.values import Columns, Data, Estimator, Fit, Kind, Marks

NAME = "a model out of sight"
_ANSWERS = frozenset({Kind.MODELLED, Kind.CLUSTER})
"""What a model or a clustering says of rows is a result; nothing in sight shows that it becomes a feature."""
_MOST_PAIRS = 200
"""Pairs of tables that are compared for one function: no function written by hand gives back more."""


def unseen_evaluations(facts: Observations) -> Iterator[Evaluation]:
    """For each division whose parts meet no model in sight, a model that learns from one side and meets the other."""
    for split in facts.splits.values():
        if split.key not in facts.sides:
            train, test = (cut_rows(split.rows, [Cut(split.key, side)]) for side in SIDES)
            yield from _evaluation(split.site, (train, test), split.marks, split.columns)
    for site, tables in facts.trace.handed_out.items():
        yield from _handed_out(facts, site, tables)


def _handed_out(facts: Observations, site: Site, tables: tuple[Data, ...]) -> Iterator[Evaluation]:
    prepared = (t for t in tables if t.marks and any(c.key not in facts.sides for p in t.rows for c in p.cuts))
    for one, other in islice(combinations(prepared, 2), _MOST_PAIRS):
        if _divided(facts, one.rows, other.rows):
            yield from _evaluation(site, (one.rows, other.rows), one.marks & other.marks, one.columns)


def _divided(facts: Observations, one: Rows, other: Rows) -> bool:
    """Whether the second begins where the first ends, and no model in sight meets rows that are divided so."""
    cuts, others = ({c for part in rows for c in part.cuts} for rows in (one, other))
    ends = {(c.key, c.side.high) for c in cuts if isinstance(c.side, Interval) and c.side.high is not None}
    begins = {(c.key, c.side.low) for c in others if isinstance(c.side, Interval)}
    return any(key not in facts.sides for key, _ in ends & begins) and not meet(one, other)


def _evaluation(site: Site, parts: tuple[Rows, Rows], marks: Marks, columns: Columns) -> Iterator[Evaluation]:
    train, test = parts
    learnt = frozenset(k for k in marks if k.kind in COSTS and k.kind not in _ANSWERS and k.rows)
    if not learnt or any(is_fold(c) for part in train for c in part.cuts):
        return
    fit = Fit(site, train, learnt, columns, frozenset())
    model = Estimator(Effect(Role.MODEL), NAME, site, ("unseen", site), fits=frozenset({fit}))
    yield Evaluation(model, test, learnt, NAME, site, Purpose.SCORE)
