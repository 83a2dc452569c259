"""The rules of the scores room: what an inconsistent answer means, by kind of experiment."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Confidence, Evidence, Finding, Severity, Verdict, certificate, note, numbers
from assay.rules import Instrument, Rule, Source
from assay.scores import zero_by_zero
from assay.scores.check import Hypothesis, Result, check
from assay.scores.confidence_intervals import Comparison, comparisons
from assay.scores.conflicts import class_counts, conflict_sentence, enumeration, full_name, score_phrase
from assay.scores.experiment import Experiment, Reported
from assay.scores.reading import read_words
from assay.scores.tasks import (
    AnyExperiment,
    MulticlassExperiment,
    RankingExperiment,
    RegressionExperiment,
    Said,
    SizelessExperiment,
)

_PAPER = "Fazekas & Kovács, Testing the consistency of performance scores reported for binary classification problems"
_ADVICE = (
    "Ask the authors for the confusion matrix. Common causes are a misprint, two swapped columns, a different test "
    "set than described, and scores averaged in a different way."
)


def _example(text: str) -> Result:
    return check(read_words(text.split()))


scores = Instrument("scores", "Can these numbers be true?", _example, "words")


def _fired(rule: Rule[Result], result: Result) -> Iterator[Finding]:
    """The finding for an experiment that no reading can save."""
    experiment = result.experiment
    names = _conflicting(result)
    conflict = [r for r in experiment.reported if not names or r.name in names]
    evidence: list[Evidence] = [
        *(certificate(_proof(h, result), dict(h.answer.figures)) for h in result.hypotheses),
        numbers({r.name: r.printed for r in conflict}, "the scores that conflict, as printed"),
    ]
    yield rule.finding(
        conflict_sentence([(r.name, _figure(r)) for r in conflict], _setting(result, [r.name for r in conflict])),
        subject=experiment.name,
        location=experiment.location,
        evidence=evidence,
    )


def _conflicting(result: Result) -> frozenset[str]:
    """The scores that conflict under every reading; empty where one reading needs all of them."""
    conflicts = [h.answer.conflict for h in result.hypotheses]
    return frozenset().union(*conflicts) if all(conflicts) else frozenset()


def _figure(reported: Said | Reported) -> str:
    """The printed figure, with the spread that may be what is impossible."""
    if not isinstance(reported, Reported) or not reported.printed:
        return reported.printed
    wording = reported.wording
    printed = f"{reported.printed}%" if wording.percent and "%" not in reported.printed else reported.printed
    spread = f" ± {wording.sd}" if wording.sd else ""
    further = ("median", wording.median), ("minimum", wording.minimum), ("maximum", wording.maximum)
    ends = [f"{what} {end}" for what, end in further if end]
    return f"{printed}{spread}{f' ({enumeration(ends)})' if ends else ''}".strip()


def _setting(result: Result, names: list[str]) -> str:
    """The test set in words: "with 284 positives and 1,016 negatives", "as the mean over 5 folds"."""
    experiment, readings = result.experiment, len(result.hypotheses)
    if isinstance(experiment, Experiment) and experiment.one_test_set:
        whole = experiment.datasets[0].whole
        return class_counts(whole.p, whole.n, names)
    if readings == 1:
        return result.decisive.setting or f"for {result.decisive.reading}"
    if isinstance(experiment, SizelessExperiment) and experiment.known is None:
        return "for any test set, pooled or averaged"
    under = f"under any of {readings} readings of the experiment"
    if isinstance(experiment, Experiment) and len(experiment.datasets) == 1 and not experiment.alternatives:
        whole = experiment.datasets[0].whole
        return f"{class_counts(whole.p, whole.n)}, {under}"
    return under


def _is_impossible(result: Result, kind: type[AnyExperiment]) -> bool:
    return isinstance(result.experiment, kind) and result.verdict is Verdict.INCONSISTENT


def _one_test_set(result: Result) -> bool:
    experiment = result.experiment
    if isinstance(experiment, RankingExperiment):
        return experiment.binary.one_test_set and not _about_the_area(experiment, result)
    return isinstance(experiment, Experiment) and experiment.one_test_set


def _about_the_area(experiment: RankingExperiment, result: Result) -> bool:
    """Whether the conflict needs the area under the curve: engines name areas "auc" or "gini"."""
    scores = {r.name for r in experiment.binary.reported}
    return not result.decisive.answer.conflict or not scores.issuperset(result.decisive.answer.conflict)


def _proof(hypothesis: Hypothesis, result: Result) -> str:
    reason = hypothesis.answer.reason
    return reason if len(result.hypotheses) == 1 else f"{hypothesis.reading}: {reason}"


@scores.rule(
    "S101",
    title="Impossible scores",
    severity=Severity.ERROR,
    failing="p=100 n=200 acc=0.90 sens=0.80 spec=0.80",
    passing="p=100 n=200 acc=0.80 sens=0.80 spec=0.80",
    source=Source(_PAPER, "section 3"),
    advice=_ADVICE,
    confidence=Confidence.PROVEN,
)
def impossible_on_one_test_set(result: Result) -> Iterator[Finding]:
    """On a test set of known size every score follows from two whole numbers: true positives and true negatives.

    When no pair of whole numbers gives all the printed figures, at least one figure, or the description
    of the test set, is wrong: no rerun of the experiment can ever reproduce them.
    """
    if result.verdict is Verdict.INCONSISTENT and _one_test_set(result):
        yield from _fired(impossible_on_one_test_set, result)


@scores.rule(
    "S102",
    title="Impossible cross-validation scores",
    severity=Severity.ERROR,
    failing="p=38 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733",
    passing="p=244 n=262 folds=5 acc=0.9447 sens=0.9139 spec=0.9733",
    source=Source(_PAPER, "section 4"),
    advice=_ADVICE,
    confidence=Confidence.PROVEN,
)
def impossible_over_several_sets(result: Result) -> Iterator[Finding]:
    """Scores over folds or several test sets are pooled or averaged, and papers often do not say which.

    Every reasonable reading is tried: counts pooled, scores averaged, folds stratified or not. If none of them gives
    the printed figures, the figures or the description of the experiment are wrong. In the example the cause is known:
    minority samples were copied before the data were divided into folds.
    """
    if _is_impossible(result, Experiment) and not _one_test_set(result):
        yield from _fired(impossible_over_several_sets, result)


@scores.rule(
    "S106",
    title="Scores possible only with unusual folds or conventions",
    severity=Severity.WARNING,
    failing="p=5 n=20 folds=5 aggregation=mean acc=0.88 sens=0.20 spec=1.00",
    passing="p=5 n=20 folds=5 aggregation=mean acc=0.84 sens=0.20 spec=1.00",
    source=Source(_PAPER, "section 4"),
    advice="Ask how the folds were formed, and what a score of 0/0 was counted as.",
    confidence=Confidence.PROVEN,
)
def possible_under_unusual_conventions(result: Result) -> Iterator[Finding]:
    """The usual ways to form folds and to count 0/0 make these figures impossible.

    They are possible only if folds lack one of the classes, or if 0/0 counts as 0 in one score and as 1 in another.
    That happens: plain KFold of scikit-learn makes such folds from sorted data. So ask the authors.
    """
    if not result.condition:
        return
    failing = [h for h in result.hypotheses if h.answer.verdict is Verdict.INCONSISTENT]
    evidence = [certificate(_proof(h, result), dict(h.answer.figures)) for h in failing]
    named = enumeration([score_phrase(r.name, _figure(r)) for r in result.experiment.reported])
    evidence.append(note(f"With {result.decisive.reading} they are possible. {zero_by_zero.in_words(result)}".strip()))
    yield possible_under_unusual_conventions.finding(
        f"{named[:1].upper()}{named[1:]} can only be true if {result.condition}.",
        subject=result.experiment.name,
        location=result.experiment.location,
        evidence=evidence,
    )


@scores.rule(
    "S103",
    title="Impossible multiclass scores",
    severity=Severity.ERROR,
    failing="classes=50,50,50 acc=0.9400 recall_macro=0.9467",
    passing="classes=50,50,50 acc=0.9467 recall_macro=0.9467",
    source=Source(_PAPER, "section 3, for several classes"),
    advice=_ADVICE,
    confidence=Confidence.PROVEN,
)
def impossible_for_these_classes(result: Result) -> Iterator[Finding]:
    """Scores over several classes come from one table of whole numbers whose rows add up to the class counts.

    That ties them together: with equal classes, for example, the macro-averaged recall is the accuracy.
    Accuracy means the share of correct items; both usual definitions of the mean F1, and every usual way to
    count a class that is never predicted, are tried before the figures are called impossible.
    """
    if _is_impossible(result, MulticlassExperiment):
        yield from _fired(impossible_for_these_classes, result)


@scores.rule(
    "S104",
    title="Impossible regression errors",
    severity=Severity.ERROR,
    failing="task=regression n=100 mae=2.50 rmse=2.10",
    passing="task=regression n=100 mae=2.10 rmse=2.50",
    source=Source("Standard inequalities between means; see the documentation of the regression test"),
    advice="Ask for the predictions. Common causes are swapped columns, and a figure for another test set or unit.",
    confidence=Confidence.PROVEN,
)
def impossible_residuals(result: Result) -> Iterator[Finding]:
    """Mean absolute error, root mean square error and R² are three views of the same residuals.

    The mean error is never above the root mean square, which is never above √n times it; with the variance
    of the true values known, R² and the mean square determine each other.
    """
    if _is_impossible(result, RegressionExperiment):
        yield from _fired(impossible_residuals, result)


@scores.rule(
    "S105",
    title="Impossible area under the ROC curve",
    severity=Severity.ERROR,
    failing="p=50 n=50 auc=0.60 sens=0.90 spec=0.90",
    passing="p=50 n=50 auc=0.95 sens=0.90 spec=0.90",
    source=Source("The empirical ROC curve is monotone; see the documentation of the ranking test"),
    advice="Ask whether the area and the other scores come from the same model on the same test set.",
    confidence=Confidence.PROVEN,
)
def impossible_ranking(result: Result) -> Iterator[Finding]:
    """One point on a ROC curve limits the area under it: the curve must lie between two staircases.

    With p positives and n negatives, the area is also a whole number of half pairs. The test assumes that the other
    scores belong to one threshold on the ranking whose area is given.
    """
    if _is_impossible(result, RankingExperiment) and not _one_test_set(result):
        yield from _fired(impossible_ranking, result)


@scores.rule(
    "S107",
    title="Impossible scores at any test set size",
    severity=Severity.ERROR,
    failing="ppv=0.91 sens=0.89 f1=0.95",
    passing="ppv=0.91 sens=0.89 f1=0.90",
    source=Source("The definitions of the scores; see the documentation of the test without sizes"),
    advice=_ADVICE,
    confidence=Confidence.PROVEN,
)
def impossible_at_any_size(result: Result) -> Iterator[Finding]:
    """Scores of one confusion matrix depend on each other at any size: F1 lies between precision and recall.

    Without the numbers of positives and negatives all sizes are considered at once, with the shares of the four cells
    as unknowns. Means over folds or classes satisfy fewer constraints; they are called impossible only if they break
    one of those.
    """
    if _is_impossible(result, SizelessExperiment):
        yield from _fired(impossible_at_any_size, result)


def _intervals(result: Result) -> Iterator[Comparison]:
    experiment = result.experiment
    if isinstance(experiment, Experiment | RankingExperiment) and result.verdict is not Verdict.INCONSISTENT:
        yield from comparisons(experiment)


def _about_interval(rule: Rule[Result], result: Result, one: Comparison, what: str) -> Finding:
    name, (low, high) = one.narrowest
    values = {
        "printed": f"{one.printed[0]:.4g} to {one.printed[1]:.4g}",
        f"narrowest, {name}": f"{low:.4g} to {high:.4g}",
    }
    score = f"{full_name(one.reported.name)} ({one.reported.printed})"
    return rule.finding(
        f"The 95 % interval of the {score} {what} with {one.items:,} items.",
        subject=result.experiment.name,
        location=result.experiment.location,
        evidence=[numbers(values, "the printed interval and the narrowest usual one")],
    )


_INTERVALS = Source("Brown, Cai & DasGupta, Interval estimation for a binomial proportion, Statist. Sci. 16 (2001)")


@scores.rule(
    "S108",
    title="Implausibly narrow confidence interval",
    severity=Severity.WARNING,
    failing="p=100 n=100 sens=0.90 sens_ci=0.89-0.91",
    passing="p=100 n=100 sens=0.90 sens_ci=0.83-0.94",
    source=_INTERVALS,
    advice="Ask how the interval was computed, and whether its items are patients or parts of them.",
    confidence=Confidence.HIGH,
)
def interval_far_too_narrow(result: Result) -> Iterator[Finding]:
    """The number of items determines how wide the interval of a proportion is, with any method.

    An interval narrower than 0.6 of the narrowest usual one, or one that excludes the proportion itself, often belongs
    to more items than described: several images of a patient counted as independent, or a spread over folds. For an
    area under the ROC curve, the narrowest width is that of DeLong's method for a ranking with many ties.
    """
    for one in _intervals(result):
        if one.misses_the_estimate:
            yield _about_interval(interval_far_too_narrow, result, one, "excludes the score itself")
        elif one.far_too_narrow:
            yield _about_interval(interval_far_too_narrow, result, one, "is far too narrow")


@scores.rule(
    "S109",
    title="Confidence interval that no standard method gives",
    severity=Severity.NOTE,
    failing="p=100 n=100 sens=0.90 sens_ci=0.80-0.95",
    passing="p=100 n=100 sens=0.90 sens_ci=0.83-0.94",
    source=_INTERVALS,
    advice="Ask for the method. A bootstrap or clustered data may explain the interval.",
    confidence=Confidence.HIGH,
)
def interval_of_no_usual_method(result: Result) -> Iterator[Finding]:
    """Nine formulas are in use for the interval of a proportion, among them Wald, Wilson and Clopper-Pearson.

    If none of them gives the interval for any count that fits the proportion, ask for the method.
    """
    for one in _intervals(result):
        if not one.matching and not one.far_too_narrow and not one.misses_the_estimate:
            yield _about_interval(interval_of_no_usual_method, result, one, "matches no standard method")
