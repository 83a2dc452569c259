"""The rules of the scores room: what an inconsistent answer means, by kind of experiment."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Confidence, Evidence, Finding, Severity, Verdict, certificate, numbers
from assay.rules import Instrument, Rule, Source
from assay.scores.check import Hypothesis, Result, check
from assay.scores.reading import read_words

_PAPER = "Fazekas & Kovács, Testing the consistency of performance scores reported for binary classification problems"
_ADVICE = (
    "Ask the authors for the confusion matrix. Often the cause is a misprint, two columns swapped, another "
    "test set than described, or scores averaged in another way than described."
)


def _example(text: str) -> Result:
    return check(read_words(text.split()))


scores = Instrument("scores", "Can these numbers be true?", _example, "words")


def _fired(rule: Rule[Result], result: Result) -> Iterator[Finding]:
    """The finding for an experiment that no reading can save."""
    answer = result.decisive.answer
    experiment = result.experiment
    conflict = [r for r in experiment.reported if not answer.conflict or r.name in answer.conflict]
    evidence: list[Evidence] = [
        *(certificate(_told(h, result), dict(h.answer.figures)) for h in result.hypotheses),
        numbers({r.name: r.printed for r in conflict}, "the scores that conflict, as printed"),
    ]
    names = [r.name for r in conflict]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    readings = len(result.hypotheses)
    on = result.decisive.reading if readings == 1 else f"any of {readings} readings of the experiment"
    yield rule.finding(
        f"{listed} cannot {'all ' if len(names) > 2 else ''}be true on {on}",
        subject=experiment.name,
        location=experiment.location,
        evidence=evidence,
    )


def _told(hypothesis: Hypothesis, result: Result) -> str:
    reason = hypothesis.answer.reason
    return reason if len(result.hypotheses) == 1 else f"{hypothesis.reading}: {reason}"


@scores.rule(
    "S101",
    title="Scores that no confusion matrix gives",
    severity=Severity.ERROR,
    failing="p=100 n=200 acc=0.9 sens=0.8 spec=0.8",
    passing="p=100 n=200 acc=0.8 sens=0.8 spec=0.8",
    source=Source(_PAPER, "section 3"),
    advice=_ADVICE,
    confidence=Confidence.PROVEN,
)
def impossible_on_one_test_set(result: Result) -> Iterator[Finding]:
    """On a test set of known size every score follows from two whole numbers: true positives and true negatives.

    When no pair of whole numbers gives all the printed figures, at least one figure, or the description
    of the test set, is wrong: no rerun of the experiment can ever reproduce them.
    """
    if result.experiment.one_test_set and result.verdict is Verdict.INCONSISTENT:
        yield from _fired(impossible_on_one_test_set, result)


@scores.rule(
    "S102",
    title="Scores that no folds and no averages give",
    severity=Severity.ERROR,
    failing="p=38 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733",
    passing="p=244 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733",
    source=Source(_PAPER, "section 4"),
    advice=_ADVICE,
    confidence=Confidence.PROVEN,
)
def impossible_over_several_sets(result: Result) -> Iterator[Finding]:
    """Scores over folds or several test sets are pooled or averaged, and papers often do not say which.

    Every reasonable reading is tried: counts pooled, scores averaged, folds stratified or not. When none of
    them gives the printed figures, the figures or the description of the experiment are wrong. In the
    example the cause is known: minority samples were copied before the data were cut into folds.
    """
    if not result.experiment.one_test_set and result.verdict is Verdict.INCONSISTENT:
        yield from _fired(impossible_over_several_sets, result)
