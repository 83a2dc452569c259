"""The check itself: an experiment becomes hypotheses, each hypothesis gets an exact answer.

What a paper leaves unsaid (how folds were cut, how figures were averaged) is not guessed: every
reasonable reading is a hypothesis. The scores are inconsistent only when all of them fail.
"""

from __future__ import annotations

from dataclasses import dataclass

from assay.findings import Verdict
from assay.scores import ties
from assay.scores.answers import Answer
from assay.scores.experiment import Experiment


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One reading of the experiment, and what follows from it."""

    reading: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of a check: an answer for every reading of the experiment."""

    experiment: Experiment
    hypotheses: tuple[Hypothesis, ...]

    @property
    def verdict(self) -> Verdict:
        """Consistent if any reading is, inconsistent if none can be, else undecided."""
        verdicts = {h.answer.verdict for h in self.hypotheses}
        if Verdict.CONSISTENT in verdicts:
            return Verdict.CONSISTENT
        return Verdict.UNDECIDED if Verdict.UNDECIDED in verdicts else Verdict.INCONSISTENT

    @property
    def decisive(self) -> Hypothesis:
        """The reading to show first: one with the overall verdict."""
        return next(h for h in self.hypotheses if h.answer.verdict is self.verdict)


def check(experiment: Experiment) -> Result:
    """Whether the reported scores can come from this experiment."""
    return Result(experiment, tuple(_hypotheses(experiment)))


def _hypotheses(experiment: Experiment) -> list[Hypothesis]:
    whole = len(experiment.datasets) == 1 and experiment.datasets[0].folding is None
    p = sum(d.whole.p for d in experiment.datasets)
    n = sum(d.whole.n for d in experiment.datasets)
    reading = f"one test set of {p} + {n}" if whole else f"counts pooled over {p} + {n} items"
    return [Hypothesis(reading, ties.solve(p, n, experiment.reported, experiment.undefined))]
