"""LX1: the score of the best setting that a search found is the only one that is told."""

from __future__ import annotations

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.contests import chosen, handed_in, has_seen
from assay.leakage.code.checks.inner_rows import UNSCORED
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.scored.search_loops import set_elsewhere
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import meet


def best_of_search(facts: Facts) -> Leak | None:
    """A search tells how good its best setting is on the folds that it was chosen by, and nothing else is told.

    A part that was set apart but never scored changes nothing, nor do models that were cross-validated before: of the
    best setting they tell nothing. Whoever predicts other rows may have them scored out of sight, and so may whoever
    hands rows to a function that searches.
    """
    for place, search in enumerate(facts.evaluations):
        if search.purpose is not Purpose.SEARCH or search.site not in facts.trace.best_scores or handed_in(search.rows):
            continue
        before = {id(e) for e in facts.evaluations[:place] if _side_by_side(e)}
        others = (e for e in facts.evaluations if e.purpose is not Purpose.SEARCH and id(e) not in before)
        if any(_apart(facts, search, other) for other in others):
            continue
        message = f"the setting of {search.model.name} is searched, and only the score of the best is told"
        searched = step("the best is chosen by the folds whose score is told", search.site)
        confidence = Confidence.LOW
        return chosen(
            facts, search, message, [searched], site=search.site, confidence=confidence, severity=Severity.NOTE
        )
    return None


def _side_by_side(other: Evaluation) -> bool:
    """Whether a model is cross-validated as it is; one that is searched in each fold tells what the search is worth."""
    return other.purpose is Purpose.CROSS_VALIDATION and not set_elsewhere(other.model) and not handed_in(other.rows)


def _apart(facts: Facts, search: Evaluation, other: Evaluation) -> bool:
    """Whether something else is told: a score of rows that were not learnt from, or what is said of other rows.

    How much more rows would help is not how good the best setting is.
    """
    if other.purpose in UNSCORED:
        return not meet(other.rows, search.rows)
    return other.measure != "learning_curve" and not has_seen(facts, other)
