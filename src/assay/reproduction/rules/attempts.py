"""Rules about outcomes, counts and hours: what is typed in against what follows."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Confidence, Finding, Severity, numbers
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Reason, Study
from assay.rules import Source


@reproduction.rule(
    "D101",
    title="Reproduction outcome contradicts its experiments",
    severity=Severity.ERROR,
    failing="""
papers = [{ id = "17" }]

[[attempts]]
paper = "17"
attempt = "1"
outcome = "Failure"
experiments = 16
identical = 3
consistent = 3
different = 0
not_run = 10
""",
    passing="""
papers = [{ id = "17" }]

[[attempts]]
paper = "17"
attempt = "1"
outcome = "Partial Success"
experiments = 16
identical = 3
consistent = 3
different = 0
not_run = 10
""",
    source=Source(THESIS, "section 3.5, and table 4.2, paper 17"),
    advice="Leave the outcome out: Assay computes it. Then recalculate all figures that follow from it.",
    confidence=Confidence.PROVEN,
)
def outcome_not_by_rule(study: Study) -> Iterator[Finding]:
    """An outcome that is typed in can contradict the study's rule.

    Every percentage and mean computed from it is then wrong. An attempt is a Success if all experiments that were run
    are identical, a Partial Success if any of them is identical or consistent, a Failure if all are different.
    """
    for paper, attempt in study.attempts():
        if attempt.stated_outcome and attempt.stated_outcome is not attempt.outcome:
            tally = attempt.tally
            counted = {"identical": tally.identical, "consistent": tally.consistent, "different": tally.different}
            yield outcome_not_by_rule.finding(
                f"the stated outcome is {attempt.stated_outcome}, but the rule gives {attempt.outcome}",
                subject=subject(paper),
                evidence=[numbers(counted, "experiments that were run")],
            )


@reproduction.rule(
    "D102",
    title="Inconsistent counts of experiments",
    severity=Severity.ERROR,
    failing="""
papers = [{ id = "1" }]

[[attempts]]
paper = "1"
attempt = "1"
experiments = 18
identical = 0
consistent = 4
different = 0
not_run = 13
""",
    passing="""
papers = [{ id = "1" }]

[[attempts]]
paper = "1"
attempt = "1"
experiments = 18
identical = 0
consistent = 4
different = 0
not_run = 14
""",
    source=Source(THESIS, "table A.2"),
    advice="Count again, or record the experiments one by one.",
    confidence=Confidence.PROVEN,
)
def counts_do_not_add_up(study: Study) -> Iterator[Finding]:
    """Every experiment of a paper was identical, consistent, different or not run, so the four add up to all."""
    for paper, attempt in study.attempts():
        tally = attempt.tally
        total = tally.identical + tally.consistent + tally.different + tally.undecided + tally.not_run
        if total != tally.experiments:
            yield counts_do_not_add_up.finding(
                f"the outcomes add up to {total} experiments, but the paper has {tally.experiments}",
                subject=subject(paper),
                evidence=[numbers({"by outcome": total, "in all": tally.experiments})],
            )


@reproduction.rule(
    "D103",
    title="Lack of time given as the reason, with hours left",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "20" }]
attempts = [{ paper = "20", attempt = "1", budget = 40, hours = 8, reasons = "time" }]
""",
    passing="""
papers = [{ id = "20" }]
attempts = [{ paper = "20", attempt = "1", budget = 40, hours = 8, reasons = "stuck" }]
""",
    source=Source(THESIS, "section 3.5, and table 4.2, papers 19 and 20"),
    advice='Give the real reason: "stuck" if no result was in reach in the hours that were left.',
)
def time_was_left(study: Study) -> Iterator[Finding]:
    """Lack of time explains experiments that were not run only if the budget was used up.

    An attempt may end early because no result is in reach. That is another reason, and it says something about the
    paper rather than the budget.
    """
    for paper, attempt in study.attempts():
        hours = attempt.hours
        if attempt.reasons == (Reason.TIME,) and hours is not None and hours < attempt.budget:
            yield time_was_left.finding(
                f'the reason is "time", but {hours} of {attempt.budget} hours were used',
                subject=subject(paper),
                evidence=[numbers({"hours": float(hours), "budget": float(attempt.budget)})],
            )


@reproduction.rule(
    "D104",
    title="Hours contradict the work log or the budget",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "1" }]
attempts = [{ paper = "1", attempt = "1", hours = 40 }]
log = [{ paper = "1", attempt = "1", hours = 38, activity = "patch extraction" }]
""",
    passing="""
papers = [{ id = "1" }]
attempts = [{ paper = "1", attempt = "1", hours = 38 }]
log = [{ paper = "1", attempt = "1", hours = 38, activity = "patch extraction" }]
""",
    source=Source(THESIS, "section 3.5"),
    advice="Complete the log and leave the sum out, or correct the budget.",
    confidence=Confidence.PROVEN,
)
def hours_disagree(study: Study) -> Iterator[Finding]:
    """The hours show whether an attempt had a fair chance, so their sum must be that of the log."""
    for paper, attempt in study.attempts():
        stated, hours = attempt.stated_hours, attempt.hours
        if stated is not None and hours is not None and stated != hours:
            evidence = [numbers({"stated": float(stated), "logged": float(hours)})]
            message = f"{stated} hours are stated, but the log adds up to {hours}"
            yield hours_disagree.finding(message, subject=subject(paper), evidence=evidence)
        if hours is not None and hours > attempt.budget:
            evidence = [numbers({"hours": float(hours), "budget": float(attempt.budget)})]
            message = f"{hours} hours were used of a budget of {attempt.budget}"
            yield hours_disagree.finding(message, subject=subject(paper), evidence=evidence)
