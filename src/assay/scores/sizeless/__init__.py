"""Scores without the sizes of their test set: exact over all class counts.

A matrix and its double have the same scores, so what is impossible for shares of tp, fn, fp and tn is impossible for
every size. `solver` decides one test set, `averages` says what no mean over folds or classes can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.findings import Verdict
from assay.scores.answers import Answer, undecided
from assay.scores.definitions import COUNTS
from assay.scores.exact import Interval
from assay.scores.experiment import Aggregation
from assay.scores.sizeless.averages import Parts, solve_mean
from assay.scores.sizeless.partial import solve_partial
from assay.scores.sizeless.requirements import AreaRequirement, Requirement, ScoreRequirement
from assay.scores.sizeless.solver import solve
from assay.scores.tasks import KnownSizes, SizelessExperiment, is_gini

__all__ = ["hypotheses"]


def hypotheses(experiment: SizelessExperiment, *, explain: bool = True) -> Iterator[tuple[str, Answer]]:
    """Each reading of the figures with its answer; means only where one test set is excluded.

    One test set that fits is also a mean over parts that are alike.
    """
    requirements = _requirements(experiment)
    one = solve(requirements, argued=explain and experiment.aggregation is not Aggregation.MEAN)
    if one.verdict is not Verdict.INCONSISTENT:
        yield from _of_known_size(experiment, one)
        return
    if experiment.aggregation is not Aggregation.MEAN:
        yield "one test set of any size", one
    if experiment.aggregation is not Aggregation.POOLED:
        yield from _means(requirements)


def _of_known_size(experiment: SizelessExperiment, free: Answer) -> Iterator[tuple[str, Answer]]:
    """The answers for what is known of the sizes, once some size fits or is not excluded."""
    if experiment.known is None:
        yield "one test set of unknown size", free
        return
    constraints = [one.constraint(experiment.undefined) for one in experiment.scores if one.interval is not None]
    for known in _meanings(experiment.known):
        answer = solve_partial(constraints, known, next(iter(free.witness), None))
        yield known.words, answer
        if answer.verdict is not Verdict.INCONSISTENT:
            return
    if experiment.in_parts and experiment.aggregation is not Aggregation.POOLED:
        yield "the mean over folds or test sets", undecided("means over parts of unknown sizes are not excluded.")


def _meanings(known: KnownSizes) -> Iterator[KnownSizes]:
    """A number n beside no p may be the negatives, or all items, as papers write it."""
    yield known
    if known.n:
        yield KnownSizes(totals=(known.n, known.n))


def _means(requirements: Sequence[Requirement]) -> Iterator[tuple[str, Answer]]:
    """One reading, unless the laws of test sets with both classes exclude more than those of any parts."""
    strict, wide = (solve_mean(requirements, parts) for parts in (Parts.BOTH_CLASSES, Parts.ANY))
    if strict.verdict is wide.verdict:
        yield "the mean over folds, test sets or classes", wide
    else:
        yield Parts.BOTH_CLASSES.value, strict
        yield Parts.ANY.value, wide


def _requirements(experiment: SizelessExperiment) -> list[Requirement]:
    scores: list[Requirement] = [
        ScoreRequirement(reported.constraint(experiment.undefined))
        for reported in experiment.scores
        if reported.interval is not None and reported.score.name not in COUNTS
    ]
    areas = [AreaRequirement(said.name, said.printed, _area(said.name, said.interval)) for said in experiment.areas]
    return [*scores, *areas]


def _area(name: str, interval: Interval) -> Interval:
    """The Gini coefficient is 2 · area - 1."""
    if not is_gini(name):
        return interval
    low, high = (None if end is None else (end + 1) / 2 for end in (interval.lo, interval.hi))
    return Interval(low, high, interval.lo_open, interval.hi_open)
