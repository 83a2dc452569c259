"""A policy applied to the pair table: which rule applies to which pair, and what silenced the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.findings import Severity
from assay.leakage.code.facts.pair import Assumption, Learnt
from assay.leakage.code.facts.table import Row
from assay.leakage.code.policies.policy import Exemption, Policy, PolicyRule
from assay.leakage.code.state.values import Mark
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """One rule about one pair, or about one step before it; silent where an exemption holds."""

    row: Row
    rule: PolicyRule
    severity: Severity
    assumptions: tuple[Assumption, ...] = ()
    """What the rule rests on that the code does not show."""
    learnt: Learnt | None = None
    mark: Mark | None = None
    exemption: Exemption | None = None


def judge(table: Iterable[Row], policy: Policy) -> Iterator[Verdict]:
    """For each pair and each step before it, the first rule of each code that holds."""
    of_pairs = [rule for rule in policy.rules if not rule.when.asks_for_steps]
    of_steps = [rule for rule in policy.rules if rule.when.asks_for_steps]
    for row in table:
        yield from _verdicts(row, None, None, of_pairs, policy)
        for learnt, mark in zip(row.pair.learnt, row.marks, strict=True):
            yield from _verdicts(row, learnt, mark, of_steps, policy)


def _verdicts(
    row: Row, learnt: Learnt | None, mark: Mark | None, rules: Iterable[PolicyRule], policy: Policy
) -> Iterator[Verdict]:
    spoken: set[str] = set()
    for rule in rules:
        if rule.code in spoken or not rule.when.holds(row.pair, learnt):
            continue
        spoken.add(rule.code)
        exempt = (e for e in policy.exemptions if rule.code in e.rules and e.when.holds(row.pair, learnt))
        assumed = tuple(a for a in row.pair.assumptions if a.kind not in rule.despite)
        severity = _severity(rule, policy, assumed)
        yield Verdict(row, rule, severity, assumed, learnt, mark, next(exempt, None))


def _severity(rule: PolicyRule, policy: Policy, assumed: tuple[Assumption, ...]) -> Severity:
    """An assumption never carries an error."""
    return max(rule.severity, policy.assumed, key=lambda s: s.rank) if assumed else rule.severity
