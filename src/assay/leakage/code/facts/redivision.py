"""Rows that are divided anew while a model goes on learning: it knows what the next fold or pass holds out."""

from __future__ import annotations

import ast
from functools import lru_cache

from assay.leakage.code.effects import Role
from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.scored.search_loops import inside, names_set_in
from assay.leakage.code.state.events import Evaluation, Scheme
from assay.leakage.code.state.rows import Cut, Interval, opposed
from assay.leakage.code.state.values import Fit, Kind, Mark
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group


def goes_on_learning(facts: Observations, score: Evaluation, fit: Fit) -> bool:
    """Whether a model made before a loop is trained and scored in it, each time by another division of the same rows.

    Nothing makes it forget: what one round tests by, an earlier one has trained on.
    """
    if not _adds(score, fit):
        return False
    loops = (loop for loop in loops_around(score) if _stands_in(facts, fit, loop) and not _made_in(score, loop))
    return any(not _begins_anew(score, fit, loop) and _divided_anew(facts, score, loop) for loop in loops)


def loops_around(score: Evaluation) -> list[ast.AST]:
    """The loops that lead to a score, also those whose rounds were followed one by one."""
    written = [loop for loop in _loops(score.site.source.tree) if inside(score.site.node, loop)]
    return [*score.loops, *(loop for loop in written if loop not in score.loops)]


@lru_cache(maxsize=8)
def _loops(tree: ast.Module | None) -> tuple[ast.AST, ...]:
    return tuple(n for n in ast.walk(tree) if isinstance(n, ast.For | ast.While)) if tree is not None else ()


@lru_cache(maxsize=8)
def _functions(tree: ast.Module | None) -> tuple[ast.AST, ...]:
    return tuple(n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)) if tree is not None else ()


def _adds(score: Evaluation, fit: Fit) -> bool:
    """Whether a training adds to what the model has learnt before."""
    func = getattr(fit.site.node, "func", None)
    goes_on = isinstance(func, ast.Attribute) and func.attr in names_of(Group.CONTINUING)
    return goes_on or score.model.effect.role is Role.NETWORK


def _stands_in(facts: Observations, fit: Fit, loop: ast.AST) -> bool:
    """Whether each round of a loop trains here."""
    around = fit.loops or facts.trace.step_loops.get(fit.site, ())
    return loop in around or (loop in _loops(fit.site.source.tree) and inside(fit.site.node, loop))


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


def _begins_anew(score: Evaluation, fit: Fit, loop: ast.AST) -> bool:
    """Whether a network forgets in a loop, or in the functions that train and score it."""
    sites = (score.site, fit.site)
    functions = (f for site in sites for f in _functions(site.source.tree) if inside(site.node, f))
    return any(map(_forgets, (loop, *functions)))


@lru_cache(maxsize=512)
def _forgets(body: ast.AST) -> bool:
    called = (n.func for n in ast.walk(body) if isinstance(n, ast.Call))
    names = {f.attr if isinstance(f, ast.Attribute) else f.id if isinstance(f, ast.Name) else "" for f in called}
    return bool(names & names_of(Group.FORGETTING))


def _divided_anew(facts: Observations, score: Evaluation, loop: ast.AST) -> bool:
    """Whether each round of a loop holds out other rows of those that it divides."""
    return any(_drawn_in(facts, cut, loop) for part in score.rows for cut in part.cuts)


def _drawn_in(facts: Observations, cut: Cut, loop: ast.AST) -> bool:
    """Whether a loop divides the same rows at random in each round, by no seed or by another each time."""
    split = facts.splits.get(cut.key)
    if (
        split is None
        or split.scheme is not Scheme.SHUFFLED
        or cut.side != "test"
        or not isinstance(split.site.node, ast.Call)
    ):
        return False
    set_in = names_set_in(loop)
    seeds = [k.value for k in split.site.node.keywords if k.arg in {"random_state", "seed", "generator"}]
    fixed = any(not _names(seed) & set_in for seed in seeds)
    rows = split.site.node.args[:1]
    in_loop = loop in _loops(split.site.source.tree) and inside(split.site.node, loop)
    return in_loop and not fixed and bool(rows) and not _names(rows[0]) & set_in


def _names(node: ast.expr) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def drawn_at_each_pass(score: Evaluation, fit: Fit) -> bool:
    """`data.shuffle(n)`, then `take` to train and `skip` to test: the next pass takes and skips others."""
    drawn = (mark for mark in score.marks & fit.marks if mark.kind is Kind.REDRAWN)
    return any(_divided_since(mark, fit, score) for mark in drawn)


def _divided_since(mark: Mark, fit: Fit, score: Evaluation) -> bool:
    """Whether both are parts, cut by position, of what was shuffled, and meant to be apart."""
    before = {cut for part in mark.rows for cut in part.cuts}
    fitted, scored = (
        {c for part in rows for c in part.cuts - before if isinstance(c.side, Interval)}
        for rows in (fit.rows, score.rows)
    )
    return any(a.key == b.key and opposed(a.side, b.side) for a in fitted for b in scored)
