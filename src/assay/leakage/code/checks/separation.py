"""L1: test rows that were not kept away from training, pre-processing and selection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.checks import own_statistics
from assay.leakage.code.checks.accusing import claims, is_step, named_apart, proven, scored_out_of_sight, tested_unseen
from assay.leakage.code.checks.carried_on import carried_on
from assay.leakage.code.checks.contests import to_choose_by
from assay.leakage.code.checks.describing import goodness_of_fit, shown_to_explain
from assay.leakage.code.checks.divided_anew import divided_anew, divided_twice
from assay.leakage.code.checks.inner_rows import (
    UNSCORED,
    beyond,
    held_out_tests,
    in_one_data_set,
    overlapping,
    serves_to_choose,
)
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.own_statistics import is_own_scale, keeps_to_itself, learnt_by_itself
from assay.leakage.code.checks.redrawn import redrawn
from assay.leakage.code.checks.shuffled_anew import shuffled_anew
from assay.leakage.code.checks.telling import Facts, read_steps, split_steps, step, sureness, tell
from assay.leakage.code.checks.training_rows_alone import training_rows_alone
from assay.leakage.code.checks.unscored_tests import is_split_off, unscored_tests
from assay.leakage.code.dividing import thinning
from assay.leakage.code.effects import GIVEN, Role
from assay.leakage.code.learnt.kinds import COSTS, ROWS_CHANGED, snippet_for
from assay.leakage.code.scored.search_loops import is_baseline
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.in_order import fits_in_order, marks_in_order
from assay.leakage.code.state.provenance import all_seen, any_seen, drawn_at_random, in_tables, tables_in, unseen
from assay.leakage.code.state.rows import (
    NO_ROWS,
    Origin,
    OriginKind,
    Rows,
    grouped_by,
    held_out,
    is_fold,
    is_grouped,
    meet,
    opposed,
    within,
)
from assay.leakage.code.state.texts import fits_pattern
from assay.leakage.code.state.values import Fit, Kind, Mark
from assay.records import replace


def separation(facts: Facts) -> Iterator[Leak]:
    """Leaks of the first family."""
    overlaps = list(_trained_on_test_rows(facts))
    yield from overlaps
    yield from divided_anew(facts) if not overlaps else ()
    yield from training_rows_alone(facts) if not overlaps else ()
    yield from carried_on(facts)
    yield from redrawn(facts)
    yield from shuffled_anew(facts)
    yield from _learnt_from_test_rows(facts)


# --- L1.1 -----------------------------------------------------------------------------------------------


def _trained_on_test_rows(facts: Facts) -> Iterator[Leak]:
    by_model: dict[Hashable, list[Evaluation]] = defaultdict(list)
    tested = held_out_tests(facts)
    for evaluation in facts.evaluations:
        by_model[evaluation.model.serial].append(evaluation)
    for evaluations in by_model.values():
        first = evaluations[0].model
        if is_baseline(first) or first.effect.how == GIVEN or first.serial in facts.trace.tested_otherwise:
            continue  # a baseline has nothing to learn by heart; of what is only given nobody knows the use
        if tested_unseen(facts, first):
            continue
        scores = [e for e in evaluations if e.purpose is Purpose.SCORE and claims(e)]
        apart = [e for e in evaluations if e.purpose is not Purpose.SEARCH and not _surely_seen(e)]
        told: set[object] = set()
        for evaluation in scores:
            shown = in_one_data_set(evaluation)
            fits = overlapping(shown)
            if not fits or evaluation.site in told or not proven(shown, fits):
                continue
            if shown_to_explain(facts, shown, fits):
                continue
            if _is_training_score(facts, shown, fits) or _honest_elsewhere(facts, evaluation, apart):
                continue
            if _mended_later(evaluation, evaluations) or (tested and goodness_of_fit(evaluation, facts.evaluations)):
                continue
            if _tested_apart(facts, evaluation):
                continue
            if _rival_tested(facts, evaluation):
                continue
            told.add(evaluation.site)
            yield _overlap(facts, shown, fits[0], refit=any(e.purpose is Purpose.CROSS_VALIDATION for e in apart))
            break


def _surely_seen(evaluation: Evaluation) -> bool:
    """Whether a model was trained on rows that it meets; not where names tell them apart, and nobody knows better."""
    evaluation = in_one_data_set(evaluation)
    fits = overlapping(evaluation)
    return bool(fits) and (proven(evaluation, fits) or not named_apart(evaluation, fits))


def _is_training_score(facts: Facts, evaluation: Evaluation, fits: Iterable[Fit]) -> bool:
    """The score of a training part as such (or of more or less of it): the model was fitted on a part set apart."""
    apart = [p for fit in fits for p in fit.rows if any(map(facts.sets_apart, p.cuts)) and not held_out(frozenset({p}))]
    known = {c for p in apart for c in p.cuts}
    if any(c.side == "test" and c not in known for p in evaluation.rows for c in p.cuts):
        return False  # the test rows of a fold or split, and the model was fitted on both sides of it
    return bool(evaluation.rows) and all(
        any(a.origin == p.origin and (a.cuts <= p.cuts or (p.cuts and p.cuts <= a.cuts)) for a in apart)
        for p in evaluation.rows
    )


def _honest_elsewhere(facts: Facts, evaluation: Evaluation, apart: list[Evaluation]) -> bool:
    """Whether the same model is also scored on rows that it has not seen; then this is a training score.

    A network goes on learning: it is the same after more of it. Who scores all rows as the test does not mean the part
    that training watched, nor the fold by which this model was kept as the best.
    """
    fits, goes_on = evaluation.model.fits, evaluation.model.effect.role is Role.NETWORK
    others = (
        e.model.fits
        for e in apart
        if e.purpose is not Purpose.CROSS_VALIDATION
        and (held_out(e.rows) or (claims(e) if e.purpose is Purpose.SCORE else scored_out_of_sight(facts, e)))
        and not ((_watched(facts, e) or _chose_the_fold(facts, e)) and within(e.rows, evaluation.rows))
    )
    return any(fits == other or (goes_on and fits & other) for other in others)


def _chose_the_fold(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether this is the score of a fold that was held against those of others, to keep the best model."""
    if not all(any(map(is_fold, part.cuts)) for part in evaluation.rows):
        return False
    kept = (p.model.serial for choice in facts.choices if choice.which for p in choice.predictions)
    return evaluation.model.serial in kept


def _watched(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether these rows were set apart to watch training by, and only what training learns by is told of them."""
    return (evaluation.purpose in UNSCORED or not claims(evaluation)) and to_choose_by(facts, evaluation)


def _mended_later(evaluation: Evaluation, evaluations: list[Evaluation]) -> bool:
    """Whether the same object is afterwards cross-validated, or scored on rows set apart or read apart: what counts."""
    after = [e for e in evaluations[evaluations.index(evaluation) + 1 :] if not overlapping(e)]
    known = {part.origin for part in evaluation.rows}
    return any(
        e.purpose is Purpose.CROSS_VALIDATION
        or (e.purpose is Purpose.SCORE and (_set_apart(e) or _read_apart(e, known)))
        for e in after
    )


def _set_apart(evaluation: Evaluation) -> bool:
    """Whether all rows scored are a test part, or others of the very tables that the model was fitted on."""
    taught = frozenset(part for fit in evaluation.model.fits for part in fit.rows)
    others = {part.origin for part in evaluation.rows} <= {part.origin for part in taught}
    return held_out(evaluation.rows) or (bool(evaluation.rows) and others and not meet(evaluation.rows, taught))


def _read_apart(evaluation: Evaluation, known: set[Origin]) -> bool:
    """Whether all rows scored are of other tables than those known."""
    return bool(evaluation.rows) and claims(evaluation) and known.isdisjoint(p.origin for p in evaluation.rows)


def _tested_apart(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether such a model is then scored on a part of these rows set apart, or the very same was before.

    All rows are a first look, or a refit; so is the training part, for one that was fitted on all.
    """
    if any(part.cuts for part in evaluation.rows) and not facts.inner(evaluation.rows):
        return False
    model, now = evaluation.model, facts.evaluations.index(evaluation)
    known = evaluation.rows.union(*(fit.rows for fit in model.fits))
    return any(
        e.purpose is Purpose.SCORE
        and e.model.name == model.name
        and (place > now or e.model.settings == model.settings)
        and _set_apart(e)
        and meet(e.rows, known)
        and not overlapping(e)
        and not _watched(facts, e)
        and not _chose_the_fold(facts, e)
        for place, e in enumerate(facts.evaluations)
    )


def _rival_tested(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether this is the score of training rows, and another model of the very same rows is scored on others.

    Of several models that are looked at on their training rows, the one that is taken has its test.
    """
    taught = [fit.rows for fit in evaluation.model.fits if fit.rows == evaluation.rows]
    return bool(taught) and any(
        e.purpose is Purpose.SCORE
        and claims(e)
        and e.model.serial != evaluation.model.serial
        and any(fit.rows in taught for fit in e.model.fits)
        and not overlapping(e)
        for e in facts.evaluations
    )


def _overlap(facts: Facts, evaluation: Evaluation, fit: Fit, *, refit: bool) -> Leak:
    everything = not any(part.cuts for part in evaluation.rows)
    name = evaluation.model.name
    if refit:
        message = f"{name} is cross-validated, then fitted on all rows and scored on those same rows"
    elif everything and any(part.cuts for part in fit.rows):
        message = f"{name} is scored on all rows, among them those that it was trained on"
    elif everything:
        message = f"{name} is scored on the rows that it was trained on, and on no others"
    else:
        message = f"the rows that {name} is scored on are among those that it was trained on"
    confidence, remarks = sureness(evaluation.via)
    unknown = all(part.origin.kind in _GIVEN for part in evaluation.rows)
    if unknown or refit or evaluation.model.effect.role is Role.GROUPER:  # which was never told the truth
        confidence = Confidence.MEDIUM if confidence is Confidence.HIGH else Confidence.LOW
    return tell(
        "L1.1",
        "no test set" if everything else "overlap",
        message,
        evaluation.site,
        [
            *read_steps(fit.rows, evaluation.rows),
            *split_steps(facts, evaluation.rows),
            step(f"{name} is fitted here", fit.site),
            step("it is scored here, on rows that it has seen", evaluation.site),
        ],
        severity=Severity.WARNING if refit else Severity.ERROR,
        confidence=confidence,
        advice="Hold rows out first, and score on those alone:\n"
        "X_train, X_test, y_train, y_test = train_test_split(X, y)\n"
        "model.fit(X_train, y_train)\nmodel.score(X_test, y_test)",
        remarks=remarks,
    )


# --- L1.2, L1.3, L1.4 -------------------------------------------------------------------------------------


def _learnt_from_test_rows(facts: Facts) -> Iterator[Leak]:
    """One leak for each step that learnt from test rows: at its first evaluation.

    That a test part is prepared by itself comes last, where nothing graver is told of the step.
    """
    told: set[tuple[object, ...]] = set()
    own: dict[tuple[object, ...], Leak] = {}
    tested = held_out_tests(facts)
    for evaluation in (*facts.evaluations, *unscored_tests(facts)):
        if _teaches(facts, evaluation):
            continue
        for fit in fits_in_order(evaluation.model.fits):
            seen = within(evaluation.rows, fit.rows) and not held_out(evaluation.rows)
            if seen or _is_training_score(facts, evaluation, [fit]):
                continue  # a score on training rows: L1.1, if anything
            learnt = [k for k in fit.marks | evaluation.marks if k.rows and (k.kind, k.site) not in told]
            new = unseen(fit.rows, evaluation.rows) if learnt else NO_ROWS
            for mark in marks_in_order(learnt):
                key = (mark.kind, mark.site)
                if key in told or not _leaks(facts, evaluation, fit, mark, new, tested=tested):
                    continue
                resolved = _resolved(fit, mark)
                if is_own_scale(evaluation, fit, resolved):
                    if key not in own:
                        own[key] = _step_leak(facts, evaluation, fit, resolved)
                    continue
                told.add(key)
                yield _step_leak(facts, evaluation, fit, resolved)
    yield from (leak for key, leak in own.items() if key not in told)


def _teaches(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether this is the loss of a step of training, on rows that nobody set apart: no test, whatever it is beside.

    Of several networks that one loss teaches, each is shown what another made, or only some of the rows.
    """
    step_of = (evaluation.site, evaluation.model.serial, evaluation.rows)
    tested = held_out(evaluation.rows) or facts.called_test(evaluation.rows)
    return step_of in facts.trace.taught and not tested


def _leaks(facts: Facts, evaluation: Evaluation, fit: Fit, mark: Mark, new: Rows, *, tested: bool) -> bool:
    """Whether a step learnt from rows of an evaluation that are new to the model."""
    mark = _resolved(fit, mark)
    if mark.kind not in COSTS or not mark.rows or _only_said(fit, mark) or _beside_the_features(fit, mark):
        return False
    if drawn_at_random(mark.rows) and not drawn_at_random(evaluation.rows):
        return False  # the program's own numbers, among real ones
    if not any_seen(*in_tables(tables_in(mark.rows), new)):
        return False
    if mark.rows == fit.rows and divided_twice(facts, evaluation, fit):
        return False  # a step of the training rows alone; that the model knows the rows of the test is told
    if mark.kind is Kind.ENCODE and not facts.policy.encoders:
        return False
    if mark.kind is Kind.SCALE and not facts.policy.scalers:
        return False
    if all(map(is_grouped, evaluation.rows)) and any(grouped_by(mark.site) in part.cuts for part in evaluation.rows):
        return False  # the rows themselves are what the statistic gave, alone or beside others
    if learnt_by_itself(evaluation, fit, mark) and keeps_to_itself(evaluation, fit, mark):
        return False
    if mark.kind in ROWS_CHANGED and _of_other_rows(mark, fit, evaluation):
        return False
    if mark.kind is Kind.OUTLIER and any(_divides(mark, fit, e) for e in facts.evaluations):
        return False
    if is_step(fit.site.node) and evaluation.via:
        return False  # what loaders and batches do to rows on the way is not known
    return not serves_to_choose(facts, evaluation, mark, tested=tested)


def _only_said(fit: Fit, mark: Mark) -> bool:
    """Whether this is what a model says, put beside the rows afterwards or handed back: none was taught with that."""
    return mark.kind is Kind.MODELLED and mark not in fit.marks


def _beside_the_features(fit: Fit, mark: Mark) -> bool:
    """Whether what was learnt stands in a column of the scored table alone that the model was not fitted with."""
    only = fit.columns.only if fit.columns.sure else None
    if mark in fit.marks or mark.into is None or only is None:
        return False
    return not (mark.into & only or fits_pattern(mark.into, only))


def _of_other_rows(mark: Mark, fit: Fit, evaluation: Evaluation) -> bool:
    """Whether rows were copied, turned or thinned out and those that are scored had no part in it, nor the outcome.

    Rows that are thinned out among those to be scored alone teach the model nothing.
    """
    thinned = thinning.by_hand(mark)
    if thinned and not (mark in fit.marks and thinning.by_outcome(fit, mark)):
        return True
    if thinned and not thinning.all_thinned(evaluation.rows, mark):
        return True
    return mark not in evaluation.marks and not _drawn_among(mark, fit, evaluation)


def _drawn_among(mark: Mark, fit: Fit, evaluation: Evaluation) -> bool:
    """Whether rows were copied or turned that surely are those scored, though the scored ones stayed as they were."""
    return within(evaluation.rows, mark.rows) or all_seen(fit.rows, evaluation.rows)


def _divides(mark: Mark, fit: Fit, evaluation: Evaluation) -> bool:
    """Whether the rows on one side of a bound were fitted and those on the other scored: none was left out by it."""
    keys = {("column", name) for name in mark.columns}
    fitted, scored = ({c for part in rows for c in part.cuts if c.key in keys} for rows in (fit.rows, evaluation.rows))
    return any(a.key == b.key and opposed(a.side, b.side) for a in fitted - scored for b in scored - fitted)


def _resolved(fit: Fit, mark: Mark) -> Mark:
    """A mean of the outcome by group is a target encoding."""
    if mark.kind is Kind.STATISTIC and mark.supervised and fit.target and mark.columns & fit.target:
        return replace(mark, kind=Kind.TARGET_ENCODE)
    return mark


def _step_leak(facts: Facts, evaluation: Evaluation, fit: Fit, mark: Mark) -> Leak:
    cost = COSTS[mark.kind]
    folds = evaluation.purpose in {Purpose.CROSS_VALIDATION, Purpose.SEARCH}
    by_itself = learnt_by_itself(evaluation, fit, mark)
    own = is_own_scale(evaluation, fit, mark)
    tool = f" ({mark.name})" if mark.name else ""
    if own:
        message = f"{cost.deed}{tool} of the test part learnt from the test part itself"
    elif by_itself:
        message = f"{cost.deed}{tool} of the test part learnt from the outcome of the test part itself"
    elif folds and beyond(evaluation, mark):
        message = f"{cost.deed}{tool} learnt from rows that {evaluation.model.name} is later cross-validated on"
    elif folds:
        message = f"{cost.deed}{tool} saw all rows before cross-validation divided them"
    elif is_split_off(evaluation):
        message = f"{cost.deed}{tool} learnt from rows that the training of {evaluation.model.name} splits off to watch"
    else:
        message = f"{cost.deed}{tool} learnt from rows that {evaluation.model.name} is later tested on"
    confidence, remarks = sureness(evaluation.via, Confidence.MEDIUM if thinning.by_hand(mark) else Confidence.HIGH)
    severity = Severity.NOTE if by_itself else cost.severity
    if any(k.kind in {Kind.TIME, Kind.LAG} for k in fit.marks) and severity is Severity.NOTE and not by_itself:
        severity = Severity.WARNING
        remarks = [*remarks, "The rows are ordered in time: what was learnt from all of them includes the future."]
    steps = [
        *read_steps(mark.rows, evaluation.rows),
        step("this is where it learns", mark.site),
        *split_steps(facts, evaluation.rows),
        step("the model is fitted here", fit.site),
        step("it is evaluated here", evaluation.site),
    ]
    return tell(
        own_statistics.CODE if own else cost.code,
        "own statistics" if own else _topic(mark, fit),
        message,
        mark.site,
        steps,
        severity=severity,
        confidence=confidence,
        advice=(own_statistics.ADVICE if own else _ADVICE) + snippet_for(mark).format(name=_class(mark)),
        remarks=remarks,
    )


_GIVEN = frozenset({OriginKind.PARAMETER, OriginKind.CALL, OriginKind.UNDEFINED})
_ADVICE = "Split first, then learn from the training rows alone:\n"


def _topic(mark: Mark, fit: Fit) -> str:
    if mark.kind is Kind.MODELLED and mark.columns == fit.target:
        return "overlap"  # a model of the same outcome was trained on the rows that are tested
    if mark.kind in {Kind.OVERSAMPLE, Kind.COPY, Kind.AUGMENT, Kind.EXPLODE}:
        return "overlap"
    if mark.kind is Kind.UNDERSAMPLE:
        return "undersampling"  # nothing is learnt, but the test part is no longer as rows come
    return "selection" if COSTS[mark.kind].code == "L1.3" else "pre-processing"


def _class(mark: Mark) -> str:
    last = mark.name.rpartition(".")[2]
    return last if last[:1].isupper() else _INSTEAD.get(mark.kind, "StandardScaler")


_INSTEAD = {Kind.UNDERSAMPLE: "RandomUnderSampler", Kind.OVERSAMPLE: "SMOTE"}
"""What does to training rows alone what the code did by hand to all."""
