"""Rules about what a study says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from assay.findings import Confidence, Finding, Severity, note, numbers
from assay.reproduction.claims import Examined, Standing, examined
from assay.reproduction.outcomes import Measured
from assay.reproduction.rules.instrument import THESIS, reproduction
from assay.reproduction.study import Study
from assay.rules import Rule, Source


@reproduction.rule(
    "D112",
    title="Written claim contradicted by the study's records",
    severity=Severity.ERROR,
    failing="""
papers = [{ id = "15", level = "R1" }, { id = "21", level = "R1" }]
attempts = [{ paper = "15", attempt = "1" }, { paper = "21", attempt = "1" }]

[[claims]]
where = "section 5.3"
says = "every R1 attempt but one met P1"
measure = "attempts"
of = "level=R1; lacks=P1"
value = 1
""",
    passing="""
papers = [{ id = "15", level = "R1" }, { id = "21", level = "R1" }]
attempts = [{ paper = "15", attempt = "1" }, { paper = "21", attempt = "1" }]

[[claims]]
where = "section 5.3"
says = "no R1 attempt met P1"
measure = "attempts"
of = "level=R1; lacks=P1"
value = 2
""",
    source=Source(THESIS, "sections 5.2, 5.3 and 5.4 against tables 4.2, A.3 and B.1 to B.3"),
    advice="Correct the sentence or the record, whichever is wrong.",
    confidence=Confidence.PROVEN,
)
def claim_contradicted(study: Study) -> Iterator[Finding]:
    """A claim about the study's own records can be recounted.

    Records may change after the text is written. If the two differ, a reader cannot know which is right.
    """
    for result in examined(study):
        if result.standing is Standing.FAILS:
            yield _about_claim(claim_contradicted, result, f"but the records give {result.by_rule}")
        elif result.standing is Standing.BY_RULE:
            said = f"as the rule gives, but the outcomes that the study states give {result.as_stated}"
            yield _about_claim(claim_contradicted, result, said)


@reproduction.rule(
    "D113",
    title="Study figure computed from a wrong outcome",
    severity=Severity.ERROR,
    failing="""
papers = [{ id = "17" }]
claims = [{ where = "section 5.1", says = "one failure", measure = "attempts", of = "outcome=Failure", value = 1 }]

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
claims = [{ where = "section 5.1", says = "one failure", measure = "attempts", of = "outcome=Failure", value = 1 }]

[[attempts]]
paper = "17"
attempt = "1"
outcome = "Failure"
experiments = 16
identical = 0
consistent = 0
different = 6
not_run = 10
""",
    source=Source(THESIS, "tables 4.2 and 5.1, sections 5.1 and 5.4"),
    advice="Correct the outcome, then this figure.",
    confidence=Confidence.PROVEN,
)
def follows_from_wrong_outcome(study: Study) -> Iterator[Finding]:
    """One wrong outcome changes every percentage, mean and correlation computed from it.

    The figure is right for the outcomes as stated, but wrong by the study's own rule.
    """
    for result in examined(study):
        if result.standing is Standing.AS_STATED:
            yield _about_claim(follows_from_wrong_outcome, result, f"but by the rule it is {result.by_rule}")


@reproduction.rule(
    "D114",
    title="Percentages that do not sum to 100",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "9" }]
claims = [
  { where = "table 4.2", measure = "share", of = "paper=9; ended=identical", value = 0 },
  { where = "table 4.2", measure = "share", of = "paper=9; ended=consistent", value = 1 },
  { where = "table 4.2", measure = "share", of = "paper=9; ended=different", value = 10 },
  { where = "table 4.2", measure = "share", of = "paper=9; ended=not_run", value = 88 },
]

[[attempts]]
paper = "9"
attempt = "1"
experiments = 68
identical = 0
consistent = 1
different = 7
not_run = 60
""",
    passing="""
papers = [{ id = "2" }]
claims = [
  { where = "table 4.2", measure = "share", of = "paper=2; ended=identical", value = 25 },
  { where = "table 4.2", measure = "share", of = "paper=2; ended=consistent", value = 0 },
  { where = "table 4.2", measure = "share", of = "paper=2; ended=different", value = 25 },
  { where = "table 4.2", measure = "share", of = "paper=2; ended=not_run", value = 50 },
]

[[attempts]]
paper = "2"
attempt = "1"
experiments = 4
identical = 1
consistent = 0
different = 1
not_run = 2
""",
    source=Source(THESIS, "table 4.2, papers 9 and 17"),
    advice="Print the counts beside the percentages.",
    confidence=Confidence.PROVEN,
)
def percentages_do_not_sum(study: Study) -> Iterator[Finding]:
    """The percentages of all outcomes add up to 100. A difference that rounding explains is only a note."""
    rows: dict[tuple[str, str], list[Measured]] = {}
    for claim in study.claims:
        of = dict(claim.of)
        if claim.measure == "share" and of.keys() == {"paper", "ended"}:
            rows.setdefault((claim.where, of["paper"]), []).append(Measured(claim.value))
    for (where, paper), shares in rows.items():
        total = sum((share.exact for share in shares), Fraction(0))
        slack = sum((share.unit for share in shares), Fraction(0)) / 2
        if len(shares) == 4 and total != 100:
            rounding = abs(total - 100) <= slack
            yield percentages_do_not_sum.finding(
                f"the percentages sum to {float(total):g}" + (", which rounding explains" if rounding else ""),
                subject=f"paper {paper}",
                evidence=[note(f"{where}: {' + '.join(share.value for share in shares)} = {float(total):g}")],
                severity=Severity.NOTE if rounding else None,
            )


@reproduction.rule(
    "D122",
    title="Claim with an unknown measure or selector",
    severity=Severity.WARNING,
    failing="""
papers = [{ id = "1", level = "R1" }]
attempts = [{ paper = "1", attempt = "1" }]
claims = [{ where = "section 5", says = "all R1", measure = "percentage", of = "level=R1", value = 100 }]
""",
    passing="""
papers = [{ id = "1", level = "R1" }]
attempts = [{ paper = "1", attempt = "1" }]
claims = [{ where = "section 5", says = "all R1", measure = "percent of attempts", of = "level=R1", value = 100 }]
""",
    source=Source("Assay", "the measures and selectors of its claims"),
    advice="Choose a measure and selectors from `assay study measures`.",
    confidence=Confidence.PROVEN,
)
def claim_not_understood(study: Study) -> Iterator[Finding]:
    """A claim that names an unknown measure or selector cannot be checked."""
    for result in examined(study):
        if result.trouble:
            claim = result.claim
            what = f'The claim "{claim.says or claim.measure}" is not checked: {result.trouble.what}.'
            yield claim_not_understood.finding(what, subject=claim.where, evidence=[note(result.trouble.fix)])


def _about_claim(rule: Rule[Study], result: Examined, found: str) -> Finding:
    claim = result.claim
    values = {"claimed": claim.value, "by the rule": result.by_rule, "as stated": result.as_stated}
    asked = "; ".join(f"{key}={value}" for key, value in claim.of)
    return rule.finding(
        f'the claim "{claim.says or claim.measure}" states {claim.value}, {found}',
        subject=claim.where,
        evidence=[numbers(values, f"{claim.measure} of {asked}" if asked else claim.measure)],
    )
