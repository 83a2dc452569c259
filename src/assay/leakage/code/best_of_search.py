"""LX1: the score of the best setting that a search of all rows found is the only one that is told."""

from __future__ import annotations

import ast

from assay.findings import Confidence, Severity
from assay.leakage.code.contests import chosen, has_seen
from assay.leakage.code.events import Evaluation, Purpose
from assay.leakage.code.inner_rows import UNSCORED
from assay.leakage.code.leak import Leak
from assay.leakage.code.parts import part_named
from assay.leakage.code.rows import is_fold, meet
from assay.leakage.code.telling import Facts, step
from assay.leakage.code.unscored_tests import leaves_a_test
from assay.leakage.code.validated import tests_unused


def best_of_search(facts: Facts) -> Leak | None:
    """A search of all rows tells how good its best setting is on the folds that it was chosen by, and nothing else is.

    Whoever predicts other rows, or calls those of the search training rows, may have a test out of sight.
    """
    if tests_unused(facts):
        return None
    others = [e for e in facts.evaluations if e.purpose is not Purpose.SEARCH]
    for search in facts.evaluations:
        if search.purpose is not Purpose.SEARCH or search.site not in facts.trace.best_scores or _of_a_part(search):
            continue
        if any(_apart(facts, search, other) for other in others):
            continue
        message = f"the setting of {search.model.name} is searched on all rows, and only the score of the best is told"
        searched = step("the best is chosen by the folds whose score is told", search.site)
        confidence = Confidence.LOW
        return chosen(
            facts, search, message, [searched], site=search.site, confidence=confidence, severity=Severity.NOTE
        )
    return None


def _of_a_part(search: Evaluation) -> bool:
    """Whether rows were kept from the search, or its rows are called training rows."""
    made = search.site.node
    given = made.args[:1] if isinstance(made, ast.Call) else []
    names = (n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name))
    divided = (c for part in search.rows for c in part.cuts if not is_fold(c))
    return any(part_named(name) == "train" for name in names) or any(map(leaves_a_test, divided))


def _apart(facts: Facts, search: Evaluation, other: Evaluation) -> bool:
    """Whether something else is told: a score of rows that were not learnt from, or what is said of other rows."""
    if other.purpose in UNSCORED:
        return not meet(other.rows, search.rows)
    return not has_seen(facts, other)
