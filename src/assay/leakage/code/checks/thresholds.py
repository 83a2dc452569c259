"""LX1: thresholds found by the test rows: tried in a loop, typed in one after another, or read off a curve."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from assay.findings import Confidence
from assay.leakage.code.checks.contests import chosen, has_seen, in_fold
from assay.leakage.code.checks.leak import Leak
from assay.leakage.code.checks.telling import Facts, step
from assay.leakage.code.state.events import COUNT, DIFFERENCE, Evaluation, Purpose
from assay.leakage.code.state.in_order import marks_in_order
from assay.leakage.code.state.rows import held_out, meet
from assay.leakage.code.state.values import Kind, Mark

_POINTS = frozenset({"recall_score", "precision_score", "confusion_matrix", "comparison", COUNT, DIFFERENCE})
"""Measures that draw a curve of one model; thresholds of which these alone are computed choose nothing."""
_CURVES = frozenset({"roc_curve", "precision_recall_curve", "det_curve"})
_SEVERAL = 3
"""So many thresholds typed in for one model that whoever typed them went by the scores."""
_RESULTS = 3
"""A curve gives two measures, and the thresholds third."""


def thresholds_tried(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The first sign that a threshold was chosen by scores on the test part."""
    tests = [test for test in tests if not (in_fold(test.rows) and _tested_beside(facts, test))]
    found = _swept(facts, tests) or typed_one_after_another(facts, tests) or _read_off(facts, tests)
    return found or _sought(facts, tests)


def _tested_beside(facts: Facts, fold: Evaluation) -> bool:
    """Whether rows were kept from a cross-validation, and a model meets them: then the folds served to choose."""
    others = (e for e in facts.evaluations if not in_fold(e.rows) and not meet(e.rows, fold.rows))
    return any((e.purpose is Purpose.SCORE or held_out(e.rows)) and not has_seen(facts, e) for e in others)


def _swept(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """One threshold after the other is scored on the test part; the points of a curve are no choice."""
    for test in tests:
        sweeps = _marks(test, Kind.SWEEP)
        if sweeps:
            message = f"thresholds are tried in a loop ({sweeps[0].name}) and each is scored on the test rows"
            tried = step("a threshold is tried here", sweeps[0].site)
            return chosen(facts, test, message, [tried], site=test.site, confidence=Confidence.MEDIUM)
    return None


def typed_one_after_another(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """Several thresholds for one model are written out, and each is scored on the same rows."""
    found: dict[object, dict[str, Evaluation]] = {}
    for test in tests:
        for mark in _marks(test, Kind.TYPED):
            typed = found.setdefault((test.model.serial, test.rows), {})
            typed.setdefault(mark.name, test)
            if len(typed) >= _SEVERAL:
                message = f"thresholds are typed in ({', '.join(typed)}) and each is scored on the same test rows"
                steps = [step("scored with a threshold here", e.site) for e in typed.values()]
                return chosen(facts, test, message, steps, site=test.site, confidence=Confidence.LOW)
    return None


def _read_off(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """A threshold is typed in after those of a curve were looked at, and scored on the rows of that curve."""
    for number, curve in enumerate(tests):
        if curve.measure not in _CURVES or curve.site.node not in _looked_at(curve.site.source.tree):
            continue
        for test in tests[number + 1 :]:
            typed = _marks(test, Kind.TYPED) if test.model.serial == curve.model.serial else []
            if typed and meet(test.rows, curve.rows):
                message = f"a threshold ({typed[0].name}) is typed in after a look at the curve of the same test rows"
                looked = step("the curve and its thresholds", curve.site)
                used = step("the threshold is used here", typed[0].site)
                return chosen(facts, test, message, [looked, used], site=test.site, confidence=Confidence.LOW)
    return None


def _sought(facts: Facts, tests: list[Evaluation]) -> Leak | None:
    """The threshold at which a measure is best is looked up among those of a curve of the test rows."""
    for curve in tests:
        if curve.measure in _CURVES and curve.site.node in _best_looked_up(curve.site.source.tree):
            message = f"the best threshold is sought among those of `{curve.measure}` of the test rows"
            sought = step("the curve and its thresholds", curve.site)
            return chosen(facts, curve, message, [sought], site=curve.site, confidence=Confidence.LOW)
    return None


def _marks(test: Evaluation, kind: Kind) -> list[Mark]:
    """The thresholds of a sort behind a score."""
    if test.measure in _POINTS:
        return []
    return marks_in_order(k for k in test.told if k.kind is kind and meet(k.rows, test.rows))


@lru_cache(maxsize=4)
def _looked_at(tree: ast.Module | None) -> frozenset[ast.AST]:
    """The calls `fpr, tpr, thresholds = roc_curve(…)` of whose thresholds something is made."""
    nodes = list(ast.walk(tree)) if tree is not None else []
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return frozenset(call for call, name in _curves(nodes) if name in read and name != "_")


@lru_cache(maxsize=4)
def _best_looked_up(tree: ast.Module | None) -> frozenset[ast.AST]:
    """The calls `fpr, tpr, thresholds = roc_curve(…)` where `thresholds[argmax(…)]` is then asked for.

    Where two errors are equal, or a bound is reached, is a measure of the model and no choice.
    """
    nodes = list(ast.walk(tree)) if tree is not None else []
    curves = list(_curves(nodes))
    if not curves:
        return frozenset()
    named = {
        target.id
        for n in nodes
        if isinstance(n, ast.Assign) and _is_best(n.value)
        for target in n.targets
        if isinstance(target, ast.Name)
    }
    asked = {
        n.value.id
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)
        if _is_best(n.slice) or (isinstance(n.slice, ast.Name) and n.slice.id in named)
    }
    return frozenset(call for call, name in curves if name in asked)


def _is_best(node: ast.expr) -> bool:
    """`argmax(2 * p * r / (p + r))`; `argmax(tpr > 0.9)` asks where a bound is reached."""
    match node:
        case ast.Call(func=ast.Name(id="argmax") | ast.Attribute(attr="argmax" | "nanargmax"), args=args):
            return not any(isinstance(given, ast.Compare) for given in args)
    return False


def _curves(nodes: list[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    """The calls that give three results, and the name of the third."""
    for n in nodes:
        target = n.targets[0] if isinstance(n, ast.Assign) else None
        if isinstance(n, ast.Assign) and isinstance(target, ast.Tuple) and len(target.elts) == _RESULTS:
            third = target.elts[-1]
            if isinstance(third, ast.Name):
                yield n.value, third.id
