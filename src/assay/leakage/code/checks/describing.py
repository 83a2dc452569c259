"""Scores of training rows that describe a fit or show how something is done, and claim nothing of other rows."""

from __future__ import annotations

from assay.leakage.code.checks.telling import Facts
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.provenance import made_up
from assay.leakage.code.state.values import Fit


def shown_to_explain(facts: Facts, evaluation: Evaluation, fits: list[Fit]) -> bool:
    """Whether a model is held against the very rows of its training, and the program made those up: nothing is claimed.

    Unless another call made the same rows by the same seed, perhaps in order to have others.
    """
    if not made_up(evaluation.rows) or not any(fit.rows == evaluation.rows for fit in fits):
        return False
    return not any(part.origin.key in facts.trace.made_again for part in evaluation.rows)


def goodness_of_fit(evaluation: Evaluation, evaluations: list[Evaluation]) -> bool:
    """R² of a straight line on its own points describes, as that of one column after the other by the rest.

    So does the score of one column after the other: how each goes with the outcome. It is no test, where tests are made
    elsewhere.
    """
    if evaluation.model.name == "LinearRegression":
        return evaluation.measure in {"r2_score", "score"}
    same = [e.model for e in evaluations if e.model.site == evaluation.model.site]
    outcomes = {fit.target for model in same for fit in model.fits}
    shown = {fit.columns.only for model in same for fit in model.fits}
    if len(shown) > 1 and all(columns is not None and len(columns) == 1 for columns in shown):
        return True
    return evaluation.measure == "r2_score" and (bool(evaluation.loops) or len(outcomes) > 1)
