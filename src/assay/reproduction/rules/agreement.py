"""Rules about records that do not go together: reasons with problems, scores with problems, errors with outcomes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from importlib import resources

from assay.findings import Confidence, Finding, Severity, certificate, note, numbers
from assay.records import dataclass
from assay.reproduction.categories import categories
from assay.reproduction.levels import Level
from assay.reproduction.outcomes import Measured
from assay.reproduction.rules.instrument import THESIS, reproduction, subject
from assay.reproduction.study import Attempt, Paper, Reason, Status, Study
from assay.rules import Source

_EXPLAINED_BY = {
    Reason.CODE: ("P1", "P2"),
    Reason.DATA: ("P15", "P16", "P17", "P18"),
    Reason.PRESENTATION: ("P19", "E15"),
    Reason.HARDWARE: ("P20",),
}
_NO_CODE = "no code"


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a component can score, given a category that was met or a level."""

    component: str
    when: str
    because: str
    certain: bool
    values: tuple[Fraction, ...] = ()
    below: Fraction | None = None

    def allows(self, printed: str) -> bool:
        """Whether some allowed value rounds to the printed one."""
        score, half = Fraction(printed), Measured(printed).unit / 2
        if self.below is not None:
            return score < self.below
        return any(abs(score - value) <= half for value in self.values)


@cache
def expectations() -> tuple[Expectation, ...]:
    """The table of what goes with what."""
    text = (resources.files("assay.reproduction") / "expectations.toml").read_text(encoding="utf-8")
    return tuple(
        Expectation(
            row["component"],
            row["when"],
            row["because"],
            row["certain"],
            tuple(map(Fraction, row.get("values", ()))),
            Fraction(row["below"]) if "below" in row else None,
        )
        for row in tomllib.loads(text)["expectation"]
    )


@reproduction.rule(
    "D115",
    title="Missing or unneeded reason for experiments not run",
    severity=Severity.WARNING,
    failing="""
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
    passing="""
papers = [{ id = "1" }]

[[attempts]]
paper = "1"
attempt = "1"
reasons = "time"
experiments = 18
identical = 0
consistent = 4
different = 0
not_run = 14
""",
    source=Source(THESIS, "section 4.1 and table 4.2"),
    advice="Say why, or correct the counts.",
    confidence=Confidence.PROVEN,
)
def left_out_without_reason(study: Study) -> Iterator[Finding]:
    """Only the reason shows whether experiments could not be reproduced or were never tried."""
    for paper, attempt in study.attempts():
        left = _left_out(attempt)
        if left and not attempt.reasons:
            yield left_out_without_reason.finding(
                f"{left} experiments were not run, and no reason is given",
                subject=subject(paper),
                evidence=[numbers({"experiments": attempt.tally.experiments, "not run": left})],
            )
        elif attempt.reasons and attempt.tally.experiments and not attempt.tally.not_run:
            yield left_out_without_reason.finding(
                f'every experiment was run, but "{", ".join(attempt.reasons)}" is given as the reason why not',
                subject=subject(paper),
                evidence=[numbers({"experiments": attempt.tally.experiments, "not run": 0})],
            )


@reproduction.rule(
    "D116",
    title="Reason for stopping without a matching problem",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "21" }]
attempts = [{ paper = "21", attempt = "1", reasons = "presentation" }]
discrepancies = [{ paper = "21", attempt = "1", category = "P13" }]
""",
    passing="""
papers = [{ id = "21" }]
attempts = [{ paper = "21", attempt = "1", reasons = "presentation" }]
discrepancies = [{ paper = "21", attempt = "1", category = "P19" }]
""",
    source=Source(THESIS, "table 4.2 against table B.1, paper 21"),
    advice="Record the problem, or correct the reason.",
    confidence=Confidence.MEDIUM,
)
def reason_without_problem(study: Study) -> Iterator[Finding]:
    """Incomplete code, unavailable data, incomparable results and hardware are categories of problems, too.

    If one of them stopped an attempt, it belongs among the recorded discrepancies.
    """
    for paper, attempt in study.attempts():
        for reason in attempt.reasons:
            causes = _EXPLAINED_BY.get(reason, ())
            if causes and attempt.discrepancies and not set(causes) & set(attempt.categories):
                yield reason_without_problem.finding(
                    f'the reason is "{reason}", but no discrepancy says so ({" or ".join(causes)})',
                    subject=subject(paper),
                    evidence=[note("; ".join(f"{code}: {categories()[code].label}" for code in causes))],
                )


@reproduction.rule(
    "D117",
    title="Documentation score contradicted by discrepancies",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "16" }]
components = [{ paper = "16", data = "1.00" }]
attempts = [{ paper = "16", attempt = "1" }]
discrepancies = [{ paper = "16", attempt = "1", category = "P17" }]
""",
    passing="""
papers = [{ id = "16" }]
components = [{ paper = "16", data = "0.50" }]
attempts = [{ paper = "16", attempt = "1" }]
discrepancies = [{ paper = "16", attempt = "1", category = "P17" }]
""",
    source=Source(THESIS, "sections 3.2.2 to 3.2.10 and table A.3 against tables 4.1 and B.1, papers 4, 16 and 29"),
    advice="Correct the score, the level or the discrepancy, whichever is wrong.",
)
def score_against_record(study: Study) -> Iterator[Finding]:
    """A paper is scored when it is read, and the attempt shows whether the score was right.

    Data with a full score are complete, so no attempt can have found them missing. A paper without code cannot score
    for code.
    """
    for paper in study.papers:
        met = {code for attempt in paper.attempts for code in attempt.categories}
        given = met | ({_NO_CODE} if paper.level in {Level.DATA, Level.DESCRIPTION} else set())
        scores = dict(paper.components)
        for one in expectations():
            score = scores.get(one.component)
            if one.when in given and score and not one.allows(score):
                yield score_against_record.finding(
                    f"the component {one.component} has the score {score}, which contradicts {_reason(one, paper)}",
                    subject=subject(paper),
                    evidence=[certificate(one.because, {one.component: score, "possible": _possible(one)})],
                    confidence=None if one.certain else Confidence.MEDIUM,
                    severity=None if one.certain else Severity.NOTE,
                )


@reproduction.rule(
    "D118",
    title="Difference stated for results that cannot be compared",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "10" }]
discrepancies = [{ paper = "10", attempt = "1", category = "E15" }]

[[attempts]]
paper = "10"
attempt = "1"
experiments = 31
identical = 0
consistent = 0
different = 24
not_run = 7
""",
    passing="""
papers = [{ id = "10" }]
discrepancies = [{ paper = "10", attempt = "1", category = "E15" }]

[[attempts]]
paper = "10"
attempt = "1"
experiments = 31
identical = 0
consistent = 0
different = 0
not_run = 31
""",
    source=Source(THESIS, "section 4.2.3 (E15) against table A.2, paper 10"),
    advice="Enter these experiments one by one, as run and without results: they count as undecided.",
    confidence=Confidence.MEDIUM,
)
def different_but_not_comparable(study: Study) -> Iterator[Finding]:
    """A result that cannot be compared with the original is neither the same nor different.

    Counting it as different turns an unknown into a failure.
    """
    for paper, attempt in study.attempts():
        tally = attempt.tally
        if "E15" in attempt.categories and tally.different and not tally.identical + tally.consistent:
            yield different_but_not_comparable.finding(
                f"{tally.different} experiments are recorded as different, but E15 says that they cannot be compared",
                subject=subject(paper),
                evidence=[note(f"E15: {categories()['E15'].label}"), numbers({"different": tally.different})],
            )


def _left_out(attempt: Attempt) -> int:
    """How many experiments were not run and do not say why; one that is still planned needs no reason."""
    if attempt.experiments:
        return sum(e.status is Status.NOT_RUN and e.reason is None for e in attempt.experiments)
    return attempt.tally.not_run


def _reason(one: Expectation, paper: Paper) -> str:
    if one.when == _NO_CODE:
        return f"a level at which no code is shared ({paper.level})"
    return f"{one.when} ({categories()[one.when].label})"


def _possible(one: Expectation) -> str:
    return f"below {one.below}" if one.below is not None else _figures(one.values)


def _figures(values: Sequence[Fraction]) -> str:
    return ", ".join(f"{float(value):.2f}" for value in sorted(values))
