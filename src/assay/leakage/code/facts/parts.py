"""Whether two sets of rows are one part of the data, and what such a part is for."""

from __future__ import annotations

from assay.leakage.code.dividing.splits import SIDES
from assay.leakage.code.facts.observations import Observations, among
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.rows import ENTRY, NO_ROWS, Rows, is_fold, meet, whichever_way


def share(facts: Observations, a: Rows, b: Rows) -> bool:
    """Whether two sides may have rows in common, and not only what helped to make them.

    A file of settings is no row where each side has tables of its own that the code calls by different parts. Nor is a
    table that rows of both sides look into.
    """
    return meet(a, b) and not _set_apart(facts, a, b) and not _only_looked_up(a, b)


def _only_looked_up(a: Rows, b: Rows) -> bool:
    """Whether both sides know the very same rows beside parts of a divided table."""
    a, b = whichever_way(a), whichever_way(b)
    own, rest = a - b, b - a
    divided = {part.origin for part in own} & {part.origin for part in rest}
    return bool(divided) and own != a and not meet(own, b) and not meet(rest, a)


def _set_apart(facts: Observations, a: Rows, b: Rows) -> bool:
    tables, others = ({part.origin for part in rows} for rows in (a, b))
    own = whichever_way(frozenset(part for part in a if part.origin not in others))
    rest = whichever_way(frozenset(part for part in b if part.origin not in tables))
    if not own or not rest or any(c.key != ENTRY for part in a if part.origin in others for c in part.cuts):
        return False
    named = (facts.trace.tests, facts.validation)
    return any(among(own, called) and not any(among(frozenset({part}), called) for part in rest) for called in named)


def has_seen(facts: Observations, evaluation: Evaluation) -> bool:
    """Whether the model may have been trained on rows that it is evaluated on."""
    return any(share(facts, evaluation.rows, fit.rows) for fit in evaluation.model.fits)


def to_choose_by(facts: Observations, evaluation: Evaluation) -> bool:
    """Whether the code itself calls these rows validation rows; what training knew as well does not count."""
    taught = NO_ROWS.union(*(fit.rows for fit in evaluation.model.fits))
    rows = evaluation.rows - taught or evaluation.rows
    return facts.called_validation(rows) or all(any(c.side == "val" for c in part.cuts) for part in rows)


def in_fold(rows: Rows) -> bool:
    """Whether these are rows of a fold."""
    return any(is_fold(c) for part in rows for c in part.cuts)


def all_in_folds(rows: Rows) -> bool:
    """Whether all rows are held out in folds; a part of a fold's training rows is not."""
    return bool(rows) and all(any(is_fold(c) and c.side != SIDES[0] for c in part.cuts) for part in rows)
