"""Objects of libraries that gather how good predictions are: `gauge.update(said, truth)`, then `gauge.compute()`."""

from __future__ import annotations

from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.language.call import Call
from assay.leakage.code.scored import scoring
from assay.leakage.code.state.machine import united
from assay.leakage.code.state.values import Data, Estimator, Value
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group


def gathered(c: Call, owner: Value) -> Value | None:
    """The score that an object keeps after it was given what a model said and what is true; None for other calls.

    `meter.update(score)` keeps a score that was computed before.
    """
    if c.name not in names_of(Group.GAUGES) or not isinstance(owner, Data | Estimator):
        return None
    if isinstance(owner, Estimator) and owner.fits:
        return None
    if judges(c):
        return asked(c, c.receiver)
    scores = [data for data in c.all_data() if data.is_score]
    if not scores:
        return None
    kept = united(scores)
    c.m.store(c.receiver, kept)
    return kept


def asked(c: Call, gauge: Value) -> Value:
    """`gauge(said, truth)`: the score, which the object keeps."""
    c.effect = Effect(Role.METRIC)
    score = scoring.metric(c)
    c.m.store(gauge, score)
    return score


def judges(c: Call) -> bool:
    """Whether a call is given predictions beside rows that nobody predicted."""
    given = c.all_data()
    return any(d.predictions for d in given) and any(d.rows and not d.predictions for d in given)
