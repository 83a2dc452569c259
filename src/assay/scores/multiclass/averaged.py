"""Means of multiclass scores over the folds of a cross-validation, and whether the reported figures can be true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product

from assay.errors import InputError
from assay.findings import Value, Verdict
from assay.records import dataclass
from assay.scores import means
from assay.scores.answers import Answer, inconsistent, undecided
from assay.scores.constraints import Constraint
from assay.scores.conventions import Undefined
from assay.scores.definitions import COUNTS, SCORES
from assay.scores.exact import Interval
from assay.scores.multiclass.budget import BudgetSpentError, Purse
from assay.scores.multiclass.class_folds import Folds
from assay.scores.multiclass.combination import Combination, Effort, Search, holds
from assay.scores.multiclass.confusion import Confusion, margins_of
from assay.scores.multiclass.domains import domains
from assay.scores.multiclass.figures import Figure
from assay.scores.multiclass.fold_rows import accuracy_line, block_domains, blocks, fold_rows
from assay.scores.multiclass.quantities import Scope
from assay.scores.multiclass.refute import Proof, refute
from assay.scores.multiclass.rows import Setting
from assay.scores.multiclass.values import Gap, Reading, gaps_for, stand_ins_for

_CORRECT = replace(SCORES["sens"], label="accuracy")
"""The share of correct items of a fold that has one class as far as this share goes."""
_LOOK = 20_000
"""What every attempt costs, so that foldings on which nothing is possible come to an end."""
_LARGEST = 400_000
"""Items of one fold of each kind, times classes, that the arrays may hold."""


@dataclass(frozen=True, slots=True)
class FoldQuestion:
    """The folds, the names of the classes, and what is reported of them."""

    folds: Folds
    names: tuple[str, ...]
    figures: tuple[Figure, ...]
    undefined: Undefined

    @property
    def f1_ways(self) -> tuple[bool, ...]:
        """Whether an averaged F1 may be the F1 of two averages: both are in use."""
        return (False, True) if any(f.quantity.averaged_f1 for f in self.figures) else (False,)


def refuse_untested(figures: Sequence[Figure], classes: int) -> None:
    """Scores that have no test over folds are an error, not passed over."""
    for figure in figures:
        quantity = figure.quantity
        unbounded = quantity.score.high is None or quantity.score.name in COUNTS or quantity.score.name == "pt"
        curved = quantity.scope is Scope.CORRECT and not accuracy_line(quantity.score, classes)[1]
        if unbounded or curved:
            raise InputError(
                f"{quantity.score.label} is not tested as a mean over folds of several classes",
                where=quantity.name,
                fix="Leave it out, or give it for one test set.",
            )


def refuted(question: FoldQuestion) -> Answer | None:
    """INCONSISTENT where a proof is found that covers every usual reading."""
    by_accuracy = accuracy_answer(question)
    if by_accuracy and by_accuracy.verdict is Verdict.INCONSISTENT:
        return by_accuracy
    if sum(sum(counts) * len(counts) for counts, _ in question.folds.kinds) > _LARGEST:
        return None
    proofs = []
    for way in question.f1_ways:
        rows = fold_rows(question.folds, question.figures, f1_of_means=way)
        proof = refute(block_domains(question.folds), rows)
        if proof is None:
            return None
        proofs.append(proof)
    return _outweighed(question, proofs)


def accuracy_answer(question: FoldQuestion) -> Answer | None:
    """The answer for the figures that follow from the share of correct items: a mean over one class per fold."""
    reported = []
    for figure in question.figures:
        if figure.quantity.scope is Scope.CORRECT:
            start, slope = accuracy_line(figure.quantity.score, len(question.names))
            ends = figure.quantity.interval, figure.minimum, figure.maximum, figure.median
            mean, low, high, median = (_moved(i, start, slope) for i in ends)
            constraint = Constraint(_CORRECT, mean or Interval(None, None), (), figure.quantity.name)
            sd = figure.sd.times(1 / slope) if figure.sd else None
            reported.append(means.Reported(constraint, sd, minimum=low, maximum=high, median=median))
    if not reported:
        return None
    parts = [means.Part(sum(counts), 0, count=times) for counts, times in question.folds.kinds]
    return means.solve_known(parts, reported)


def _moved(interval: Interval | None, start: Fraction, slope: Fraction) -> Interval | None:
    """What a micro average leaves open for the accuracy."""
    if interval is None:
        return None
    lo, hi = (None if end is None else (end - start) / slope for end in (interval.lo, interval.hi))
    return Interval(lo, hi, interval.lo_open, interval.hi_open)


def witness(questions: Iterable[tuple[FoldQuestion, Effort]], purse: Purse) -> Answer | None:
    """CONSISTENT with one verified matrix for each fold of some question, if the budget suffices to find them.

    Further attempts differ, because the random numbers do.
    """
    try:
        tried = (
            _attempted(question, reading, Search(purse, purse.seed, effort))
            for question, reading, effort in _attempts(questions)
        )
        return next(filter(None, tried), None)
    except BudgetSpentError:
        return None


def _attempts(questions: Iterable[tuple[FoldQuestion, Effort]]) -> Iterator[tuple[FoldQuestion, Reading, Effort]]:
    """A full attempt is under the plainest reading and one of the others in turn, a brief one under the plainest."""
    for turn, (question, effort) in enumerate(questions):
        plain, *others = _readings(question)
        yield question, plain, effort
        if others and effort is Effort.FULL:
            yield question, others[turn % len(others)], effort


def _attempted(question: FoldQuestion, reading: Reading, search: Search) -> Answer | None:
    search.purse.pay(_LOOK)
    settings = _settings(question, reading)
    possible = all(domain.size for setting in settings for domain in setting.domains)
    found = Combination(settings, question.figures, search).attempt() if possible else None
    return _possible(question, reading, found) if found else None


def _readings(question: FoldQuestion) -> Iterator[Reading]:
    """The plainest comes first. What is found where no score is undefined is found under other conventions, too."""
    allowed = gaps_for(question.undefined)
    gaps = list(allowed[1:] if Gap.ZERO in allowed[1:] else allowed)
    if any(0 in counts for counts, _ in question.folds.kinds) and Gap.ZERO in gaps:
        gaps.insert(0, Gap.ABSENT)
    for way, gap in product(question.f1_ways, gaps):
        yield Reading(gap, way, () if gap is Gap.NEVER else stand_ins_for(question.undefined))


def _settings(question: FoldQuestion, reading: Reading) -> list[Setting]:
    """One for each fold."""
    return [one for counts, times in question.folds.kinds for one in [_setting(counts, reading, question)] * times]


def _setting(counts: tuple[int, ...], reading: Reading, question: FoldQuestion) -> Setting:
    correct = range(sum(counts) + 1)
    defined = [f.quantity for f in question.figures if f.quantity.scope is not Scope.CLASS]
    return Setting(counts, correct, domains(counts, correct, defined, reading.gap), reading)


def _possible(question: FoldQuestion, reading: Reading, found: Sequence[Confusion]) -> Answer:
    figures: dict[str, Value] = {
        f"fold {i}, actual {name}": " ".join(map(str, row))
        for i, confusion in enumerate(found, 1)
        for name, row in zip(question.names, confusion, strict=True)
    }
    plain = replace(reading, gap=Gap.NEVER, whole=())
    reading = plain if holds([margins_of(one) for one in found], question.figures, plain) else reading
    assumed = "" if reading == Reading() else f" It takes for granted that {reading}."
    reason = f"These confusion matrices of {len(found)} folds give every reported figure.{assumed}"
    return Answer(Verdict.CONSISTENT, reason=reason, figures=tuple(figures.items()))


def _outweighed(question: FoldQuestion, proofs: Sequence[Proof]) -> Answer:
    """INCONSISTENT by a weighted sum of the reported bounds, for each way to average the F1."""
    proof = proofs[-1] if len(set(map(str, proofs))) == 1 else proofs[0]
    parts = " + ".join(f"{weight}·({row.statement})" for row, weight in proof.weights)
    figures: dict[str, Value] = {}
    for block, (d, q, points) in zip(blocks(question.folds), proof.best, strict=True):
        where = f"class {question.names[block.label]} in folds of {' + '.join(map(str, block.counts))}, most"
        figures[where] = f"{float(points):+.6f} with {d} correct of {q} predicted"
    figures["all folds and classes, and what is asked of their total"] = f"{float(proof.total):+.6g}"
    also = " The F1 of the averaged precision and recall is excluded in the same way." if len(proofs) > 1 else ""
    reason = (
        f"Weigh the reported bounds: {parts}. Add up, over all folds and classes, the score minus the bound (or the "
        f"reverse) and the shares of the totals: whatever is predicted, the sum is {float(proof.total):.6g} at most, "
        f"but the figures need 0 or more.{also}"
    )
    names = tuple(dict.fromkeys(name for one in proofs for name in one.names))
    return inconsistent(reason, figures, names)


def nothing_found(question: FoldQuestion, purse: Purse) -> Answer:
    """UNDECIDED, with what was spent."""
    return undecided(
        f"After looking at {purse.spent:,} pairs of class counts in {question.folds.count} folds, no matrices that fit "
        "were found, and none were ruled out."
    )
