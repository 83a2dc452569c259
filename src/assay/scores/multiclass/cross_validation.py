"""The answer for a cross-validation of several classes, whose folds are known, described, or not known at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, cycle, islice, repeat

import numpy as np

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
from assay.scores.multiclass.class_folds import Counts, Folds, listed, stratified, stratified_before_0_22
from assay.scores.multiclass.combination import Effort
from assay.scores.multiclass.figures import Figure
from assay.scores.multiclass.quantities import read_quantities
from assay.scores.tasks import ClassFolding, MulticlassExperiment

_BUDGET = 32_000_000
_MOST_CASES = 60
"""Different foldings of one description that are looked at."""
_FIRST_LOOK, _EARLY_ROUNDS = 2, 2
"""Foldings that are searched, so many times, before any proof is tried."""
_AGAIN = 0.1
"""How often a folding that was drawn before is searched again."""
_BRIEF_LOOKS = 16
"""Shuffled foldings that are looked at briefly, for each that is searched."""
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
    quantities = read_quantities(experiment.counts, intervals, experiment.classes, folds=True)
    for said, quantity in zip(experiment.reported, quantities, strict=True):
        ends = said.minimum, said.maximum
        if quantity.complement:
            ends = _complement(said.maximum), _complement(said.minimum)
        yield Figure(quantity, said.sd, *ends, _complement(said.median) if quantity.complement else said.median)


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
            effort = _BUDGET // 8 if today and today.verdict is Verdict.CONSISTENT else _BUDGET
            yield (
                f"{over} folds as stratified before scikit-learn 0.22",
                self._over(cases, True, effort),
            )
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

    def _over(self, cases: Sequence[Folds], complete: bool, effort: int = _BUDGET) -> Answer:
        """Consistent if some folding is, inconsistent if none is and all were looked at."""
        questions = [self._question(folds) for folds in cases]
        purse = Purse(effort)
        found = witness(zip(questions[:_FIRST_LOOK] * _EARLY_ROUNDS, repeat(Effort.FULL)), purse.part(8))
        if found:
            return found
        proofs = [refuted(question) for question in questions]
        left = [question for question, proof in zip(questions, proofs, strict=True) if proof is None]
        found = witness(zip(cycle(left), repeat(Effort.FULL)), purse)
        proof = proofs[0]
        if found or left or proof is None or not complete:
            return found or nothing_found(left[0] if left else questions[0], purse)
        if len(cases) == 1:
            return proof
        return replace(
            proof, reason=f"{proof.reason} The other {len(cases) - 1} ways to deal out the classes fail too."
        )

    def _over_any(self) -> Answer:
        """Folds of nearly equal size with any class counts: the accuracy decides, or some folds are a witness."""
        items, k = sum(self.counts), self.folding.k
        sizes = listed([(items // k + (fold < items % k),) for fold in range(k)])
        by_accuracy = accuracy_answer(self._question(sizes))
        equal = self.folding.model is not FoldModel.ANY_STRATIFIED
        if equal and by_accuracy and by_accuracy.verdict is Verdict.INCONSISTENT:
            return by_accuracy
        purse = Purse(_BUDGET)
        cases, _ = self._stratified()
        shuffled = _shuffled(self.counts, k) if equal else repeat(cases[0])
        tried = chain(cases[:_FIRST_LOOK], shuffled)
        efforts = cycle((Effort.FULL, *repeat(Effort.BRIEF, _BRIEF_LOOKS)))
        return witness(zip(map(self._question, tried), efforts, strict=False), purse) or undecided(
            f"After looking at {purse.spent:,} pairs, no matrices that fit were found in stratified and in shuffled "
            "folds, and none were ruled out."
        )


def _shuffled(counts: Counts, k: int) -> Iterator[Folds]:
    """Folds of a plain cross-validation of shuffled items, one shuffle after the other."""
    draw, items, seen = np.random.default_rng(0), np.repeat(np.arange(len(counts)), counts), set[Folds]()
    while True:
        dealt = draw.permutation(items)
        folds = listed([tuple(np.bincount(dealt[fold::k], minlength=len(counts)).tolist()) for fold in range(k)])
        if folds not in seen or draw.random() < _AGAIN:
            seen.add(folds)
            yield folds
