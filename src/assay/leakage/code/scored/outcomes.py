"""Loops that go from one outcome to the next: each round has a model of its own, and none of them is a rival."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import lru_cache

from assay.leakage.code.state.events import Evaluation
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group

_TRUTH = ("y_true", "y", "y_test")


def not_over_outcomes(evaluation: Evaluation, loops: tuple[ast.AST, ...]) -> tuple[ast.AST, ...]:
    """The loops but for those that hold predictions against another column, or another class, in each round."""
    if not any(isinstance(loop, ast.For) for loop in loops):
        return loops
    truth = _truth(evaluation.site.node)
    return tuple(loop for loop in loops if truth is None or not _picked_by(truth, loop))


def over_outcomes(evaluation: Evaluation) -> bool:
    """Whether the innermost loop around a score fits a model to each of several outcomes.

    That is also known of a loop that was gone through value by value.
    """
    truth = _truth(evaluation.site.node)
    around = [loop for loop in _loops(evaluation.site.source.tree) if _holds(loop, evaluation.site.node)]
    if truth is None or not around:
        return False
    fitted = any(_holds(around[-1], fit.site.node) for fit in evaluation.model.fits)
    return fitted and _picked_by(truth, around[-1])


def _truth(node: ast.AST) -> ast.expr | None:
    """What is true, where a score is computed: `r2_score(truth, said)`, `model.score(X, truth)`."""
    if not isinstance(node, ast.Call):
        return None
    by_name = next((k.value for k in node.keywords if k.arg in _TRUTH), None)
    place = 1 if isinstance(node.func, ast.Attribute) and node.func.attr in names_of(Group.SCORING_METHODS) else 0
    return by_name or (node.args[place] if len(node.args) > place else None)


def _picked_by(truth: ast.expr, loop: ast.AST) -> bool:
    """`truth[name]`, `truth[:, i]`, `truth == kind`, where the loop goes from name to name."""
    if not isinstance(loop, ast.For):
        return False
    asked = _names([loop.target])
    if isinstance(truth, ast.Name):
        truth = next((n.value for n in ast.walk(loop) if isinstance(n, ast.Assign) and _is(n, truth.id)), truth)
    return any(
        (isinstance(n, ast.Subscript) and bool(_names([n.slice]) & asked))
        or (isinstance(n, ast.Compare) and bool(_names(n.comparators) & asked))
        for n in ast.walk(truth)
    )


def _is(assigned: ast.Assign, name: str) -> bool:
    return any(isinstance(target, ast.Name) and target.id == name for target in assigned.targets)


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {n.id for node in nodes for n in ast.walk(node) if isinstance(n, ast.Name)}


@lru_cache(maxsize=4)
def _loops(tree: ast.Module | None) -> tuple[ast.For, ...]:
    """The loops of a file, those inside others after them."""
    return tuple(n for n in ast.walk(tree or ast.Module([], [])) if isinstance(n, ast.For))


def _holds(loop: ast.For, node: ast.AST) -> bool:
    return loop.lineno <= getattr(node, "lineno", 0) <= (loop.end_lineno or 0)
