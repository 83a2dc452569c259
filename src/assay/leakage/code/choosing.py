"""LX1: choices made on the test set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from assay.findings import Confidence, Evidence, Severity
from assay.leakage.code.effects import Role
from assay.leakage.code.events import DIFFERENCE, Evaluation, Purpose, Stopping
from assay.leakage.code.evidence import tables_in
from assay.leakage.code.leak import Leak
from assay.leakage.code.rows import Rows, Site, is_fold, meet, within
from assay.leakage.code.search_loops import SEEDS, in_search_loop, made_at, set_elsewhere, settings, varied_in_loop
from assay.leakage.code.telling import Facts, read_steps, split_steps, step, sureness, tell
from assay.leakage.code.values import Kind, Prediction

_ADVICE = (
    "Choose on a validation part, or by cross-validation of the training rows, and score the one choice once:\n"
    "search = GridSearchCV(model, grid).fit(X_train, y_train)\n"
    "search.score(X_test, y_test)"
)

_SEVERAL = 3
"""Models from one place, by which a loop over settings is told from a function that is used twice."""
_MANY = 4
_POINTS = frozenset({"recall_score", "precision_score", "confusion_matrix", "comparison", DIFFERENCE})
"""Measures that draw a curve of one model; a loop over thresholds that computes these alone chooses nothing."""


def choosing(facts: Facts) -> Iterator[Leak]:
    """Leaks by choice."""
    scores = [e for e in facts.evaluations if e.purpose is Purpose.SCORE and not _seen(e)]
    real = [e for e in scores if not _to_choose_by(facts, e) and not e.model.name.startswith("Dummy")]
    tests = [e for e in real if not facts.inner(e.rows)]
    yield from _stopped_on_test(facts, tests)
    yield from _tuned_on_test(facts, tests)
    yield from _compared_on_test(facts, tests)
    if not real:
        yield from _stopped_on_the_only_test(facts)
        yield from _tuned_on_folds(facts)


def _to_choose_by(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether the code itself calls these rows validation rows."""
    return facts.called_validation(evaluation.rows) or all(
        any(c.side == "val" for c in part.cuts) for part in evaluation.rows
    )


def _seen(evaluation: Evaluation) -> bool:
    return any(meet(fit.rows, evaluation.rows) for fit in evaluation.model.fits)


def _stopped_on_test(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    told: set[object] = set()
    for stopping in facts.trace.events:
        if not isinstance(stopping, Stopping) or stopping.site in told:
            continue
        for test in tests:
            if test.model.serial == stopping.model and meet(test.rows, stopping.rows):
                told.add(stopping.site)
                yield _chosen(
                    facts,
                    test,
                    f"training is steered by {stopping.name} on the rows that the model is then tested on",
                    [step(f"{stopping.name} watches these rows", stopping.site)],
                    site=stopping.site,
                    confidence=Confidence.HIGH,
                    severity=Severity.NOTE if _fold(test.rows) else Severity.WARNING,
                )
                break


def _stopped_on_the_only_test(facts: Facts) -> Iterator[Leak]:
    """Nothing is scored but what training watches: rows that the code calls test rows, and that it stops by."""
    if any(e.purpose is Purpose.CROSS_VALIDATION for e in facts.evaluations):
        return
    watched = [e for e in facts.evaluations if e.purpose is Purpose.WATCHED and not _seen(e)]
    for stopping in facts.trace.events:
        if not isinstance(stopping, Stopping) or not facts.called_test(stopping.rows) or _fold(stopping.rows):
            continue
        test = next((e for e in watched if e.model.serial == stopping.model and meet(e.rows, stopping.rows)), None)
        if test is not None:
            message = f"training is steered by {stopping.name} on the test rows, and no other rows are left to score"
            watches = step(f"{stopping.name} watches these rows", stopping.site)
            yield _chosen(facts, test, message, [watches], site=stopping.site, confidence=Confidence.MEDIUM)
            return


def _fold(rows: Rows) -> bool:
    """Whether these are the test rows of a fold, each of which stops its own model: a small gain in the mean."""
    return any(is_fold(c) for part in rows for c in part.cuts)


def _tuned_on_test(facts: Facts, tests: list[Evaluation]) -> Iterator[Leak]:
    told: set[object] = set()
    for test in tests:
        settings = test.model.marks | {k for k in test.told if k.kind is Kind.THRESHOLD}
        for mark in sorted(settings, key=lambda k: k.site.spot):
            if mark.site in told or not meet(mark.rows, test.rows):
                continue
            told.add(mark.site)
            what = "the threshold" if mark.kind is Kind.THRESHOLD else "the setting of the model"
            yield _chosen(
                facts,
                test,
                f"{what} ({mark.name}) was chosen with the rows that it is then tested on",
                [step("the choice is made here", mark.site)],
                site=mark.site,
                confidence=Confidence.HIGH,
            )


def _tuned_on_folds(facts: Facts) -> Iterator[Leak]:
    """Settings searched on all rows, then cross-validated on those same rows, and no other rows left."""
    for fold in (e for e in facts.evaluations if e.purpose is Purpose.CROSS_VALIDATION):
        tuned = [k for k in fold.model.marks if k.kind is Kind.TUNED and meet(k.rows, fold.rows)]
        for mark in sorted(tuned, key=lambda k: k.site.spot)[:1]:
            yield _chosen(
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

    Two or three models side by side are a comparison; who chose nothing has nothing to be accused of.
    """
    groups = _by_test_part(tests)
    if any(len(_versions(g)) == 1 and not in_search_loop(g[0]) and _later(g, groups) for g in groups):
        return
    found = (
        _picked(facts, tests)
        or _best_fold(facts, tests)
        or _searched(facts, groups)
        or _swept(facts, tests)
        or _many(facts, groups)
    )
    if found is not None:
        yield found


def _picked(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The best of several scores is asked for, or kept."""
    for choice in facts.choices:
        compared = [p for p in choice.predictions if not facts.called_validation(tables_in(p.rows))]
        judged = [t for t in tests if not _fold(t.rows) and any(_of(p, t) for p in compared)]
        versions = _versions(judged)
        folded = not any(tables_in(p.rows) == t.rows for t in judged for p in compared)
        if folded and not choice.which:
            continue  # how good the folds were; nobody asks which model was best
        if len(versions) > 1 or (judged and (choice.which or in_search_loop(judged[0]))):
            names = ", ".join(list(dict.fromkeys(e.model.name for e in versions.values()))[:4])
            how = "a comparison of scores" if choice.name == "comparison" else f"`{choice.name}` of scores"
            where = "all rows, the test rows among them," if folded else "the test rows"
            message = f"{how} on {where} decides what is best ({names})"
            steps = [step("scored on the test part", e.site) for e in list(versions.values())[:8]]
            steps.append(step("the choice is made here", choice.site))
            return _chosen(facts, judged[0], message, steps, site=choice.site, confidence=Confidence.HIGH)
    return None


def _best_fold(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The fold that scored best is kept, and its score told, as if it were that of all."""
    for choice in facts.choices:
        judged = {tables_in(p.rows) for p in choice.predictions if choice.name == "comparison" and _fold(p.rows)}
        told = next((t for t in tests if t.rows in judged and not t.loops), None)
        if told is not None and choice.site.spot < told.site.spot:
            message = f"the fold on which {told.model.name} scores best is kept, and its score is told"
            kept = step("the best fold is kept here", choice.site)
            return _chosen(facts, told, message, [kept], site=told.site, confidence=Confidence.MEDIUM)
    return None


def _of(prediction: Prediction, test: Evaluation) -> bool:
    return prediction.model.serial == test.model.serial and meet(prediction.rows, test.rows)


def _searched(facts: Facts, groups: list[list[Evaluation]]) -> Leak | None:
    """A setting is varied in a loop, and every value of it scored on the test part."""
    for group in groups:
        first = next((e for e in group if in_search_loop(e) and (varied_in_loop(e) or _step_tried(facts, e))), None)
        first = first or _many_from_one_place(facts, group)
        if first is not None:
            message = f"{first.model.name} is tried in a loop and scored each time on the same test rows"
            scored = step("scored on the test part", first.site)
            return _chosen(facts, first, message, [scored], site=first.site, confidence=Confidence.MEDIUM)
    return None


def _swept(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """One threshold after the other is scored on the test part; the points of a curve are no choice."""
    for test in tests:
        sweeps = [k for k in test.told if k.kind is Kind.SWEEP and meet(k.rows, test.rows)]
        if sweeps and test.measure not in _POINTS:
            message = f"thresholds are tried in a loop ({sweeps[0].name}) and each is scored on the test rows"
            tried = step("a threshold is tried here", sweeps[0].site)
            return _chosen(facts, test, message, [tried], site=test.site, confidence=Confidence.MEDIUM)
    return None


def _step_tried(facts: Facts, evaluation: Evaluation) -> bool:
    """Whether a loop varies a setting of a step before the model: how many columns, how many copies."""
    return any(mark.site in facts.trace.tried for fit in evaluation.model.fits for mark in fit.marks)


def _many_from_one_place(facts: Facts, group: list[Evaluation]) -> Evaluation | None:
    """A loop over written values, gone through value by value, makes its models in one place."""
    if _fold(group[0].rows):
        return None  # settings tried by cross-validation, written out
    versions = [
        e
        for e in _versions(group).values()
        if (settings(e.model.site.node) or _step_tried(facts, e)) and not set_elsewhere(e.model)
    ]
    places = Counter(place for place, _ in {(made_at(e.model), e.model.serial) for e in versions})
    curves = {made_at(e.model) for e in versions if len({_taught(v) for v in versions if _alike(v, e)}) > 1}
    often = {place for place, count in places.items() if count >= _SEVERAL} - curves
    return next((e for e in group if made_at(e.model) in often), None)


def _alike(a: Evaluation, b: Evaluation) -> bool:
    return made_at(a.model) == made_at(b.model)


def _taught(evaluation: Evaluation) -> frozenset[Rows]:
    """The rows that a model learnt from: where they differ from round to round, it is a learning curve."""
    return frozenset(fit.rows for fit in evaluation.model.fits)


def _many(facts: Facts, groups: list[list[Evaluation]]) -> Leak | None:
    """So many models on one test part, and nothing else to choose by, that somebody will have chosen."""
    inner = {Purpose.CROSS_VALIDATION, Purpose.SEARCH}
    if facts.trace.validation or any(e.purpose in inner or _fold(e.rows) for e in facts.evaluations):
        return None
    if any(e.model.name.endswith("CV") for group in groups for e in group):
        return None  # a model that finds its setting by cross-validation
    for group in groups:
        versions = {_sort(e): e for e in _versions(group).values()}
        if len(versions) >= _MANY:
            names = list(dict.fromkeys(e.model.name for e in versions.values()))
            listed = ", ".join(names[:4]) + ("…" if len(names) > 4 else "")
            message = (
                f"{len(versions)} models are scored on the same test rows, with no other rows to choose by ({listed})"
            )
            steps = [step("scored on the test part", e.site) for e in list(versions.values())[:8]]
            return _chosen(facts, group[0], message, steps, site=group[0].site, confidence=Confidence.LOW)
    return None


def _sort(evaluation: Evaluation) -> Hashable:
    """One sort of model with the same settings counts once, whatever columns it is shown and whatever its seed."""
    model = evaluation.model
    given = tuple(setting for setting in model.settings if setting[0] not in SEEDS)
    return (model.name, given) if model.effect.role is Role.MODEL else model.serial


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
    """Whether two models may have been rivals: they are not if they predict different columns."""
    one, other = ({name for fit in e.model.fits for name in fit.target} for e in (a, b))
    return not one or not other or bool(one & other)


def _versions(group: list[Evaluation]) -> dict[Hashable, Evaluation]:
    """The different contestants of a group, each with its first score."""
    found: dict[Hashable, Evaluation] = {}
    for e in group:
        found.setdefault(e.jury, e)
    return found


def _later(group: list[Evaluation], groups: list[list[Evaluation]]) -> bool:
    """Whether one model alone is scored on this part while another part serves to compare."""
    serials = {e.model.serial for e in group}
    others = [e for g in groups if g is not group for e in g]
    return len(_versions(others)) > 1 and any(e.model.serial in serials for e in others)


def _chosen(
    facts: Facts,
    test: Evaluation,
    message: str,
    steps: list[Evidence],
    *,
    site: Site,
    confidence: Confidence,
    severity: Severity = Severity.WARNING,
) -> Leak:
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
