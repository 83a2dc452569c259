"""Graphs of TensorFlow 1: a session runs named parts of a network, and is fed the rows each time."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.language.call import Call
from assay.leakage.code.models import transforming
from assay.leakage.code.state.values import UNKNOWN, Data, Estimator, Value

_STEPS = frozenset({"minimize", "apply_gradients"})  # give the part of a graph by which it learns


def learns(c: Call) -> bool:
    """Whether one of the parts that are run is a step of an optimiser."""
    parts = [*c.node.args[:1], *(k.value for k in c.node.keywords if k.arg == "fetches")]
    return any(ast.unparse(n) in _steps(c.m.source.tree) for p in parts for n in ast.walk(p) if isinstance(n, ast.expr))


def asked(c: Call, model: Estimator, fed: Data) -> Value:
    """What the network says of the rows."""
    return transforming.predicted(c, model, fed) if fed.rows else UNKNOWN


@lru_cache(maxsize=16)
def _steps(tree: ast.AST | None) -> frozenset[str]:
    """What the code calls the steps of its optimisers."""
    made = [n for n in ast.walk(tree) if isinstance(n, ast.Assign)] if tree is not None else []
    calls = [(n.value.func, n.targets) for n in made if isinstance(n.value, ast.Call)]
    return frozenset(ast.unparse(t) for func, to in calls if getattr(func, "attr", "") in _STEPS for t in to)
