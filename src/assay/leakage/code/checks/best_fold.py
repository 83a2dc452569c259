"""LX1: of the folds of a cross-validation the best is kept, and its score told."""

from __future__ import annotations

import ast

from assay.findings import Confidence
from assay.leakage.code.checks.contests import chosen, in_fold
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.state.events import Choice, Evaluation
from assay.leakage.code.state.provenance import tables_in
from assay.patterns import regex

_OF_ALL = regex(r"mean|average|avg|median|sum|std|report|matrix|describe|boxplot")
"""What tells of all folds, and not of one."""


def best_fold(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The fold that scored best is kept, and its score told, as if it were that of all."""
    for choice in facts.choices:
        judged = {tables_in(p.rows) for p in choice.predictions if choice.name == "comparison" and in_fold(p.rows)}
        folds = [t for t in tests if t.rows in judged]
        told = next((t for t in folds if not t.loops and choice.site.spot < t.site.spot), None)
        if told is None and folds and all(in_fold(t.rows) for t in tests) and _kept_and_told(facts, choice):
            told = folds[0]
        if told is not None:
            message = f"the fold on which {told.model.name} scores best is kept, and its score is told"
            kept = step("the best fold is kept here", choice.site)
            return chosen(facts, told, message, [kept], site=told.site, confidence=Confidence.MEDIUM)
    return None


def _kept_and_told(facts: Facts, choice: Choice) -> bool:
    """Whether the best score is used after the loop over the folds, and nothing there speaks of all of them."""
    loop = choice.loops[-1] if choice.loops else None
    if loop not in facts.trace.fold_loops or not isinstance(loop, ast.For):
        return False
    kept = {name for n in ast.walk(loop) if isinstance(n, ast.If) for name in _renewed(n, choice.site.node)}
    after = [n for n in _names(choice.site.source.tree) if n.lineno > (loop.end_lineno or loop.lineno)]
    used = {n.id for n in after if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    words = (n.id if isinstance(n, ast.Name) else n.attr for n in after)
    return bool(kept & used) and not any(_OF_ALL.search(word.lower()) for word in words)


def _renewed(branch: ast.If, compared: ast.AST) -> set[str]:
    """The best so far, which a branch gives another value where the condition holds."""
    if not any(n is compared for n in ast.walk(branch.test)):
        return set()
    asked = {n.id for n in ast.walk(branch.test) if isinstance(n, ast.Name)}
    stored = (n for statement in branch.body for n in ast.walk(statement) if isinstance(n, ast.Name))
    return asked & {n.id for n in stored if isinstance(n.ctx, ast.Store)}


def _names(tree: ast.Module | None) -> list[ast.Name | ast.Attribute]:
    return [n for n in ast.walk(tree or ast.Module([], [])) if isinstance(n, ast.Name | ast.Attribute)]
