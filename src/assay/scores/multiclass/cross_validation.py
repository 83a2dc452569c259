"""The answer for a cross-validation of several classes, whose folds are known, described, or not known at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from assay.findings import Verdict
from assay.records import dataclass
from assay.scores.answers import Answer, undecided
from assay.scores.conventions import Undefined
from assay.scores.exact import Interval
from assay.scores.experiment import FoldModel
from assay.scores.multiclass.averaged import (
    FoldQuestion,
    accuracy_answer,
    nothing_found,
    refuse_untested,
    refuted,
    witness,
)
from assay.scores.multiclass.budget import Purse
from assay.scores.multiclass.figures import Figure
from assay.scores.multiclass.folding import Counts, Folds, listed, stratified, stratified_before_0_22
from assay.scores.multiclass.naming import read_quantities
from assay.scores.tasks import ClassFolding, MulticlassExperiment

_BUDGET = 8_000_000
_MOST_CASES = 60
"""Different foldings of one description that are looked at."""
_MOST_CLASSES = 6
"""Up to so many classes all their orders are tried."""


def hypotheses(experiment: MulticlassExperiment) -> Iterator[tuple[str, Answer]]:
    """An answer for every way in which the folds may have been cut."""
    if experiment.folding is None:
        return
    figures = tuple(_figures(experiment))
    refuse_untested(figures, len(experiment.counts))
    asked = CrossValidation(experiment.counts, experiment.classes, experiment.folding, figures, experiment.undefined)
    yield from asked.hypotheses()


def _figures(experiment: MulticlassExperiment) -> Iterator[Figure]:
    intervals = {said.name: said.interval for said in experiment.reported}
    quantities = read_quantities(experiment.counts, intervals, experiment.classes)
    for said, quantity in zip(experiment.reported, quantities, strict=True):
        ends = said.minimum, said.maximum
        if quantity.complement:
            ends = _complement(said.maximum), _complement(said.minimum)
        yield Figure(quantity, said.sd, *ends)


def _complement(interval: Interval | None) -> Interval | None:
    return interval.one_minus() if interval else None


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """A question about the means over the folds."""

    counts: Counts
    names: tuple[str, ...]
    folding: ClassFolding
    figures: tuple[Figure, ...]
    undefined: Undefined = Undefined.ANY

    def hypotheses(self) -> Iterator[tuple[str, Answer]]:
        """An answer for every way in which the folds may have been cut."""
        model, over = self.folding.model, f"the mean over {self.folding.k * self.folding.repeats}"
        today = None
        if model in (FoldModel.STRATIFIED, FoldModel.UNKNOWN):
            today = self._over(*self._stratified())
            yield f"{over} stratified folds", today
        if model in (FoldModel.STRATIFIED_BEFORE_0_22, FoldModel.UNKNOWN):
            cases = [stratified_before_0_22(self.counts, self.folding.k)]
            yield f"{over} folds as stratified before scikit-learn 0.22", self._over(cases, complete=True)
        if model not in (FoldModel.STRATIFIED, FoldModel.STRATIFIED_BEFORE_0_22):
            included = today is not None and today.verdict is Verdict.CONSISTENT
            answer = today if today is not None and included else self._over_any()
            yield f"{over} folds, whatever their classes", answer

    def _stratified(self) -> tuple[list[Folds], bool]:
        """The foldings that scikit-learn may have made, and whether these are all of them."""
        found = list(islice(stratified(self.counts, self.folding.k), _MOST_CASES + 1))
        complete = len(found) <= _MOST_CASES and len(self.counts) <= _MOST_CLASSES
        return found[:_MOST_CASES], complete

    def _question(self, folds: Folds) -> FoldQuestion:
        return FoldQuestion(folds.repeated(self.folding.repeats), self.names, self.figures, self.undefined)

    def _over(self, cases: Sequence[Folds], complete: bool) -> Answer:
        """Consistent if some folding is, inconsistent if none is and all were looked at."""
        questions = [self._question(folds) for folds in cases]
        proofs = [refuted(question) for question in questions]
        left = [question for question, proof in zip(questions, proofs, strict=True) if proof is None]
        purse = Purse(_BUDGET)
        for question in left:
            found = witness(question, purse.part(max(1, min(4, len(left)))))
            if found:
                return found
        proof = proofs[0]
        if left or proof is None or not complete:
            return nothing_found(left[0] if left else questions[0], purse)
        if len(cases) == 1:
            return proof
        return replace(
            proof, reason=f"{proof.reason} The other {len(cases) - 1} ways to deal out the classes fail too."
        )

    def _over_any(self) -> Answer:
        """Folds of nearly equal size with any class counts: the accuracy decides, or stratified folds are a witness."""
        items, k = sum(self.counts), self.folding.k
        sizes = listed([(items // k + (fold < items % k),) for fold in range(k)])
        by_accuracy = accuracy_answer(self._question(sizes))
        equal = self.folding.model is not FoldModel.ANY_STRATIFIED
        if equal and by_accuracy and by_accuracy.verdict is Verdict.INCONSISTENT:
            return by_accuracy
        cases, _ = self._stratified()
        purse = Purse(_BUDGET // 4)
        for folds in cases[:2]:
            found = witness(self._question(folds), purse.part(2))
            if found:
                return found
        return undecided("No matrices were found in stratified folds; folds with other class counts were not searched.")
