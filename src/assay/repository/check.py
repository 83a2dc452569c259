"""From facts to a judgement: every rule passes, fails or does not apply, and the factors are scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING

from assay.findings import Finding
from assay.records import dataclass
from assay.repository.causes import folded
from assay.repository.factors import FactorScore
from assay.repository.facts import Repository
from assay.repository.priorities import weighed
from assay.repository.profiles import Profile
from assay.repository.rules.instrument import condition_of, repository

if TYPE_CHECKING:
    from assay.repository.research.loos2022 import Asked, Indicators


class Result(StrEnum):
    """How a rule ends. What does not apply has not passed."""

    PASS = "pass"  # noqa: S105 - no password
    FAIL = "fail"
    NOT_APPLICABLE = "not applicable"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rule on one repository; `reason` says why it does not apply."""

    code: str
    title: str
    result: Result
    findings: tuple[Finding, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Assessment:
    """All that is said about one repository."""

    facts: Repository
    profile: Profile
    outcomes: tuple[Outcome, ...]
    factors: tuple[FactorScore, ...]
    indicators: Indicators | None = None
    """What the profile loos2022 measured; the default profile scores facts."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Those of all rules."""
        return tuple(finding for outcome in self.outcomes for finding in outcome.findings)

    def ended(self, result: Result) -> tuple[Outcome, ...]:
        """The rules that ended so."""
        return tuple(o for o in self.outcomes if o.result is result)

    def _repr_html_(self) -> str:
        """How notebooks show it."""
        from assay.repository.assessment_report import report_of

        return report_of([self], figures=True)._repr_html_()


def assess(
    facts: Repository,
    profile: Profile = Profile.DEFAULT,
    *,
    codes: Iterable[str] | None = None,
    pylint: float | None = None,
) -> Assessment:
    """Judge a repository by every rule, or by those with the given codes, and score its factors.

    `pylint` is the rating that the profile loos2022 counts, if somebody had it measured.
    """
    outcomes = judge(facts)
    wanted = None if codes is None else frozenset(codes)
    chosen = tuple(o for o in outcomes if wanted is None or o.code in wanted)
    if profile is Profile.LOOS2022:
        from assay.repository.research.loos2022 import factors_of, indicators_of

        indicators = indicators_of(facts, replace(_asked(facts), pylint=pylint))
        return Assessment(facts, profile, chosen, factors_of(indicators), indicators)
    from assay.repository.profiles.default import factors_of as default_factors

    failed = frozenset(outcome.code for outcome in outcomes if outcome.result is Result.FAIL)
    return Assessment(facts, profile, chosen, default_factors(facts, failed))


def judge(facts: Repository) -> tuple[Outcome, ...]:
    """Every rule of the room, plugged in or not, by code."""
    found: list[Outcome] = []
    for rule in repository.rules():
        condition = condition_of(rule.check)
        if condition is not None and not condition.holds(facts):
            found.append(Outcome(rule.code, rule.title, Result.NOT_APPLICABLE, reason=condition.otherwise))
            continue
        findings = tuple(weighed(finding, facts) for finding in rule.check(facts))
        found.append(Outcome(rule.code, rule.title, Result.FAIL if findings else Result.PASS, findings))
    kept: dict[str, list[Finding]] = {}
    for finding in folded(finding for outcome in found for finding in outcome.findings):
        kept.setdefault(finding.code, []).append(finding)
    return tuple(replace(outcome, findings=tuple(kept.get(outcome.code, ()))) for outcome in found)


def _asked(facts: Repository) -> Asked:
    """What servers said about the links, in per cent; nothing when they were not asked."""
    from assay.repository.readme import Status
    from assay.repository.research.loos2022 import Asked

    told = [link.status for link in facts.readme.links if link.remote and link.status is not Status.UNKNOWN]
    return Asked(100 * told.count(Status.OK) / len(told)) if told else Asked()
