"""One confusion matrix: whether p positives and n negatives can give these scores.

The scores become regions of the (tp, tn) plane whose lattice points are found or excluded exactly;
see Fazekas & Kovács, "Testing the consistency of performance scores reported for binary classification
problems", section 3, for the problem. A test set of any size takes about the same time.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import InputError
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.certificates import Case, explain
from assay.scores.constraints import Constraint, subsets_without_witness
from assay.scores.regions import Statement, explore, matrix_at

MAX_BOXES = 20_000
"""Boxes of the (tp, tn) plane to examine before giving up: a few seconds. Affine scores need none."""


def solve(
    p: int, n: int, constraints: Sequence[Constraint], *, max_boxes: int = MAX_BOXES, argued: bool = True
) -> Answer:
    """Whether a matrix of p positives and n negatives satisfies all the constraints: a witness, or why not.

    The argument takes longer than the answer, so that those who only count what fits do without.
    """
    if p < 0 or n < 0:
        raise InputError(f"a test set of {p} positives and {n} negatives", fix="Numbers of items cannot be negative.")
    statements = [Statement.from_constraint(constraint, p, n) for constraint in constraints]
    found = explore(p, n, statements, max_boxes=max_boxes)
    if found.point is not None:
        matrix = matrix_at(found.point, p, n)
        if not all(constraint.holds(matrix) for constraint in constraints):
            raise AssertionError(f"{matrix} was found but does not satisfy {constraints}")
        return consistent(matrix, count=found.count)
    if not found.finished:
        return undecided(
            f"{found.boxes:,} boxes of the (tp, tn) plane were examined: no matrix found, not all excluded."
        )
    conflict, boxes = _smallest_conflict(p, n, statements, max_boxes) or (range(len(statements)), found.boxes)
    involved = tuple(constraints[i] for i in conflict)
    reason, figures = explain(Case(p, n, involved, boxes)) if argued else ("", {})
    return inconsistent(reason, figures, tuple(c.name or c.score.name for c in involved))


def _smallest_conflict(
    p: int, n: int, statements: Sequence[Statement], max_boxes: int
) -> tuple[Sequence[int], int] | None:
    """The first of the smallest sets of statements that no matrix satisfies, and the boxes it took to see that.

    A matrix found for some statements shows every other set it satisfies to be possible too, so few sets have
    to be examined. None when it takes all statements, or the budget to prove anything about fewer.
    """
    everything = range(len(statements))
    satisfied: list[set[int]] = []
    for chosen in subsets_without_witness(len(statements), satisfied):
        found = explore(p, n, [statements[i] for i in chosen], max_boxes=max_boxes, counting=0)
        max_boxes -= found.boxes
        if found.point is not None:
            matrix = matrix_at(found.point, p, n)
            satisfied.append({i for i in everything if statements[i].constraint.holds(matrix)})
        elif found.finished:
            return chosen, found.boxes
    return None
