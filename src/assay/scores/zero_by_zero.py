"""What is counted where a score is 0/0, hypothesis by hypothesis.

By default every usual convention is allowed at once. Where that matters, a reader should see which of
them make the figures possible: on a fold without positives, say, sensitivity may have counted 0, or 1, or
the fold may have been left out of its mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from assay.findings import Verdict
from assay.scores.check import Result
from assay.scores.conventions import Undefined
from assay.scores.definitions import SCORES, Matrix
from assay.scores.experiment import Experiment, Reported
from assay.scores.readings import Averaged, Reading, readings

_CONVENTIONS = {Undefined.ZERO: "counted as 0", Undefined.ONE: "counted as 1", Undefined.SKIP: "left out"}
_AS_IN_SCIKIT_LEARN = "counted as in scikit-learn"


def in_words(result: Result) -> str:
    """The verdict for each convention in a sentence; empty where 0/0 makes no difference, or the user settled it."""
    experiment = result.experiment
    if not isinstance(experiment, Experiment) or experiment.undefined is not Undefined.ANY:
        return ""
    if result.conventions:
        undefined = _undefined(experiment.reported, result.decisive.answer.witness)
        said = "; ".join(f"{words}, {verdict.value}" for words, verdict in result.conventions)
        mixture = " Only a mixture of these fits." if only_a_mixture(result.conventions) else ""
        return f"Where {' or '.join(undefined)} is 0/0: {said}.{mixture}"
    if result.verdict is Verdict.INCONSISTENT and _bound_to_matter(experiment, result):
        verdicts = "; ".join(f"{words}, {result.verdict.value}" for words in _CONVENTIONS.values())
        return f"Where a score is 0/0: {verdicts}."
    return ""


def by_convention(result: Result, check: Callable[[Experiment], Result]) -> tuple[tuple[str, Verdict], ...]:
    """The verdict for each convention; none where every score is defined on the witness, which then holds under all."""
    experiment = result.experiment
    if not isinstance(experiment, Experiment) or experiment.undefined is not Undefined.ANY:
        return ()
    if not _undefined(experiment.reported, result.decisive.answer.witness):
        return ()
    conventions = dict(_CONVENTIONS)
    if any(one.score.undefined_as[0] is not SCORES["acc"].undefined_as[0] for one in experiment.reported):
        conventions[Undefined.SCIKIT_LEARN] = _AS_IN_SCIKIT_LEARN  # else it is the same as 0
    return tuple((words, check(replace(experiment, undefined=policy)).verdict) for policy, words in conventions.items())


def only_a_mixture(conventions: Sequence[tuple[str, Verdict]]) -> bool:
    """Whether no single convention makes the figures possible."""
    return bool(conventions) and {verdict for _, verdict in conventions} == {Verdict.INCONSISTENT}


def _undefined(reported: Sequence[Reported], witness: Sequence[Matrix]) -> list[str]:
    """The scores that are 0/0 on some matrix."""
    return [one.name for one in reported if any(one.score.value(matrix) is None for matrix in witness)]


def _bound_to_matter(experiment: Experiment, result: Result) -> bool:
    """Whether a test set may lack a class, so that a score in conflict is 0/0 there whatever the predictions."""
    answers = {hypothesis.reading: hypothesis.answer for hypothesis in result.hypotheses}
    for reading in readings(experiment):
        conflict = answers[reading.words].conflict
        blamed = [one for one in experiment.reported if not conflict or one.name in conflict]
        if any(_always_undefined(one, p, n) for p, n in _sizes(reading) for one in blamed):
            return True
    return False


def _sizes(reading: Reading) -> set[tuple[int, int]]:
    """The class counts of all test sets that a reading allows."""
    if isinstance(reading, Averaged):
        return {(fold.p, fold.n) for model in reading.models for fold in model.types}
    return {(reading.p, reading.n)}


def _always_undefined(one: Reported, p: int, n: int) -> bool:
    return not (p and n) and all(one.score.value(m) is None for m in (Matrix(0, p, n, 0), Matrix(p, 0, 0, n)))
