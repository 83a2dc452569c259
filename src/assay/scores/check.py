"""The check itself: an experiment becomes hypotheses, each hypothesis gets an exact answer.

What a paper leaves unsaid (how folds were cut, how figures were averaged) is not guessed: every
reasonable reading is a hypothesis. The scores are inconsistent only when all of them fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.errors import InputError
from assay.findings import Report, Verdict
from assay.records import dataclass
from assay.scores import single
from assay.scores.answers import Answer, consistent, inconsistent, undecided
from assay.scores.conventions import Undefined
from assay.scores.experiment import Aggregation, Experiment, Reported
from assay.scores.readings import Averaged, Pooled, Reading, readings
from assay.scores.tasks import (
    AnyExperiment,
    MulticlassExperiment,
    RankingExperiment,
    RegressionExperiment,
    Said,
    SizelessExperiment,
)

if TYPE_CHECKING:
    from assay.scores.means import Part
    from assay.scores.means import Reported as MeanReported

_HASTE = 10
"""In haste a search may spend this part of the usual budget."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One reading of the experiment, and what follows from it."""

    reading: str
    answer: Answer
    setting: str = ""
    """The reading as the end of a sentence: "with 38 positives and 262 negatives", "as the mean over 5 folds"."""


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The outcome of a check: an answer for every reading of the experiment."""

    experiment: AnyExperiment
    hypotheses: tuple[Hypothesis, ...]
    conventions: tuple[tuple[str, Verdict], ...] = ()
    """The verdict for each way to count 0/0 everywhere, where the witness counts some; in words."""
    condition: str = ""
    """Under which unusual conventions alone the figures are possible; empty where usual ones do."""

    @property
    def verdict(self) -> Verdict:
        """Consistent if any reading is, inconsistent if none can be, else undecided."""
        return Verdict.CONDITIONAL if self.condition else self._by_readings

    @property
    def possible(self) -> bool:
        """Whether there is a witness, whatever it takes."""
        return self._by_readings is Verdict.CONSISTENT

    @property
    def _by_readings(self) -> Verdict:
        if len(self.hypotheses) == 1:
            return self.hypotheses[0].answer.verdict
        verdicts = {h.answer.verdict for h in self.hypotheses}
        if Verdict.CONSISTENT in verdicts:
            return Verdict.CONSISTENT
        return Verdict.UNDECIDED if Verdict.UNDECIDED in verdicts else Verdict.INCONSISTENT

    @property
    def decisive(self) -> Hypothesis:
        """The reading to show first: the most specific one with the overall verdict."""
        return next(h for h in self.hypotheses if h.answer.verdict is self._by_readings)

    def __repr__(self) -> str:
        shown = self.decisive
        told = f", for example {shown.answer.witness[0]}" if shown.answer.witness else f": {shown.answer.reason}"
        return f"<{self.verdict.value} for {shown.reading}{told}>"

    def report(self) -> Report:
        """The full report: with diagnosis or power, and the picture."""
        from assay.scores.reporting import report_of

        return report_of([self], in_depth=True, figures=True)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain data, as described by ``assay schema report``."""
        return self.report().to_dict()

    def _repr_html_(self) -> str:
        """How notebooks show a result."""
        return self.report()._repr_html_()


_NOTHING_PASSED: Mapping[str, int] = MappingProxyType({})


def check(experiment: AnyExperiment, *, hasty: bool = False, passed: Mapping[str, int] = _NOTHING_PASSED) -> Result:
    """Whether the reported scores can come from this experiment.

    In haste, the first reading that fits is enough, searches over folds are cut short, and why one matrix cannot
    fit is not argued: for the many "what if" questions of a diagnosis, where an undecided one is no loss. `passed` says
    for a reading how many of its configurations of folds are ruled out already.
    """
    never = _beyond_their_range(experiment)
    if never:
        return Result(experiment, (Hypothesis("any test set", _never_true(never[0])),))
    if isinstance(experiment, SizelessExperiment | MulticlassExperiment):
        several = experiment.readings(explain=not hasty)
        return Result(experiment, tuple(Hypothesis(*reading) for reading in several))
    if isinstance(experiment, RankingExperiment) and not experiment.binary.one_test_set:
        return Result(experiment, tuple(_ranked_in_folds(experiment, hasty=hasty)))
    if not isinstance(experiment, Experiment):
        return Result(experiment, tuple(_of_another_task(experiment)))
    hypotheses = tuple(_of_two_classes(experiment, passed, hasty=hasty))
    if not hypotheses:
        raise InputError("no reading of this description can be tested", fix="Check aggregation and folds.")
    result = Result(experiment, hypotheses)
    if hasty or not result.possible:
        return result
    from assay.scores.unusual import with_conditions

    ruled_out = {h.reading: h.answer.passed for h in hypotheses}
    return with_conditions(result, partial(check, hasty=True, passed=ruled_out))


def _beyond_their_range(experiment: AnyExperiment) -> list[Said]:
    """Figures that no experiment can give."""
    return [one for one in experiment.reported if isinstance(one, Said) and one.beyond_its_range]


def _never_true(one: Said) -> Answer:
    """A figure outside of the range of its score."""
    low, high = one.possible.lo, one.possible.hi
    above = one.interval.lo is not None and high is not None and one.interval.lo >= high
    never = f"above {high}" if above else f"below {low}"
    return inconsistent(f"{one.name} is never {never}; {one.printed} is.", conflict=(one.name,))


def _of_another_task(experiment: RegressionExperiment | RankingExperiment) -> Iterator[Hypothesis]:
    """One answer; where a regression is impossible, also those for other meanings of its R²."""
    first = Hypothesis(experiment.words, experiment.answer())
    yield first
    if first.answer.verdict is Verdict.INCONSISTENT and isinstance(experiment, RegressionExperiment):
        yield from (Hypothesis(*other) for other in experiment.other_readings())


def _of_two_classes(experiment: Experiment, passed: Mapping[str, int], *, hasty: bool) -> Iterator[Hypothesis]:
    """The answer for every reading, and for a stricter one where a witness needs parts without one of the classes."""
    found: dict[str, Answer] = {}
    for reading in readings(experiment):
        answer = _known_already(reading, found) or _answer(reading, experiment, passed, hasty=hasty)
        narrower = reading.narrower if isinstance(reading, Averaged) and not hasty else None
        if narrower and any(not (matrix.p and matrix.n) for matrix in answer.witness):
            found[narrower.words] = _answer(narrower, experiment, passed, hasty=hasty)
            yield Hypothesis(narrower.words, found[narrower.words], narrower.setting)
        found[reading.words] = answer
        yield Hypothesis(reading.words, answer, reading.setting)
        if hasty and answer.verdict is Verdict.CONSISTENT:
            return


def _ranked_in_folds(experiment: RankingExperiment, *, hasty: bool) -> Iterator[Hypothesis]:
    """Areas under the curves of folds, beside the other scores over the same folds."""
    from assay.scores.ranking.averaged import area_over_folds, under_a_mean_curve

    binary = experiment.binary
    for reading in readings(binary):
        if isinstance(reading, Pooled):
            yield Hypothesis(reading.words, experiment.on_one_set(reading.p, reading.n), reading.setting)
            continue
        area = area_over_folds(reading.models, experiment.areas)
        others = _averaged(reading, binary, hasty=hasty) if binary.reported else None
        yield Hypothesis(reading.words, _worse(area, others), reading.setting)
    if binary.datasets[0].aggregation is Aggregation.UNKNOWN:
        yield Hypothesis("the area under one averaged curve", under_a_mean_curve())


def _worse(area: Answer, others: Answer | None) -> Answer:
    """What is impossible for one of them is impossible; possible is only what both allow."""
    if others is None or area.verdict is Verdict.INCONSISTENT:
        return area
    if others.verdict is not Verdict.CONSISTENT:
        return others
    return replace(area, witness=others.witness) if area.verdict is Verdict.CONSISTENT else area


def _known_already(reading: Reading, found: dict[str, Answer]) -> Answer | None:
    """What is possible under a narrower reading is possible under one that includes it."""
    if isinstance(reading, Averaged) and reading.covers:
        narrower = found[reading.covers]
        if narrower.verdict is Verdict.CONSISTENT:
            return consistent(*narrower.witness, reason=f"As with {reading.covers}, which this includes.")
    return None


def _answer(reading: Reading, experiment: Experiment, passed: Mapping[str, int], *, hasty: bool) -> Answer:
    if isinstance(reading, Pooled):
        valued = [r.constraint(experiment.undefined) for r in experiment.reported if r.interval is not None]
        return single.solve(reading.p, reading.n, valued, argued=not hasty)
    return _averaged(reading, experiment, passed.get(reading.words, 0), hasty=hasty)


def _mean(one: Reported, undefined: Undefined, *, spreads: bool) -> MeanReported:
    """A score as a mean over parts, with its spread where that is one over the same parts."""
    from assay.scores.means import Reported as MeanReported

    constraint = one.constraint(undefined)
    if not spreads:
        return MeanReported(constraint, undefined=undefined)
    return MeanReported(
        constraint, one.sd, minimum=one.minimum, maximum=one.maximum, median=one.median, undefined=undefined
    )


def _weighted_by_size(part: Part) -> Part:
    return replace(part, weight=Fraction(part.p + part.n))


def _has_unequal_folds(reading: Averaged) -> bool:
    return len({p + n for model in reading.models for p, n in model.types}) > 1


def _averaged(reading: Averaged, experiment: Experiment, passed: int = 0, *, hasty: bool) -> Answer:
    from assay.scores import means

    if not reading.spreads and any(r.median for r in experiment.reported):
        return undecided("It is not known over what the median was taken.")
    reported = [_mean(r, experiment.undefined, spreads=reading.spreads) for r in experiment.reported]
    budget = means.Budget().share(_HASTE) if hasty else means.Budget()
    if all(model.count == 1 and not model.beyond_listing for model in reading.models):
        parts = means.first_parts(reading.models)
        if reading.weighted:
            parts = tuple(map(_weighted_by_size, parts))
        return means.solve_known(parts, reported, budget=budget)
    if reading.weighted and _has_unequal_folds(reading):
        return undecided("Weighted means over unknown folds of unequal size are not tested.")
    return means.solve_unknown(reading.models, reported, budget=budget, passed=passed)
