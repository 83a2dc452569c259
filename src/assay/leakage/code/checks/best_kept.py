"""LX1: the best of several scores on the test rows is asked for, or kept."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from assay.findings import Confidence
from assay.leakage.code.checks.best_fold import best_fold
from assay.leakage.code.checks.contests import (
    chosen,
    has_seen,
    in_fold,
    rivals,
    share,
    tested_apart,
    to_choose_by,
)
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.effects import Role
from assay.leakage.code.scored.outcomes import over_outcomes
from assay.leakage.code.scored.search_loops import (
    SEEDS,
    in_search_loop,
    inside,
    made_at,
    only_seeded,
    other_rows_shown,
    set_elsewhere,
)
from assay.leakage.code.state.events import Choice, Evaluation, Purpose
from assay.leakage.code.state.provenance import tables_in
from assay.leakage.code.state.rows import held_out, is_fold
from assay.leakage.code.state.values import Prediction
from assay.records import replace


def best_kept(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The first sign that the best was kept or asked for."""
    return _picked(facts, tests) or best_fold(facts, tests) or _best_in_fold(facts, tests) or _best_round(facts, tests)


def _picked(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The best of several scores is asked for, or kept; rather where it is asked which that is."""
    for choice in sorted(facts.choices, key=lambda choice: not choice.which):
        compared = [p for p in choice.predictions if not facts.called_validation(tables_in(p.rows))]
        judged = [
            t for t in tests if (not in_fold(t.rows) or _of_one_item(t)) and any(_of(facts, p, t) for p in compared)
        ]
        versions = rivals(judged)
        if len(versions) == 1 and _best_rows(choice, judged, compared):
            continue
        folded = not any(tables_in(p.rows) == t.rows for t in judged for p in compared)
        if any(tested_apart(facts, tests, t, p.rows) for t in judged for p in compared if _of(facts, p, t)):
            continue  # rows to choose by, and others to test by
        if folded and not choice.which:
            continue  # how good the folds were; nobody asks which model was best
        if not choice.which and all(set_elsewhere(e.model) for e in versions.values()):
            continue  # how good models are of which each found its setting by cross-validation
        if not choice.which and (all(map(only_seeded, versions.values())) or _one_but_for_seeds(versions)):
            continue  # how far seeds take one model
        if _of_several_outcomes(judged) or (len(versions) == 1 and all(map(_of_one_class, judged))):
            continue  # which outcome, or which class, can be told best
        if len(versions) > 1 or (judged and (choice.which or in_search_loop(judged[0]))):
            names = ", ".join(list(dict.fromkeys(e.model.name for e in versions.values()))[:4])
            how = "a comparison of scores" if choice.name == "comparison" else f"`{choice.name}` of scores"
            where = "all rows, the test rows among them," if folded else "the test rows"
            message = f"{how} on {where} decides what is best ({names})"
            steps = [step("scored on the test part", e.site) for e in list(versions.values())[:8]]
            steps.append(step("the choice is made here", choice.site))
            return chosen(facts, judged[0], message, steps, site=choice.site, confidence=Confidence.HIGH)
    return None


def _best_rows(choice: Choice, judged: list[Evaluation], compared: list[Prediction]) -> bool:
    """Whether it is asked on which rows one model is best: in which ward, or without which column.

    A loop that is over before two scores are compared has gone through the batches of one.
    """
    asked = {(p.site.node, tables_in(p.rows)) for p in compared}
    these = [t for t in judged if (t.shown, t.rows) in asked]
    if choice.name == "comparison":
        these = [replace(t, loops=tuple(loop for loop in t.loops if loop in choice.loops)) for t in these]
    return any(map(other_rows_shown, these))


def _of_one_item(test: Evaluation) -> bool:
    """Whether a loop goes through versions of one table, and each time trains and tests on parts of one of them."""
    turns = {c for part in test.rows for c in part.cuts if is_fold(c)}
    taught = [part.cuts for fit in test.model.fits for part in fit.rows]
    return len({part.origin for part in test.rows}) == 1 and all(turns & cuts for cuts in taught)


def _one_but_for_seeds(versions: dict[Hashable, Evaluation]) -> bool:
    """Whether models from one place were made with the same settings, and each with another seed."""
    models = [e.model for e in versions.values()]
    seeds = {tuple(model.setting(name) for name in sorted(SEEDS)) for model in models}
    made = {(model.site, tuple(s for s in model.settings if s[0] not in SEEDS)) for model in models}
    return len(made) == 1 and len(seeds) == len(models) > 1


def _of_several_outcomes(judged: list[Evaluation]) -> bool:
    """Whether each model predicts another column, or a loop goes from one to the next."""
    if judged and all(map(over_outcomes, judged)):
        return True
    outcomes = {e.model.serial: frozenset(n for fit in e.model.fits for n in fit.target) for e in judged}
    apart = list(outcomes.values())
    return len(apart) > 1 and all(apart) and len(frozenset().union(*apart)) == sum(map(len, apart))


def _of_one_class(test: Evaluation) -> bool:
    """`f1_score(truth == kind, said == kind)`: how well one class is told from the others."""
    truth = test.site.node.args[:1] if isinstance(test.site.node, ast.Call) else []
    return any(isinstance(given, ast.Compare) and isinstance(given.ops[0], ast.Eq) for given in truth)


def _best_in_fold(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """In each fold the best of several states or settings is kept, by the test rows of that fold."""
    for choice in facts.choices:
        around = [loop in facts.trace.fold_loops for loop in choice.loops]
        if not any(around):
            continue
        judged = [t for t in tests if in_fold(t.rows) and any(_of(facts, p, t) for p in choice.predictions)]
        if judged and (
            not around[-1] if choice.name == "comparison" else choice.which and _tried_in_fold(choice, judged)
        ):
            test = judged[0]
            message = f"in each fold the best of {test.model.name} is kept by the rows that the fold is tested on"
            kept = step("the best is kept here", choice.site)
            return chosen(facts, test, message, [kept], site=choice.site, confidence=Confidence.MEDIUM)
    return None


def _tried_in_fold(choice: Choice, judged: list[Evaluation]) -> bool:
    """Whether the scores that the best is asked of are those of a loop inside the fold: settings, or thresholds."""
    depth = len(choice.loops)
    if any(t.loops[:depth] == choice.loops and len(t.loops) > depth for t in judged):
        return True
    places = {(made_at(t.model), t.model.serial) for t in judged if t.loops == choice.loops}
    return len(places) > len({place for place, _ in places})


def _best_round(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """Of the states that one network went through, the best is asked for, by the test rows."""
    rounds = [t for t in tests if _round_by_round(t)] + _watched_tests(facts)
    for choice in facts.choices:
        said = [(t, p) for t in rounds if not in_fold(t.rows) for p in choice.predictions if _of(facts, p, t)]
        test = next((t for t, p in said if not tested_apart(facts, tests, t, p.rows)), None)
        if test is not None:
            message = f"the best of the states of {test.model.name} is asked for (`{choice.name}`), by the test rows"
            asked = step("the best is asked for here", choice.site)
            return chosen(facts, test, message, [asked], site=choice.site, confidence=Confidence.MEDIUM)
    return None


def _watched_tests(facts: Facts) -> list[Evaluation]:
    """Test rows that training watches as it goes on."""
    watched = [
        e for e in facts.evaluations if e.purpose is Purpose.WATCHED and held_out(e.rows) and not has_seen(facts, e)
    ]
    return [e for e in watched if not to_choose_by(facts, e) and not facts.inner(e.rows)]


def _round_by_round(test: Evaluation) -> bool:
    """Whether a network is scored in the loop that goes on training it."""
    steps = [fit.site.node for fit in test.model.fits]
    goes_on = test.model.effect.role is Role.NETWORK
    return goes_on and any(inside(node, loop) for loop in test.loops for node in steps)


def _of(facts: Facts, prediction: Prediction, test: Evaluation) -> bool:
    return prediction.model.serial == test.model.serial and share(facts, test.rows, prediction.rows)
