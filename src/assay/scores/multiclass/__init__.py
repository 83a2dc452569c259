"""Can these scores of a classifier with several classes be true.

`solve` takes the items of each class and what the reported figures leave open, and answers like every
engine: CONSISTENT with a confusion matrix that has been re-verified, INCONSISTENT with a proof, or
UNDECIDED. The k by k witness does not fit `Answer.witness`, which is for binary matrices; it stands in
`Answer.figures`, one entry for each actual class: ``("actual setosa", "48 2 0")``, the items of that class
by predicted class.

Accuracy has its usual meaning, the share of correct items; every item has one label. What reports leave
unsaid (which mean F1, what stands for a precision of 0/0) is tried in all usual ways, and the figures are
inconsistent only if all of them fail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from assay.errors import InputError
from assay.findings import Verdict
from assay.scores.answers import Answer, undecided
from assay.scores.conventions import Undefined
from assay.scores.exact import Interval
from assay.scores.multiclass.correct import Question, disagreement
from assay.scores.multiclass.quantities import AVERAGES, read_quantities
from assay.scores.multiclass.values import Gap, Reading, gaps_for, stand_ins_for

BUDGET = 15_000_000
"""Pairs of class counts looked at before giving up, a few seconds' worth."""


def solve(
    counts: Sequence[int],
    reported: Mapping[str, Interval],
    *,
    classes: Sequence[str] = (),
    undefined: Undefined = Undefined.ANY,
    budget: int = BUDGET,
    explain: bool = True,
) -> Answer:
    """Whether some confusion matrix with `counts` items of each class gives every reported figure.

    Names are those of `quantities`: ``acc``, ``kappa``, ``mcc``, ``f1_macro``, ``precision_weighted``,
    ``recall[setosa]`` or ``recall[0]``. `budget` bounds the work, not the time, so answers are reproducible. `explain`
    takes the time to name as few conflicting figures as possible.
    """
    _check_counts(counts, classes)
    names = tuple(classes) or tuple(str(i) for i in range(len(counts)))
    question = Question(tuple(counts), names, read_quantities(counts, reported, classes))
    answer = disagreement(question) or _decided(question, undefined, budget, explain=explain)
    if answer.verdict is not Verdict.INCONSISTENT or "acc" not in reported or len(counts) < 3:
        return answer
    reread = {("acc_ovr_macro" if name == "acc" else name): interval for name, interval in reported.items()}
    return _with_note(answer, replace(question, quantities=read_quantities(counts, reread, classes)))


def _decided(question: Question, undefined: Undefined, budget: int, *, explain: bool = True) -> Answer:
    from assay.scores.multiclass.readings import decide  # needs numpy

    ways = (False, True) if any(q.averaged_f1 for q in question.quantities) else (False,)
    whole = stand_ins_for(undefined)
    readings = [
        Reading(gap, f1_of_means, () if gap is Gap.NEVER else whole)
        for f1_of_means in ways
        for gap in gaps_for(undefined)
    ]
    answer = decide(question, readings, budget, explain=explain)
    means = any(q.scope in AVERAGES for q in question.quantities)
    if answer.verdict is Verdict.INCONSISTENT and 0 in question.counts and means:
        return undecided("Libraries differ in how they average over classes without items; no usual way gives this.")
    return answer


def _with_note(answer: Answer, reread: Question) -> Answer:
    """Say so when the accuracy makes sense as the mean one-versus-rest accuracy, as some tools define it."""
    if disagreement(reread):
        return answer
    if _decided(reread, Undefined.ANY, BUDGET // 10, explain=False).verdict is not Verdict.CONSISTENT:
        return answer
    hint = " Read as the mean one-versus-rest accuracy instead of the share of correct items, acc would be possible."
    return replace(answer, reason=answer.reason + hint)


def _check_counts(counts: Sequence[int], classes: Sequence[str]) -> None:
    if len(counts) < 2:
        raise InputError(f"{len(counts)} class(es)", where="counts", fix="Give the number of items of each class.")
    if any(c < 0 for c in counts) or not any(counts):
        raise InputError("class counts must be 0 or more, and not all 0", where="counts", fix="Count the test items.")
    if classes and (len(classes) != len(counts) or len(set(classes)) != len(classes)):
        raise InputError(
            f"{len(classes)} class names for {len(counts)} counts", where="classes", fix="Give each class one name."
        )
