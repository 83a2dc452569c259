"""LX1: several networks watch the same rows as they train, and the scores in their logs are the only ones."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.checks.contests import has_seen, in_fold
from assay.leakage.code.checks.telling import Facts
from assay.leakage.code.checks.validated import tests_unused
from assay.leakage.code.effects import Role
from assay.leakage.code.state.events import Evaluation, Purpose
from assay.leakage.code.state.rows import meet
from assay.records import replace

_SHOWN = frozenset({Purpose.PREDICT, Purpose.SCORE, Purpose.CROSS_VALIDATION})


def watched_by_several(facts: Facts) -> list[Evaluation]:
    """What networks watch, as the scores that they are once somebody looks at the logs: `training.history`.

    None where other rows are scored or shown to a model: then those that are watched are there to choose by.
    """
    watched = [e for e in facts.evaluations if e.purpose is Purpose.WATCHED and _is_told(facts, e)]
    several = len({e.model.serial for e in watched}) > 1 or any(e.loops for e in watched)
    if not several or tests_unused(facts):
        return []
    shown = [e for e in facts.evaluations if e.purpose in _SHOWN and not has_seen(facts, e)]
    if any(not meet(e.rows, w.rows) for e in shown for w in watched):
        return []
    return [replace(e, jury=e.model.serial) for e in watched]


def _is_told(facts: Facts, watched: Evaluation) -> bool:
    """Whether a network keeps to its training rows, and its log is looked at; each fold has a network of its own."""
    network = watched.model.effect.role is Role.NETWORK and not in_fold(watched.rows)
    return network and watched.site.node in _looked_at(watched.site.source.tree) and not has_seen(facts, watched)


@lru_cache(maxsize=4)
def _looked_at(tree: ast.Module | None) -> frozenset[ast.AST]:
    """The trainings of whose result something is made: `log = network.fit(…)`, and then `log.history`."""
    nodes = list(ast.walk(tree)) if tree is not None else []
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    given = [n for n in nodes if isinstance(n, ast.Assign) and isinstance(n.value, ast.Call)]
    return frozenset(n.value for n in given if any(isinstance(t, ast.Name) and t.id in read for t in n.targets))
