"""LX1: the best of several models or settings by cross-validation, and no other score is told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.contests import chosen, handed_in, has_seen, in_fold, whole_of
from assay.leakage.code.checks.inner_rows import UNSCORED
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.checks.unscored_tests import leaves_a_test
from assay.leakage.code.scored.search_loops import (
    SEEDS,
    is_baseline,
    made_at,
    only_seeded,
    set_elsewhere,
    settings,
    sort_of,
    varied_before_folds,
)
from assay.leakage.code.state.events import Choice, Evaluation, Purpose
from assay.leakage.code.state.parts import called_train
from assay.leakage.code.state.provenance import tables_in

_FOLDS = frozenset({Purpose.CROSS_VALIDATION, Purpose.SCORE})
_SETTINGS = 4
"""Two or three settings side by side are a comparison."""


def best_of_folds(facts: Facts) -> Leak | None:
    """Models are cross-validated on all rows, the best of them is asked for, and no other rows are scored.

    Side by side they are a comparison. Whoever keeps rows from the folds of several models, or predicts others, may
    test out of sight. A loop over settings is a search, which tells the score of its best on the folds that chose it.
    """
    if any(_apart(facts, e) for e in facts.evaluations):
        return None
    folds = [e for e in facts.evaluations if e.purpose in _FOLDS and in_fold(e.rows) and not handed_in(e.rows)]
    for choice in facts.choices:
        if any(loop in facts.trace.fold_loops for loop in choice.loops):
            continue  # the best of each fold
        judged = [e for e in folds if _compared(choice, e)]
        versions = _versions(judged)
        if all(set_elsewhere(e.model) or (only_seeded(e) and not choice.which) for e in judged):
            continue  # models that each found their setting inside the folds, or how far seeds take one
        if _search_by_hand(facts, judged) or (len(versions) > 1 and not any(map(_of_a_part, judged))):
            names = ", ".join(list(dict.fromkeys(e.model.name for e in versions.values()))[:4])
            message = f"the best of {names} is chosen by cross-validation, and no other rows are scored"
            steps = [step("cross-validated", e.site) for e in list(versions.values())[:8]]
            steps.append(step("the choice is made here", choice.site))
            return chosen(
                facts,
                judged[0],
                message,
                steps,
                site=choice.site,
                confidence=Confidence.LOW,
                severity=Severity.NOTE,
            )
    return None


def _compared(choice: Choice, fold: Evaluation) -> bool:
    """Whether the scores that are held against each other are those of this cross-validation."""
    return any(
        p.model.serial == fold.model.serial and whole_of(tables_in(p.rows)) == whole_of(fold.rows)
        for p in choice.predictions
    )


def _versions(judged: list[Evaluation]) -> dict[Hashable, Evaluation]:
    """The different models: of one sort each setting once, whatever its seed, and no baseline that learns nothing."""
    found: dict[Hashable, Evaluation] = {}
    for e in judged:
        given = frozenset(setting for setting in e.model.settings if setting[0] not in SEEDS)
        if not is_baseline(e.model):
            found.setdefault((sort_of(e.model), given), e)
    return found


def _search_by_hand(facts: Facts, judged: list[Evaluation]) -> bool:
    """Whether loops give a model one setting after the other: any number of them, or several that are written out."""
    if any(varied_before_folds(e, facts.trace.fold_loops) for e in judged):
        return True
    made = {(made_at(e.model), e.model.serial) for e in judged if settings(e.model.site.node)}
    places = Counter(place for place, _ in made)
    return any(count >= _SETTINGS for count in places.values())


def _of_a_part(fold: Evaluation) -> bool:
    """Whether rows were kept from the folds, or those of the folds are called training rows.

    Rows that are drawn to have as many of each class leave none.
    """
    cuts = (c for part in whole_of(fold.rows) for c in part.cuts if c.side != "sampled")
    return any(map(leaves_a_test, cuts)) or called_train(fold.site.node)


def _apart(facts: Facts, other: Evaluation) -> bool:
    """Whether other rows are scored, or predicted to be scored out of sight."""
    if in_fold(other.rows) or has_seen(facts, other):
        return False
    return other.purpose in UNSCORED or other.purpose is Purpose.SCORE
