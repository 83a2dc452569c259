"""Means of scores over folds, test sets and datasets, and whether the reported figures can be true.

`solve_known` asks about parts whose class counts are known, `solve_unknown` about folds that a model
describes. Both answer with a witness (one matrix for each part, re-verified), a certificate, or the
admission that the budget did not suffice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, islice

from assay.findings import Verdict
from assay.scores.answers import Answer
from assay.scores.folds import FoldModel
from assay.scores.means import known
from assay.scores.means.problem import Budget, Part, Reported, check

__all__ = ["Budget", "Part", "Reported", "first_parts", "solve_known", "solve_unknown"]

_MOST_SUBSETS = 40
"""Subsets of the scores that are tried in search of the smallest conflict."""


def solve_known(parts: Sequence[Part], reported: Sequence[Reported], *, budget: Budget | None = None) -> Answer:
    """Whether parts with known class counts can give everything reported."""
    check(parts, reported)
    budget = budget or Budget()
    answer = known.solve(parts, reported, budget)
    if answer.verdict is not Verdict.INCONSISTENT:
        return answer
    smallest = _with_smallest_conflict(answer, parts, reported, budget)
    return _in_short(smallest, parts, reported) if smallest.by_search else smallest


def solve_unknown(
    datasets: Sequence[FoldModel], reported: Sequence[Reported], *, budget: Budget | None = None, passed: int = 0
) -> Answer:
    """Whether some configuration of the folds of each dataset can give everything reported.

    Several datasets have equal weight in the mean; the folds within a dataset have equal weight in its mean. The first
    `passed` configurations are known to give nothing.
    """
    from assay.scores.means import unknown

    return unknown.solve(datasets, reported, budget or Budget(), passed)


def first_parts(datasets: Sequence[FoldModel]) -> tuple[Part, ...]:
    """The parts of the first configuration, the only one where the folds are known."""
    from assay.scores.means.unknown import datasets_as_parts

    return next(datasets_as_parts(datasets))


def _with_smallest_conflict(
    answer: Answer, parts: Sequence[Part], reported: Sequence[Reported], budget: Budget
) -> Answer:
    """Name a smallest set of scores that already conflict, as far as small searches can show."""
    suspects = [one for one in reported if not answer.conflict or one.name in answer.conflict]
    subsets = (chosen for size in range(1, len(suspects)) for chosen in combinations(suspects, size))
    for chosen in islice(subsets, _MOST_SUBSETS):
        smaller = known.solve(parts, chosen, budget.share(50))
        if smaller.verdict is Verdict.INCONSISTENT:
            return replace(smaller, conflict=smaller.conflict or tuple(one.name for one in chosen))
    return replace(answer, conflict=tuple(one.name for one in suspects))


def _in_short(answer: Answer, parts: Sequence[Part], reported: Sequence[Reported]) -> Answer:
    """The same conflict by a list of cases instead of the account of a search, where there is a short one."""
    from assay.scores.means.case_words import short_answer

    conflicting = [one for one in reported if one.name in answer.conflict]
    return short_answer(parts, conflicting) or short_answer(parts, reported) or answer
