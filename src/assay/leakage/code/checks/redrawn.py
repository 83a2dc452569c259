"""L1.1: parts of rows that are shuffled anew at each pass hold other rows in each."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.accusing import told_of
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, read_steps, step, tell
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.in_order import fits_in_order, marks_in_order
from assay.leakage.code.state.rows import Interval, opposed
from assay.leakage.code.state.values import Fit, Kind, Mark


def redrawn(facts: Facts) -> Iterator[Leak]:
    """`data.shuffle(n)`, then `take` to train and `skip` to test: the next pass takes and skips others."""
    told: set[object] = set()
    for score in told_of(facts):
        for fit in fits_in_order(score.model.fits):
            drawn = marks_in_order(k for k in score.marks & fit.marks if k.kind is Kind.REDRAWN)
            mark = drawn[0] if drawn else None
            if mark is not None and mark.site not in told and _divided_since(mark, fit, score):
                told.add(mark.site)
                yield _leak(mark, fit, score)


def _divided_since(mark: Mark, fit: Fit, score: Evaluation) -> bool:
    """Whether both are parts, cut by position, of what was shuffled, and meant to be apart."""
    before = {cut for part in mark.rows for cut in part.cuts}
    fitted, scored = (
        {c for part in rows for c in part.cuts - before if isinstance(c.side, Interval)}
        for rows in (fit.rows, score.rows)
    )
    return any(a.key == b.key and opposed(a.side, b.side) for a in fitted for b in scored)


def _leak(mark: Mark, fit: Fit, score: Evaluation) -> Leak:
    return tell(
        "L1.1",
        "overlap",
        f"the parts are drawn anew at each pass: {score.model.name} is scored on rows that it was trained on",
        score.site,
        [
            *read_steps(mark.rows, score.rows),
            step("here the rows are shuffled, anew whenever they are gone through", mark.site),
            step("the model is fitted here, on the rows that this pass took", fit.site),
            step("it is scored here, on rows that another pass left over", score.site),
        ],
        severity=Severity.ERROR,
        confidence=Confidence.MEDIUM,
        advice="Shuffle once, or divide first and shuffle the training part alone:\n"
        "data = data.shuffle(n, reshuffle_each_iteration=False)\n"
        "train, test = data.take(size), data.skip(size)",
        remarks=["With a buffer smaller than the data only rows near the place of the cut change sides."],
    )
