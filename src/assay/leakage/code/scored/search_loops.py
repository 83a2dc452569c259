"""Loops that try one model after the other, told from loops that train one."""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterable
from functools import lru_cache

from assay.leakage.code.effects import How, Role
from assay.leakage.code.scored.outcomes import not_over_outcomes
from assay.leakage.code.state.events import Evaluation
from assay.leakage.code.state.rows import Interval, Origin
from assay.leakage.code.state.values import Estimator
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group
from assay.records import replace

INSIDE = "the models inside"
"""The setting of a pipeline or wrapper that says which sorts of models it holds."""
WITHOUT_OUTCOME = "its last step learns without the outcome"
"""The setting of a pipeline that ends in a detector of outliers or in a grouping."""
STEP_TRIED = "a step before the model is tried"
"""The setting of a search around a pipeline, a step of which a loop varies: that one it does not search itself."""


def in_search_loop(evaluation: Evaluation) -> bool:
    """Whether the model is made or fitted anew in a loop around, while the test part was set apart before it."""
    evaluation = replace(evaluation, loops=not_over_outcomes(evaluation, evaluation.loops))
    fits = evaluation.model.fits
    if _other_rows_each_round(evaluation, evaluation.loops):
        return False
    for loop in evaluation.loops:
        if any(loop in fit.loops or inside(fit.site.node, loop) for fit in fits) and not any(
            _made_up_inside(part.origin, loop) or any(_made_inside(cut.key, loop) for cut in part.cuts)
            for part in evaluation.rows
        ):
            return isinstance(loop, ast.For | ast.While) and not _epochs(evaluation, loop)
    return False


def _other_rows_each_round(evaluation: Evaluation, loops: tuple[ast.AST, ...]) -> bool:
    """Whether the loop goes from one part of the rows to the next: each model has its own test part."""
    varied = _bound(loops)
    return any(
        (words_of(cut.side) if isinstance(cut.side, Interval) else {str(cut.side)}) & varied
        for part in evaluation.rows
        for cut in part.cuts
    )


def other_rows_shown(evaluation: Evaluation) -> bool:
    """Whether a loop shows one model that it does not train other rows each time: a ward, or a column shuffled."""
    shown, loops = evaluation.shown, evaluation.loops
    if any(loop in fit.loops or inside(fit.site.node, loop) for fit in evaluation.model.fits for loop in loops):
        return False
    given = shown.args[:1] if isinstance(shown, ast.Call) else []
    asked = {n.id for value in given for n in ast.walk(value) if isinstance(n, ast.Name)}
    here = [loop for loop in loops if shown is not None and inside(shown, loop)]
    return bool(asked & _bound(here)) or _other_rows_each_round(evaluation, loops)


def words_of(side: Interval) -> set[str]:
    """The names in the bounds of a slice."""
    return set(re.findall(r"\w+", " ".join(str(bound) for bound in side if isinstance(bound, str))))


def _epochs(evaluation: Evaluation, loop: ast.AST) -> bool:
    """A loop of training steps goes on with one model; it is no search."""
    return not inside(evaluation.model.site.node, loop) and evaluation.model.effect.role is Role.NETWORK


def varied_in_loop(evaluation: Evaluation) -> bool:
    """Whether a loop changes a setting of the model that is made in it (or in a function that it calls)."""
    made, loops = evaluation.model.site.node, not_over_outcomes(evaluation, evaluation.loops)
    if set_elsewhere(evaluation.model):
        return False
    if evaluation.model.setting("tried"):
        return True
    within = [loop for loop in loops if inside(made, loop)]
    return bool(settings(made) & _bound(within)) and not class_varied(made, within)


def class_varied(made: ast.AST, loops: Iterable[ast.AST]) -> bool:
    """`kind(**settings)`, where each round has another kind of model: what it is made with belongs to it."""
    sort = made.func if isinstance(made, ast.Call) else None
    while isinstance(sort, ast.Subscript):
        sort = sort.slice
    return isinstance(sort, ast.Name) and sort.id in _bound(loops)


def only_seeded(evaluation: Evaluation) -> bool:
    """Whether the loops around vary nothing of the model but its seed."""
    made = evaluation.model.site.node
    varied = _bound(evaluation.loops)
    given = made.keywords if isinstance(made, ast.Call) else []
    seeds = [k.value for k in given if k.arg in names_of(Group.SEED_SETTINGS)]
    seeded = any(isinstance(n, ast.Name) and n.id in varied for value in seeds for n in ast.walk(value))
    return seeded and not settings(made) & varied


def _bound(loops: Iterable[ast.AST]) -> set[str]:
    """The names that loops give a value to, each round anew."""
    return set().union(*map(names_set_in, loops))


def set_elsewhere(model: Estimator) -> bool:
    """Whether a loop cannot vary the setting: a search finds its own by cross-validation, a given model has one.

    Of a pipeline that is searched, a loop around may all the same vary a step that comes before the model.
    """
    searched = model.effect.role is Role.SEARCH and not model.setting(STEP_TRIED)
    return searched or model.effect.how is How.GIVEN


def made_at(model: Estimator) -> Hashable:
    """The place where a model is made, and the way there: what the rounds of one loop have in common."""
    return model.site, _way(model.serial)


def sort_of(model: Estimator) -> Hashable:
    """What sort of model it is: its name, or the sorts inside, for all pipelines have one name."""
    return model.setting(INSIDE) or model.name


def is_baseline(model: Estimator) -> bool:
    """Whether it only guesses (`DummyClassifier`), also as the last step of a pipeline: nobody would choose it."""
    return all(name.startswith("Dummy") for name in str(sort_of(model)).split("+"))


def learns_without_outcome(model: Estimator) -> bool:
    """Whether it groups rows or looks for outliers (`IsolationForest`), also as the last step of a pipeline."""
    return model.effect.role is Role.GROUPER or model.setting(WITHOUT_OUTCOME) is True


def original(serial: Hashable) -> Hashable:
    """The object that an object is a copy of, or a copy of such."""
    match serial:
        case (first, _, _, _):
            return original(first)
        case _:
            return serial


def _way(serial: Hashable) -> Hashable:
    """The calls that led to an object, and to the object that it is a copy of; not the rounds of loops."""
    match serial:
        case (original, _, stack, _):
            return _way(original), stack
        case (_, stack, _):
            return stack
        case _:
            return serial


def settings(made: ast.AST) -> set[str]:
    """The variables that a model is made with, but for its seed: to repeat a run is not to choose.

    Nor is to ask for another quantile.
    """
    given = [*made.args, *made.keywords] if isinstance(made, ast.Call) else []
    nodes = [inner for value in given for inner in ast.walk(value)]
    keywords = [k for k in nodes if isinstance(k, ast.keyword)]
    left_out = names_of(Group.SEED_SETTINGS)
    left_out |= names_of(Group.QUANTILES) if any(map(_of_a_quantile, keywords)) else frozenset()
    apart = {id(n) for k in keywords if k.arg in left_out for n in ast.walk(k.value)}
    return {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in apart}


def _of_a_quantile(keyword: ast.keyword) -> bool:
    """`loss="quantile"`, `objective="reg:quantileerror"`, `quantile=q`."""
    written = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
    return isinstance(written, str) and "quantile" in written.lower()


def _made_inside(key: Hashable, loop: ast.AST) -> bool:
    """Whether a division is made anew in each round: folds, or a split inside the loop."""
    parts = key if isinstance(key, tuple) else (key,)
    if parts and parts[0] == "folds":
        return True
    return any(isinstance(p, ast.AST) and inside(p, loop) for p in parts)


def _made_up_inside(origin: Origin, loop: ast.AST) -> bool:
    """Whether rows are made up anew in each round: `make_blobs(n)` without a seed, in the loop or called by it."""
    key = origin.key
    return isinstance(key, tuple) and key[:1] == ("data set",) and _made_inside(key[3:], loop)


def inside(node: ast.AST, loop: ast.AST) -> bool:
    """Whether a node stands in a loop: first by its line, for another file has such lines, too."""
    line = getattr(node, "lineno", 0)
    near = getattr(loop, "lineno", 0) <= line <= (getattr(loop, "end_lineno", 0) or 0)
    return near and node in _held(loop)


@lru_cache(maxsize=512)
def _held(loop: ast.AST) -> frozenset[ast.AST]:
    return frozenset(ast.walk(loop))


def _stored(target: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


@lru_cache(maxsize=512)
def names_set_in(loop: ast.AST) -> frozenset[str]:
    """Names that a loop gives a value to."""
    return frozenset(_stored(loop))
