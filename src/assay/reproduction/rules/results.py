"""Rules about single results: whether their parts agree with each other."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assay.findings import Confidence, Finding, Severity, numbers
from assay.reproduction.outcomes import Measured, summary_of_runs
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Study
from assay.rules import Source


@reproduction.rule(
    "D125",
    title="Reproduced number is not the mean of its runs",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "1" }]
attempts = [{ paper = "1", attempt = "1" }]
experiments = [{ paper = "1", attempt = "1", experiment = "MNIST" }]

[[results]]
paper = "1"
attempt = "1"
experiment = "MNIST"
metric = "accuracy"
original = "0.930"
reproduced = "0.930"
runs = "0.912; 0.918; 0.930"
""",
    passing="""
papers = [{ id = "1" }]
attempts = [{ paper = "1", attempt = "1" }]
experiments = [{ paper = "1", attempt = "1", experiment = "MNIST" }]

[[results]]
paper = "1"
attempt = "1"
experiment = "MNIST"
metric = "accuracy"
original = "0.930"
reproduced = "0.920"
runs = "0.912; 0.918; 0.930"
""",
    source=Source(THESIS, "section 3.5, on outcomes of experiments"),
    advice="Leave the reproduced number out: Assay computes it from the runs. Say it if the best run is meant.",
    confidence=Confidence.PROVEN,
)
def not_the_mean_of_the_runs(study: Study) -> Iterator[Finding]:
    """A number beside single runs is taken for their mean, and their spread for its own.

    The best of several runs is not what the article is compared with, unless the article gives its best run, too.
    """
    for paper, attempt in study.attempts():
        for experiment, result in attempt.results():
            given = result.reproduced
            if given and result.runs and not _is_mean(given, result.runs):
                mean = summary_of_runs(result.runs)
                found = f"{result.metric} of experiment {experiment.id} is {given.value}"
                yield not_the_mean_of_the_runs.finding(
                    f"{found}, but its {len(result.runs)} runs have the mean {mean.value}",
                    subject=subject(paper),
                    evidence=[numbers({"reproduced": float(given.exact), "mean of the runs": float(mean.exact)})],
                )


def _is_mean(given: Measured, runs: tuple[str, ...]) -> bool:
    """Whether the mean of the runs, each rounded or cut off, may be printed like this."""
    mean = sum((Measured(run).exact for run in runs), Fraction(0)) / len(runs)
    return abs(given.exact - mean) <= given.unit + max(Measured(run).unit for run in runs)
