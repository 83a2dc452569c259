"""Figures that are possible, but only just: under which unusual conventions alone they have a witness.

A report that fits only with folds that lack a class, or only when 0/0 counts differently in different scores, is not
impossible. But hardly anybody computes scores like that, and a reader should not take it for an ordinary "consistent".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from assay.findings import Verdict
from assay.scores.check import Hypothesis, Result
from assay.scores.experiment import Experiment
from assay.scores.zero_by_zero import by_convention, only_a_mixture


def with_conditions(result: Result, check: Callable[[Experiment], Result]) -> Result:
    """The same result with what it rests on, if that is unusual."""
    conventions = by_convention(result, check)
    conditions = []
    if only_a_mixture(conventions):
        conditions.append("0/0 counts differently in different scores")
    if _without_a_class(result):
        conditions.append("some folds lack one of the classes")
    return replace(result, conventions=conventions, condition=" and ".join(conditions))


def _without_a_class(result: Result) -> bool:
    """Whether every witness has folds without one of the classes, and folds with both classes are ruled out."""
    possible = [h for h in result.hypotheses if h.answer.verdict is Verdict.CONSISTENT]
    refuted = [h for h in result.hypotheses if h.answer.verdict is Verdict.INCONSISTENT]
    return all(map(_lacks_a_class, possible)) and any(h.reading in _narrower(result) for h in refuted)


def _lacks_a_class(hypothesis: Hypothesis) -> bool:
    return any(not (matrix.p and matrix.n) for matrix in hypothesis.answer.witness)


def _narrower(result: Result) -> set[str]:
    """The readings that were tried because another one needed folds without a class."""
    from assay.scores.readings import Averaged, readings

    if not isinstance(result.experiment, Experiment):
        return set()
    found = (r.narrower for r in readings(result.experiment) if isinstance(r, Averaged))
    return {narrower.words for narrower in found if narrower}
