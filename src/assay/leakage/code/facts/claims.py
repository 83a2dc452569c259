"""Whether an evaluation gives a number that says how good a model is.

Training computes losses to learn by, residuals describe their rows, and a comparison of predictions with the truth may
only pick the rows that went wrong.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from assay.leakage.code.facts.observations import Observations
from assay.leakage.code.scored.search_loops import inside, names_set_in, words_of
from assay.leakage.code.state.events import COVER, DIFFERENCE, LOSS, Evaluation
from assay.leakage.code.state.rows import Interval, Side, Taken
from assay.leakage.code.state.texts import text_of
from assay.leakage.code.syntax import ancestors
from assay.libraries.catalogue import names_of
from assay.libraries.row import Group

_LOSSES = frozenset({DIFFERENCE, LOSS, COVER, "cross_entropy", "mse_loss", "l1_loss", "nll_loss",
                     "binary_cross_entropy", "binary_cross_entropy_with_logits", "smooth_l1_loss",
                     "kl_div"})  # fmt: skip
"""What training computes on its own rows to learn by."""


def is_number(evaluation: Evaluation) -> bool:
    """Whether a number comes of it that says how good the model is."""
    if evaluation.measure == "score" and _without_truth(evaluation.shown):
        return False  # how likely rows are: nothing was predicted
    if evaluation.model.name in names_of(Group.STRAIGHT_LINES) and _variance_inflation(evaluation):
        return False
    if evaluation.measure == "comparison":
        return _is_counted(evaluation)
    if evaluation.measure == DIFFERENCE:
        return False
    return evaluation.measure not in _LOSSES


def describes_a_fit(facts: Observations, evaluation: Evaluation) -> bool:
    """Whether this is R² of a straight line on its own points, or the score of one column after the other."""
    if evaluation.model.name == "LinearRegression":
        return evaluation.measure in {"r2_score", "score"}
    outcomes, shown = facts.fitted_at.get(evaluation.model.site, (set(), set()))
    if len(shown) > 1 and all(columns is not None and len(columns) == 1 for columns in shown):
        return True
    return evaluation.measure == "r2_score" and (bool(evaluation.loops) or len(outcomes) > 1)


def _without_truth(node: ast.AST | None) -> bool:
    """`model.score(X)`: of an object that learns without an outcome."""
    return isinstance(node, ast.Call) and len(node.args) + len(node.keywords) == 1


def _variance_inflation(evaluation: Evaluation) -> bool:
    """Whether a share of variance is made a variance inflation factor: `1 / (1 - r2)`."""
    around = evaluation.loops[-1] if evaluation.loops else None
    return around is not None and any(map(_is_inflation, ast.walk(around)))


def _is_inflation(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(
            left=ast.Constant(value=1), op=ast.Div(), right=ast.BinOp(left=ast.Constant(value=1), op=ast.Sub())
        ):
            return True
    return False


def _is_counted(evaluation: Evaluation) -> bool:
    """Whether a comparison of predictions with the truth is counted: there, or later by its name."""
    tree = evaluation.site.source.tree
    node = evaluation.site.node
    if tree is None:
        return True
    around = ancestors(tree, node)
    if any(_counts(outer) for outer in around):
        return True
    names = {target.id for outer in around for target in _targets(outer)}
    return not names.isdisjoint(_counted_names(tree))


def _counts(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=func):
            return text_of(func).rpartition(".")[2] in names_of(Group.COUNTERS_OF_HITS)
        case ast.AugAssign() | ast.BinOp(op=ast.Div()):
            return True
    return False


def _targets(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.Assign):
        yield from (target for target in node.targets if isinstance(target, ast.Name))


def _names(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


@lru_cache(maxsize=4)
def _counted_names(tree: ast.Module) -> frozenset[str]:
    """The names that occur in what is counted."""
    return frozenset(name for n in ast.walk(tree) if _counts(n) for name in _names(n))


def is_training_loss(facts: Observations, score: Evaluation) -> bool:
    """Whether training goes by this very loss, or it is of a batch that the loop around trains on."""
    if score.measure != LOSS:
        return False
    if (score.site, score.model.serial, score.rows) in facts.trace.taught:
        return True
    trained_in = [loop for loop in score.loops if any(loop in fit.loops for fit in score.model.fits)]
    return any(all(any(of_one_round(c.side, loop) for c in part.cuts) for part in score.rows) for loop in trained_in)


def of_one_round(side: Side, loop: ast.AST) -> bool:
    """Whether each round of a loop has other rows: a slice that moves, or what it takes from a stream."""
    if isinstance(side, Taken):
        return any(inside(node, loop) for node in (side.place, *side.stack))
    return isinstance(side, Interval) and bool(words_of(side) & names_set_in(loop))
