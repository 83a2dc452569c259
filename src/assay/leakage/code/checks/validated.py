"""LX1: nothing is scored but the rows that served to choose, whatever the code calls them."""

from __future__ import annotations

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.accusing import claims
from assay.leakage.code.checks.contests import chosen, has_seen, in_fold, share, to_choose_by, whole_of
from assay.leakage.code.checks.idle_tests import idle
from assay.leakage.code.checks.inner_rows import UNSCORED
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.effects import GIVEN, Effect, Role
from assay.leakage.code.state.events import Evaluation, Purpose, Stopping
from assay.leakage.code.state.parts import part_named
from assay.leakage.code.state.rows import Rows, held_out, meet, whichever_way, within
from assay.leakage.code.state.values import Prediction
from assay.patterns import regex

_REST = "and no other rows are scored"
_ALONE = "and it is scored on no others"
_MODEL_GIVEN = Effect(Role.MODEL, how=GIVEN)
_TABLE = regex(r"\.read_(?!image|pickle)\w+$")
"""What reads a table: `pandas.read_csv`."""


def only_told(facts: Facts, scores: list[Evaluation]) -> list[Evaluation]:
    """Scores of validation rows that are the only ones told; none if there are others to test by.

    Test rows that no model meets in sight, or that are another part of what was divided, are scored out of sight.
    """
    told = [e for e in scores if _is_told(e)]
    return [] if _tested_out_of_sight(facts) else [e for e in told if not _tested_by_others(facts, e)]


def _is_told(score: Evaluation) -> bool:
    """Whether a score is more than one of many that a loop goes through."""
    return claims(score) or not score.loops or in_fold(score.rows)


def _tested_out_of_sight(facts: Facts) -> bool:
    shown = any(e.purpose in UNSCORED and _is_test(facts, e) for e in facts.evaluations)
    asked = (e for e in facts.trace.shown if facts.called_test(e.rows))
    return shown or any(not has_seen(facts, e) for e in asked) or tests_unused(facts)


def kept_round_by_round(facts: Facts, scores: list[Evaluation]) -> Leak | None:
    """A training loop keeps the state with the smallest loss on the only rows that are held out.

    The loss is that of its log, as with a trainer that is told to keep the best state.
    """
    if _tested_out_of_sight(facts):
        return None
    rounds = [e for e in scores if e.loops and not has_seen(facts, e) and not _tested_by_others(facts, e)]
    return _kept(facts, rounds)


def chosen_and_told(facts: Facts, told: list[Evaluation]) -> Leak | None:
    """Training stops, or the best is kept, by validation rows, and their score is the only one that is told."""
    return _stopped(facts, told) or _kept(facts, told)


def stopped_in_folds(facts: Facts, scores: list[Evaluation], tests: list[Evaluation]) -> Leak | None:
    """Training stops by the fold that its score is told of, and other models are tested on parts of the same rows.

    Whatever the code calls the rows of a fold, they are the test of a cross-validation of all rows. Where rows were
    kept from it, or the model meets others, the folds may only have served to choose.
    """
    folds = [e for e in scores if in_fold(e.rows) and to_choose_by(facts, e) and not facts.inner(e.rows)]
    alone = (e for e in folds if not _tested_elsewhere(facts, e))
    told = [e for e in alone if all(within(t.rows, whole_of(e.rows)) for t in tests)]
    return _stopped(facts, told, _ALONE) if told and not tests_unused(facts) else None


def _tested_elsewhere(facts: Facts, fold: Evaluation) -> bool:
    mine = (e for e in facts.evaluations if e.model.serial == fold.model.serial and not has_seen(facts, e))
    return any(not meet(e.rows, fold.rows) for e in mine)


def watched_alone(facts: Facts) -> Leak | None:
    """Training keeps its best state by the only rows that are held out, and the score of these is that of its log.

    Whoever then tests on other rows does it in another program; this one has nothing but the score of a choice.
    """
    told = [e for e in facts.evaluations if e.purpose not in UNSCORED and (_is_told(e) or not to_choose_by(facts, e))]
    if not all(has_seen(facts, e) for e in told) or tests_unused(facts):
        return None
    stops = [e for e in facts.trace.events if isinstance(e, Stopping)]
    seen = [(next((e for e in facts.evaluations if _watches(facts, e, stop)), None), stop.name) for stop in stops]
    aside = [(watched, name) for watched, name in facts.trace.split_off.items() if name and not told]
    for watched, name in (*seen, *aside):
        if watched is None or _tested_by_others(facts, watched):
            continue
        if not any(_left_to_test(facts, e, watched) for e in facts.evaluations):
            message = f"training is steered by {name} on the only rows that are held out, {_REST}"
            watches = step(f"{name} goes by the rows that are watched here", watched.site)
            return chosen(
                facts,
                watched,
                message,
                [watches],
                site=watched.site,
                confidence=Confidence.LOW,
                severity=Severity.NOTE,
            )
    return None


def _watches(facts: Facts, evaluation: Evaluation, stopping: Stopping) -> bool:
    of_model = evaluation.purpose is Purpose.WATCHED and evaluation.model.serial == stopping.model
    return of_model and meet(evaluation.rows, stopping.rows) and not has_seen(facts, evaluation)


def _left_to_test(facts: Facts, evaluation: Evaluation, watched: Evaluation) -> bool:
    """Whether predictions are made for other rows that were set apart: those are scored out of sight."""
    other = evaluation.purpose is Purpose.PREDICT and not meet(evaluation.rows, watched.rows)
    return other and _is_test(facts, evaluation)


def _tested_by_others(facts: Facts, chosen_by: Evaluation) -> bool:
    """Whether another method scores the model on rows that are neither these nor those of its training.

    Nobody in sight calls the one after the other; whoever does has a test. So it is with a function that trains what it
    is given, and another that is given test rows, or with one that chooses among models that others give it to make.
    """
    known = [chosen_by.rows, *(fit.rows for fit in chosen_by.model.fits)]
    met = facts.trace.untrained.get(chosen_by.model.serial, ())
    if any(rows and not any(meet(rows, others) for others in known) for rows in met):
        return True
    uncalled = chosen_by.site in facts.trace.uncalled
    if uncalled and chosen_by.model.effect == _MODEL_GIVEN:
        return True
    return uncalled and any(_given_to_test(rows) for several in facts.trace.untrained.values() for rows in several)


def _given_to_test(rows: Rows) -> bool:
    """Whether these rows are a parameter that is called after a test: `test_loader`."""
    keys = [part.origin.key for part in rows]
    names = [str(key[1]) if isinstance(key, tuple) and key[0] == "parameter" else "" for key in keys]
    return bool(names) and all(part_named(name) == "test" for name in names)


def _is_test(facts: Facts, evaluation: Evaluation) -> bool:
    return held_out(evaluation.rows) and not to_choose_by(facts, evaluation) and not has_seen(facts, evaluation)


def others_predicted(facts: Facts) -> bool:
    """Whether a table that no choice saw is predicted, or what the code calls test rows: a competition scores those.

    A picture or a sentence that a network is shown is an example.
    """
    shown = (e for e in facts.evaluations if e.purpose is Purpose.PREDICT and _whole_table(facts, e))
    return any(not to_choose_by(facts, e) and not has_seen(facts, e) for e in shown)


def _whole_table(facts: Facts, evaluation: Evaluation) -> bool:
    tables = all(_TABLE.search(part.origin.name) is not None for part in evaluation.rows)
    return tables or facts.called_test(evaluation.rows)


def tests_unused(facts: Facts) -> bool:
    """Whether the code has test rows that it was not seen to show to a model, and that it may yet have a use for."""
    met = frozenset(part for e in facts.evaluations for part in whichever_way(e.rows))
    if not any(not meet(frozenset({part}), met) for part in facts.trace.tests - facts.validation):
        return False
    files = {e.site.source for e in facts.evaluations} | ({facts.source} if facts.source is not None else set())
    return not all(idle(file.tree) for file in files)


def _stopped(facts: Facts, told: list[Evaluation], rest: str = _REST) -> Leak | None:
    for stopping in facts.trace.events:
        if isinstance(stopping, Stopping):
            of_model = (e for e in told if e.model.serial == stopping.model)
            test = next((e for e in of_model if share(facts, e.rows, stopping.rows)), None)
            if test is not None:
                message = f"training is steered by {stopping.name} on the rows that its score is told of, {rest}"
                watches = step(f"{stopping.name} watches these rows", stopping.site)
                return chosen(
                    facts,
                    test,
                    message,
                    [watches],
                    site=stopping.site,
                    confidence=_sureness(test),
                    severity=Severity.NOTE,
                )
    return None


def _kept(facts: Facts, told: list[Evaluation]) -> Leak | None:
    for choice in (c for c in facts.choices if c.which):
        test = next((e for e in told if any(_said_of(facts, p, e) for p in choice.predictions)), None)
        if test is not None:
            message = f"the best of {test.model.name} is kept by the rows that its score is told of, {_REST}"
            kept = step("the best is kept here", choice.site)
            return chosen(
                facts, test, message, [kept], site=choice.site, confidence=_sureness(test), severity=Severity.NOTE
            )
    return None


def _said_of(facts: Facts, prediction: Prediction, test: Evaluation) -> bool:
    return prediction.model.serial == test.model.serial and share(facts, test.rows, prediction.rows)


def _sureness(test: Evaluation) -> Confidence:
    """The folds of a cross-validation are its test; a part that is called validation may have a test elsewhere."""
    return Confidence.MEDIUM if in_fold(test.rows) else Confidence.LOW
