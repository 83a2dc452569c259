"""LX1: choices made on the test set."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Hashable, Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.checks.best_kept import best_kept
from assay.leakage.code.checks.best_of_folds import best_of_folds
from assay.leakage.code.checks.best_of_search import best_of_search
from assay.leakage.code.checks.contests import chosen, has_seen, in_fold, rivals, share, tested_apart, to_choose_by
from assay.leakage.code.checks.divided_anew import divided_twice
from assay.leakage.code.checks.inner_rows import CURVES, learnt_by
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.many_models import many_models, side_by_side
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.checks.thresholds import thresholds_tried, typed_one_after_another
from assay.leakage.code.checks.validated import (
    chosen_and_told,
    kept_round_by_round,
    only_told,
    others_predicted,
    stopped_in_folds,
    watched_alone,
)
from assay.leakage.code.checks.watched_networks import watched_by_several
from assay.leakage.code.learnt.kinds import ROWS_CHANGED
from assay.leakage.code.scored.outcomes import over_outcomes
from assay.leakage.code.scored.search_loops import (
    INSIDE,
    SEEDS,
    in_search_loop,
    is_baseline,
    looked_up_by_folds,
    made_at,
    of_one_sort,
    one_of_a_line,
    set_elsewhere,
    typed,
    varied_in_loop,
    varied_settings,
)
from assay.leakage.code.state.events import DIFFERENCE, Evaluation, Purpose, Stopping
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.rows import OriginKind, Rows, Site, held_out, is_fold, meet, whichever_way, within
from assay.leakage.code.state.values import Kind, Mark
from assay.records import replace

_SEVERAL = 3
"""Models from one place, by which a loop over settings is told from a function that is used twice."""
_RESAMPLED = ROWS_CHANGED - {Kind.AUGMENT}


_CHOSEN = {Kind.THRESHOLD: "the threshold", Kind.WEIGHED: "the weight of each model"}
"""What is found by rows, and then goes into what is scored."""
_OF_SERIES = frozenset({"ARIMA", "SARIMAX", "ARMA", "AutoReg"})


def choosing(facts: Facts) -> Iterator[Leak]:
    """Leaks by choice."""
    scores = [e for e in facts.evaluations if e.purpose is Purpose.SCORE and not is_baseline(e.model)]
    scores = [e for e in scores if (held_out(e.rows) or not has_seen(facts, e)) and not learnt_by(facts, e)]
    real = [e for e in scores if not to_choose_by(facts, e)]
    taught = _taught_elsewhere(real)
    tests = [e for e in real if not facts.inner(e.rows) and (e.rows, e.model.serial) not in taught]
    found = [*_on_tests(facts, tests)]
    if real and (stopped := stopped_in_folds(facts, scores, real)) is not None:
        found.append(stopped)
    if not real:
        found += _on_the_only_rows(facts, scores)
    best = best_of_folds(facts) if not found else None
    yield from found if best is None else [best]


def _on_tests(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    """Choices by rows that are there to test by."""
    yield from _stopped_on_test(facts, tests)
    yield from _tuned_on_test(facts, tests)
    yield from _typed_in(facts, tests)
    yield from _compared_on_test(facts, tests)


def _on_the_only_rows(facts: Facts, scores: list[Evaluation]) -> Iterator[Leak]:
    """Choices by the only rows that are told of, whatever the code calls them.

    Where others are predicted, those rows were there to choose one model by; so many models are told all the same.
    """
    yield from _stopped_on_the_only_test(facts)
    yield from _tuned_on_folds(facts)
    told = only_told(facts, scores)
    groups, found = _by_test_part(told), None
    if not others_predicted(facts):
        found = chosen_and_told(facts, told) or _searched(facts, groups) or typed_one_after_another(facts, told)
        found = found or kept_round_by_round(facts, scores) or watched_alone(facts)
    found = found or many_models(facts, groups) or best_of_search(facts) or side_by_side(facts, groups)
    if found is None and not scores:
        groups = _by_test_part(watched_by_several(facts))
        found = _searched(facts, groups) or many_models(facts, groups) or side_by_side(facts, groups)
    yield from [] if found is None else [replace(found, severity=Severity.NOTE)]


def _taught_elsewhere(tests: list[Evaluation]) -> set[tuple[Rows, Hashable]]:
    """Rows and models of tests whose rows another model, tested on others, learnt from: they served to choose it."""
    met = {(e.rows, e.model.serial) for e in tests}
    others = {(e.rows, e.model.serial, fit.rows) for e in tests for fit in e.model.fits}
    return {
        (rows, model)
        for rows, model in met
        if any(model != other and within(rows, learnt) and not meet(rows, tested) for tested, other, learnt in others)
    }


def _stopped_on_test(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    told: set[object] = set()
    for stopping in facts.trace.events:
        if not isinstance(stopping, Stopping) or stopping.site in told:
            continue
        for test in tests:
            if (
                _its_test(facts, test, stopping)
                and share(facts, test.rows, stopping.rows)
                and not _has_both_names(facts, tests, test, stopping)
            ):
                told.add(stopping.site)
                yield chosen(
                    facts,
                    test,
                    f"training is steered by {stopping.name} on the rows that the model is then tested on",
                    [step(f"{stopping.name} watches these rows", stopping.site)],
                    site=stopping.site,
                    confidence=Confidence.HIGH,
                    severity=Severity.NOTE if in_fold(test.rows) else Severity.WARNING,
                )
                break


def _its_test(facts: Facts, test: Evaluation, stopping: Stopping) -> bool:
    """Whether the model that was stopped is tested: it itself, or on test rows what may be another state of it.

    Folds of all rows in which others were tried are no test of one that is stopped by a part set apart.
    """
    other_folds = in_fold(test.rows) and not in_fold(stopping.rows)
    return test.model.serial == stopping.model or (facts.called_test(stopping.rows) and not other_folds)


def _has_both_names(facts: Facts, tests: list[Evaluation], test: Evaluation, stopping: Stopping) -> bool:
    """Whether the rows are called validation rows, too, and others are scored as well: those are the test."""
    meant = whichever_way(stopping.rows)
    return bool(meant) and meant <= facts.validation and tested_apart(facts, tests, test, stopping.rows)


def _stopped_on_the_only_test(facts: Facts) -> Iterator[Leak]:
    """Nothing is scored but what training watches: rows that the code calls test rows, and that it stops by."""
    if any(e.purpose is Purpose.CROSS_VALIDATION for e in facts.evaluations):
        return
    watched = [e for e in facts.evaluations if e.purpose is Purpose.WATCHED and not has_seen(facts, e)]
    for stopping in facts.trace.events:
        if not isinstance(stopping, Stopping) or not facts.called_test(stopping.rows) or in_fold(stopping.rows):
            continue
        test = next((e for e in watched if e.model.serial == stopping.model and meet(e.rows, stopping.rows)), None)
        if test is not None:
            message = f"training is steered by {stopping.name} on the test rows, and no other rows are left to score"
            watches = step(f"{stopping.name} watches these rows", stopping.site)
            yield chosen(facts, test, message, [watches], site=stopping.site, confidence=Confidence.MEDIUM)
            return


def _tuned_on_test(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    told: set[object] = set()
    for test in tests:
        settings = test.model.marks | {k for k in test.told if k.kind in _CHOSEN}
        for mark in marks_in_order(settings):
            place = test.site if mark.kind is Kind.WEIGHED else mark.site
            if place in told or not share(facts, test.rows, mark.rows) or _kept_from_choice(facts, mark, test, tests):
                continue
            told.add(place)
            what = _CHOSEN.get(mark.kind, "the setting of the model")
            yield chosen(
                facts,
                test,
                f"{what} ({mark.name}) was chosen with the rows that it is then tested on",
                [step("the choice is made here", mark.site)],
                site=mark.site,
                confidence=Confidence.HIGH,
            )


def _kept_from_choice(facts: Facts, mark: Mark, fold: Evaluation, tests: list[Evaluation]) -> bool:
    """Whether a choice meets only folds of all rows, and what it chose is also tested on rows kept from it."""
    mine = (t for t in tests if t.model.serial == fold.model.serial and mark in t.model.marks)
    return in_fold(fold.rows) and any(not share(facts, t.rows, mark.rows) for t in mine)


def _typed_in(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    """A search of all rows, the test rows among them; then such a model, with settings typed in, on those test rows."""
    for site, rows in facts.trace.orders.items():
        test = next((t for t in tests if t.model.name in _OF_SERIES and _typed_after(site, rows, t)), None)
        if test is not None:
            message = f"the setting of {test.model.name} was searched on rows that it is then tested on"
            searched = step("the search is made here", site)
            yield chosen(facts, test, message, [searched], site=site, confidence=Confidence.MEDIUM)
            return
    looped = looked_up_by_folds(facts.evaluations)
    for number, search in enumerate(facts.evaluations):
        asked = looped.get(made_at(search.model)) if search.purpose is Purpose.CROSS_VALIDATION else None
        if search.purpose is not Purpose.SEARCH and asked is None:
            continue
        after = set(map(id, facts.evaluations[number + 1 :]))
        for test in tests:
            if asked is not None and not typed(test.model, asked):
                continue
            if id(test) in after and search.model.name == test.model.name and _found_before(search, test):
                message = f"the setting of {test.model.name} was searched on rows that it is then tested on"
                searched = step("the search is made here", search.site)
                yield chosen(facts, test, message, [searched], site=search.site, confidence=Confidence.MEDIUM)
                return


def _typed_after(site: Site, searched: Rows, test: Evaluation) -> bool:
    """Whether a model of a series has settings of its own, and a search before it had seen all rows of its test."""
    made = test.model.site.node
    orders = (
        [k.value for k in made.keywords if k.arg in {"order", "seasonal_order"}] if isinstance(made, ast.Call) else []
    )
    typed = any(isinstance(order, ast.Tuple) and not _names_in(order) for order in orders)
    return typed and site.spot < test.site.spot and not in_fold(test.rows) and within(test.rows, searched)


def _names_in(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Name) for inner in ast.walk(node))


def _found_before(search: Evaluation, test: Evaluation) -> bool:
    """Whether a model has settings of its own, and the search before it had seen all rows of its test."""
    given = {name for name, _ in test.model.settings} - SEEDS - {INSIDE}
    searched = frozenset(part._replace(cuts=frozenset(c for c in part.cuts if not is_fold(c))) for part in search.rows)
    return bool(given) and not test.model.marks and not in_fold(test.rows) and within(test.rows, searched)


def _tuned_on_folds(facts: Facts) -> Iterator[Leak]:
    """Settings searched on all rows, then cross-validated on those same rows, and no other rows left."""
    scored = (e for e in facts.evaluations if e.purpose in {Purpose.CROSS_VALIDATION, Purpose.SCORE})
    for fold in (e for e in scored if in_fold(e.rows) and e.measure not in CURVES):
        tuned = [k for k in fold.model.marks if k.kind is Kind.TUNED and meet(k.rows, fold.rows)]
        for mark in marks_in_order(tuned)[:1]:
            yield chosen(
                facts,
                fold,
                f"the setting of the model ({mark.name}) was chosen with the rows that it is then cross-validated on",
                [step("the choice is made here", mark.site)],
                site=fold.site,
                confidence=Confidence.MEDIUM,
                severity=Severity.NOTE,
            )
            return


def _compared_on_test(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    """A choice among scores of one test part, and no part left that nothing was tried on.

    Two or three models side by side are a comparison, of which there is a note.
    """
    groups = _by_test_part([test for test in tests if not _key_of_a_sort(test)])
    order = {id(test): place for place, test in enumerate(tests)}
    if any(len(rivals(g)) == 1 and not in_search_loop(g[0]) and _later(facts, g, groups, order) for g in groups):
        return
    found = best_kept(facts, tests) or _searched(facts, groups) or thresholds_tried(facts, tests)
    found = found or many_models(facts, groups) or side_by_side(facts, groups)
    if found is not None:
        yield found


def _key_of_a_sort(test: Evaluation) -> bool:
    """`min(names, key=lambda n: abs(n - said))`: how far off something is, and no test."""
    given = all(part.origin.kind is OriginKind.PARAMETER for part in test.rows)
    return test.measure == DIFFERENCE and given


def _searched(facts: Facts, groups: list[list[Evaluation]]) -> Leak | None:
    """A setting is varied in a loop, and every value of it scored on the test part."""
    for everything in groups:
        group = [e for e in everything if not _kept_by_others(facts, e)]
        first = next((e for e in group if in_search_loop(e) and (varied_in_loop(e) or _step_tried(facts, e))), None)
        first = first or next((e for e in group if _lined_up(facts, e)), None)
        first = first or _many_from_one_place(facts, group) or _many_resamplers(group)
        if first is not None:
            message = f"{first.model.name} is tried in a loop and scored each time on the same test rows"
            scored = step("scored on the test part", first.site)
            return chosen(facts, first, message, [scored], site=first.site, confidence=Confidence.MEDIUM)
    return None


def _lined_up(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether a model is scored as one of several that a loop made, each with another setting."""
    loops = facts.trace.lined_up.get((evaluation.site, evaluation.model.serial))
    return loops is not None and not set_elsewhere(evaluation.model) and one_of_a_line(evaluation, loops)


def _step_tried(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether a loop varies a setting of a step before the model: how many columns, how many copies."""
    return any(mark.site in facts.trace.tried for fit in evaluation.model.fits for mark in fit.marks)


def _many_from_one_place(facts: Facts, group: list[Evaluation]) -> Evaluation | None:
    """A loop over written values, gone through value by value, makes its models in one place."""
    if not group or in_fold(group[0].rows):
        return None  # settings tried by cross-validation, written out
    versions = [
        e
        for e in rivals(group).values()
        if (varied_settings(e.model) or _step_tried(facts, e)) and not set_elsewhere(e.model)
    ]
    places = Counter(place for place, _ in {(of_one_sort(e.model), e.model.serial) for e in versions})
    curves = {of_one_sort(e.model) for e in versions if len({_taught(v) for v in versions if _alike(v, e)}) > 1}
    often = {place for place, count in places.items() if count >= _SEVERAL} - curves
    return next((e for e in group if of_one_sort(e.model) in often), None)


def _kept_by_others(facts: Facts, test: Evaluation) -> bool:
    """Whether training kept the best state of this model by other rows than those of the test."""
    return any(rows and not meet(rows, test.rows) for rows in facts.chosen_by.get(test.model.serial, ()))


def _many_resamplers(group: list[Evaluation]) -> Evaluation | None:
    """A loop over ways to resample the training rows, each scored on the test part."""
    names: dict[Site, set[str]] = {}
    for e in rivals(group).values():
        for mark in (k for fit in e.model.fits for k in fit.marks if k.kind in _RESAMPLED):
            names.setdefault(mark.site, set()).add(mark.name)
            if len(names[mark.site]) >= _SEVERAL and not in_fold(e.rows):
                return e
    return None


def _alike(a: Evaluation, b: Evaluation) -> bool:
    return made_at(a.model) == made_at(b.model)


def _taught(evaluation: Evaluation) -> frozenset[Rows]:
    """The rows that a model learnt from: where they differ from round to round, it is a learning curve."""
    return frozenset(fit.rows for fit in evaluation.model.fits)


def _by_test_part(tests: list[Evaluation]) -> list[list[Evaluation]]:
    groups: list[tuple[Rows, list[Evaluation]]] = []
    for test in tests:
        for rows, group in groups:
            if (within(rows, test.rows) or within(test.rows, rows)) and _one_task(group[0], test):
                group.append(test)
                break
        else:
            groups.append((test.rows, [test]))
    return [group for _, group in groups]


def _one_task(a: Evaluation, b: Evaluation) -> bool:
    """Whether two models may have been rivals: not if they predict different columns, or rows resampled anew."""
    if _resampled(a) != _resampled(b):
        return False
    if a.model.site == b.model.site and a.model.serial != b.model.serial and over_outcomes(a) and over_outcomes(b):
        return False
    one, other = ({name for fit in e.model.fits for name in fit.target} or e.truth for e in (a, b))
    return not one or not other or bool(one & other)


def _resampled(evaluation: Evaluation) -> set[Site]:
    """Where the rows of a test were copied, made up or thinned out."""
    return {mark.site for mark in evaluation.marks if mark.kind in ROWS_CHANGED}


def _later(facts: Facts, group: list[Evaluation], groups: list[list[Evaluation]], order: dict[int, int]) -> bool:
    """Whether one model alone is scored on this part, after another part has served to compare."""
    serials, last = {e.model.serial for e in group}, order[id(group[-1])]
    others = [e for g in groups if g is not group for e in g if order[id(e)] < last]
    if len(rivals(others)) < 2 or all(e.model.serial not in serials for e in others):
        return False
    return not any(_drawn_anew(facts, group[0], e) for e in rivals(others).values())


def _drawn_anew(facts: Facts, test: Evaluation, rival: Evaluation) -> bool:
    """Whether a part was drawn from all rows again, with those that a rival knew or was compared by among them."""
    return any(meet(test.rows, fit.rows) and divided_twice(facts, test, fit) for fit in rival.model.fits)
