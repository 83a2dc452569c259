"""Rules about how well papers are documented: scores that cannot be."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from assay.findings import Confidence, Finding, Severity, certificate, note, numbers
from assay.reproduction.outcomes import Measured
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Paper, Study
from assay.rules import Source


@reproduction.rule(
    "D105",
    title="Documentation score above its maximum",
    severity=Severity.ERROR,
    failing="""
papers = [{ id = "29" }]
components = [{ paper = "29", implementation = "1.17" }]
""",
    passing="""
papers = [{ id = "29" }]
components = [{ paper = "29", implementation = "0.83" }]
""",
    source=Source(THESIS, "table A.3, paper 29"),
    advice="Recalculate it: groups of questions are averaged, not summed.",
    confidence=Confidence.PROVEN,
)
def score_out_of_range(study: Study) -> Iterator[Finding]:
    """A component is a mean of scores between 0 and 1, so it cannot be larger than 1."""
    for paper, component, value in _scores(study):
        if Fraction(value) > 1:
            yield score_out_of_range.finding(
                f"the component {component} has the score {value}, outside 0 to 1",
                subject=subject(paper),
                evidence=[certificate("a mean of numbers from 0 to 1 is at most 1", {component: value})],
            )


@reproduction.rule(
    "D106",
    title="Documentation score impossible from the answers",
    severity=Severity.ERROR,
    failing="""
attainable = { pseudocode = ["0", "1/2", "1"] }
papers = [{ id = "1" }]
components = [{ paper = "1", pseudocode = "0.40" }]
""",
    passing="""
attainable = { pseudocode = ["0", "1/2", "1"] }
papers = [{ id = "1" }]
components = [{ paper = "1", pseudocode = "0.50" }]
""",
    source=Source("Brown & Heathers, The GRIM test", "applied to the scores of the Article Model"),
    advice="Recalculate the score from the answers.",
    confidence=Confidence.PROVEN,
)
def score_unattainable(study: Study) -> Iterator[Finding]:
    """With a handful of questions and two or three answers each, only a few means are possible.

    A printed value that none of them rounds to was mistyped, or computed in another way than described.
    """
    possible = {name: [Fraction(value) for value in values] for name, values in study.attainable}
    for paper, component, value in _scores(study):
        half = Measured(value).unit / 2
        if component in possible and all(abs(Fraction(value) - p) > half for p in possible[component]):
            nearest = min(possible[component], key=lambda p: abs(Fraction(value) - p))
            yield score_unattainable.finding(
                f"the component {component} has the score {value}, which no answers can produce",
                subject=subject(paper),
                evidence=[certificate("the nearest value that answers can give", {"nearest": float(nearest)})],
            )


@reproduction.rule(
    "D107",
    title="Documentation metric is not the mean of its components",
    severity=Severity.ERROR,
    failing="""
papers = [{ id = "1", metric = "0.40" }]
components = [{ paper = "1", research = "0.20", method = "1.00", data = "-" }]
""",
    passing="""
papers = [{ id = "1", metric = "0.60" }]
components = [{ paper = "1", research = "0.20", method = "1.00", data = "-" }]
""",
    source=Source(THESIS, "section 3.2 and table A.3"),
    advice="Recalculate it without the components that do not apply.",
    confidence=Confidence.PROVEN,
)
def metric_is_not_the_mean(study: Study) -> Iterator[Finding]:
    """The metric is the mean of the components that apply.

    The comparison allows for rounding of the components and of the metric.
    """
    for paper in study.papers:
        if paper.stated_metric and (mean := paper.metric) is not None and not metric_agrees(paper):
            yield metric_is_not_the_mean.finding(
                f"the metric is {paper.stated_metric}, but the mean of the components is {float(mean):.4f}",
                subject=subject(paper),
                evidence=[numbers({name: value for name, value in paper.components if value}, "components")],
            )


@reproduction.rule(
    "D108",
    title="Grading scale not in descending order",
    severity=Severity.ERROR,
    failing='scales = [{ where = "section 3.2.8", question = "partitioning method", scores = "1; 0.5; 1" }]',
    passing='scales = [{ where = "section 3.2.8", question = "partitioning method", scores = "1; 0.5; 0" }]',
    source=Source(THESIS, "section 3.2.8"),
    advice="Correct the scale, and say which scale the scores were given on.",
    confidence=Confidence.PROVEN,
)
def scale_does_not_fall(study: Study) -> Iterator[Finding]:
    """Scores can be averaged and compared only if a worse answer always scores less than a better one."""
    for scale in study.scales:
        scores = [Measured(score).exact for score in scale.scores]
        if any(worse >= better for better, worse in pairwise(scores)):
            yield scale_does_not_fall.finding(
                f"from best to worst, the answers score {', '.join(scale.scores)}: scores must decrease",
                subject=scale.question,
                evidence=[note(f"{scale.where}: the scores of {scale.question}, from the best answer to the worst")],
            )


def metric_agrees(paper: Paper) -> bool:
    """Whether the stated metric is the mean of the components, within rounding."""
    mean = paper.metric
    if mean is None or not paper.stated_metric:
        return False
    present = [Measured(value) for _, value in paper.components if value]
    slack = sum((value.unit for value in present), Fraction(0)) / len(present) / 2
    stated = Measured(paper.stated_metric)
    return abs(stated.exact - mean) <= slack + stated.unit / 2


def _scores(study: Study) -> Iterator[tuple[Paper, str, str]]:
    for paper in study.papers:
        for component, value in paper.components:
            if value:
                yield paper, component, value
