"""Rules about what was planned, and about levels that experiments give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assay.findings import Confidence, Finding, Severity, note
from assay.reproduction.levels import Level, level_name
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Attempt, Experiment, Paper, Protocol, Study
from assay.rules import Source


@reproduction.rule(
    "D123",
    title="Deviation from the protocol",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "1" }]
attempts = [{ paper = "1", attempt = "1", budget = 60 }]
protocols = [{ paper = "1", attempt = "1", locked = "2026-01-02", budget = 40, experiments = "MNIST" }]
experiments = [{ paper = "1", attempt = "1", experiment = "SVHN" }]
""",
    passing="""
papers = [{ id = "1" }]
attempts = [{ paper = "1", attempt = "1", budget = 40 }]
protocols = [{ paper = "1", attempt = "1", locked = "2026-01-02", budget = 40, experiments = "MNIST" }]
experiments = [{ paper = "1", attempt = "1", experiment = "MNIST" }]
""",
    source=Source("Nosek et al., The preregistration revolution, PNAS 115(11), 2018", "on plans fixed before results"),
    advice="Report each deviation, and mark unplanned experiments as exploratory.",
    confidence=Confidence.PROVEN,
)
def protocol_departures(study: Study) -> Iterator[Finding]:
    """A budget, margin or list of experiments that changes after planning may have been changed to suit the results.

    The protocol says what was fixed before the first result; every deviation must be reported.
    """
    for paper, attempt in study.attempts():
        departures = list(_departures(attempt, attempt.protocol)) if attempt.protocol else []
        if departures and attempt.protocol:
            locked = attempt.protocol.locked
            yield protocol_departures.finding(
                f"The attempt departs from its protocol: {'; '.join(departures)}.",
                subject=subject(paper),
                evidence=[note(f"protocol of {locked or 'an unknown day'}, attempt {attempt.id}")],
            )


def _departures(attempt: Attempt, protocol: Protocol) -> Iterator[str]:
    if attempt.budget != protocol.budget:
        yield f"the budget is {attempt.budget} hours, planned were {protocol.budget}"
    margins = {r.margin for e in attempt.experiments for r in e.results if r.margin is not None}
    if others := sorted(margins - {protocol.margin}):
        planned = "none" if protocol.margin is None else f"{protocol.margin:g}"
        yield f"results use a margin of {', '.join(f'{margin:g}' for margin in others)}, planned was {planned}"
    if protocol.experiments:
        yield from _other_experiments(attempt.experiments, protocol.experiments)


def _other_experiments(there: Sequence[Experiment], planned: Sequence[str]) -> Iterator[str]:
    """A plan names an experiment by its name, its method, its data set, or "method on data set"."""
    names = [{name.casefold() for name in (e.id, e.title, e.method, e.data) if name} for e in there]
    wanted = {name.casefold() for name in planned}
    if new := [e.title or e.id for e, known in zip(there, names, strict=True) if not known & wanted]:
        yield f"not planned: {', '.join(new)}"
    if gone := [name for name in planned if name.casefold() not in set().union(*names)]:
        yield f"planned and not recorded: {', '.join(gone)}"


@reproduction.rule(
    "D124",
    title="Paper's openness level contradicts its experiments",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "1", level = "R2-D" }]
attempts = [{ paper = "1", attempt = "1" }]
experiments = [{ paper = "1", attempt = "1", experiment = "MNIST", level = "R1" }]
""",
    passing="""
papers = [{ id = "1", level = "R1" }]
attempts = [{ paper = "1", attempt = "1" }]
experiments = [
  { paper = "1", attempt = "1", experiment = "MNIST", level = "R1" },
  { paper = "1", attempt = "1", experiment = "SVHN", level = "R3" },
]
""",
    source=Source(THESIS, "section 3.3"),
    advice="Leave the paper's level empty: Assay takes it from the experiments.",
    confidence=Confidence.PROVEN,
)
def level_not_of_best_experiment(study: Study) -> Iterator[Finding]:
    """A paper is as open as the experiment for which it shares most, so its level follows from its experiments."""
    for paper in study.papers:
        stated, best = paper.stated_level, paper.best_level
        if stated and best and stated is not best:
            stated_name, best_name = (level_name(level, study.naming) for level in (stated, best))
            yield level_not_of_best_experiment.finding(
                f"The paper is at level {stated_name}, but its best experiment is at {best_name}.",
                subject=subject(paper),
                evidence=[note(f"experiments at {best_name}: {', '.join(_at_level(paper, best))}")],
            )


def _at_level(paper: Paper, level: Level) -> list[str]:
    return [e.id for attempt in paper.attempts for e in attempt.experiments if e.level is level]
