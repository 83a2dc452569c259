"""One answer out of all readings of a report: consistent if any reading is, inconsistent if none can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assay.findings import Verdict
from assay.scores.answers import Answer, undecided
from assay.scores.multiclass.budget import BudgetSpentError, Purse
from assay.scores.multiclass.correct import Question
from assay.scores.multiclass.domains import MOST_ITEMS, domains, undefined, wide
from assay.scores.multiclass.halves import Halves
from assay.scores.multiclass.quantities import AVERAGES, Quantity, Scope
from assay.scores.multiclass.refute import Proof, refute
from assay.scores.multiclass.rows import Setting, rows
from assay.scores.multiclass.search import Search
from assay.scores.multiclass.sentences import (
    exhausted,
    no_such_class,
    outweighed,
    possible,
    under_no_reading,
)
from assay.scores.multiclass.values import Gap, Reading, precision_and_recall

_MOST_SLOW_ITEMS = 20_000
"""Items where a score takes Python's integers."""
_LARGEST = 20_000_000
"""Classes times items that the arrays may hold."""
_SHORT = 200_000
"""Pairs looked at in a search that is short enough to be repeated without each figure."""


def decide(question: Question, readings: Sequence[Reading], budget: int, *, explain: bool = True) -> Answer:
    """The answer over all readings; `explain` takes the time to name as few conflicting figures as possible."""
    items, k = sum(question.counts), len(question.counts)
    if items > _most_items(question) or items * k > _LARGEST:
        return undecided(
            f"{items} items in {k} classes are too many for more than a test of the number of correct ones."
        )
    left, refuted, unsettled = budget, [], False
    for setting in _distinct(question, readings):
        purse = Purse(left // 2)  # the plainest reading comes first and is the likeliest
        answer = _refutation(question, setting, explain=explain) or _searched(question, setting, purse, explain=explain)
        left -= purse.spent
        if answer and answer.verdict is Verdict.CONSISTENT:
            return answer
        if answer:
            refuted.append((setting.reading, answer))
        unsettled |= answer is None
    if unsettled:
        spent = f"{budget - left} pairs of class counts"
        return undecided(f"After looking at {spent}, no matrix that fits was found, and none was ruled out.")
    answer = under_no_reading(refuted)
    return replace(answer, reason=question.premise + answer.reason)


def _most_items(question: Question) -> int:
    items = sum(question.counts)
    slow = any(wide(q.score, items) for q in question.quantities if q.scope is Scope.CLASS or q.scope in AVERAGES)
    return _MOST_SLOW_ITEMS if slow else MOST_ITEMS


def _distinct(question: Question, readings: Sequence[Reading]) -> list[Setting]:
    """The readings as settings, without those whose convention for 0/0 never applies: the same question again."""
    settings: list[Setting] = []
    plain: set[bool] = set()
    for reading in readings:
        setting = _setting(question, reading)
        gaps = reading.gap is not Gap.NEVER and _has_gaps(setting, question.quantities)
        if gaps or reading.f1_of_means not in plain:
            settings.append(setting)
        plain |= set() if gaps else {reading.f1_of_means}
    return settings


def _setting(question: Question, reading: Reading) -> Setting:
    counts, correct = question.counts, question.correct
    return Setting(counts, correct, domains(counts, correct, question.quantities, reading.gap), reading)


def _has_gaps(setting: Setting, quantities: Sequence[Quantity]) -> bool:
    """Whether any figure can be 0/0 for some class."""
    n, gap = setting.items, setting.reading.gap
    one_class = n in setting.counts or any(d.predicted.size and d.predicted[-1] == n for d in setting.domains)
    if one_class and any(q.scope in (Scope.KAPPA, Scope.MCC) for q in quantities):
        return True
    scores = {q.score for q in quantities if q.scope in AVERAGES or q.scope is Scope.CLASS}
    if setting.reading.f1_of_means:
        scores |= {mean.score for mean in precision_and_recall(Scope.MACRO)}
    return any(
        bool(undefined(score, setting.size(i), domain.low, domain.predicted, gap).any())
        for i, domain in enumerate(setting.domains)
        for score in scores
    )


def _refutation(question: Question, setting: Setting, *, explain: bool) -> Answer | None:
    """A quick proof that this reading is impossible, if there is one."""
    for label, domain in enumerate(setting.domains):
        if not domain.size:
            return no_such_class(question, label, setting.reading.gap)
    proof = refute(setting.domains, rows(setting, question.quantities))
    if proof is None:
        return None
    return outweighed(*(_fewest(question, setting.reading, proof) if explain else (question, proof)))


def _fewest(question: Question, reading: Reading, proof: Proof) -> tuple[Question, Proof]:
    """The proof from as few figures as possible: figures that are not weighed may still narrow down the classes."""
    lean = question.about(proof.names)
    found = _proof(lean, reading)
    if found:
        return lean, found
    for name in [q.name for q in question.quantities if q.name not in proof.names]:
        fewer = question.about(q.name for q in question.quantities if q.name != name)
        found = _proof(fewer, reading)
        question, proof = (fewer, found) if found else (question, proof)
    return question, proof


def _proof(question: Question, reading: Reading) -> Proof | None:
    setting = _setting(question, reading)
    possible_classes = all(domain.size for domain in setting.domains)
    return refute(setting.domains, rows(setting, question.quantities)) if possible_classes else None


def _searched(question: Question, setting: Setting, purse: Purse, *, explain: bool) -> Answer | None:
    """The answer under one reading by search: a short exhaustive one, a guided one, a long exhaustive one."""
    quantities = question.quantities
    stated = rows(setting, quantities)
    try:
        found = Search(setting, stated, quantities, purse.part(10)).run()
    except BudgetSpentError:
        guided = Halves(setting, quantities, purse.part(2)).run()
        try:
            found = guided or Search(setting, stated, quantities, purse).run()
        except BudgetSpentError:
            return None
    if found:
        return possible(question, setting.reading, found)
    effort = purse.spent
    fewest = _needed(question, setting.reading, effort) if explain and effort <= _SHORT else question
    return exhausted(fewest, effort)


def _needed(question: Question, reading: Reading, effort: int) -> Question:
    """The question with only those figures without which the search would not come up empty."""
    for name in [q.name for q in question.quantities]:
        fewer = question.about(q.name for q in question.quantities if q.name != name)
        if fewer.quantities and _impossible(fewer, reading, 2 * effort):
            question = fewer
    return question


def _impossible(question: Question, reading: Reading, effort: int) -> bool:
    """Whether a question is refuted at little cost."""
    setting = _setting(question, reading)
    if _refutation(question, setting, explain=False):
        return True
    try:
        return Search(setting, rows(setting, question.quantities), question.quantities, Purse(effort)).run() is None
    except BudgetSpentError:
        return False
