"""Objects of libraries that gather how good predictions are: `gauge.update(said, truth)`, then `gauge.compute()`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.leakage.code.effects import Effect, Role
from assay.leakage.code.scored import scoring
from assay.leakage.code.state.values import Data, Estimator, Value

if TYPE_CHECKING:
    from assay.leakage.code.language.call import Call

_GATHERS = frozenset({"update", "update_state", "add_batch", "add", "compute"})


def gathered(c: Call, owner: Value) -> Value | None:
    """The score that an object keeps after it was given what a model said and what is true; None for other calls."""
    if c.name not in _GATHERS or not isinstance(owner, Data | Estimator) or not judges(c):
        return None
    if isinstance(owner, Estimator) and owner.fits:
        return None
    c.effect = Effect(Role.METRIC)
    score = scoring.metric(c)
    c.m.store(c.receiver, score)
    return score


def judges(c: Call) -> bool:
    """Whether a call is given predictions beside rows that nobody predicted."""
    given = c.all_data()
    return any(d.predictions for d in given) and any(d.rows and not d.predictions for d in given)
