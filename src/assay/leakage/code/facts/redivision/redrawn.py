"""Parts of rows that are shuffled anew at each pass hold other rows in each."""

from __future__ import annotations

from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.rows import Interval, opposed
from assay.leakage.code.state.values import Fit, Kind, Mark


def drawn_at_each_pass(score: Evaluation, fit: Fit) -> bool:
    """`data.shuffle(n)`, then `take` to train and `skip` to test: the next pass takes and skips others."""
    drawn = (mark for mark in score.marks & fit.marks if mark.kind is Kind.REDRAWN)
    return any(_divided_since(mark, fit, score) for mark in drawn)


def _divided_since(mark: Mark, fit: Fit, score: Evaluation) -> bool:
    """Whether both are parts, cut by position, of what was shuffled, and meant to be apart."""
    before = {cut for part in mark.rows for cut in part.cuts}
    fitted, scored = (
        {c for part in rows for c in part.cuts - before if isinstance(c.side, Interval)}
        for rows in (fit.rows, score.rows)
    )
    return any(a.key == b.key and opposed(a.side, b.side) for a in fitted for b in scored)
