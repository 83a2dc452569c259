"""Tests that no score in sight tells of, where there are no others.

`fit(X, y, validation_split=0.2)` sets the last rows aside and logs their score; a network is asked about rows that were
kept from it, and what it says is drawn or saved. What was learnt from all rows before was learnt from those, too.
"""

from __future__ import annotations

from assay.leakage.code.checks.inner_rows import UNSCORED, overlapping
from assay.leakage.code.checks.telling import Facts
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.rows import Cut, Interval, cut_rows, held_out, meet
from assay.records import replace

_KEY = "split off"


def unscored_tests(facts: Facts) -> list[Evaluation]:
    """Rows that training splits off for itself, and rows that a network is only shown; none where others are tested."""
    if any(_tests(evaluation) for evaluation in facts.evaluations):
        return []
    shown = list(filter(_kept_from_training, facts.trace.shown))
    alone = (e for e in facts.trace.split_off if not any(leaves_a_test(c) for part in e.rows for c in part.cuts))
    return shown or [*map(_divided, alone)]


def is_split_off(evaluation: Evaluation) -> bool:
    """Whether training itself split these rows off."""
    return any(isinstance(c.key, tuple) and c.key[0] == _KEY for part in evaluation.rows for c in part.cuts)


def _tests(evaluation: Evaluation) -> bool:
    """Whether rows are held against a model that it has not seen; those of another table are predicted for use."""
    meant = evaluation.purpose not in UNSCORED or held_out(evaluation.rows) or _kept_from_training(evaluation)
    return meant and not overlapping(evaluation)


def leaves_a_test(cut: Cut) -> bool:
    """Whether whoever takes these rows to train may keep the others for a test in another program."""
    if isinstance(cut.side, Interval):
        return cut.side.low in (None, 0) and cut.side.high is not None
    return cut.side in ("train", "sampled")


def _kept_from_training(shown: Evaluation) -> bool:
    """Whether rows are other ones of the very tables that the network learnt from."""
    taught = [part for fit in shown.model.fits for part in fit.rows]
    known = {part.origin for part in taught}
    return all(part.origin in known for part in shown.rows) and not meet(shown.rows, frozenset(taught))


def _divided(watched: Evaluation) -> Evaluation:
    """A training with its rows divided as it divides them: it learns from the first and is tested on the last."""
    first, last = (Cut((_KEY, watched.site.node), side) for side in ("train", "test"))
    own = (fit for fit in watched.model.fits if fit.site == watched.site)
    fits = frozenset(replace(fit, rows=cut_rows(fit.rows, [first])) for fit in own)
    return replace(watched, model=replace(watched.model, fits=fits), rows=cut_rows(watched.rows, [last]))
