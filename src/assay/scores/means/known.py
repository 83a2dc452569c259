"""Means of scores on known parts: the linear scores first, then everything reported together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import TYPE_CHECKING

from assay.findings import Verdict
from assay.scores.answers import Answer, consistent, undecided
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix
from assay.scores.means import linear
from assay.scores.means.problem import Budget, Part, Reported, each, merged
from assay.scores.means.system import is_linear
from assay.scores.means.verify import conventions_used, holds

if TYPE_CHECKING:
    from assay.scores.means.patterns import Table
    from assay.scores.means.search import Search
    from assay.scores.means.windows import Measure


_GRID = 120
"""Values of tp and of tn in a grid that stands for a large part."""


def solve(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget) -> Answer:
    """Whether these parts can give what is reported; the witness follows the order of `parts`."""
    kinds = merged(parts)
    means = [one for one in reported if is_linear(one)]
    answer = linear.solve(kinds, means, budget) if means else None
    if answer and answer.verdict is Verdict.INCONSISTENT:
        return answer
    if not answer or len(means) < len(reported) or not all(one.only_mean for one in reported):
        answer = any_score(kinds, reported, budget)
    return in_order(answer, parts, reported) if answer.witness else answer


def any_score(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget) -> Answer:
    """Every score, every standard deviation and extreme, by tables of matrices."""
    from assay.scores.means.patterns import table
    from assay.scores.means.windows import measures

    found = measures(parts, reported)
    if budget.spend("patterns", table_size(parts)):
        return by_tables(parts, found, [table(part, found) for part in parts], budget)
    # too many matrices: a grid of them may hold a witness, but refutes nothing
    side = min(_GRID, isqrt(budget.left("patterns") // len(parts)))
    if side < 2:
        return undecided(f"The parts have {table_size(parts):,} confusion matrices, more than can be tabulated.")
    answer = by_tables(parts, found, [table(part, found, side=side) for part in parts], budget)
    if answer.verdict is not Verdict.INCONSISTENT:
        return answer
    return undecided(f"Only some of the {table_size(parts):,} confusion matrices of the parts were looked at.")


def table_size(parts: Iterable[Part]) -> int:
    """Confusion matrices of all kinds of parts."""
    return sum((part.p + 1) * (part.n + 1) for part in parts)


def by_tables(parts: Sequence[Part], found: Sequence[Measure], tables: Sequence[Table], budget: Budget) -> Answer:
    """The search, given a table for each kind of part."""
    from assay.scores.means import search

    reported = [measure.one for measure in found]

    def check(witness: Sequence[Matrix]) -> bool | None:
        return holds(parts, reported, witness)

    return search.solve(prepared(parts, found, tables), check, budget)


def prepared(parts: Sequence[Part], found: Sequence[Measure], tables: Sequence[Table]) -> Search:
    """The search over these parts, before any step."""
    from assay.scores.means.search import Search

    complete = all(covered(measure, parts) for measure in found)
    windows = [window for measure in found for window in measure.windows]
    return Search(list(tables), [part.count for part in parts], windows, complete)


def covered(measure: Measure, parts: Sequence[Part]) -> bool:
    """Whether the tables hold every case.

    They do not where parts of nested means are left out, nor for spreads that nothing bounds.
    """
    one = measure.one
    skips = Undefined.SKIP in one.conventions and any(one.may_be_undefined(part) for part in parts)
    boundless = one.sd is not None and one.score.high is None and one.mean.hi is None
    return not boundless and (measure.can_skip or not skips)


def in_order(answer: Answer, parts: Sequence[Part], reported: Sequence[Reported]) -> Answer:
    """Hand the matrices out to the parts in the order in which they were asked about, and verify once more."""
    waiting: dict[Part, list[Matrix]] = {}
    matrices = iter(answer.witness)
    for part in each(merged(parts)):
        waiting.setdefault(part, []).append(next(matrices))
    witness = [waiting[part].pop(0) for part in each(parts)]
    if holds(parts, reported, witness):
        return consistent(*witness, reason=conventions_used(parts, reported, witness))
    return undecided("A witness did not stand the final check.")
