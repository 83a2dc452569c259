"""Why nothing was reported about a pair: the exemption that silenced it, or the column that does not fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from assay.findings import Location
from assay.leakage.code.facts.table import Row
from assay.leakage.code.policies.judgement import judge
from assay.leakage.code.policies.policy import Policy
from assay.records import dataclass


@dataclass(frozen=True, slots=True)
class Silence:
    """One rule that stayed silent about one pair, and why."""

    rule: str
    model: str
    training: Location
    evaluation: Location
    exemption: str
    """The exemption that silenced the rule; empty where a column does not fit."""
    reason: str
    step: Location | None = None


def silences(table: Iterable[Row], policy: Policy) -> Iterator[Silence]:
    """Every pair that an exemption silenced, and every pair that no rule is about."""
    for row in table:
        pair = row.pair
        spoken = False
        for verdict in judge([row], policy):
            spoken = True
            if verdict.exemption is not None:
                step = verdict.learnt.place.location if verdict.learnt is not None else None
                yield Silence(
                    verdict.rule.code,
                    pair.model,
                    pair.training.location,
                    pair.evaluation.location,
                    verdict.exemption.name,
                    verdict.exemption.reason,
                    step,
                )
        if not spoken:
            first = policy.rules[0]
            reason = first.when.first_failure(pair, None)
            place = (pair.training.location, pair.evaluation.location)
            yield Silence(first.code, pair.model, *place, "", reason)
