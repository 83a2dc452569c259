"""Answers in words: the matrix that fits, or the sentence that a reader can re-check."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from assay.findings import Value, Verdict
from assay.scores.answers import Answer, inconsistent
from assay.scores.multiclass.confusion import Confusion, margins_of
from assay.scores.multiclass.correct import Question, span
from assay.scores.multiclass.domains import Domain, domains
from assay.scores.multiclass.quantities import AVERAGES, Quantity, Scope
from assay.scores.multiclass.refute import Proof
from assay.scores.multiclass.values import Gap, Reading, value


def possible(question: Question, reading: Reading, confusion: Confusion) -> Answer:
    """CONSISTENT, with the matrix and its scores."""
    figures: dict[str, Value] = {
        f"actual {name}": " ".join(map(str, row)) for name, row in zip(question.names, confusion, strict=True)
    }
    margins = margins_of(confusion)
    for quantity in question.quantities:
        exact = value(quantity, margins, reading)
        if exact is not None:
            figures[quantity.name] = float(1 - exact[0] if quantity.complement else exact[0])
    assumed = "" if reading == Reading() else f" It takes for granted that {reading}."
    reason = f"This confusion matrix gives every reported figure.{assumed}"
    return Answer(Verdict.CONSISTENT, reason=reason, figures=tuple(figures.items()))


def no_such_class(question: Question, label: int, gap: Gap) -> Answer:
    """INCONSISTENT because of the figures of one class."""
    counts = question.counts
    mine = [q for q in question.quantities if q.label == label]
    for size in range(1, len(mine) + 1):
        for subset in combinations(mine, size):
            if not _domain(question, label, subset, gap).size:
                return inconsistent(_of_class(question, label, subset, gap), conflict=tuple(q.name for q in subset))
    others = [q.name for q in question.quantities if q.scope is Scope.CORRECT or q.scope in AVERAGES]
    reason = (
        f"Class {question.names[label]} has {counts[label]} of {sum(counts)} items: with {span(question.correct)} "
        "correct items in all, no numbers of its correct and predicted items give its figures."
    )
    return inconsistent(reason, conflict=(*(q.name for q in mine), *others))


def _domain(question: Question, label: int, subset: Sequence[Quantity], gap: Gap) -> Domain:
    """What these figures leave of a class, whatever the accuracy."""
    return domains(question.counts, range(sum(question.counts) + 1), subset, gap)[label]


def _of_class(question: Question, label: int, subset: Sequence[Quantity], gap: Gap) -> str:
    """Why these figures of one class exclude each other."""
    items, total = question.counts[label], sum(question.counts)
    which = f"Class {question.names[label]} has {items} of {total} items"
    told = " and ".join(f"{q.name} in {q.printed}" for q in subset)
    recalls = [q for q in subset if q.score.name == "sens"]
    match recalls, [q for q in subset if q not in recalls]:
        case [recall], []:
            lo, hi = (f"{float((end or 0) * items):.4f}" for end in (recall.interval.lo, recall.interval.hi))
            return f"{which}: {told} means between {lo} and {hi} correct ones, no whole number."
        case [recall], [one, other]:
            found = _needs_apart(question, label, gap, recall=recall, others=(one, other))
            if found:
                return f"{which}: {found}"
    return f"{which}: whether it is predicted 0, 1, … or {total} times, no number of correct ones gives {told}."


def _needs_apart(
    question: Question, label: int, gap: Gap, *, recall: Quantity, others: tuple[Quantity, Quantity]
) -> str:
    """With the correct items that the recall leaves, two figures need different numbers of predictions, if they do."""
    one, other = (_domain(question, label, [recall, q], gap).predicted for q in others)
    if one[-1] >= other[0] and other[-1] >= one[0]:
        return ""
    known = _domain(question, label, [recall], gap)
    right = span(range(int(known.low.min()), int(known.high.max()) + 1))
    asks = [
        f"{q.name} in {q.printed} needs {span(range(int(need[0]), int(need[-1]) + 1))} predictions"
        for q, need in zip(others, (one, other), strict=True)
    ]
    return f"{recall.name} in {recall.printed} means {right} correct ones. Then {asks[0]}, but {asks[1]}."


def outweighed(question: Question, proof: Proof) -> Answer:
    """INCONSISTENT by a weighted sum of the reported bounds."""
    parts = " + ".join(f"{weight}·({row.statement})" for row, weight in proof.weights)
    figures: dict[str, Value] = {
        f"class {name}, most": f"{float(points):+.6f} with {d} correct of {q} predicted"
        for name, (d, q, points) in zip(question.names, proof.best, strict=True)
    }
    figures["all classes, and what is asked of their total"] = f"{float(proof.total):+.6g}"
    reason = (
        f"Weigh what the figures ask for: {parts}. Class by class, take the score minus the bound of a mean (or the "
        f"reverse) and the share of a total: whatever the counts, it all adds up to {float(proof.total):.6g} at most, "
        "but has to be 0 or more."
    )
    return inconsistent(reason, figures, tuple(q.name for q in question.quantities))


def exhausted(question: Question, looked_at: int) -> Answer:
    """INCONSISTENT because everything was tried."""
    names = tuple(q.name for q in question.quantities)
    told = ", ".join(f"{q.name} in {q.printed}" for q in question.quantities)
    counts = ", ".join(map(str, question.counts))
    reason = (
        f"With {counts} items in the classes, no whole numbers of correct and predicted items give {told}: "
        "a complete search found none."
    )
    return inconsistent(reason, {"pairs looked at": looked_at}, names)


def under_no_reading(refuted: Sequence[tuple[Reading, Answer]]) -> Answer:
    """The first proof in full, those of other readings that differ from it among the figures."""
    (_, first), *others = refuted
    further = {f"if {reading}": answer.reason for reading, answer in others if answer.reason != first.reason}
    if not further:
        return first
    names = tuple(dict.fromkeys(name for _, answer in refuted for name in answer.conflict))
    also = " The other usual ways to read such a report fail as well (see the figures)."
    return inconsistent(first.reason + also, dict(first.figures) | further, names)
