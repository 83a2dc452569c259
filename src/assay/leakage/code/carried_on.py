"""L1.1: a network that goes on learning from fold to fold knows the test rows of the next fold."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from assay.findings import Confidence, Severity
from assay.leakage.code.accusing import claims
from assay.leakage.code.contests import in_fold
from assay.leakage.code.effects import Role
from assay.leakage.code.events import Evaluation, Purpose
from assay.leakage.code.leak import Leak
from assay.leakage.code.search_loops import inside
from assay.leakage.code.telling import Facts, read_steps, split_steps, step, tell
from assay.leakage.code.values import Fit

_BEGUN_ANEW = frozenset(
    {"load_weights", "set_weights", "load_state_dict", "clone_model", "reset_parameters", "reset_weights", "deepcopy",
     "apply", "initialize", "reset", "load_model", "reinitialize", "_initialize_weights", "weight_reset"}
)  # fmt: skip
"""Calls by which a network forgets, or becomes another."""


def carried_on(facts: Facts) -> Iterator[Leak]:
    """A network made before the loop over folds is trained and scored in it, and nothing makes it forget."""
    told: set[object] = set()
    for score in facts.evaluations:
        if score.purpose is not Purpose.SCORE or score.model.effect.role is not Role.NETWORK or score.site in told:
            continue
        if not in_fold(score.rows) or not claims(score):
            continue
        for loop in (node for node in score.loops if node in facts.trace.fold_loops):
            fit = next((f for f in score.model.fits if inside(f.site.node, loop)), None)
            if fit is not None and inside(score.site.node, loop) and not _made_in(score, loop) and not _forgets(loop):
                told.add(score.site)
                yield _leak(facts, score, fit)
                break


def _made_in(score: Evaluation, loop: ast.AST) -> bool:
    """Whether the network, or a call that led to it, stands in the loop."""
    todo, nodes = [score.model.serial], [score.model.site.node]
    while todo:
        one = todo.pop()
        if isinstance(one, tuple):
            todo += one
        elif isinstance(one, ast.AST):
            nodes.append(one)
    return any(inside(node, loop) for node in nodes)


def begins_anew(score: Evaluation, fit: Fit) -> bool:
    """Whether a loop around training and score makes the network forget before each round."""
    tree = score.site.source.tree
    loops = (n for n in ast.walk(tree) if isinstance(n, ast.For | ast.While)) if tree is not None else ()
    around = (loop for loop in loops if inside(score.site.node, loop) and inside(fit.site.node, loop))
    return any(map(_forgets, around))


def _forgets(loop: ast.AST) -> bool:
    called = (n.func for n in ast.walk(loop) if isinstance(n, ast.Call))
    names = {f.attr if isinstance(f, ast.Attribute) else f.id if isinstance(f, ast.Name) else "" for f in called}
    return bool(names & _BEGUN_ANEW)


def _leak(facts: Facts, score: Evaluation, fit: Fit) -> Leak:
    name = score.model.name
    return tell(
        "L1.1",
        "overlap",
        f"{name} goes on learning from fold to fold: it has seen the rows that a later fold is scored on",
        score.site,
        [
            *read_steps(fit.rows, score.rows),
            *split_steps(facts, score.rows),
            step("the network is made here, once", score.model.site),
            step("each fold goes on training it", fit.site),
            step("and scores it, on rows that earlier folds trained on", score.site),
        ],
        severity=Severity.ERROR,
        confidence=Confidence.HIGH,
        advice="Make a new network in each fold:\nfor train, test in KFold().split(X):\n    model = build_model()\n"
        "    model.fit(X[train], y[train])",
    )
