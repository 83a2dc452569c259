"""The rules of the comparison room: what is claimed of a difference that chance explains as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from assay.comparison.examples import read_example
from assay.findings import Evidence, Finding, Severity, Value, numbers
from assay.rules import Instrument, Source

if TYPE_CHECKING:
    from assay.comparison.results import Comparison, Difference

_KAPOOR = "Kapoor & Narayanan, Leakage and the reproducibility crisis in machine-learning-based science"
_FEW_PAIRS = 5
"""So many pairs are shown with their figures."""

comparison = Instrument("comparison", "How sure are these scores, and is one model really better?", read_example, "csv")


def _figures(d: Difference, text: str = "") -> Evidence:
    """The numbers behind a judgement, rounded as in the tables."""
    values: dict[str, Value] = {f"difference in {d.measure.label}": round(d.value, 4)}
    if d.interval:
        values |= {"interval from": round(d.interval.low, 4), "interval to": round(d.interval.high, 4)}
    if d.statistic is not None:
        values["statistic"] = round(d.statistic, 2)
    return numbers(values | {"p": round(d.p, 4), "corrected p": round(d.adjusted, 4)}, text or d.method.value)


@comparison.rule(
    "CX1",
    title="Model difference no larger than chance",
    severity=Severity.WARNING,
    failing="""\
assay compare predictions.csv --claim new
y,new,old
1,0.9,0.8
1,0.8,0.4
1,0.3,0.7
0,0.4,0.5
0,0.2,0.1
0,0.1,0.3
0,0.5,0.2
""",
    passing="""\
assay compare predictions.csv --claim new
y,new,old
1,0.9,0.3
1,0.8,0.6
1,0.7,0.1
1,0.6,0.4
0,0.4,0.7
0,0.3,0.5
0,0.2,0.8
0,0.1,0.2
""",
    source=Source(_KAPOOR, "Finding 2"),
    advice="Report the confidence interval of the difference, or test on more positives: the report says how many.",
)
def within_the_uncertainty(facts: Comparison) -> Iterator[Finding]:
    """A model that scores higher on a small test set may do so by luck.

    Of 12 papers on civil war whose code and data were available, nine gave no uncertainty at all. In one that
    claimed an advance the test set had 11 positives, and no difference was larger than chance explains.
    """
    claim = facts.settings.claim
    for d in facts.decisive() if claim else ():
        if d.adjusted < facts.settings.alpha and d.gain > 0:
            continue
        how = "no better than" if d.gain <= 0 else "not surely better than"
        yield within_the_uncertainty.finding(
            f"{claim} is {how} {d.second}: the {d.measure.label} differs by {d.value:+.3f}, p = {d.adjusted:.2g}",
            subject=f"{claim} > {d.second}",
            evidence=[_figures(d)],
        )


@comparison.rule(
    "CX2",
    title="Model ranking changes when ROC curves are smoothed",
    severity=Severity.NOTE,
    failing="""\
assay compare predictions.csv
y,one,other
1,0.27,0.82
1,0.91,0.45
1,0.55,0.55
1,0.82,0.64
0,0.09,0.27
0,0.73,0.36
0,0.64,0.73
0,0.36,0.09
0,0.18,0.91
0,0.45,0.18
""",
    passing="""\
assay compare predictions.csv
y,one,other
1,0.27,0.27
1,0.91,0.45
1,0.55,0.55
1,0.82,0.64
0,0.09,0.82
0,0.73,0.36
0,0.64,0.73
0,0.36,0.09
0,0.18,0.91
0,0.45,0.18
""",
    source=Source(_KAPOOR, "Finding 2, whose test compares smoothed curves"),
    advice="Report both areas. If they disagree, the curves are not binormal or there are few positives.",
)
def turned_by_smoothing(facts: Comparison) -> Iterator[Finding]:
    """Binormal smoothing assumes a shape of the curve.

    If the data have another shape, smoothing can change the areas by more than the models differ. Which model is best
    then depends on a choice that papers seldom mention.
    """
    from assay.comparison.measures import AUC, SMOOTH_AUC

    areas = {(e.model, e.measure.name): e.value for e in facts.estimates}
    turned: dict[str, Value] = {}
    for d in facts.differences:
        if d.measure.name != AUC or (d.first, SMOOTH_AUC) not in areas or (d.second, SMOOTH_AUC) not in areas:
            continue
        smoothed = areas[d.first, SMOOTH_AUC] - areas[d.second, SMOOTH_AUC]
        if d.value * smoothed < 0:
            turned[f"{d.first} - {d.second}"] = f"{d.value:+.4f} empirical, {smoothed:+.4f} smoothed"
    if turned:
        some = dict(list(turned.items())[:_FEW_PAIRS])
        yield turned_by_smoothing.finding(
            f"for {len(turned)} of the pairs of models, the empirical and the smoothed AUC disagree on which is better",
            evidence=[numbers(some, "differences in AUC")],
        )


@comparison.rule(
    "CX3",
    title="Forecast no better than repeating the last outcome",
    severity=Severity.WARNING,
    failing="""\
assay compare panel.csv --group unit --time year --last-outcome
unit,year,y,model
A,2001,0,0.2
A,2002,0,0.3
A,2003,0,0.6
B,2001,1,0.8
B,2002,1,0.2
B,2003,1,0.5
C,2001,0,0.1
C,2002,1,0.4
C,2003,1,0.9
D,2001,0,0.3
D,2002,0,0.2
D,2003,0,0.1
""",
    passing="""\
assay compare panel.csv --group unit --time year --last-outcome
unit,year,y,model
A,2001,0,0.2
A,2002,1,0.9
A,2003,0,0.3
B,2001,1,0.8
B,2002,0,0.1
B,2003,1,0.7
C,2001,0,0.1
C,2002,1,0.8
C,2003,0,0.3
D,2001,1,0.9
D,2002,0,0.2
D,2003,1,0.9
""",
    source=Source(_KAPOOR, "case study on civil war, where outcomes persist from year to year"),
    advice="Report this baseline beside the model: it costs nothing and is hard to beat.",
)
def no_better_than_last_time(facts: Comparison) -> Iterator[Finding]:
    """Wars, prices and illnesses persist, so a forecast that nothing changes is often right.

    A model is useful only for what it adds to that forecast.
    """
    from assay.comparison.results import LAST_OUTCOME

    for d in facts.decisive():
        if LAST_OUTCOME not in {d.first, d.second}:
            continue
        model, gain = (d.first, d.gain) if d.second == LAST_OUTCOME else (d.second, -d.gain)
        if gain <= 0 or d.adjusted >= facts.settings.alpha:
            yield no_better_than_last_time.finding(
                f"{model} is not significantly better than repeating the {LAST_OUTCOME}: "
                f"its {d.measure.label} is {'higher' if gain * d.measure.sign > 0 else 'no higher'} "
                f"by {abs(d.value):.3f}, p = {d.adjusted:.2g}",
                subject=model,
                evidence=[_figures(d)],
            )


@comparison.rule(
    "CX4",
    title="Cross-validation difference not significant after correction",
    severity=Severity.WARNING,
    failing="""\
assay compare folds.csv --fold fold
fold,new,old
1,0.81,0.79
2,0.84,0.80
3,0.80,0.80
4,0.83,0.79
5,0.82,0.80
""",
    passing="""\
assay compare folds.csv --fold fold
fold,new,old
1,0.81,0.71
2,0.84,0.73
3,0.80,0.71
4,0.83,0.72
5,0.82,0.73
""",
    source=Source("Nadeau & Bengio, Inference for the generalization error", "section 3"),
    advice="Report the corrected test, or predict every row once and compare the predictions.",
)
def only_uncorrected(facts: Comparison) -> Iterator[Finding]:
    """The folds of a cross-validation share training rows, so their scores rise and fall together.

    A paired t-test treats them as independent: its p-values are too small, and more repeats make them smaller without
    adding a row.
    """
    from assay.comparison.results import Method

    plain = {(d.first, d.second): d for d in facts.differences if d.method is Method.PLAIN_T}
    for d in facts.decisive():
        naive = plain.get((d.first, d.second))
        if naive and naive.p < facts.settings.alpha <= d.p:
            yield only_uncorrected.finding(
                f"{d.first} against {d.second}: the plain paired t-test gives p = {naive.p:.2g}, "
                f"the test corrected for shared training rows p = {d.p:.2g}",
                subject=f"{d.first}, {d.second}",
                evidence=[_figures(naive, "plain paired t"), _figures(d)],
            )


@comparison.rule(
    "CX5",
    title="AUC below 0.5: reversed scores or swapped labels",
    severity=Severity.WARNING,
    failing="""\
assay compare predictions.csv
y,risk,safety
1,0.9,0.1
1,0.8,0.2
1,0.7,0.4
1,0.6,0.3
1,0.5,0.6
0,0.4,0.5
0,0.3,0.8
0,0.2,0.7
0,0.1,0.9
0,0.0,1.0
""",
    passing="""\
assay compare predictions.csv
y,risk,noise
1,0.9,0.4
1,0.8,0.6
1,0.7,0.1
1,0.6,0.9
0,0.4,0.3
0,0.3,0.7
0,0.2,0.2
0,0.1,0.8
""",
    source=Source("Fawcett, An introduction to ROC analysis, Pattern Recognition Letters 27 (2006) 861", "section 7"),
    advice="Check which class the score is for, and --positive. With reversed scores, the AUC is 1 minus this one.",
)
def reversed_scores(facts: Comparison) -> Iterator[Finding]:
    """An AUC clearly below 0.5 means that the scores rank well, but backwards.

    They are for the other class, or the labels are swapped. Compared as they stand, they make every other model look
    better.
    """
    from assay.comparison.measures import AUC

    for one in facts.estimates:
        if one.measure.name == AUC and one.interval is not None and one.interval.high < 0.5:
            yield reversed_scores.finding(
                f"{one.model} has an AUC of {one.value:.3f} ({one.interval.low:.3f} to {one.interval.high:.3f}): "
                "are its scores reversed?",
                subject=one.model,
                evidence=[numbers({"AUC": round(one.value, 4), "AUC if turned round": round(1 - one.value, 4)})],
            )
            return


@comparison.rule(
    "CX6",
    title="AUC interval too narrow for a rare class",
    severity=Severity.NOTE,
    failing="""\
assay compare predictions.csv
y,new,old
1,0.9,0.8
1,0.8,0.4
1,0.3,0.7
0,0.4,0.5
0,0.2,0.1
0,0.1,0.3
0,0.5,0.2
""",
    passing="""\
assay compare predictions.csv
y,model
"""
    + "".join(f"{int(i % 2 == 0)},{((i * 37) % 70) / 70 + 0.3 * (i % 2 == 0):.3f}\n" for i in range(70)),
    source=Source("Obuchowski & Lieber, Confidence intervals for the receiver operating characteristic area, 1998"),
    advice="Report the number of rows of the rarer class beside the AUC, and test on more of them.",
)
def few_of_a_class(facts: Comparison) -> Iterator[Finding]:
    """DeLong's interval assumes many rows of both classes; with few of one class it is too narrow.

    In simulations with 11 positives and an AUC of 0.9, it contained the true value 83 times in 100 instead of 95.
    """
    from assay.comparison.coverage import ENOUGH, measured_coverage
    from assay.comparison.measures import AUC
    from assay.comparison.predictions import Predictions
    from assay.comparison.results import Method

    if not isinstance(facts.source, Predictions):
        return
    rarer = min(facts.source.positives, facts.source.negatives)
    areas = [e for e in facts.estimates if e.measure.name == AUC and e.method is Method.DELONG]
    if rarer >= ENOUGH or not areas:
        return
    best = max(areas, key=lambda e: max(e.value, 1 - e.value))
    held, rows, area = measured_coverage(rarer, best.value)
    yield few_of_a_class.finding(
        f"the test set has {rarer:,} rows of the rarer class: a 95 % interval of the AUC holds the truth "
        f"about {100 * held:.0f} times in 100",
        evidence=[numbers({"measured coverage": held, "with rows of the rarer class": rows, "at an AUC of": area})],
    )
