"""Rules about how discrepancies are weighed and linked: severities, effects, causes, harm done only together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from assay.findings import Confidence, Evidence, Finding, Severity, note, numbers
from assay.report.wording import counted
from assay.reproduction.categories import BLOCKS_ATTEMPT, BLOCKS_EXPERIMENT, NO_RESULT_MOVED, severities
from assay.reproduction.outcomes import Measured
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Attempt, Discrepancy, Study
from assay.rules import Source

_LATER = "PAE"


@reproduction.rule(
    "D120",
    title="Severity of a problem contradicts the attempt",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "4" }]
discrepancies = [{ paper = "4", attempt = "1", category = "P12", severity = 4 }]

[[attempts]]
paper = "4"
attempt = "1"
reasons = "code"
experiments = 10
identical = 0
consistent = 1
different = 0
not_run = 9
""",
    passing="""
papers = [{ id = "4" }]
discrepancies = [{ paper = "4", attempt = "1", category = "P12", severity = 3 }]

[[attempts]]
paper = "4"
attempt = "1"
reasons = "code"
experiments = 10
identical = 0
consistent = 1
different = 0
not_run = 9
""",
    source=Source(THESIS, "section 5.3, the second and third limit"),
    advice="Choose the step of the scale that says what happened.",
    confidence=Confidence.PROVEN,
)
def severity_contradicted(study: Study) -> Iterator[Finding]:
    """The steps of the scale say what happened, so that two people rate the same thing alike.

    A problem that blocked the attempt left no result. One that blocked an experiment left it unrun. One that changed no
    result has no effect.
    """
    for paper, attempt in study.attempts():
        for discrepancy in attempt.discrepancies:
            if said := _contradiction(discrepancy, attempt):
                step = discrepancy.severity or 0
                yield severity_contradicted.finding(
                    f"{discrepancy.category} has severity {step}, but {said}",
                    subject=subject(paper),
                    evidence=[note(f"severity {step}: {severities()[step]}")],
                )


@reproduction.rule(
    "D121",
    title="Invalid link between recorded discrepancies",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "4" }]
attempts = [{ paper = "4", attempt = "1" }]
discrepancies = [{ paper = "4", attempt = "1", category = "P2", together = "weights out of reach" }]
""",
    passing="""
papers = [{ id = "4" }]
attempts = [{ paper = "4", attempt = "1" }]
discrepancies = [
  { paper = "4", attempt = "1", category = "P2", together = "weights out of reach" },
  { paper = "4", attempt = "1", category = "P12", together = "weights out of reach" },
]
""",
    source=Source(THESIS, "section 5.3, the fourth limit"),
    advice="Give the others the same label, or remove it. Name only a problem or an assumption as a cause.",
    confidence=Confidence.PROVEN,
)
def link_leads_nowhere(study: Study) -> Iterator[Finding]:
    """A label joins discrepancies that did harm only together, so at least two of them bear it.

    A label used only once is a slip, or the other discrepancy was forgotten. An error cannot be the cause of a problem.
    """
    for paper, attempt in study.attempts():
        for said, evidence in (*_labels_used_once(attempt), *_causes_after_effects(attempt)):
            yield link_leads_nowhere.finding(said, subject=subject(paper), evidence=[evidence])


def _labels_used_once(attempt: Attempt) -> Iterator[tuple[str, Evidence]]:
    groups = Counter(d.together for d in attempt.discrepancies if d.together)
    for discrepancy in attempt.discrepancies:
        if groups[discrepancy.together] == 1:
            said = (
                f'{discrepancy.category} has the shared label "{discrepancy.together}", but no other discrepancy has it'
            )
            yield said, numbers({"discrepancies with this label": 1})


def _causes_after_effects(attempt: Attempt) -> Iterator[tuple[str, Evidence]]:
    links = ((d.category, cause) for d in attempt.discrepancies for cause in d.because)
    for effect, cause in links:
        if _LATER.index(cause[0]) > _LATER.index(effect[0]):
            said = f"{effect} is there because of {cause}, which can only come after it"
            yield said, note("problems lead to assumptions, and both to errors")


def _contradiction(discrepancy: Discrepancy, attempt: Attempt) -> str:
    """What the attempt says against the severity; empty if nothing."""
    step = discrepancy.severity
    if step is None:
        return ""
    tally = attempt.tally
    judged = tally.identical + tally.consistent + tally.different
    if step == BLOCKS_ATTEMPT and judged:
        return f"{counted(judged, 'experiment')} {'has' if judged == 1 else 'have'} a result"
    if step == BLOCKS_EXPERIMENT and tally.experiments and not tally.not_run:
        return "every experiment was run"
    if step <= NO_RESULT_MOVED and discrepancy.effect and Measured(discrepancy.effect).exact:
        return f"its effect is {discrepancy.effect}"
    return ""
