"""LX1: so many models on one test part, and nothing else to choose by, that somebody will have chosen."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from assay.findings import Confidence, Evidence, Severity
from assay.leakage.code.checks.contests import chosen, in_fold, rivals, validates, whole_of
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.effects import SIDE_BY_SIDE, Role
from assay.leakage.code.learnt.kinds import OFTEN_FINE, ROWS_CHANGED, SELECTION
from assay.leakage.code.scored.search_loops import SEEDS, made_at, original, run_again, set_elsewhere, sort_of
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import NO_ROWS, Rows, Site, within
from assay.leakage.code.state.values import Kind
from assay.records import replace

_SETTINGS = 4
"""Settings of one sort of model, typed in one after another, all scored on the test part."""
_MORE = 2
"""So many more are told even where each training watched rows of its own: those choose an epoch, not a model."""
_TREATMENTS = 5
"""Ways to resample, fill, scale or choose from what one sort of model is shown, all scored on the test part."""
_RESAMPLED = 4
"""Ways to resample alone, or not to: these are rivals, where a column more or less may only be shown."""
_STEPS = (ROWS_CHANGED | OFTEN_FINE | SELECTION) - {Kind.STATISTIC, Kind.ENCODE}


def many_models(facts: Facts, groups: list[list[Evaluation]]) -> Leak | None:
    """The first test part on which so many are scored: before any search, or in a program without one."""
    by_hand = next((found for group in groups if (found := _settings_typed(group))), None)
    if by_hand is not None:
        first, count = by_hand
        message = (
            f"{first.model.name} is scored on the same test rows with {count} settings, typed in one after another"
        )
        scored = step("scored on the test part", first.site)
        return chosen(facts, first, message, [scored], site=first.site, confidence=Confidence.LOW)
    enough = facts.policy.rivals + (_MORE if any(map(_splits_off, facts.evaluations)) else 0)
    others = _to_choose_by(facts, groups)
    tuned = {sort_of(e.model) for e in others}
    if others:
        if len(tuned) > 1 or all(e.purpose is not Purpose.SEARCH for e in others):
            return None
        before = set(map(id, facts.evaluations[: facts.evaluations.index(others[0])]))
        groups = [kept for group in groups if (kept := [e for e in group if id(e) in before])]
        groups = [group for group in groups if tuned <= {sort_of(e.model) for e in group}]  # the winner was tuned
    if any(e.model.name.endswith("CV") for group in groups for e in group):
        return None  # a model that finds its setting by cross-validation
    for group in groups:
        at_once = next((e for e in group if e.model.effect.how == SIDE_BY_SIDE), None)
        if at_once is not None:
            message = f"{at_once.model.name} scores dozens of models on the same test rows"
            scored = step("scored on the test part", at_once.site)
            return chosen(facts, at_once, message, [scored], site=at_once.site, confidence=Confidence.LOW)
        curves = _learning_curves(group)
        versions, treated = {_sort(e, curves): e for e in rivals(group).values()}, _treatments(group, _STEPS)
        if len(treated) >= _TREATMENTS or len(treated := _treatments(group, ROWS_CHANGED)) >= _RESAMPLED:
            versions = treated if len(treated) > len(versions) else versions
        shown = _with_other_columns(group) if 1 < len(versions) < enough else {}
        versions = shown if len(shown) > enough else versions
        if len(versions) >= enough:
            why = "and one of them is then tuned" if tuned else "with no other rows to choose by"
            message = f"{len(versions)} models are scored on the same test rows, {why} ({_listed(versions)})"
            return chosen(facts, group[0], message, _scored(versions), site=group[0].site, confidence=Confidence.LOW)
    return None


def side_by_side(facts: Facts, groups: list[list[Evaluation]]) -> Leak | None:
    """Several models on one test part: no choice is in sight, but if there was one, it was made by these rows.

    Not where each sort of them was also scored on rows to choose by, or cross-validated, and that is told. A search
    that tunes each by itself decides nothing between them.
    """
    compared = [_versions(group) for group in groups] if facts.policy.comparisons else []
    several = [versions for versions in compared if len(versions) > 1]
    told = facts.trace.told_searches
    others = _to_choose_by(facts, groups) if several else []
    others = [e for e in others if e.purpose is not Purpose.SEARCH or e.site in told]
    for versions in several:
        if not all(any(_judged_by(e, other) for other in others) for e in versions.values()):
            first = next(iter(versions.values()))
            models = f"{len(versions)} models are scored on the same test rows ({_listed(versions)})"
            message = f"{models}: if the best of them is chosen by these scores, its own is too good"
            found = chosen(facts, first, message, _scored(versions), site=first.site, confidence=Confidence.LOW)
            return replace(found, severity=Severity.NOTE)
    return None


def _judged_by(evaluation: Evaluation, other: Evaluation) -> bool:
    """Whether a score to choose by is one of this sort of model: with another kernel it is another sort.

    Other settings are often those that such scores led to. A search may have tried all kernels.
    """
    if sort_of(evaluation.model) != sort_of(other.model):
        return False
    kernels = {evaluation.model.setting("kernel"), other.model.setting("kernel")}
    return other.purpose is Purpose.SEARCH or len(kernels - {None}) < 2 or _tries(other, "kernel")


def _tries(evaluation: Evaluation, setting: str) -> bool:
    """Whether folds tell the values of a setting apart: by `validation_curve(…, param_name="kernel")`, or in a loop."""
    if evaluation.model.setting("tried"):
        return True
    constants = (n.value for n in ast.walk(evaluation.site.node) if isinstance(n, ast.Constant))
    return evaluation.measure == "validation_curve" and setting in constants


def _versions(group: list[Evaluation]) -> dict[Hashable, Evaluation]:
    """The different models of a group that set no rows aside by themselves, each with its first score."""
    found: dict[Hashable, Evaluation] = {}
    curves = _learning_curves(group)
    for e in rivals(group).values():
        if not _splits_off(e):
            found.setdefault((_version(e, curves), _treated(e)), e)
    return found


def _version(evaluation: Evaluation, curves: frozenset[Site] = frozenset()) -> Hashable:
    """One sort of model with other columns is another; with another seed, or more rows, it is not."""
    return _sort(evaluation, curves), frozenset(fit.columns for fit in evaluation.model.fits)


def _learning_curves(group: list[Evaluation]) -> frozenset[Site]:
    """Where networks are made that a loop teaches with other rows each time: how much data helps is no choice."""
    taught: dict[tuple[Site, Hashable], dict[Hashable, Rows]] = {}
    for e in group:
        if e.model.effect.role is Role.NETWORK:
            known = NO_ROWS.union(*(fit.rows for fit in e.model.fits))
            taught.setdefault((e.model.site, made_at(e.model)), {})[e.model.serial] = known
    return frozenset(site for (site, _), known in taught.items() if len(set(known.values())) > 1)


def _treated(evaluation: Evaluation) -> Hashable:
    """What was done to the rows that a model learnt from: with SMOTE and without it, one sort of model is two."""
    return frozenset((k.name, k.settings) for fit in evaluation.model.fits for k in fit.marks if k.kind in ROWS_CHANGED)


def _with_other_columns(group: list[Evaluation]) -> dict[Hashable, Evaluation]:
    """Sorts of models and the columns that each was shown, as far as these are written down."""
    written = (e for e in rivals(group).values() if all(fit.columns.only for fit in e.model.fits))
    return {_version(e): e for e in written}


def _to_choose_by(facts: Facts, groups: list[list[Evaluation]]) -> list[Evaluation]:
    """Scores by which one could choose: of folds, and of rows that the code calls validation rows.

    Whoever cross-validates on the test part has only that to choose by.
    """
    judged = {e.rows for group in groups for e in group}
    return [
        e
        for e in facts.evaluations
        if (validates(e) and not any(within(whole_of(e.rows), rows) for rows in judged))
        or (facts.called_validation(e.rows) and e.rows not in judged)
    ]


def _listed(versions: dict[Hashable, Evaluation]) -> str:
    names = list(dict.fromkeys(e.model.name for e in versions.values()))
    return ", ".join(names[:4]) + ("…" if len(names) > 4 else "")


def _scored(versions: dict[Hashable, Evaluation]) -> list[Evidence]:
    return [step("scored on the test part", e.site) for e in list(versions.values())[:8]]


def _settings_typed(group: list[Evaluation]) -> tuple[Evaluation, int] | None:
    """One sort of model with so many settings, none of them found by a search: whoever typed them saw each score."""
    found: dict[str, dict[Hashable, Evaluation]] = {}
    for e in rivals(group).values():
        if e.model.effect.role is Role.MODEL and not set_elsewhere(e.model) and not in_fold(e.rows):
            given = frozenset(setting for setting in e.model.settings if setting[0] not in SEEDS)
            found.setdefault(e.model.name, {}).setdefault(given, e)
    most = max(found.values(), key=len, default={})
    return (next(iter(most.values())), len(most)) if len(most) >= _SETTINGS else None


def _splits_off(evaluation: Evaluation) -> bool:
    """`fit(…, validation_split=0.2)`: training sets rows aside to watch it by."""
    calls = (fit.site.node for fit in evaluation.model.fits)
    return any(k.arg == "validation_split" for call in calls if isinstance(call, ast.Call) for k in call.keywords)


def _sort(evaluation: Evaluation, curves: frozenset[Site]) -> Hashable:
    """One sort of model with the same settings counts once, whatever columns it is shown and whatever its seed.

    So do the networks of a learning curve, and copies of what a search found, whatever rows they are then taught with.
    """
    model = evaluation.model
    if model.site in curves:
        return model.site
    if model.effect.role is Role.SEARCH:
        return original(model.serial)
    given = tuple(setting for setting in model.settings if setting[0] not in SEEDS)
    if model.effect.role is not Role.MODEL and run_again(model):
        return model.name, model.site, given
    return (model.name, given) if model.effect.role is Role.MODEL else model.serial


def _treatments(group: list[Evaluation], kinds: frozenset[Kind]) -> dict[Hashable, Evaluation]:
    """The ways in which the rows of one sort of model were treated, or left: of the sort with the most.

    A scaler at several places is one way; rows that are resampled at several places are not the same.
    """
    found: dict[str, dict[Hashable, Evaluation]] = {}
    for e in group:
        steps = (k for fit in e.model.fits for k in fit.marks if k.kind in kinds)
        done = frozenset((k.name, k.settings, k.site if k.kind in ROWS_CHANGED else None) for k in steps)
        found.setdefault(e.model.name, {}).setdefault(done, e)
    return max(found.values(), key=len)
