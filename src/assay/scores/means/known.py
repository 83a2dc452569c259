"""Means of scores on known parts: the linear scores first, then everything reported together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from assay.findings import Verdict
from assay.scores.answers import Answer, consistent, undecided
from assay.scores.conventions import Undefined
from assay.scores.definitions import Matrix
from assay.scores.means import linear, medians
from assay.scores.means.linear import Proposal
from assay.scores.means.problem import Budget, Part, Reported, each, merged
from assay.scores.means.system import is_linear
from assay.scores.means.verify import conventions_used, holds

if TYPE_CHECKING:
    from assay.scores.means.patterns import Table
    from assay.scores.means.search import Search
    from assay.scores.means.windows import Measure

_SHARE_OF_SHORT = 100
"""A first, short search over tables may spend this part of the budget."""


def solve(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget) -> Answer:
    """Whether these parts can give what is reported; the witness follows the order of `parts`."""
    kinds = merged(parts)
    answer = (
        medians.refuted(kinds, reported) or _flat_witness(kinds, reported, budget) or _decided(kinds, reported, budget)
    )
    return in_order(answer, parts, reported) if answer.witness else answer


def _decided(kinds: Sequence[Part], reported: Sequence[Reported], budget: Budget) -> Answer:
    means = [one.mean_alone for one in reported if is_linear(one)]

    @cache
    def propose() -> Answer | None:
        return proposed(kinds, reported, budget, thorough=False)

    answer = linear.solve(kinds, means, budget, propose) if means else undecided("No score is linear.")
    if answer.verdict is Verdict.INCONSISTENT:
        return answer
    if not (answer.witness and holds(kinds, reported, answer.witness)):
        answer = any_score(kinds, reported, budget, propose)
    if answer.verdict is Verdict.UNDECIDED:
        answer = proposed(kinds, reported, budget, thorough=True) or answer
    return answer


def _flat_witness(kinds: Sequence[Part], reported: Sequence[Reported], budget: Budget) -> Answer | None:
    """Where medians are reported, matrices that have them on every part, if a few attempts find such."""
    flat = medians.flattened(reported)
    if flat is None:
        return None
    found = proposed(kinds, flat, budget.share(_SHARE_OF_SHORT), thorough=False)
    if found and holds(kinds, reported, found.witness):
        return found
    singles = list(each(kinds))
    halves = medians.balanced(singles, reported)
    proposals = chain([halves] if halves else [], medians.around_two(singles, reported))
    return next((consistent(*matrices) for matrices in proposals if holds(kinds, reported, matrices)), None)


def proposed(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget, *, thorough: bool) -> Answer | None:
    """A witness near a real-valued solution, if one is found in a few attempts, or in many."""
    from assay.scores.means import relaxation

    attempts = relaxation.THOROUGH if thorough else relaxation.QUICK
    found = relaxation.propose(parts, reported, budget, attempts)
    return consistent(*found.witness) if found.witness else None


def any_score(parts: Sequence[Part], reported: Sequence[Reported], budget: Budget, propose: Proposal) -> Answer:
    """Every score, every standard deviation and extreme, by tables of matrices."""
    from assay.scores.means import search
    from assay.scores.means.patterns import table
    from assay.scores.means.windows import measures

    if not budget.spend("patterns", table_size(parts)):
        return propose() or undecided(
            f"The parts have {table_size(parts):,} confusion matrices, more than can be tabulated."
        )
    found = measures(parts, reported)
    prepared = prepare(parts, found, [table(part, found) for part in parts])
    return (
        search.refuted(prepared, budget)
        or _soon_exhausted(parts, reported, prepared, budget)
        or propose()
        or exhausted(parts, reported, prepared, budget)
    )


def _soon_exhausted(
    parts: Sequence[Part], reported: Sequence[Reported], search: Search, budget: Budget
) -> Answer | None:
    """What a small share of the search settles: where few matrices are left, that costs less than any proposal."""
    share = budget.share(_SHARE_OF_SHORT)
    answer = exhausted(parts, reported, search, share)
    budget.charge(share)
    return None if answer.verdict is Verdict.UNDECIDED else answer


def exhausted(parts: Sequence[Part], reported: Sequence[Reported], search: Search, budget: Budget) -> Answer:
    """All that a search over tables has left after the quick refutations."""
    from assay.scores.means.search import exhaust

    def check(witness: Sequence[Matrix]) -> bool | None:
        return holds(parts, reported, witness)

    return exhaust(search, check, budget)


def table_size(parts: Iterable[Part]) -> int:
    """Confusion matrices of all kinds of parts."""
    return sum((part.p + 1) * (part.n + 1) for part in parts)


def prepare(parts: Sequence[Part], found: Sequence[Measure], tables: Sequence[Table]) -> Search:
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
