"""Rows that serve to choose or to watch, not to test: what saw them does little harm, if the test is elsewhere."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.checks.accusing import claims
from assay.leakage.code.checks.telling import Facts
from assay.leakage.code.effects import Role
from assay.leakage.code.learnt.kinds import OFTEN_FINE, REPEATED, SELECTION
from assay.leakage.code.scored.search_loops import inside, names_set_in, words_of
from assay.leakage.code.state.events import LOSS, Evaluation, Purpose
from assay.leakage.code.state.in_order import fits_in_order
from assay.leakage.code.state.provenance import all_seen
from assay.leakage.code.state.rows import (
    NO_ROWS,
    Interval,
    OriginKind,
    Rows,
    Side,
    Taken,
    held_out,
    is_fold,
    meet,
    possible,
    share_rows,
    within,
)
from assay.leakage.code.state.values import Fit, Kind, Mark
from assay.records import replace

UNSCORED = frozenset({Purpose.PREDICT, Purpose.WATCHED})


def overlapping(evaluation: Evaluation) -> list[Fit]:
    """The trainings of the model that saw the rows of the evaluation.

    A model that does not go on learning has several only where branches meet: if one of them is honest, who knows.
    """
    fits = evaluation.model.fits
    seen = [fit for fit in fits if not fit.noise and _seen_on_all_ways(fit.rows, evaluation.rows)]
    seen = [fit for fit in seen if not _learnt_afterwards(fit, evaluation)]
    if any(mark.kind is Kind.WINDOW for mark in evaluation.marks):
        seen = [fit for fit in seen if within(evaluation.rows, fit.rows)]  # windows need rows from before the border
    if len(seen) < len(fits) and evaluation.model.effect.role is not Role.NETWORK:
        return []
    return fits_in_order(seen)


@lru_cache(maxsize=256)
def _seen_on_all_ways(known: Rows, asked: Rows) -> bool:
    """Whether all that is asked about was seen, whichever branches the program took to have the rows it knows.

    Every check asks this of every evaluation, so that answers are kept for as long as one file takes.
    """
    ways = {part.ways for part in known} if len(known) > 1 else ()
    if len(ways) < 2:
        return all_seen(known, asked)
    return all(all_seen(possible(known, way), possible(asked, way)) for way in ways)


def in_one_data_set(evaluation: Evaluation) -> Evaluation:
    """The evaluation as it is with one of the data sets that an option names, if the model has seen that one's rows.

    Which file is read may hang on a condition: each way is a program of its own. Ways that lead to parts of the same
    table are left as they are, for who asks to train on everything means to.
    """
    ways = {part.ways for part in evaluation.rows}
    if len(ways) < 2 or len({part.origin for part in evaluation.rows}) < len(evaluation.rows):
        return evaluation
    for way in sorted(ways, key=len):
        fits = frozenset(replace(fit, rows=possible(fit.rows, way)) for fit in evaluation.model.fits)
        model = replace(evaluation.model, fits=fits)
        narrowed = replace(evaluation, model=model, rows=possible(evaluation.rows, way))
        if overlapping(narrowed):
            return narrowed
    return evaluation


def _learnt_afterwards(fit: Fit, evaluation: Evaluation) -> bool:
    """Whether a loop goes from rows to rows, and each time first asks the model about them and then lets it learn."""
    loop = evaluation.loops[-1] if evaluation.loops else None
    if loop is None or loop not in fit.loops or fit.site.source is not evaluation.site.source:
        return False
    if fit.site.spot <= evaluation.site.spot:
        return False
    return all(any(_of_one_round(cut.side, loop) for cut in part.cuts) for part in evaluation.rows)


def _of_one_round(side: Side, loop: ast.AST) -> bool:
    """Whether each round of a loop has other rows: a slice that moves, or what it takes from a stream."""
    if isinstance(side, Taken):
        return any(inside(node, loop) for node in (side.place, *side.stack))
    return isinstance(side, Interval) and bool(words_of(side) & names_set_in(loop))


def learnt_by(facts: Facts, score: Evaluation) -> bool:
    """Whether training goes by this very loss, or it is of a batch that the loop around trains on: that is no test."""
    if score.measure != LOSS:
        return False
    if (score.site, score.model.serial, score.rows) in facts.trace.taught:
        return True
    trained_in = [loop for loop in score.loops if any(loop in fit.loops for fit in score.model.fits)]
    return any(all(any(_of_one_round(c.side, loop) for c in part.cuts) for part in score.rows) for loop in trained_in)


def held_out_tests(facts: Facts) -> bool:
    """Whether some model is scored on rows that it has not seen, outside cross-validation.

    Predictions for rows that were set apart will be scored out of sight; those for another table are for use.
    """
    return any(
        not overlapping(e) and (e.purpose is Purpose.SCORE or (e.purpose in UNSCORED and held_out(e.rows)))
        for e in facts.evaluations
    )


def serves_to_choose(facts: Facts, evaluation: Evaluation, mark: Mark, *, tested: bool) -> bool:
    """Whether these rows are there to choose by or for use, so that a step that saw them is not worth an alarm."""
    watched = evaluation.purpose is Purpose.WATCHED or facts.called_validation(evaluation.rows)
    if watched and _tested_elsewhere(facts, evaluation):
        return True
    if evaluation.purpose is Purpose.PREDICT and tested and not held_out(evaluation.rows):
        return True  # predictions for use: the tests are elsewhere
    searched = evaluation.purpose is Purpose.SEARCH
    if searched and spoils_folds(mark) and evaluation.site in facts.trace.told_searches:
        return False  # the score that is told of its folds is too good, whatever is tested besides
    inner = searched or facts.inner(evaluation.rows)
    if inner and tested and (searched or _decides(facts, evaluation)):
        return True
    if searched and evaluation.site not in facts.trace.told_searches:
        return mark.kind in OFTEN_FINE or _called_train(evaluation)
    if _in_folds(evaluation) and _of_training_rows(facts, evaluation, mark):
        told = evaluation.measure not in CURVES and not _decides(facts, evaluation)
        return not (spoils_folds(mark) and told)
    return inner and tested and mark.kind in OFTEN_FINE


def spoils_folds(mark: Mark) -> bool:
    """Whether a step outside the folds makes their score too good by far: rows repeated, or the outcome learnt from.

    Columns dropped because they go with each other owe nothing to the outcome.
    """
    among_features = mark.kind is Kind.SELECT and mark.name.rpartition(".")[2] in _AMONG_FEATURES
    return mark.kind in REPEATED | SELECTION and not among_features


_AMONG_FEATURES = frozenset({"corr", "corrcoef", "cov", "variance_inflation_factor"})
CURVES = frozenset({"learning_curve", "validation_curve"})
"""Cross-validations that are looked at, and whose score nobody claims."""


def _in_folds(evaluation: Evaluation) -> bool:
    """Whether rows are cross-validated, by a call or by a loop over folds."""
    return evaluation.purpose is Purpose.CROSS_VALIDATION or (
        bool(evaluation.rows) and all(any(map(is_fold, part.cuts)) for part in evaluation.rows)
    )


def _of_training_rows(facts: Facts, evaluation: Evaluation, mark: Mark) -> bool:
    """Whether all rows that are cross-validated are training rows of a model that is also tested on others.

    Where rows were repeated, the test must be of rows that had no part in that.
    """
    repeated = mark.rows if mark.kind in REPEATED else NO_ROWS
    return any(
        e.purpose is Purpose.SCORE
        and (e.measure != "comparison" or claims(e))
        and not overlapping(e)
        and not meet(repeated, e.rows)
        and any(within(evaluation.rows, f.rows) for f in e.model.fits)
        for e in facts.evaluations
    )


def beyond(evaluation: Evaluation, mark: Mark) -> bool:
    """Whether a step that learnt from a training part is used on all rows, and those are cross-validated."""
    return any(
        share_rows(part, known) and any(c.side == "train" for c in known.cuts - part.cuts)
        for part in evaluation.rows
        for known in mark.rows
    )


def _tested_elsewhere(facts: Facts, watched: Evaluation) -> bool:
    """Whether the model is then scored on rows that its training neither learnt from nor watched.

    Or another is that watched the very same rows: then these are there to choose by, whoever else is shown them.
    """
    alike = (e.model.serial for e in facts.evaluations if e.purpose is Purpose.WATCHED and e.rows == watched.rows)
    watchers = {watched.model.serial, *alike}
    return any(
        e.purpose is Purpose.SCORE
        and e.model.serial in watchers
        and not meet(e.rows, watched.rows)
        and not overlapping(e)
        for e in facts.evaluations
    )


def _decides(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether this score only chooses: the best of its kind is kept."""
    return any(
        p.model.serial == evaluation.model.serial and meet(p.rows, evaluation.rows)
        for choice in facts.choices
        for p in choice.predictions
    )


def _called_train(evaluation: Evaluation) -> bool:
    """Whether the code calls these rows training rows: their test part is somewhere else, out of sight."""
    if all(any(c.side == "train" for c in part.cuts) for part in evaluation.rows):
        return True
    return all(p.origin.kind is OriginKind.PARAMETER and "train" in p.origin.name for p in evaluation.rows)
