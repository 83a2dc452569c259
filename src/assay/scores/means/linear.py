"""Means of linear scores (accuracy, sensitivity, specificity and their kin) on known parts.

Four steps, each exact or re-verified exactly:

1. granularity: the mean moves in steps of a known size, and the reported interval may miss them all;
2. a linear programme, whose dual is rounded to few digits and re-checked as an inequality;
3. whole numbers near a real-valued solution, which count only as a verified witness (`relaxation`);
4. a depth-first search over the totals, which decides when it comes to its end.

Where there are few unknowns a short search comes before the others.

The linear formulation is that of Fazekas & Kovács, section 4.3.2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.conventions import Undefined
from assay.scores.exact import Interval
from assay.scores.means import sentences
from assay.scores.means.descent import Descent, OutOfNodesError
from assay.scores.means.problem import Budget, Convention, Part, Reported
from assay.scores.means.system import Scaled, System, build, scaled
from assay.scores.means.verify import holds

_QUICK = 3_000
"""Steps of a first, short search: most consistent reports have a witness nearby."""
_FEW_UNKNOWNS = 24
"""A short search has no chance with more unknowns than this."""
_MOST_UNKNOWNS = 300
"""More unknowns than this are beyond a depth-first search."""


Proposal = Callable[[], Answer | None]
"""A witness that needs no proof that it is the only one, where there is one at hand."""


def solve(
    parts: Sequence[Part], reported: Sequence[Reported], budget: Budget, propose: Proposal = lambda: None
) -> Answer:
    """Whether linear scores can have the reported means, under any convention for undefined parts."""
    refutations: list[Answer] = []
    open_question: Answer | None = None
    for conventions in hypotheses(parts, reported):
        system = build(parts, reported, conventions)
        answer = inconsistent(system) if isinstance(system, str) else decide(system, budget, propose)
        if answer.witness:
            return answer
        if answer.count == 0:
            refutations.append(answer)
        else:
            open_question = answer
    return open_question or combined(refutations)


def settle(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget, most_nodes: int) -> Answer | None:
    """Granularity and a short search only, for one configuration among many; None when that does not settle it."""
    refuted: Answer | None = None
    settled = True
    for conventions in hypotheses(parts, reported):
        system = build(parts, reported, conventions)
        if isinstance(system, str):
            refuted = inconsistent(system)
            continue
        answer = by_granularity(system) or descend(system, budget, most_nodes)
        if answer and answer.witness:
            return answer
        refuted = answer or refuted
        settled = settled and answer is not None
    return refuted if settled else None


def combined(refutations: Sequence[Answer]) -> Answer:
    """One refutation that stands for several conventions of counting undefined parts."""
    first = refutations[0]
    if len(refutations) == 1:
        return first
    others = f" The other {len(refutations) - 1} ways to count parts on which a score is 0/0 fail as well."
    return replace(first, reason=first.reason + others, by_search=any(one.by_search for one in refutations))


def hypotheses(parts: Sequence[Part], reported: Sequence[Reported]) -> Iterator[tuple[Convention, ...]]:
    """Every combination of conventions that makes a difference on these parts."""
    choices: list[tuple[Convention, ...]] = []
    for one in reported:
        matters = any(one.may_be_undefined(part) for part in parts)
        choices.append(one.conventions if matters else (Undefined.NEVER,))
    return product(*choices)


def decide(system: System, budget: Budget, propose: Proposal) -> Answer:
    """The four steps."""
    refuted = by_granularity(system)
    if refuted:
        return refuted
    few = len(system.limits) <= _FEW_UNKNOWNS
    found = descend(system, budget, most_nodes=_QUICK) if few else None
    if found and found.witness:
        return found
    direction = None
    if budget.spend("programmes"):
        direction = dual_direction(system)
        refuted = by_inequality(system, direction)
        if refuted:
            return refuted
    found = found or propose() or descend(system, budget, budget.left("nodes"), direction)
    return found or undecided(f"The search over totals was cut short after {budget}.")


def by_granularity(system: System) -> Answer | None:
    """A refutation from a single score: its steps or its range miss the interval."""
    for row in system.rows:
        if row.scaled(system.limits).hits_a_step:
            continue
        low, high = row.extremes(system.limits)
        interval = row.one.mean
        missed = (interval.lo is not None and high < interval.lo) or (interval.hi is not None and low > interval.hi)
        if missed or not row.unit:
            reason = sentences.out_of_reach(row.one, low, high)
        else:
            reason = sentences.granularity(row.one, row.constant, row.unit, sentences.describe(system.parts))
        return inconsistent(reason, conflict=(row.one.name,))
    return None


def by_inequality(system: System, direction: Sequence[Fraction]) -> Answer | None:
    """A refutation from a direction: rounded to as few digits as will do, then checked exactly."""
    for digits in range(1, 10):
        weights = [round(10**digits * x) for x in direction]
        slopes, constant = _combine(system, weights)
        need = _need(system, weights)
        most = constant + sum(s * limit for s, limit in zip(slopes, system.limits, strict=True) if s > 0)
        if need is None or most >= need:
            continue
        named = {row.one.name: w for row, w in zip(system.rows, weights, strict=True) if w}
        terms = {name: Fraction(w) for name, w in named.items()}
        reason = sentences.inequality(terms, most, need, _peaks(system.parts, slopes))
        return inconsistent(reason, dict(named), tuple(named))
    return None


def _combine(system: System, weights: Sequence[int]) -> tuple[list[Fraction], Fraction]:
    """The weighted sum of the rows: its coefficients and its constant."""
    columns = zip(*(row.coefficients for row in system.rows), strict=True)
    slopes = [sum((w * c for w, c in zip(weights, column, strict=True)), Fraction(0)) for column in columns]
    return slopes, sum((w * row.constant for w, row in zip(weights, system.rows, strict=True)), Fraction(0))


def _need(system: System, weights: Sequence[int]) -> Fraction | None:
    """The least value of the weighted sum of the reported means; None where an end that it needs is missing."""
    total = Fraction(0)
    for row, weight in zip(system.rows, weights, strict=True):
        end = row.one.mean.lo if weight > 0 else row.one.mean.hi
        if weight and end is None:
            return None
        total += weight * (end or 0)
    return total


def _implied(system: System, direction: Sequence[Fraction]) -> list[Scaled]:
    """The weighted sum of the rows as a statement of its own, where both its ends are known."""
    weights = [round(1000 * x) for x in direction]
    low, high = _need(system, weights), _need(system, [-w for w in weights])
    if low is None or high is None:
        return []
    slopes, constant = _combine(system, weights)
    return [scaled(slopes, Interval(low - constant, -high - constant), system.limits)]


def _peaks(parts: Sequence[Part], slopes: Sequence[Fraction]) -> list[str]:
    """Where the combination is greatest on each kind of part, for a reader to recompute."""
    return [
        f"on {part.p} + {part.n} items with tp = {part.p if slopes[2 * i] > 0 else 0},"
        f" tn = {part.n if slopes[2 * i + 1] > 0 else 0}"
        for i, part in enumerate(parts)
    ]


def dual_direction(system: System) -> list[Fraction]:
    """The combination of scores that floating-point arithmetic finds hardest to satisfy, scaled to at most 1."""
    import numpy as np
    from scipy.optimize import linprog

    rows, count = len(system.rows), len(system.limits)
    matrix = np.array([[float(c * m) for c, m in zip(r.coefficients, system.limits, strict=True)] for r in system.rows])
    low, high = _float_ends(system)
    slack = np.ones((rows, 1))
    # smallest t such that the means, with every total as a share of its limit, miss their intervals by at most t
    result = linprog(
        np.r_[np.zeros(count), 1.0],
        A_ub=np.vstack([np.hstack([-matrix, -slack]), np.hstack([matrix, -slack])]),
        b_ub=np.r_[-low, high],
        bounds=[(0, 1)] * count + [(None, None)],
        method="highs",
    )
    if result.status != 0:
        return [Fraction(0)] * rows
    direction = result.ineqlin.marginals[rows:] - result.ineqlin.marginals[:rows]
    largest = max(abs(direction)) or 1.0
    return [Fraction(float(x / largest)) for x in direction]


def _float_ends(system: System) -> tuple[Any, Any]:
    """The intervals of the rows without their constants, as floats; a missing end is far away."""
    import numpy as np

    ends = [(row.one.mean.lo, row.one.mean.hi, row.constant) for row in system.rows]
    low = np.array([-1e9 if lo is None else float(lo - constant) for lo, _, constant in ends])
    high = np.array([1e9 if hi is None else float(hi - constant) for _, hi, constant in ends])
    return low, high


def descend(
    system: System, budget: Budget, most_nodes: int, direction: Sequence[Fraction] | None = None
) -> Answer | None:
    """Settle the system by exhaustion, or leave it open when the nodes do not suffice.

    The combination of scores that is hardest to satisfy follows from the others, but it cuts branches early.
    """
    most_nodes = min(most_nodes, budget.left("nodes"))
    if len(system.limits) > _MOST_UNKNOWNS or not most_nodes:
        return None
    rows = [row.scaled(system.limits) for row in system.rows]
    if direction is not None:
        rows += _implied(system, direction)
    search = Descent(rows, system.limits, most_nodes)
    try:
        totals = search.run()
    except OutOfNodesError:
        budget.spend("nodes", most_nodes)
        return None
    budget.spend("nodes", search.nodes)
    if totals is not None:
        witness = system.matrices(totals)
        return consistent(*witness) if holds(system.parts, [row.one for row in system.rows], witness) else None
    names = tuple(row.one.name for row in system.rows)
    reason = (
        f"{sentences.describe(system.parts)}: an exhaustive search over the totals of true positives and true"
        f" negatives of each kind of part ({search.nodes:,} steps) finds none that give {sentences.join(names)}."
    )
    return inconsistent(reason, {"steps": search.nodes}, names, by_search=True)
