"""A policy applied to the pair table: which rule applies to which pair, and what silenced the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.findings import Severity
from assay.leakage.code.facts.pair import Learnt
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
        yield Verdict(row, rule, _severity(row, rule, policy), learnt, mark, next(exempt, None))


def _severity(row: Row, rule: PolicyRule, policy: Policy) -> Severity:
    """An assumption never carries an error."""
    if row.pair.assumptions and rule.severity.rank < policy.assumed.rank:
        return policy.assumed
    return rule.severity
