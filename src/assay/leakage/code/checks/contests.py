"""A choice on the test set as the checks see it: who was scored on which rows, and the words for it."""

from __future__ import annotations

from collections.abc import Hashable

from assay.findings import Confidence, Evidence, Severity
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, among, read_steps, split_steps, step, sureness, tell
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import ENTRY, NO_ROWS, OriginKind, Rows, Site, is_fold, meet, whichever_way

_ADVICE = (
    "Choose on a validation part, or by cross-validation of the training rows, and score the one choice once:\n"
    "search = GridSearchCV(model, grid).fit(X_train, y_train)\n"
    "search.score(X_test, y_test)"
)


def to_choose_by(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether the code itself calls these rows validation rows; what training knew as well does not count."""
    taught = NO_ROWS.union(*(fit.rows for fit in evaluation.model.fits))
    rows = evaluation.rows - taught or evaluation.rows
    return facts.called_validation(rows) or all(any(c.side == "val" for c in part.cuts) for part in rows)


def has_seen(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether the model may have been trained on rows that it is scored on."""
    return any(share(facts, evaluation.rows, fit.rows) for fit in evaluation.model.fits)


def share(facts: Facts, a: Rows, b: Rows) -> bool:
    """Whether two sides may have rows in common, and not only what helped to make them.

    A file of settings, or a network to begin with, is no row where each side has tables of its own, and the code calls
    those of one test or validation rows, but not those of the other. Nor is a table that rows of both sides look into.
    """
    return meet(a, b) and not _set_apart(facts, a, b) and not _only_looked_up(a, b)


def _only_looked_up(a: Rows, b: Rows) -> bool:
    """Whether both sides know the very same rows beside parts of a divided table: recordings, and beats in them."""
    a, b = whichever_way(a), whichever_way(b)
    own, rest = a - b, b - a
    divided = {part.origin for part in own} & {part.origin for part in rest}
    return bool(divided) and own != a and not meet(own, b) and not meet(rest, a)


def _set_apart(facts: Facts, a: Rows, b: Rows) -> bool:
    tables, others = ({part.origin for part in rows} for rows in (a, b))
    own = whichever_way(frozenset(part for part in a if part.origin not in others))
    rest = whichever_way(frozenset(part for part in b if part.origin not in tables))
    if not own or not rest or any(c.key != ENTRY for part in a if part.origin in others for c in part.cuts):
        return False
    named = (facts.trace.tests, facts.validation)
    return any(among(own, called) and not any(among(frozenset({part}), called) for part in rest) for called in named)


def in_fold(rows: Rows) -> bool:
    """Whether these are the test rows of a fold, each of which stops its own model: a small gain in the mean."""
    return any(is_fold(c) for part in rows for c in part.cuts)


def tested_apart(facts: Facts, tests: list[Evaluation], judged: Evaluation, by: Rows) -> bool:
    """Whether a model that was judged by some rows is also scored on others, which it never learns from."""
    taught = facts.taught.get(judged.model.serial, ())
    mine = {t.rows for t in tests if t.model.serial == judged.model.serial and not handed_in(t.rows)}
    apart = (rows for rows in mine if not share(facts, rows, by))
    return any(not any(share(facts, rows, known) for known in taught) for rows in apart)


def whole_of(rows: Rows) -> Rows:
    """The rows that were divided into folds."""
    return frozenset(part._replace(cuts=frozenset(c for c in part.cuts if not is_fold(c))) for part in rows)


def handed_in(rows: Rows) -> bool:
    """Whether somebody out of sight gives the rows to a function: whoever does may have others to test by."""
    return any(part.origin.kind is OriginKind.PARAMETER for part in rows)


def validates(evaluation: Evaluation) -> bool:
    """Whether somebody could choose by this: cross-validation, but not a look at how much more rows would help."""
    if evaluation.measure == "learning_curve":
        return False
    return evaluation.purpose in {Purpose.CROSS_VALIDATION, Purpose.SEARCH} or _of_a_fold(evaluation)


def _of_a_fold(evaluation: Evaluation) -> bool:
    """Whether a model is scored on a fold and learnt from the others; a loop may go through test rows in portions."""
    folds = {c for part in evaluation.rows for c in part.cuts if is_fold(c)}
    known = {c for fit in evaluation.model.fits for part in fit.rows for c in part.cuts} if folds else set()
    return any(fold.key == other.key and fold.side != other.side for fold in folds for other in known)


def rivals(group: list[Evaluation]) -> dict[Hashable, Evaluation]:
    """The different contestants of a group, each with its first score."""
    found: dict[Hashable, Evaluation] = {}
    for e in group:
        found.setdefault(e.jury, e)
    return found


def chosen(
    facts: Facts,
    test: Evaluation,
    message: str,
    steps: list[Evidence],
    *,
    site: Site,
    confidence: Confidence,
    severity: Severity = Severity.WARNING,
) -> Leak:
    """The leak that a choice is, with its path."""
    certain, remarks = sureness(test.via, confidence)
    path = [
        *read_steps(test.rows, test.rows),
        *split_steps(facts, test.rows),
        *steps,
        step("the test that is reported", test.site),
    ]
    return tell(
        "LX1",
        "reuse",
        message,
        site,
        path,
        severity=severity,
        confidence=certain,
        advice=_ADVICE,
        remarks=remarks,
    )
