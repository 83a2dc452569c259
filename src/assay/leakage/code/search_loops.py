"""Loops that try one model after the other, told from loops that train one."""

from __future__ import annotations

import ast
from collections.abc import Hashable

from assay.leakage.code.events import Evaluation
from assay.leakage.code.values import Estimator


def in_search_loop(evaluation: Evaluation) -> bool:
    """Whether the model is made or fitted anew in a loop around, while the test part was set apart before it."""
    fits = [fit.site.node for fit in evaluation.model.fits]
    for loop in evaluation.loops:
        if any(_inside(node, loop) for node in fits) and not any(
            _made_inside(cut.key, loop) for part in evaluation.rows for cut in part.cuts
        ):
            return isinstance(loop, ast.For) and not _epochs(evaluation, loop)
    return False


def _epochs(evaluation: Evaluation, loop: ast.AST) -> bool:
    """A loop of training steps goes on with one model; it is no search."""
    return not _inside(evaluation.model.site.node, loop) and evaluation.model.effect.role == "network"


def varied_in_loop(evaluation: Evaluation) -> bool:
    """Whether a loop changes a setting of the model that is made in it (or in a function that it calls)."""
    made = evaluation.model.site.node
    within = [loop for loop in evaluation.loops if _inside(made, loop)]
    if not within:
        return _in_function(evaluation.model) and bool(settings(made))
    bound = {
        n.id for loop in within for n in ast.walk(loop) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }
    return bool(settings(made) & bound)


def _in_function(model: Estimator) -> bool:
    """Whether the model is made by a function of the code, as its identity tells."""
    way = model.serial[1] if isinstance(model.serial, tuple) and len(model.serial) > 1 else ()
    return isinstance(way, tuple) and bool(way)


def settings(made: ast.AST) -> set[str]:
    """The variables that a model is made with."""
    given = [*made.args, *(k.value for k in made.keywords)] if isinstance(made, ast.Call) else []
    return {inner.id for value in given for inner in ast.walk(value) if isinstance(inner, ast.Name)}


def _made_inside(key: Hashable, loop: ast.AST) -> bool:
    """Whether a division is made anew in each round: folds, or a split inside the loop."""
    parts = key if isinstance(key, tuple) else (key,)
    if parts and parts[0] == "folds":
        return True
    return any(isinstance(p, ast.AST) and _inside(p, loop) for p in parts)


def _inside(node: ast.AST, loop: ast.AST) -> bool:
    line = getattr(node, "lineno", 0)
    return getattr(loop, "lineno", 0) <= line <= (getattr(loop, "end_lineno", 0) or 0)
