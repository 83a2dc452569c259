"""L1.1: rows were set apart, or are watched, but nothing is told of any that the model was not trained on."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.accusing import is_step, named_apart, proven, tested_unseen, told_of
from assay.leakage.code.checks.describing import shown_to_explain
from assay.leakage.code.checks.idle_tests import names_a_part
from assay.leakage.code.checks.inner_rows import overlapping
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, read_steps, split_steps, step, sureness, tell
from assay.leakage.code.effects import GIVEN
from assay.leakage.code.scored.search_loops import is_baseline
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.provenance import is_table
from assay.leakage.code.state.rows import NO_ROWS, Rows, whichever_way, within
from assay.leakage.code.state.values import Fit


def training_rows_alone(facts: Facts) -> Iterator[Leak]:
    """`fit(X_train, …)` and the score of `X_train` alone; `fit(X, y, validation_data=(X, y))` and nothing else.

    One look at other rows, scored or not, is a test; so may be whatever else is done with a model out of sight.
    """
    trace = facts.trace
    if trace.handed_on or trace.split_off or trace.tested_otherwise or _met_before_training(facts):
        return
    known = {e.site for e in facts.evaluations if _watches_one_part(e) and _surely_seen(e)}
    others = (e for e in (*facts.evaluations, *trace.shown) if not _surely_seen(e))
    if any(e.purpose is not Purpose.WATCHED or e.site not in known for e in others):
        return  # (of rows that are watched, the outcome may come from another file)
    for evaluation in told_of(facts):
        fits = [fit for fit in overlapping(evaluation) if evaluation.rows <= fit.rows]
        if not fits or shown_to_explain(facts, evaluation, fits) or _no_claim(facts, evaluation):
            continue
        if proven(evaluation, fits) or _as_it_learns(facts, evaluation, fits):
            yield _leak(facts, evaluation, fits[0])
            return


def _as_it_learns(facts: Facts, evaluation: Evaluation, fits: list[Fit]) -> bool:
    """Whether a loop of training tells how good each step was, on rows that nobody divided, and nobody names others."""
    if not all(is_step(fit.site.node) for fit in fits):
        return False
    rows = evaluation.rows.union(*(fit.rows for fit in fits))
    whole = all(map(is_table, rows)) and not any(facts.sets_apart(cut) for part in rows for cut in part.cuts)
    tree = None if facts.source is None else facts.source.tree
    return whole and not evaluation.via and not names_a_part(tree)


def _met_before_training(facts: Facts) -> bool:
    """Whether rows met a model of which no training is in sight, or others than those of the training that follows.

    What a loop asks a network before its first step are the rows that it then learns from.
    """
    taught: dict[Hashable, Rows] = {}
    for e in facts.evaluations if facts.trace.untrained else ():
        taught[e.model.serial] = taught.get(e.model.serial, NO_ROWS).union(*(fit.rows for fit in e.model.fits))
    return any(
        not rows <= taught.get(model, NO_ROWS) for model, several in facts.trace.untrained.items() for rows in several
    )


def _watches_one_part(evaluation: Evaluation) -> bool:
    """`validation_data=(X, y)`: rows and their outcome; an `eval_set` may hold several parts."""
    given = getattr(evaluation.site.node, "keywords", ())
    return evaluation.purpose is Purpose.WATCHED and any(k.arg == "validation_data" for k in given)


def _surely_seen(evaluation: Evaluation) -> bool:
    """Whether these are the very rows of a training, or some of them that are only looked at.

    Not so where the code calls them test rows, and a loop or a division may well have made them others.
    """
    looked_at = evaluation.purpose is Purpose.PREDICT
    asked = whichever_way(evaluation.rows)
    known = [(fit, whichever_way(fit.rows)) for fit in evaluation.model.fits]
    fits = [fit for fit, rows in known if asked <= rows or (looked_at and within(asked, rows))]
    divided = bool(evaluation.loops) or any(part.cuts for part in evaluation.rows)
    return bool(fits) and not (divided and named_apart(evaluation, fits))


def _no_claim(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether a baseline is looked at, a model that is only given, or one in a function that nobody in sight calls.

    Whoever calls that may test what it gives.
    """
    baseline = is_baseline(evaluation.model) or evaluation.model.effect.how == GIVEN
    return baseline or evaluation.site in facts.trace.uncalled or tested_unseen(facts, evaluation.model)


def _leak(facts: Facts, evaluation: Evaluation, fit: Fit) -> Leak:
    name = evaluation.model.name
    confidence, remarks = sureness(evaluation.via)
    watched = evaluation.purpose is Purpose.WATCHED
    seen = "training watches it on" if watched else "it is scored here, on"
    return tell(
        "L1.1",
        "no test set",
        f"{name} is {'watched' if watched else 'scored'} on the rows that it was trained on, and on no others",
        evaluation.site,
        [
            *read_steps(fit.rows, evaluation.rows),
            *split_steps(facts, evaluation.rows),
            step(f"{name} is fitted here", fit.site),
            step(f"{seen} rows that it has seen", evaluation.site),
        ],
        severity=Severity.ERROR,
        confidence=Confidence.MEDIUM if confidence is Confidence.HIGH else confidence,
        advice="Score on the rows that were held out:\nmodel.fit(X_train, y_train)\nmodel.score(X_test, y_test)",
        remarks=remarks,
    )
