"""Rules about discrepancies: a problem leads to an assumption, and both may lead to an error."""

from __future__ import annotations

from collections.abc import Iterator

from assay.findings import Confidence, Evidence, Finding, Severity, note
from assay.reproduction.categories import Category, categories
from assay.reproduction.levels import Level, level_name
from assay.reproduction.outcomes import AttemptOutcome
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Attempt, Paper, Study
from assay.rules import Source


@reproduction.rule(
    "D109",
    title="No assumption recorded for a problem that needs one",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "15" }]
discrepancies = [{ paper = "15", attempt = "1", category = "P13" }]

[[attempts]]
paper = "15"
attempt = "1"
experiments = 4
identical = 0
consistent = 2
different = 0
not_run = 2
""",
    passing="""
papers = [{ id = "15" }]
discrepancies = [{ paper = "15", attempt = "1", category = "P13" }, { paper = "15", attempt = "1", category = "A11" }]

[[attempts]]
paper = "15"
attempt = "1"
experiments = 4
identical = 0
consistent = 2
different = 0
not_run = 2
""",
    source=Source(THESIS, "sections 4.2.1, 4.2.2 and 5.3"),
    advice="Record the assumption, or say in a note how the problem was solved without one.",
    confidence=Confidence.MEDIUM,
)
def problem_without_assumption(study: Study) -> Iterator[Finding]:
    """An attempt that continues although parameter values are missing (P13) must guess them (A11).

    If that assumption is not recorded, the record is incomplete, or the problem was solved in a way worth describing.
    An attempt without any result may have ended earlier: then this is a note.
    """
    for paper, attempt, category in _met(study):
        if category.leads_to and not set(category.leads_to) & set(attempt.categories):
            mild = attempt.outcome is AttemptOutcome.NO_RESULT
            yield problem_without_assumption.finding(
                f"{category.code} ({category.label}) is recorded without the assumption {_or(category.leads_to)}",
                subject=subject(paper),
                evidence=[_labels(category.leads_to)],
                severity=Severity.NOTE if mild else None,
            )


@reproduction.rule(
    "D110",
    title="Assumption or error without a recorded cause",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "8" }]
attempts = [{ paper = "8", attempt = "1" }]
discrepancies = [{ paper = "8", attempt = "1", category = "E10" }]
""",
    passing="""
papers = [{ id = "8" }]
attempts = [{ paper = "8", attempt = "1" }]
discrepancies = [{ paper = "8", attempt = "1", category = "P7" }, { paper = "8", attempt = "1", category = "E10" }]
""",
    source=Source(THESIS, "sections 4.2.2, 4.2.3 and 5.3"),
    advice='Record the problem or assumption that it comes from, or name its cause in the column "because".',
    confidence=Confidence.MEDIUM,
)
def comes_from_nowhere(study: Study) -> Iterator[Finding]:
    """Problems make assumptions necessary, and both make errors possible.

    For example, random numbers can change a result (E10) only if they were not shared (P7). If a less direct cause is
    recorded, this is a note.
    """
    for paper, attempt, category in _met(study):
        if category.from_ and not _is_explained(category, attempt):
            kin = [code for code in category.kin if code in attempt.categories]
            also = f"; {', '.join(kin)} may explain it" if kin else ""
            yield comes_from_nowhere.finding(
                f"{category.code} ({category.label}) is recorded, but its cause {_or(category.from_)} is not{also}",
                subject=subject(paper),
                evidence=[_labels((*category.from_, *kin))],
                severity=Severity.NOTE if kin else None,
            )


def _is_explained(category: Category, attempt: Attempt) -> bool:
    """Whether its usual source is on record, or a cause is named."""
    if set(category.from_) & set(attempt.categories):
        return True
    return any(d.because for d in attempt.discrepancies if d.category == category.code)


@reproduction.rule(
    "D111",
    title="Code discrepancy although no code was used",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "2", level = "R2-D" }]
attempts = [{ paper = "2", attempt = "1" }]
discrepancies = [{ paper = "2", attempt = "1", category = "P1" }]
""",
    passing="""
papers = [{ id = "2", level = "R1" }]
attempts = [{ paper = "2", attempt = "1" }]
discrepancies = [{ paper = "2", attempt = "1", category = "P1" }]
""",
    source=Source(THESIS, "tables 4.3 to 4.5"),
    advice="Check the level of the paper and the category.",
)
def code_was_not_used(study: Study) -> Iterator[Finding]:
    """Some categories are about the code that the authors share. They cannot occur when the method was written anew."""
    for paper, _, category in _met(study):
        if category.code_only and paper.level in {Level.DATA, Level.DESCRIPTION}:
            level = level_name(paper.level, study.naming)
            yield code_was_not_used.finding(
                f"{category.code} ({category.label}) is recorded for an attempt at level {level}",
                subject=subject(paper),
                evidence=[note(f"level {level} shares no code of the method")],
            )


@reproduction.rule(
    "D119",
    title="Problem recorded without its likely error",
    severity=Severity.NOTE,
    failing="""
papers = [{ id = "1" }]
discrepancies = [{ paper = "1", attempt = "1", category = "P7" }]

[[attempts]]
paper = "1"
attempt = "1"
experiments = 18
identical = 0
consistent = 4
different = 0
not_run = 14
""",
    passing="""
papers = [{ id = "1" }]
discrepancies = [{ paper = "1", attempt = "1", category = "P7" }, { paper = "1", attempt = "1", category = "E10" }]

[[attempts]]
paper = "1"
attempt = "1"
experiments = 18
identical = 0
consistent = 4
different = 0
not_run = 14
""",
    source=Source(THESIS, "sections 4.2.1 and 4.2.3"),
    advice="Record the error if it is likely, or add a note to the problem that says why it is not.",
    confidence=Confidence.LOW,
)
def error_not_weighed(study: Study) -> Iterator[Finding]:
    """Some problems are recorded only if they can change a result, such as random numbers that were not shared (P7).

    If results then differ from the original, the matching error (E10) is a likely cause. An attempt without a result
    reports no errors, and identical results need none. A note on the problem settles it.
    """
    for paper, attempt, category in _met(study):
        weighed = bool(set(category.opens) & set(attempt.categories))
        explained = any(d.note for d in attempt.discrepancies if d.category == category.code)
        if category.opens and not weighed and not explained and _differs(attempt):
            yield error_not_weighed.finding(
                f"problem {category.code} ({category.label}) is recorded and results differ, but its possible error "
                f"{_or(category.opens)} is not recorded",
                subject=subject(paper),
                evidence=[_labels(category.opens)],
            )


def _differs(attempt: Attempt) -> bool:
    """Whether some result is not the original one."""
    return attempt.tally.consistent + attempt.tally.different > 0


def _met(study: Study) -> Iterator[tuple[Paper, Attempt, Category]]:
    """Every category that an attempt met."""
    for paper, attempt in study.attempts():
        for code in attempt.categories:
            yield paper, attempt, categories()[code]


def _labels(codes: tuple[str, ...]) -> Evidence:
    return note("; ".join(f"{code}: {categories()[code].label}" for code in codes))


def _or(codes: tuple[str, ...]) -> str:
    return codes[0] if len(codes) == 1 else f"{', '.join(codes[:-1])} or {codes[-1]}"
